"""Suppressions: what stands around a false relation and may mean that nobody claims it.

"Suppose 3 * 4 = 11", "is 3 * 4 = 11?", "3 * 4 = 11 is wrong". A refutation fails a segment without asking anybody else,
so any such word nearby keeps the checks silent; an error that is missed here still goes on to other auditors.
"""

from __future__ import annotations

import re
from fractions import Fraction

from auditing.checker.answers.measures import measure
from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.tree import Node, Sym, Tree, bare_number, literals
from auditing.checker.mathematics.vocabulary import SIZED_UNITS
from auditing.checker.reading.around.ends import about_ends
from hdag.core.text.cues import Cue

# a denial right after the relation, or in its sentence: the equation is put up to be refuted
_DENIED = Cue(
    r"\b(?:not|false|contradict\w*|impossible|incorrect|wrong|invalid|no|cannot|never|mistake|error|isn[’']t|"
    r"doesn[’']t|don[’']t|can[’']t|fails?|violat\w*|but|"
    r"instead|ignore|however|too|exceeds?)\b|\\neq?\b|≠|✗|❌",
    re.I,
)
# words strong enough to doubt a relation alone; those of _DENIED only together with a trial or an inequality
_DENIED_HARD = Cue(
    r"\b(?:not equal|false|contradict\w*|impossible|incorrect\w*|wrong\w*|invalid|not true|not valid|not possible|"
    r"(?:is|are|was) off by|cannot|not right|fails|mistake\w*|error|is a bug|isn[’']t|does not|doesn[’']t|is not|"
    r"not satisfy|but (?:i|we) (?:get|got|find|found)|but it(?:[’']s| is) -?\d+|"
    r"but the (?:true|correct|actual|right))\b|\\neq?\b|≠",
    re.I,
)
_TRIED = Cue(
    r"\b(?:try\w*|test(?! scores?\b| results?\b| grades?\b)\w*|check\w*|whether|verif\w*|"
    # "plugging in x = 3" tries a value; the given values are tried by nobody
    r"plug(?!\w* in(?:to)? (?:the|these|those|our|all)(?: (?:given|known))? (?:values|numbers|quantities)\b)\w*|"
    r"suppose|assum\w*|hypothe\w*|satisf\w*|guess\w*|attempt\w*|option|choice)\b",
    re.I,
)
# of these a trial may be made even where a name stands first
_SUPPOSED = re.compile(r"\b(?:suppose|assum\w*|hypothe\w*|guess\w*|whether|option|choice)\b", re.I)
_ROUGHLY = Cue(
    r"\b(?:approximat\w*|(?<!thinking )(?<!think )(?<!talking )(?<!talk )(?<!know )about|roughly|"
    r"estimat\w*|nearly|almost)\b",
    re.I,
)
# plugging x = 3 into x^2 + 2x, we get ...: an expression has no other side that a value might be tried on
_PUT_IN = re.compile(
    r"\b(?:plug\w*|substitut\w*)\b[^.!?]{1,120}\binto\b(?![^.!?]*\b(?:equations?|formula|inequality|check|satisf\w*|both|sides?|it|this|these|each)\b)"
    r"[^=<>≤≥≠]{1,120}(?:\b(?:we\s(?:get|have|obtain)|gives|yields)(?:\sus)?)[\s:$\\(\[]{0,6}$",
    re.IGNORECASE,
)
# how a following sentence speaks about this one
_POINTS_BACK = re.compile(
    r"\W*(?:this|that|it|which|not|so this|but this|but that|contradict|wait|oops|hmm|hold on|no)\b", re.I
)
_NOT_EQUAL = Cue(r"^\W{0,6}(?:,? ?(?:which|and that|and this) (?:is|does) not equal(?: to)?)")
# how authors take back what they have just written, soon after it
_TAKEN_BACK = Cue(
    r"\b(?:wait|oops|hold on|hmm+|actually|scratch that|correction|i mean|sorry|my mistake|recomput\w*|recalculat\w*|"
    r"re-?check\w*|redo|recount|let me (?:check|verify|try|compute|see)|that(?:'|’)?s? (?:is )?(?:wrong|not right|off)|"
    # what "should be less than 8" is told of something else
    r"should (?:actually )?be(?!\s(?:slightly |a bit )?(?:less|greater|smaller|larger|more|fewer)\b)|"
    r"corrected (?:it|this|that) to|mistake|typo|nope|no,)|~~|</(?:del|s|strike)>|✗|❌",
    re.I,
)
_DENIED_BEHIND = re.compile(
    r"[\"'”’*`)\]$.]{0,3}(?:[,;:]?\s{1,2}(?:(?:but|and|which|that|this|it)\s){0,3}(?:is|was|would be|must be)\s"
    r"(?:only\s)?(?:not (?:quite )?(?:true|correct|right|the case)|false|wrong|incorrect|untrue|"
    r"what (?:he|she|they|you|some|many|people|the (?:claim|student|book|text|statement|question))|"
    r"an? (?:common )?(?:mistake|error|misconception|myth|fallacy|lie))\b"
    r"|,?\s(?:some|they|many|people|he|she|you)\s(?:people\s)?(?:say|think|claim|believe|wrote|said|thought)s?\b"
    r"|,?\s(?:only (?:if|when)|iff|if and only if)\b)",
    re.IGNORECASE,
)
_ROUGHLY_AFTER = re.compile(
    r"(?:[^.;\n]|\.\d){0,40}?\b(?:approx\w*|roughly|rounded|rounding|about|estimat\w*|nearly|truncated)\b", re.I
)
ROUGH = "said to be rough"
# how many characters behind a claim its author may take it back
SOON_AFTER = 100
# a step that begins so takes the one before it back
_RETRACTS = re.compile(
    r"\W*(?:no|wait|oops|hold on|hmm+|actually|scratch that|sorry|correction)\b"
    r"[^.!?]{0,60}(?:[.!?]|\bwrong|\bmistake|$)",
    re.I,
)
_COMPUTATION = re.compile(r"[\d.,%]+(?:[-+*/×÷^·−]+[\d.,%]+)+")
_BLANKS = re.compile(r"[\s\\()$]+")
_QUANTITIES = (
    r"(?:hours?|hrs?|h|minutes?|mins?|min|seconds?|weeks?|days?|years?|months?|"
    r"feet|foot|ft|pounds?|lbs?|dollars?|m|km|kg)"
)
# "1100 cans in 5 hours", "9 miles because 36 * 3/4 = 27": such a word begins something else
_BEGINS_ANEW = r"(?!(?:in|for|because|since|at|after|within|during|per|each|every|when|so|over|by|of|from|on|until)\b)"
_GOES_ON_AFTER = re.compile(
    rf"\s*(?:{_BEGINS_ANEW}[A-Za-z]+,?\s+\d|{_QUANTITIES}\s*,?\s+(?:and\s+)?\d|{_QUANTITIES}\d)", re.I
)
_GOES_ON_BEFORE = re.compile(rf"\d\s*{_QUANTITIES},?\s+(?:and\s+)?$", re.I)
# "2 (from the first) + 1 (from each of the others) = 4": what stands in brackets multiplies
_FOR_EACH = Cue(r"\d\s?\((?:from|for|in|by|per|on|at)?\s?(?:each|every)\b[^()]{0,60}\)", re.IGNORECASE)
# "250 of the original number of books - 135 sold books": this sign is no bullet
_FOLLOWS_A_WORD = Cue(r"[A-Za-z)\]]\s+[-−–+]\s$")
_MONEY = re.compile(r"dollar|cent|buck|usd|\bquarter|\bdime|\bnickel|\bpenn|grand|thousand|million|billion", re.I)
_UNIT_PARTS = re.compile(r"[A-Za-zΩ]+")
# the base units of the SI, and those that are products of them without a factor
COHERENT = frozenset("m s kg meter meters second seconds kilogram kilograms".split())
# C and F may be degrees
_DERIVED = frozenset("N J W V A T K Pa Hz mol ohm newton newtons joule joules watt watts volt volts ohms".split())
SENTENCE_END = re.compile(r"[.!?](?:\s|\\\]|\$)|\n")


