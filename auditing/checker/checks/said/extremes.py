"""Integers that an inequality allows: "the smallest integer that satisfies (x - 5)(x + 5) < 0 is 4", and -4 is smaller.

What is said, or answered, is put into the inequality; it is refuted where that is false, or where another integer on
the far side of it is allowed as well. An inequality of the problem is meant where the problem asks for its solution.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.answers import final_answer
from auditing.checker.checks.said.forms import IS, cue
from auditing.checker.checks.said.judging import ENDS, NAME, has_another_algebra, is_a_part
from auditing.checker.checks.said.marked import Marked, marked, side_of, sides_of
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Chain, Side, read_page
from auditing.checker.mathematics.enclosure import IncalculableError, as_range
from auditing.checker.mathematics.evaluate import evaluate
from auditing.checker.mathematics.tree import Num, Sym, Tree, bare_number, free_symbols, literals, plain, substitute
from auditing.checker.proofs.claims import of_said
from auditing.checker.proofs.formulas import formula
from auditing.checker.proofs.solutions import of_allowed
from auditing.checker.reading.certainty import about_the_text
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt
from hdag.core.text.cues import Cue

RULE = "an integer that an inequality allows"
_ORDERS = frozenset(("<", ">", "<=", ">="))
_OPPOSITE = {"<": ">=", ">": "<=", "<=": ">", ">=": "<"}
_LEAST = frozenset(("smallest", "least", "minimum", "lowest"))
_SORT = (
    r"(?:(?:possible|only|unique)\s)?(?:(?P<which>smallest|least|minimum|lowest|largest|greatest|maximum|highest)\s)?"
    r"(?:(?:possible|such)\s)?(?:(?P<positive>positive)\s)?(?:integer|whole\snumber|natural\snumber)"
    r"(?:\svalue(?:\s(?:of|for))?)?(?:\s(?P<name>@))?"
)
_SAID = cue(
    rf"\bthe\s{_SORT}(?:\s(?:that|which)\ssatisf(?:ies|y)|\ssatisfying|\ssuch\sthat|\sfor\swhich)?"
    rf"(?:\s(?:the|this|our)\s(?:given\s)?(?:inequality|condition)|\s(?:the\sinequality:?\s)?(?P<of>@)"
    rf"(?:\s(?:is\strue|holds))?)?{IS}(?P<claimed>@)"
)
_ASKED = cue(
    rf"\b(?:find|determine|compute|what\sis|what|which|state)\s(?:the\s)?{_SORT},?\s(?:(?:that|which)\s)?"
    r"(?:satisf(?:ies|y)|solves|such\sthat|for\swhich)\s(?:the\sinequality:?\s)?(?P<of>@)"
    r"(?:\s(?:is\strue|holds))?\s?(?:[.?]|$)"
)
# what restricts the numbers beside the inequality, or asks for something else
_RESTRICTED = re.compile(
    r"\b(?:odd|even|prime|multiples?|divisible|square|digits?|consecutive|sum|product|how\smany|also|both|"
    r"and\s(?:is|are))\b",
    re.IGNORECASE,
)
_SORTS = re.compile(
    r"\b(?:odd|even|primes?|multiples?|divisible|perfect|digits?|consecutive|power)\b|\\(?:mid|equiv)", re.IGNORECASE
)
_STATED = Cue(r"\\boxed\{|####|\b(?:final )?answer\s*(?:is|:)", re.IGNORECASE)
# integers beyond the one that is said which are looked at
NEAREST = 20
# a decimal in an inequality may have been rounded: so near nothing is said
NEAR = Fraction(1, 50)
BACK = 3  # passages behind an inequality that may speak of it


@dataclass(frozen=True, slots=True)
class Allowed:
    """An inequality in one letter, as it stands in a text."""

    chain: Chain
    name: str
    text: str

    def fails(self, value: int) -> int | None:
        """The first link that is false at a value by more than a rounding; None where there is none."""
        return next((at for at in range(len(self.chain.relations)) if self._holds(at, value) is False), None)

    def holds(self, value: int) -> bool:
        """Whether every link surely holds at a value."""
        return all(self._holds(at, value) for at in range(len(self.chain.relations)))

    def at(self, index: int, value: int) -> tuple[Tree, Tree]:
        """The two sides of a link with the value put in."""
        filling: dict[str, Tree] = {self.name: Num(Fraction(value))}
        left, right = (side.tree for side in self.chain.sides[index : index + 2])
        assert left is not None
        assert right is not None
        return substitute(left, filling), substitute(right, filling)

    def _holds(self, index: int, value: int) -> bool | None:
        sides = self.at(index, value)
        try:
            a, b = (as_range(evaluate(side)) for side in sides)
        except IncalculableError:
            return None
        relation = self.chain.relations[index]
        low, high = (a, b) if relation[0] == "<" else (b, a)
        is_rounded = any(number.decimals for side in sides for number in literals(side))
        room = NEAR * max(abs(low.high), abs(high.high)) if is_rounded else Fraction(0)
        if low.high + room < high.low or (not room and relation[1:] and low.high <= high.low):
            return True
        is_above = low.low > high.high + room or (not room and not relation[1:] and low.low >= high.high)
        return False if is_above else None


def check(script: Script) -> Iterator[Placed]:
    """What steps say of the integers of an inequality, and the answer where the problem asks for one."""
    # a problem of even numbers asks for the smallest even one
    if script.near(_SAID) and not _SORTS.search(script.problem.text):
        earlier: list[tuple[int, Passage]] = [(0, script.problem)]
        for number, passage in enumerate(script.passages, 1):
            earlier.append((number, passage))
            yield from _said(script, passage, [before for at, before in earlier[-BACK - 1 :] if at >= number - BACK])
    if _ASKED.may_match(script.problem.text) and script.near(_STATED):
        yield from _answered(script)


def _said(script: Script, passage: Passage, nearby: list[Passage]) -> Iterator[Placed]:
    page = marked(passage.text) if _SAID.may_match(passage.text) else None
    for match in _SAID.finditer(page.text) if page else ():
        assert page is not None
        inner = page.inner[match.start("of")] if match["of"] else ""
        allowed = _read(inner) if inner else _last(nearby, passage, match.start())
        value = _integer(page, match)
        is_said = allowed is not None and value is not None and ENDS.match(page.text, match.end())
        around = passage.text[max(0, match.start() - 200) : match.end()]
        if not is_said or _RESTRICTED.search(around) or (match["which"] is None and not inner):
            continue
        assert allowed is not None
        assert value is not None
        name = page.inner[match.start("name")] if match["name"] else allowed.name
        if name == allowed.name and not _is_open(script, passage, *match.span()):
            yield from _judged(passage, match.span(), allowed, match, value)


def _is_open(script: Script, passage: Passage, start: int, end: int) -> bool:
    side, head = Side(None, start, end), passage.text[max(0, start - 40) : start]
    doubt = context_doubt(passage.text, Chain([side, side], ["="], start, end), 0)
    return bool(doubt or about_the_text(passage, start, end)) or (
        is_a_part(head.rstrip(", ")) or script.once(has_another_algebra)
    )


def _answered(script: Script) -> Iterator[Placed]:
    """The last answer of a text whose problem asks for an integer that its only inequality allows."""
    page = marked(script.problem.text)
    match = next(iter(_ASKED.finditer(page.text)), None)
    allowed = _read(page.inner[match.start("of")]) if match else None
    if (
        match is None
        or allowed is None
        or _RESTRICTED.search(script.problem.text)
        or _SORTS.search(script.problem.text)
    ):
        return
    chains = [chain for chain in script.problem.page.chains if allowed.name in _names(chain)]
    stated = [passage for passage in script.passages if _STATED.search(passage.text)]
    answer = final_answer(text=stated[-1].text) if stated else ""
    number = bare_number(side.tree) if (side := side_of(answer.rpartition("=")[2])) and side.tree else None
    if len(chains) != 1 or number is None or number.value.denominator != 1 or number.unit or number.percent:
        return
    at = stated[-1].text.rfind(answer)
    yield from _judged(stated[-1], (at, at + len(answer)), allowed, match, int(number.value))


def _judged(
    passage: Passage, span: tuple[int, int], allowed: Allowed, match: re.Match[str], value: int
) -> Iterator[Placed]:
    failing, which = allowed.fails(value), (match["which"] or "").lower()
    if failing is not None:
        left, right = allowed.at(failing, value)
        relation = allowed.chain.relations[failing]
        proof = of_said([formula(left)], [formula(right)], relation, [allowed.text])
        yield _placed(passage, span, f"{plain(left)} {relation} {plain(right)} is false", proof)
    elif which and (other := _beyond(allowed, value, which in _LEAST, bool(match["positive"]))) is not None:
        sides = [side.tree for side in allowed.chain.sides]
        proof = of_allowed(sides, allowed.chain.relations, {allowed.name: other}, allowed.text)
        yield _placed(passage, span, f"{allowed.name} = {other} satisfies it as well", proof)


def _beyond(allowed: Allowed, value: int, is_least: bool, is_positive: bool) -> int | None:
    """An integer of the same sign that is allowed and lies farther out than the one that is said."""
    step = -1 if is_least else 1
    others = range(value + step, value + step * (NEAREST + 1), step)
    # "the smallest n with n^2 > 50 is 8" counts something: -8 is no answer
    return next((other for other in others if (other > 0) is (value > 0) and allowed.holds(other)), None)


def _integer(page: Marked, match: re.Match[str]) -> int | None:
    claims = sides_of(page.inner[match.start("claimed")])
    side = side_of(claims[-1]) if claims and len(claims) < 3 else None
    number = bare_number(side.tree) if side is not None and side.tree is not None else None
    is_plain = number is not None and number.value.denominator == 1 and not (number.unit or number.percent)
    return int(number.value) if is_plain and number is not None else None


def _last(nearby: list[Passage], passage: Passage, start: int) -> Allowed | None:
    """The last inequality in one letter before a place, where no other letter has one since."""
    for before in reversed(nearby):
        chains = [chain for chain in before.page.chains if before is not passage or chain.end <= start]
        for chain in reversed(chains):
            if set(chain.relations) & _ORDERS:
                return _of_chain(chain, before.text[chain.start : chain.end])
    return None


def _read(inner: str) -> Allowed | None:
    chains = read_page(f"\\({inner}\\)").chains
    return _of_chain(chains[0], inner) if len(chains) == 1 else None


def _of_chain(chain: Chain, text: str) -> Allowed | None:
    names = _names(chain)
    if not set(chain.relations) <= _ORDERS or len(names) != 1 or len(chain.relations) > 2:
        return None
    for side in chain.sides:
        if side.tree is None or side.doubts or side.others or side.log_open or side.label:
            return None
    # n <= 7 is solved already, and what it came from may be another one
    is_solved = len(chain.relations) == 1 and any(isinstance(side.tree, Sym) for side in chain.sides)
    return None if is_solved else Allowed(chain, next(iter(names)), text)


def _names(chain: Chain) -> frozenset[str]:
    return frozenset().union(*(free_symbols(side.tree) for side in chain.sides if side.tree is not None))


def _placed(passage: Passage, span: tuple[int, int], why: str, proof: dict[str, str]) -> Placed:
    words = " ".join(passage.text[span[0] : span[1]].split())[:160]
    return place(
        passage=passage,
        start=span[0],
        end=span[1],
        verdict=Verdict.REFUTED,
        checker=NAME,
        rule=RULE,
        sentence=f"{words}: {why}.",
        details={"normal_form": why, "rule": RULE, "evidence_latex": rf"\text{{{RULE}}}", **proof},
        grade=Grade.CERTAIN,
    )
