"""Checker: values that words set equal: "210 + 91 is 301", "= 30 * 0.98, which is about 29.4", "11.67, rounded to 12".

The words (spoken_words.py) are read as a sign, and the relation is judged as one that is written with a sign. A
computation whose result is said has to stand alone: "the last digit of 7 * 3 is 1" and "half of 7 + 3 is 5" say
something else of the same numbers. A value that is written twice is told where it holds, and doubted where the words
leave one reading ("is not equal to", "rounds to").
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from auditing.checker.checks.numbers.arithmetic import check_chain, judge, rounded_values
from auditing.checker.checks.numbers.spoken_words import (
    CHOSEN,
    COMPUTED,
    TWICE,
    Saying,
    computed_sayings,
    is_alone,
    is_measured,
    is_number,
    is_rewritten,
    is_said_nearly,
    is_strict,
    is_written_twice,
    steps_of_rounding,
    twice_sayings,
    with_signs,
    without_once_more,
)
from auditing.checker.findings import Grade, Verdict, lower_of
from auditing.checker.mathematics.chains import Chain, Side, read_page
from auditing.checker.mathematics.compare import FAILS, HOLDS, shown
from auditing.checker.mathematics.evaluate import Setting, value_of
from auditing.checker.mathematics.exactly.rounding import half_unit
from auditing.checker.mathematics.tree import Node, bare_number, free_symbols, plain
from auditing.checker.proofs.formulas import of_numbers
from auditing.checker.reading.certainty import about_the_text
from auditing.checker.reading.passages import MAX_PASSAGE, Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt

NAME = "spoken"
# one rule each: a computation and its number, what it becomes otherwise (a doubt), a value written twice (a doubt)
_COMPUTED, _SIMPLIFIED, _TWICE = "said and computed", "said and simplified", "said twice"
# "which is approximately", whatever stands before the computation; one formula said to be another
_NEARLY, _REWRITTEN = "said nearly", "said and rewritten"
# where a link of a passage begins and where its second side does
_Link = tuple[int, int]


def check(script: Script) -> Iterator[Placed]:
    """Every value that words set equal to another, in every passage; what one form tells, the other does not."""
    # "10 and 5 make 3" is right on a clock.
    if script.is_modular or not (script.near(COMPUTED) or script.near(TWICE)):
        return
    exact = frozenset(number for number in script.given if number.denominator > 1)
    assumed: Setting | None = None
    for passage in script.passages:
        told: set[_Link] = set()
        sayings = computed_sayings(passage.text)
        if sayings:
            assumed = assumed or Setting(rounded=script.once(rounded_values), exact=exact)
            for link, placed in _computed(passage, sayings, assumed):
                told.add(link)
                yield placed
        text = passage.text[:MAX_PASSAGE]
        if again := twice_sayings(text):
            yield from _twice(passage, text, again, Setting(rounded=frozenset(), exact=exact), told)


def _links(chain: Chain, sayings: list[Saying], starts: list[int]) -> Iterator[tuple[int, Saying]]:
    """The links of a chain whose sign was a word; sayings in their order, of which a link looks at its own."""
    for at, (left, right) in enumerate(zip(chain.sides, chain.sides[1:], strict=False)):
        own = sayings[bisect_left(starts, left.start) : bisect_right(starts, right.start)]
        saying = next((saying for saying in own if left.end <= saying.end), None)
        if saying is not None:
            yield at, saying


def _computed(passage: Passage, sayings: list[Saying], assumed: Setting) -> Iterator[tuple[_Link, Placed]]:
    signs = without_once_more(with_signs(passage.text, sayings), sayings)
    text = CHOSEN.sub(lambda word: "number".center(len(word[0])), signs)
    signed = Passage(passage.source, passage.start, text, passage.step, passage.source_index)
    starts = [saying.start for saying in sayings]
    for chain in read_page(text[:MAX_PASSAGE], around=starts).chains:
        for at, saying in _links(chain, sayings, starts):
            left, right = chain.sides[at : at + 2]
            if not is_alone(passage.text, left, right, is_first=at == 0):
                continue
            # in "the prime factorization of 12" nothing is taken of a 12
            read = left._replace(doubts=(), label="") if is_number(left) else left
            link = Chain([read, right], chain.relations[at : at + 1], chain.start, chain.end)
            rule = _rule_of(passage.text, left, right, saying)
            if _tells_the_last_operand(left, right):
                continue
            for placed in check_chain(signed, link, assumed, None, itertools.count()):
                yield (left.start, right.start), _as_said(placed, passage, rule)


def _tells_the_last_operand(left: Side, right: Side) -> bool:
    """2250 minus 6 times 360, which is 2160, equals 90: the 2160 is told of what stands directly before it."""
    if not isinstance(left.tree, Node) or left.tree.op not in ("+", "-") or right.tree is None:
        return False
    operand = left.tree.args[-1]
    return bare_number(operand) is None and value_of(operand) == value_of(right.tree) is not None


def _rule_of(text: str, left: Side, right: Side, saying: Saying) -> str:
    if is_measured(text, left, right):
        return _COMPUTED
    if is_rewritten(text, left, right):
        return _REWRITTEN
    return _NEARLY if is_said_nearly(text, left, right, saying) else _SIMPLIFIED


def _as_said(placed: Placed, passage: Passage, rule: str) -> Placed:
    finding, start = placed.finding, placed.start - passage.start
    surest = Grade.LIKELY if finding.verdict is Verdict.REFUTED and rule == _SIMPLIFIED else Grade.CERTAIN
    read = passage.text[start : placed.end - passage.start][:500]
    evidence = replace(finding.evidence, checker=NAME, rule=rule, read=read)
    return replace(placed, finding=replace(finding, evidence=evidence, grade=lower_of(grades=(finding.grade, surest))))


def _twice(passage: Passage, text: str, sayings: list[Saying], assumed: Setting, told: set[_Link]) -> Iterator[Placed]:
    starts = [saying.start for saying in sayings]
    for chain in read_page(with_signs(text, sayings), around=starts).chains:
        # "0 <= x <= 0 + 1, which simplifies to 0 <= x <= 1": the words stand between two whole inequalities
        if any(relation[0] in "<>" for relation in chain.relations) and len(chain.relations) > 1:
            continue
        for at, saying in _links(chain, sayings, starts):
            left, right = chain.sides[at : at + 2]
            if (left.start, right.start) not in told and is_written_twice(passage.text, left, right, saying):
                yield from _judged(passage, left, right, saying, assumed)


def _judged(passage: Passage, left: Side, right: Side, saying: Saying, assumed: Setting) -> Iterator[Placed]:
    if left.tree is None or right.tree is None or free_symbols(left.tree) or free_symbols(right.tree):
        return
    relation, steps = saying.relation, steps_of_rounding(saying)
    judgement = judge(left, right, relation, assumed)
    holds = judgement.state == HOLDS
    if steps and judgement.left is not None:
        holds = _is_rounded(judgement.left, right, steps)
    is_false = is_strict(passage.text, left, right, saying) and (judgement.state == FAILS or bool(steps))
    if not holds and (not is_false or _is_open(passage, Chain([left, right], [relation], left.start, right.end))):
        return
    # "= 8. So the answer is 8": the same number again, of which nothing was computed
    if holds and plain(left.tree) == plain(right.tree):
        return
    normal = f"{plain(left.tree)} {relation} {plain(right.tree)}"
    values = f"{shown(judgement.left)} and {shown(judgement.right)}"
    yield place(
        passage=passage,
        start=left.start,
        end=right.end,
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        checker=NAME,
        rule=_TWICE,
        sentence=f"{normal} {'holds' if holds else 'is false'}: {values}.",
        details={"normal_form": normal, "left": shown(judgement.left), "right": shown(judgement.right)}
        | of_numbers(left, right, relation, assumed),
        grade=Grade.LIKELY,
    )


def _is_open(passage: Passage, chain: Chain) -> bool:
    return bool(context_doubt(passage.text, chain, 0) or about_the_text(passage, chain.start, chain.end))


def _is_rounded(value: object, right: Side, steps: int) -> bool:
    """Whether the second number is the first to its own last digit; of 1,200 that may be the hundreds."""
    number = bare_number(right.tree) if right.tree is not None else None
    if number is None or not isinstance(value, Fraction):
        return True
    zeros = len(str(number.value)) - len(str(number.value).rstrip("0")) if number.value.denominator == 1 else 0
    scale = 1 if number.decimals else 10**zeros
    return bool(abs(value - number.value) <= half_unit(number) * scale * steps)