def context_doubt(text: str, chain: Chain, index: int) -> str:
    """Why link `index` of a chain in `text` may be no claim; empty when it is one."""
    end = chain.sides[index + 1].end
    if _is_corrected(text, chain, index):
        return "corrected by its author"
    if doubt := _about_its_sides(text, chain, index):
        return doubt
    if text[end : end + 6].lstrip(" )]\\$.")[:1] == "?":
        return "a question"
    # the words behind the whole chain, and those before it in its sentence
    tail = _said_after(text[chain.end : chain.end + 160])
    head = text[max(0, chain.start - 200) : chain.start]
    sentence = SENTENCE_END.split(head)[-1]
    if _DENIED_HARD.search(_NOT_EQUAL.sub(" ", tail)) or _DENIED_HARD.search(sentence):
        return "put up to be refuted"
    if _DENIED.search(tail) and (chain.relations[index] != "=" or _TRIED.search(head)):
        return "put up to be refuted"
    if _ROUGHLY.search(sentence[-80:]) or _is_rough(text, chain, index):
        return ROUGH
    return "put up as a trial" if _TRIED.search(sentence) and not _computes(sentence, chain, index) else ""


def _about_its_sides(text: str, chain: Chain, index: int) -> str:
    end = chain.sides[index + 1].end
    if _is_part_of_a_quantity(text, chain, end):
        return "a part of a quantity in two units"
    if _FOR_EACH.search(text, chain.start, end):
        return "a remark that counts for each"
    if _FOLLOWS_A_WORD.search(text[max(0, chain.start - 40) : chain.start + 2]):
        return "a sign that belongs to what stands before"
    return about_ends(text, chain, index)


