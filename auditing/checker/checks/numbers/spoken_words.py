"""Words that stand for a sign of equality: "is", ", which is about", "simplifies to", and what may stand around them.

Two forms: a computation whose result is said ("210 + 91 is 301"), and a value that is written twice, with units before
the words or single numbers on both sides ("(12)^3 cubic inches, which is 1728"). spoken.py judges them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from auditing.checker.checks.numbers.beginnings import begins_before
from auditing.checker.mathematics.chains import Side
from auditing.checker.mathematics.tree import Node, bare_number, is_finished
from auditing.checker.mathematics.vocabulary import GOES_ON
from auditing.checker.reading.certainty import is_below_one
from hdag.core.text.cues import Cue

COMPUTED = Cue(
    r"(?<=[\d)\]}%$])(?P<before>\s?(?:\\[)\]])?)(?=,?\s(?:[a-z→⇒⟹]|--?>|=>))(?P<words>(?:,?\s(?:which\s)?"
    r"(?:is equal to|is (?P<nearly>approximately) equal to|is|equals|makes|gives|yields|comes to|results in|"
    r"(?:further\s|then\s)?(?:simplifies|reduces|evaluates|works out|comes out|amounts|is reduced) to|"
    r"(?:(?:it|this)\s)?(?:can be|is)\s(?:broken down|written|expressed|factored|rewritten|decomposed) (?:as|into)|as)"
    r"(?P<rough>\s(?:about|approximately|roughly|around))?(?:\s(?:just|exactly|simply))?|"
    r"\s(?:-{1,2}>|=>|[→⇒⟹])|,\s(?:or|i\.e\.,?))\s)"
    r"(?=\\[(\[]|[-$(\d]|\\[dt]?frac)"
)
_UNIT = r"(?P<unit>(?:\s(?!(?:and|or|to|from|than|of|by|is|are|per|which|that|in)\b)[a-z]{2,14}){0,3})"
_THIS = r"(?:(?:,|\s\()\s?(?:which|and this|and that|and it|so this)|\s?[-–,.:;]\s(?:this|it|that)|\s\(?which)?"
_NEAR = r"(?P<near>\s(?:approximately|about|roughly|nearly))?"
_EQUAL = (
    r"(?:is|equals|is equal to|is exactly|is the same as|is simply|is just|is also|comes to|evaluates to|works out to|"
    r"(?:further\s)?(?:simplifies|reduces) to|(?:can be|is) (?:simplified|reduced) to|"
    r"is (?:approximately |about )?equal to|(?:can be|is) (?:re)?written as|becomes|gives)"
)
TWICE = Cue(
    # between the number and the first word there is no more than a mark with its blanks
    r"(?<=[\d)\]}%$°])(?=[\s,(.;:–-]{0,3}[a-z])(?:" + _UNIT + r"(?P<words>"
    r"(?P<differs>" + _THIS + r"\s(?:is not equal to|does not equal(?: to)?|is not the same as)"
    r"(?:\s(?:the|its)(?:\s[a-z]{2,12}){1,2})?)|"
    r"(?P<rounded>(?:,|\s\()\s?(?:which|and this|and it)\s(?:rounds|rounded|is rounded)(?:\s(?:up|down|off))?\sto)|"
    r"(?P<order>(?:,|\s\()?\s?(?:which|and this|and it)\sis\s(?P<sign>less|smaller|greater|larger|bigger) than)|"
    r"(?P<result>[.,;]\s(?:so\s|and\s)?the\s(?:answer|result|value)(?:\sof this)?\s(?:is|equals|comes to))|"
    r"(?P<equal>" + _THIS + r"\s" + _EQUAL + r")|"
    r"(?P<got>,?\s(?:(?:we|I|you)\s(?:get|obtain)|giving|yielding|getting|resulting in|to get))|"
    r"(?P<again>,?\sor(?:\ssimply|\sjust|\sequivalently)?|,?\s(?:i\.e\.,?|that is,?))"
    r")" + _NEAR + r"(?:\sthe\s(?:fraction|number|value|decimal|expression))?\s)(?=[-−$(\\\d√]{1,4})",
    re.IGNORECASE,
)
# "Choice A is 300, which is 3 * 10^2" tries nothing of the number
CHOSEN = Cue(r"\b(?:option|choice)(?=[ _]\(?[A-H]\)? is \$?\d)", re.IGNORECASE)
_SIGNS = {"less": "<", "smaller": "<", "greater": ">", "larger": ">", "bigger": ">"}
_ROUGHLY = re.compile(r"\b(?:approximately|about)\b", re.IGNORECASE)
_NEARLY = re.compile(r"(?:approximately|about|roughly|nearly|≈|\\approx)[\s$\\(]*$", re.IGNORECASE)
# what may stand before a computation that is the whole of what is said
_CLAUSE = r"so|then|that|since|because|thus|hence|therefore|know|have|get|now|yes|also|as|where"
_ALONE = re.compile(
    r"(?:(?:^|[.,;:!?\n=≈]|(?<!\d )\band|"  # "the product of 5 and 6 plus 2": this "and" joins two numbers
    rf"\b(?:{_CLAUSE}))|"
    # nothing stands before these: "half the value of" and "the absolute value of" are another number
    rf"(?:^|[.;!?\n]|\b(?:{_CLAUSE}),?)\s*the (?:(?:value|result) of(?: the expression)?|"
    r"(?:sum|product|difference|quotient|expression))|"
    r"\bthe (?:(?:first|second|last|whole) )?(?:term|fraction|numerator|denominator|power))[\s\\($\[{]*$",
    re.IGNORECASE,
)
# what stands before a computation of which ", or 12" says the value once more
_STATED = re.compile(
    r"(?:\b(?:is|equals|equal to|get|gives|(?:simplifies|reduces|evaluates|comes) to)|[=≈])[\s\\($\[{]*$", re.IGNORECASE
)
_FACTORIZATION = re.compile(r"\bprime factori[sz]ation (?:of|for)(?: the number)?[\s\\($]*$", re.IGNORECASE)
_SENTENCE_ENDS = re.compile(
    r"[\s\\)$\]}]*(?:$|[.;:\n](?!\d)|,\s(?:which|so|and|it|we|the|this|then|where)\b|"
    # why it is so, or the same number once more
    r"[\s\\)$\]}]{1,4}\((?:since|because|as)\b|\sor\s(?:about\s|approximately\s)?\$?\d)"
)
# 3 * 2^20 can be written as 2^21
_REWRITTEN = re.compile(r"\b(?:can be|is) (?:written|expressed|rewritten) as\b")
_ONCE_MORE = re.compile(r"[^\n;:=A-Za-z]{1,60}?(?P<again>\sor\s(?:about\s|approximately\s)?\$?\d[\d,.]{0,20}(?![^\s]))")
_OR = re.compile(r",\s(?:or|i\.e\.)", re.IGNORECASE)
# what is simplified need not become a number alone
_SIMPLIFIED = re.compile(r"\b(?:simplifies|reduces|evaluates|works out|comes out|amounts|reduced) to\b", re.IGNORECASE)
_ARROW = re.compile(r"[>→⇒⟹]")
_EQUALS = re.compile(r"\bwhich (?:is (?:approximately )?equal to|equals)\b", re.IGNORECASE)
_TAKEN_APART = re.compile(r"\b(?:broken down|written|expressed|factored|rewritten|decomposed)\b", re.IGNORECASE)
_AS = re.compile(r"[\s\\)$]*as[\s\\($]*")
_TAKES_APART = re.compile(
    r"\b(?:write|express|factor|rewrite|decompose|represent|break down)(?: the number)?[\s\\($]{1,4}$", re.IGNORECASE
)
# what stands between the marks of a formula is the whole of it
_FORMULA_OPENS = re.compile(r"(?<![\d\w)}+*/=-])\s?(?:\$|\\\()\s?$")
_WHICH = re.compile(r"\bwhich\b", re.IGNORECASE)
_NUMBER = re.compile(r"[\\(\[$\s-]*(?:\\d?frac\{[^{}]*\}\{[^{}]*\}|[\d,]*\.?\d+(?:/\d+)?)")
_MORE = (
    r"more|less|fewer|greater|larger|smaller|higher|lower|longer|shorter|older|times|percent|of|or|to|and|plus|minus|mod|"
    r"modulo|remainder|with|dozen|hundred|thousand|million|billion"
)
# what may not follow the number: it would be another number, or a comparison
_GOES_ON = re.compile(
    rf"[\s\\)$\]]*(?:(?:{_MORE}|younger)\b|,?\s(?:{GOES_ON})|%|\^|!|[-+*/×÷]|[A-Za-z]\b)", re.IGNORECASE
)
# behind the second writing: it was a part of something else
_GOES_ON_BEHIND = re.compile(
    rf"[\s\\)$\]}}]*(?:(?:{_MORE}|if|when|for|per|each|in)\b|%|\^|!|[-+*/×÷=]\s?[\d(\\])", re.IGNORECASE
)
# behind these a whole value begins, and no amount that something changes to
_LED_TO = re.compile(
    r"\b(?:(?:equal|simplifies|reduces|comes)\sto|(?:is|are|was|equals)\s(?:approximately|about))[\s$\\(]*$", re.I
)
_PLAIN = re.compile(r"\s(?:is|equals|gives|comes to)", re.IGNORECASE)
# words between two writings of one fraction that leave nothing else to mean
_STRICT = re.compile(r"(?:simplif|reduc|same as|equal to|which equals|evaluates)", re.IGNORECASE)
_DIRECTED = re.compile(r"\b(?:up|down|off)\b", re.IGNORECASE)
_WHICH_IS, _PART_ENDS = re.compile(r"\bwhich is\b", re.I), re.compile(r"[\s\\)$\]]*(?:$|[.;\n](?!\d)|,\s)")
_TASK = re.compile(r"\b(?:calculat|comput|evaluat|find|simplif|value of)[a-z]{0,3}\b[^.;:\n]{0,30}$", re.IGNORECASE)
_JOINED = re.compile(r"\b(?:and|or|nor)\s+$")


class Saying(NamedTuple):
    """Words that stand for a sign: the match, its stretch of the text, and the sign."""

    match: re.Match[str]
    start: int
    end: int
    relation: str

    @property
    def words(self) -> str:
        """The words themselves."""
        return str(self.match["words"])


def computed_sayings(text: str) -> list[Saying]:
    """Words behind which the result of a computation may stand."""
    return [
        Saying(match, *match.span("words"), "≈" if match["rough"] or match["nearly"] else "=")
        for match in COMPUTED.finditer(text)
    ]


def twice_sayings(text: str) -> list[Saying]:
    """Words behind which a value may be written a second time; the unit before them belongs to the stretch."""
    return [Saying(match, *match.span(), _relation(text, match)) for match in TWICE.finditer(text)]


def _relation(text: str, match: re.Match[str]) -> str:
    if match["differs"]:
        return "!="
    if match["order"]:
        return _SIGNS[match["sign"].lower()]
    is_near = match["near"] or match["rounded"] or _ROUGHLY.search(match["words"])
    return "≈" if is_near or _NEARLY.search(text[max(0, match.start() - 40) : match.start()]) else "="


def with_signs(text: str, sayings: list[Saying]) -> str:
    """A text with signs for the words, as long as they were: places in the reading are places in the text."""
    characters = list(text)
    for saying in sayings:
        sign = "≠" if saying.relation == "!=" else saying.relation
        characters[saying.start : saying.end] = sign.center(saying.end - saying.start)
    return "".join(characters)


def is_number(side: Side) -> bool:
    """Whether a side is a single number."""
    return side.tree is not None and bare_number(side.tree) is not None


def is_alone(text: str, left: Side, right: Side, *, is_first: bool) -> bool:
    """Whether a whole computation is said to be one number, and nothing stands around it that changes either."""
    if left.tree is None or right.tree is None:
        return False
    head, words = text[max(0, left.start - 60) : left.start], text[left.end : right.start]
    if is_number(left):
        return is_first and _is_taken_apart(text, head, words, right)
    if _OR.search(words) and not _STATED.search(head):
        return False
    if not _is_whole_result(text, words, right) or (_ARROW.search(words) and _may_lead_on(left, right)):
        return False
    # "= 4 * 5, which is 20" speaks of the last side; "the x with f(x) = 1/5 is 9" and "1/5 is 9" of something else
    is_share = is_below_one(left.tree) and not _SIMPLIFIED.search(words)
    if not _WHICH.search(words) and (not is_first or is_share):
        return False
    is_stated = (_WHICH.search(words) and _STATED.search(head)) or (
        (_SIMPLIFIED.search(words) or _REWRITTEN.search(words)) and _FORMULA_OPENS.search(head)
    )
    return bool(_OR.search(words) or is_stated or _ALONE.search(head))


def _may_lead_on(left: Side, right: Side) -> bool:
    """1 - 2 -> 3 is a way, and no difference."""
    first = bare_number(left.tree.args[0]) if isinstance(left.tree, Node) and left.tree.op == "-" else None
    claimed = bare_number(right.tree) if right.tree is not None else None
    return first is not None and claimed is not None and claimed.value > first.value


def _is_whole_result(text: str, words: str, right: Side) -> bool:
    """A number that nothing goes on behind, or what is simplified to an expression that ends its sentence."""
    if not is_number(right):
        is_finished_here = right.tree is not None and is_finished(right.tree)
        is_told = is_finished_here or _SIMPLIFIED.search(words) or _EQUALS.search(words) or _REWRITTEN.search(words)
        return bool(is_told and _SENTENCE_ENDS.match(text, right.end))
    number, claimed = _NUMBER.match(text, right.start), bare_number(right.tree) if right.tree is not None else None
    # 29.88 N: the letter was read as the unit of the number
    has_unit = claimed is not None and len(claimed.unit) == 1
    return number is not None and (has_unit or not _GOES_ON.match(text, number.end()))


def is_measured(text: str, left: Side, right: Side) -> bool:
    """Whether labelled sets have measured this form of words: a computation that stands alone, and its number."""
    head, words = text[max(0, left.start - 60) : left.start], text[left.end : right.start]
    if _SIMPLIFIED.search(words) or _TAKEN_APART.search(words) or _ARROW.search(words) or _AS.fullmatch(words):
        return False
    return is_number(left) or (is_number(right) and bool(_OR.search(words) or _ALONE.search(head)))


def without_once_more(text: str, sayings: list[Saying]) -> str:
    """A text without the same number once more: "which is approximately equal to 200 * 11.61 or 2322"."""
    for saying in sayings:
        again = _ONCE_MORE.match(text, saying.end) if saying.match["nearly"] else None
        if again is not None:
            text = text[: again.start("again")].ljust(again.end()) + text[again.end() :]
    return text


def is_rewritten(text: str, left: Side, right: Side) -> bool:
    """Whether a formula of numbers is said to be another one: "$3 * 2^{20}$ can be written as $2^{21}$"."""
    is_computed = not is_number(left) and not is_number(right)
    return is_computed and bool(_REWRITTEN.search(text[left.end : right.start]))


def is_said_nearly(text: str, left: Side, right: Side, saying: Saying) -> bool:
    """Whether what a computation nearly is is said behind "which": "200 * 3^2.4, which is approximately 2322"."""
    return saying.relation == "≈" and not is_number(left) and bool(_WHICH.search(text[left.end : right.start]))


def _is_taken_apart(text: str, head: str, words: str, right: Side) -> bool:
    """ "the prime factorization of 12 is 2^2 * 3", "it is 12, which is 3 * 4": the number, then how it is made."""
    is_made = isinstance(right.tree, Node) and right.tree.op in ("*", "^") and _SENTENCE_ENDS.match(text, right.end)
    return bool(
        is_made
        and (
            _TAKEN_APART.search(words)
            or _TAKES_APART.search(head)
            or _FACTORIZATION.search(head)
            or (_WHICH.search(words) and _STATED.search(head))
        )
    )


def is_written_twice(text: str, left: Side, right: Side, saying: Saying) -> bool:
    """Whether both writings are whole, and no computation alone, which is the other form."""
    if right.doubts or _is_part(text, left) or _GOES_ON_BEHIND.match(text, right.end):
        return False
    return not _PLAIN.fullmatch(saying.words) or bool(saying.match["unit"]) or is_number(left)


def _is_part(text: str, left: Side) -> bool:
    """Whether the first writing may have begun earlier; behind "is equal to" it began there."""
    return bool(left.doubts) and not _LED_TO.search(text[max(0, left.start - 24) : left.start])


def steps_of_rounding(saying: Saying) -> int:
    """Half units by which "rounds to" may change a number: two where it says up or down; 0 where nothing is rounded."""
    if not saying.match["rounded"]:
        return 0
    return 2 if _DIRECTED.search(saying.words) else 1


def is_strict(text: str, left: Side, right: Side, saying: Saying) -> bool:
    """Whether the words leave no other reading: what then fails is doubted."""
    match = saying.match
    number = bare_number(right.tree) if right.tree is not None else None
    is_rounded = bool(match["rounded"]) and number is not None and not number.unit
    if (match["unit"] and not is_rounded) or match["again"] or match["got"]:
        return False
    if match["order"] and begins_before(text[max(0, left.start - 24) : left.start]):
        return False
    if match["differs"] or match["rounded"] or match["order"]:
        return True
    is_computed = isinstance(left.tree, Node) and not is_number(left)
    if match["result"]:
        return is_computed and bool(_TASK.search(text[max(0, left.start - 60) : left.start]))
    # 300, which is (2 * 3 * 5)^2
    if isinstance(right.tree, Node) and right.tree.op in ("*", "^") and not is_computed:
        return bool(_WHICH_IS.search(saying.words) and _PART_ENDS.match(text, right.end))
    # "the sum of 3 and 4 * 2, which is equal to 11"
    is_joined = _JOINED.search(text[max(0, left.start - 8) : left.start])
    return is_computed and bool(_STRICT.search(saying.words)) and not is_joined
