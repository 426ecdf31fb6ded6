"""Checker: formulas with a name, filled with the numbers of the problem: "BMI = 70 / 1.75 = 40" forgets the square.

The expression behind the name is compared with the published formula for every way of filling it with the numbers that
stand in both the expression and the problem. Which number is which, the text alone tells: so it is likely at most.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.checks.sciences.formula_table import FORMULAS, PI, NamedFormula
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Side
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.evaluate import evaluate
from auditing.checker.mathematics.tree import Node, Num, Tree, free_symbols, literals, plain, substitute
from auditing.checker.reading.certainty import about_the_text
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt
from hdag.core.text.cues import Cue

NAME = "named formulas"
REACH, MOST = 48, 6
# between the name and its expression: a bracketed short name, a formula in words, a sign
_BETWEEN = re.compile(r"(?:\s?\([A-Za-z]{1,8}\))?[\s*:$\\(\[]*+(?:(?:is|equals|=|≈)[\s*:$\\(\[]*+)?$")

_ANY_NAME = Cue("|".join(sorted({form.name.pattern for form in FORMULAS})), re.IGNORECASE)
# what becomes of a quantity is another quantity
_OF_IT = re.compile(
    r"\b(?:change|changes|ratio|increase|decrease|difference|half|twice|double|total|sum|average)\s(?:(?:in|of)\s)?"
    r"(?:the\s)?$",
    re.IGNORECASE,
)


def check(script: Script) -> Iterator[Placed]:
    """Every expression of numbers directly behind the name of a formula."""
    for passage in script.near(_ANY_NAME):
        lower = passage.lower
        if not _ANY_NAME.search(lower):
            continue
        names = [formula for formula in FORMULAS if formula.name.search(lower)]
        if not names:
            continue
        for chain in passage.page.chains:
            for index, side in enumerate(chain.sides[:-1]):
                forms = _named(passage, side, names)
                if forms and not context_doubt(passage.text, chain, index):
                    yield from _judged(passage, side, forms, script.given)


def _named(passage: Passage, side: Side, names: list[NamedFormula]) -> list[NamedFormula]:
    """The formulas whose name stands directly before a side that computes."""
    if not isinstance(side.tree, Node) or side.doubts or free_symbols(side.tree) - {"pi"}:
        return []
    head = passage.text[max(0, side.start - REACH) : side.start]
    behind = [
        (form, [match.end() for match in form.name.finditer(head) if not _OF_IT.search(head[: match.start()])])
        for form in names
    ]
    return [form for form, ends in behind if any(_BETWEEN.fullmatch(head, end) for end in ends)]


def _judged(passage: Passage, side: Side, forms: list[NamedFormula], given: frozenset[Fraction]) -> Iterator[Placed]:
    assert side.tree is not None
    value = _value(side.tree)
    numbers = list(dict.fromkeys(number.value for number in literals(side.tree)))
    if value is None or len(numbers) > MOST:
        return
    fitting = [form for form in forms if _can_be_filled(form, numbers, given)]
    if not fitting:
        return
    holds = next((form for form in fitting if value in _values(form, numbers)), None)
    form = holds or fitting[0]
    text = plain(side.tree)
    sentence = f"{text} is {form.written}." if holds else f"{text} is not {form.written} ({form.source})."
    doubt = "" if holds else about_the_text(passage, side.start, side.end) or "which number is which is not written"
    yield place(
        passage=passage,
        start=side.start,
        end=side.end,
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        checker=NAME,
        rule="a published formula",
        sentence=sentence,
        details={
            "left": text,
            "right": form.written,
            "rule": "a published formula",
            "source": form.source,
            "evidence_latex": rf"\text{{{form.written}}}",
            **({"doubt": doubt} if doubt else {}),
        },
        grade=Grade.LIKELY,
    )


def _can_be_filled(form: NamedFormula, numbers: list[Fraction], given: frozenset[Fraction]) -> bool:
    """Whether what is computed with is given by the problem, or belongs to the formula, and there is enough of it."""
    inputs = [number for number in numbers if number in given]
    strangers = [number for number in numbers if number not in given and number not in form.constants]
    return not strangers and len(inputs) >= form.quantities


def _values(form: NamedFormula, numbers: list[Fraction]) -> set[Fraction]:
    values = set()
    for chosen in itertools.permutations(numbers, form.quantities):
        try:
            values.add(form.compute(*chosen))
        except ArithmeticError:
            continue
    return values


def _value(tree: Tree) -> Fraction | None:
    try:
        value = evaluate(substitute(tree, {"pi": Num(PI)}))
    except IncalculableError:
        return None
    return value if isinstance(value, Fraction) else None