def _is_rough(text: str, chain: Chain, index: int) -> bool:
    """0.32^3 = 0.033 = 0.03 (rounded): the word behind a chain speaks of its last sign alone."""
    word = _ROUGHLY_AFTER.match(text, chain.sides[index + 1].start)
    return word is not None and (index + 1 == len(chain.relations) or word.end() <= chain.sides[index + 2].start)


def _computes(sentence: str, chain: Chain, index: int) -> bool:
    """Plugging in, d = 0.5 * 4 * 9 = 18: what stands behind a name and its sign is computed, and tries nothing."""
    first, left, right = chain.sides[0].tree, chain.sides[index].tree, chain.sides[index + 1].tree
    if _SUPPOSED.search(sentence) or right is None or bare_number(right) is None:
        return False
    if index == 0:
        return isinstance(left, Node) and bool(_PUT_IN.search(sentence))
    is_name = first is None or (isinstance(first, Sym) and set(chain.relations[:index]) <= {"=", "≈"})
    return is_name and isinstance(left, Node)


def _is_corrected(text: str, chain: Chain, index: int) -> bool:
    """3 + 4 = 8. Oops, 3 + 4 = 7: whoever writes so takes the first back."""
    end = chain.sides[index + 1].end
    # of a chain that goes on for longer no more is read for each of its links
    after = text[end : min(chain.end + 200, end + 800)]
    if _TAKEN_BACK.search(after[:80]):
        return True
    # the same computation again with another result, and no word of taking it back
    written, result = (_BLANKS.sub("", text[side.start : side.end]) for side in chain.sides[index : index + 2])
    if not _COMPUTATION.fullmatch(written):
        return False
    again = _BLANKS.sub("", after).partition(f"{written}=")[2]
    return bool(again) and not again.startswith(result.strip(".,;"))


def _is_part_of_a_quantity(text: str, chain: Chain, end: int) -> bool:
    """= 1 hour 15 minutes: the number goes on behind its unit."""
    return bool(_GOES_ON_AFTER.match(text, end) or _GOES_ON_BEFORE.search(text[max(0, chain.start - 40) : chain.start]))


