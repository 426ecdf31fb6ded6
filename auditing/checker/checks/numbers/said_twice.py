"""Checker: a value that words write twice: "(12)^3 cubic inches, which is 1728", "-4.67/7, which is about -0.67".

As in spoken.py the words are read as a sign. Here units may stand before them and single numbers on both sides; what
holds is told, and what is false is a doubt where the words leave one reading ("is not equal to", "rounds to").
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from auditing.checker.checks.numbers.arithmetic import judge
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.compare import FAILS, HOLDS, shown
from auditing.checker.mathematics.evaluate import Setting
from auditing.checker.mathematics.rounding import half_unit
from auditing.checker.mathematics.tree import Node, bare_number, free_symbols, plain
from auditing.checker.proofs.formulas import of_numbers
from auditing.checker.reading.certainty import about_the_text
from auditing.checker.reading.passages import MAX_PASSAGE, Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt
from hdag.core.text.cues import Cue

NAME = "said twice"
_UNIT = r"(?P<unit>(?:\s(?!(?:and|or|to|from|than|of|by|is|are|per|which|that|in)\b)[a-z]{2,14}){0,3})"
_THIS = r"(?:(?:,|\s\()\s?(?:which|and this|and that|and it|so this)|\s?[-–,.:;]\s(?:this|it|that)|\s\(?which)?"
_NEAR = r"(?P<near>\s(?:approximately|about|roughly|nearly))?"
_EQUAL = (
    r"(?:is|equals|is equal to|is exactly|is the same as|is simply|is just|is also|comes to|evaluates to|works out to|"
    r"(?:further\s)?(?:simplifies|reduces) to|(?:can be|is) (?:simplified|reduced) to|"
    r"is (?:approximately |about )?equal to|(?:can be|is) (?:re)?written as|becomes|gives)"
)
_SAID = Cue(
    r"(?<=[\d)\]}%$°])(?:" + _UNIT + r"(?P<words>"
    r"(?P<differs>" + _THIS + r"\s(?:is not equal to|does not equal|is not the same as)"
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
_SIGNS = {"less": "<", "smaller": "<", "greater": ">", "larger": ">", "bigger": ">"}
_ROUGHLY = re.compile(r"\b(?:approximately|about)\b", re.IGNORECASE)
_NEARLY = re.compile(r"(?:approximately|about|roughly|nearly|≈|\\approx)[\s$\\(]*$", re.IGNORECASE)
# words between two writings of one fraction that leave nothing else to mean
_STRICT = re.compile(r"(?:simplif|reduc|same as|equal to|which equals|evaluates)", re.IGNORECASE)
# behind the second writing: it was a part of something else
_GOES_ON = re.compile(
    r"[\s\\)$\]}]*(?:(?:more|less|fewer|greater|larger|smaller|higher|lower|longer|shorter|older|times|percent|of|or|to|"
    r"and|plus|minus|mod|modulo|remainder|with|dozen|hundred|thousand|million|billion|if|when|for|per|each|in)\b|"
    r"%|\^|!|[-+*/×÷=]\s?[\d(\\])",
    re.IGNORECASE,
)
# behind these a whole value begins, and no amount that something changes to
_LED_TO = re.compile(
    r"\b(?:(?:equal|simplifies|reduces|comes)\sto|(?:is|are|was|equals)\s(?:approximately|about))[\s$\\(]*$", re.I
)
_DIRECTED = re.compile(r"\b(?:up|down|off)\b", re.IGNORECASE)
_WHICH_IS, _SENTENCE_ENDS = re.compile(r"\bwhich is\b", re.I), re.compile(r"[\s\\)$\]]*(?:$|[.;\n](?!\d)|,\s)")
_PLAIN = re.compile(r"\s(?:is|equals|gives|comes to)", re.IGNORECASE)
_TASK = re.compile(r"\b(?:calculat|comput|evaluat|find|simplif|value of)[a-z]{0,3}\b[^.;:\n]{0,30}$", re.IGNORECASE)


class _Saying(NamedTuple):
    match: re.Match[str]
    start: int
    end: int
    relation: str


def check(script: Script) -> Iterator[Placed]:
    """Every value that is written a second time behind words, in every passage."""
    if script.is_modular:
        return
    exact = frozenset(number for number in script.given if number.denominator > 1)
    for passage in script.near(_SAID):
        text = passage.text[:MAX_PASSAGE]
        sayings = [_saying(text, match) for match in _SAID.finditer(text)]
        if sayings:
            yield from _in_passage(passage, text, sayings, Setting(rounded=frozenset(), exact=exact))


def _saying(text: str, match: re.Match[str]) -> _Saying:
    relation = "="
    if match["differs"]:
        relation = "≠"
    elif match["order"]:
        relation = _SIGNS[match["sign"].lower()]
    elif (
        match["near"]
        or match["rounded"]
        or _ROUGHLY.search(match["words"])
        or _NEARLY.search(text[max(0, match.start() - 40) : match.start()])
    ):
        relation = "≈"
    return _Saying(match, match.start(), match.end(), relation)


def _in_passage(passage: Passage, text: str, sayings: list[_Saying], assumed: Setting) -> Iterator[Placed]:
    characters, starts = list(text), [saying.start for saying in sayings]
    for saying in sayings:
        width = saying.end - saying.start
        # as long as the words were, so that places in the reading are places in the text
        characters[saying.start : saying.end] = saying.relation.center(width)
    for chain in Passage(passage.source, passage.start, "".join(characters)).page.chains:
        # "0 <= x <= 0 + 1, which simplifies to 0 <= x <= 1": the words stand between two whole inequalities
        is_ordered = any(relation[0] in "<>" for relation in chain.relations) and len(chain.relations) > 1
        for left, right in zip(chain.sides, chain.sides[1:], strict=False):
            own = sayings[bisect_left(starts, left.start) : bisect_right(starts, right.start)]
            own = [saying for saying in own if left.end <= saying.end]
            if own and not is_ordered and left.tree is not None and right.tree is not None:
                yield from _judged(passage, left, right, own[0], assumed)


def _judged(passage: Passage, left: Side, right: Side, saying: _Saying, assumed: Setting) -> Iterator[Placed]:
    assert left.tree is not None
    assert right.tree is not None
    if free_symbols(left.tree) or free_symbols(right.tree) or right.doubts or _is_part(passage.text, left):
        return
    if _GOES_ON.match(passage.text, right.end):
        return
    # "15% of 80 is 12" alone is told by spoken.py
    if _PLAIN.fullmatch(saying.match["words"]) and not saying.match["unit"] and bare_number(left.tree) is None:
        return
    relation = "!=" if saying.relation == "≠" else saying.relation
    judgement = judge(left, right, relation, assumed)
    holds = judgement.state == HOLDS
    if saying.match["rounded"] and judgement.left is not None:
        holds = _is_rounded(judgement.left, right, 2 if _DIRECTED.search(saying.match["words"]) else 1)
    is_strict = _is_strict(passage.text, saying.match, left, right)
    if not holds and not (is_strict and (judgement.state == FAILS or saying.match["rounded"])):
        return
    chain = Chain([left, right], [relation], left.start, right.end)
    if not holds and (context_doubt(passage.text, chain, 0) or about_the_text(passage, left.start, right.end)):
        return
    text = f"{plain(left.tree)} {relation} {plain(right.tree)}"
    yield place(
        passage=passage,
        start=left.start,
        end=right.end,
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        checker=NAME,
        rule="said twice",
        sentence=f"{text} {'holds' if holds else 'is false'}: {shown(judgement.left)} and {shown(judgement.right)}.",
        details={"normal_form": text, "left": shown(judgement.left), "right": shown(judgement.right)}
        | of_numbers(left, right, relation, assumed),
        grade=Grade.LIKELY,
    )


def _is_part(text: str, left: Side) -> bool:
    """Whether the first writing may have begun earlier; behind "is equal to" it began there."""
    return bool(left.doubts) and not _LED_TO.search(text[max(0, left.start - 24) : left.start])


def _is_rounded(value: object, right: Side, directed: int) -> bool:
    """Whether the second number is the first to its own last digit; of 1,200 that may be the hundreds."""
    number = bare_number(right.tree) if right.tree is not None else None
    if number is None or not isinstance(value, Fraction):
        return True
    zeros = len(str(number.value)) - len(str(number.value).rstrip("0")) if number.value.denominator == 1 else 0
    scale = 1 if number.decimals else 10**zeros
    return bool(abs(value - number.value) <= half_unit(number) * scale * directed)


def _is_strict(text: str, match: re.Match[str], left: Side, right: Side) -> bool:
    """Whether the words leave no other reading: what then fails is doubted."""
    if match["unit"] or match["again"] or match["got"]:
        return False
    if match["differs"] or match["rounded"] or match["order"]:
        return True
    is_computed = isinstance(left.tree, Node) and bare_number(left.tree) is None
    if match["result"]:
        return is_computed and bool(_TASK.search(text[max(0, left.start - 60) : left.start]))
    # 300, which is (2 * 3 * 5)^2
    if isinstance(right.tree, Node) and right.tree.op in ("*", "^") and not is_computed:
        return bool(_WHICH_IS.search(match["words"]) and _SENTENCE_ENDS.match(text, right.end))
    # "the sum of 3 and 4 * 2, which is equal to 11"
    joins = re.search(r"\b(?:and|or|nor)\s+$", text[max(0, left.start - 8) : left.start])
    return is_computed and bool(_STRICT.search(match["words"])) and not joins