def is_taken_back(text: str, end: int) -> bool:
    """Whether what ends at `end` is taken back soon after: "757 is divisible by 11: 757/11 = 68.8... Wait, no."

    Or denied, left to others, or said under a condition directly behind it.

    >>> is_taken_back("91 is prime is what he wrote", 11), is_taken_back("91 is prime, so it is odd", 11)
    (True, False)
    """
    return bool(_TAKEN_BACK.search(text[end : end + SOON_AFTER]) or _DENIED_BEHIND.match(text, end))


def takes_back(text: str) -> bool:
    """Whether a step begins with taking back the one before it: "No, that's wrong. It is ..." """
    return bool(_RETRACTS.match(text[:120]))


def _said_after(after: str) -> str:
    """The rest of the sentence, and the next one when it speaks about this one ("This is false")."""
    stop = SENTENCE_END.search(after)
    if stop is None:
        return after[:120]
    following = after[stop.end() : stop.end() + 40]
    return after[: stop.start()] + (" " + following if _POINTS_BACK.match(following) else "")


def counts_unlike_things(left: Tree, right: Tree) -> bool:
    """3 pencils + 1 eraser = 124 cents: an equation about prices, not about numbers."""
    # $4.50 (apples) + $4 (peaches) = $8.50 adds up money
    if all(number.money for tree in (left, right) for number in literals(tree)):
        return False
    unit_sets = [frozenset(number.unit.split()) for number in literals(left) if number.unit]
    # 2 adult tickets + 3 child tickets = $45: both are tickets, and none is money
    numbers = literals(left)
    is_paid = any(number.money for number in literals(right)) and not any(number.money for number in numbers)
    if is_paid and len(unit_sets) == len(numbers) and not any(_MONEY.search(number.unit) for number in numbers):
        return True
    result_units = {word for number in literals(right) for word in number.unit.split()}
    result_units |= {"$" for number in literals(right) if number.money}
    if len(set(unit_sets)) < 2 or frozenset.intersection(*unit_sets):
        return False
    return bool(result_units) and not result_units & frozenset.union(*unit_sets)


def units_differ(left: Tree, right: Tree) -> bool:
    """Whether convertible units of different size stand on the two sides (hours and minutes, dollars and cents)."""
    if _is_coherent(left, right):
        return False
    left_units, right_units = _known_units(left), _known_units(right)
    # a result may be the first to name its unit: 39.7 * 0.85 = 33.7 mL/minute
    return (
        bool(left_units)
        and left_units != right_units
        and bool(right_units - left_units or left_units - right_units)
        and (len(left_units | right_units) > 1)
    )


def _is_coherent(*trees: Tree) -> bool:
    """(12 N)/(2 kg) = 6 m/s^2: units of one system multiply without a factor."""
    units = {part for tree in trees for number in literals(tree) for part in _UNIT_PARTS.findall(number.unit)}
    return bool(units & _DERIVED) and units <= COHERENT | _DERIVED


def adds_two_sizes(tree: Tree) -> bool:
    """2 h + 45 min, $3.50 + 25 cents: the numbers alone are not added."""
    if not (isinstance(tree, Node) and tree.op in ("+", "-")):
        return False
    sizes: dict[str, set[Fraction]] = {}
    for number in literals(tree):
        unit = "dollar" if number.money else number.unit.lower()
        known = measure(unit) if unit else None
        if known is not None:
            sizes.setdefault(known[0], set()).add(known[1])
    return any(len(factors) > 1 for factors in sizes.values())


def _known_units(tree: Tree) -> set[str]:
    units = set()
    for number in literals(tree):
        for word in number.unit.replace("/", " ").split():
            stem = word.lower().rstrip("s.")
            if stem in SIZED_UNITS:
                units.add(stem)
        if number.money:
            units.add("$")
    return units
