"""Checker: linear inequalities that follow from those before them, or that cannot hold beside them.

"x >= 2 and y >= 5, so x + y >= 7" follows, "so x + y <= 6" contradicts. The weights that add the lines up to a
contradiction are the proof (proofs/linear.py). No labelled set has measured it, so it is likely at most.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from auditing.checker.checks.algebra.cases import (
    holds_in_one_case,
    is_split_into_cases,
    opens_a_branch,
    speaks_of_curves,
)
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.polynomial import ONE, Polynomial, add, quotient_of
from auditing.checker.mathematics.tree import Sym, Tree, literals, plain
from auditing.checker.proofs.formulas import formula, packed
from auditing.checker.proofs.linear import Row, contradiction
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import takes_back
from hdag.core.text.cues import Cue

NAME = "entailment"
MOST_LINES, MOST_SYMBOLS = 10, 4
# each takes milliseconds: a trace that states more of them is followed no further
MOST_JUDGED = 100
_ORDERS = frozenset(("<", ">", "<=", ">="))
# a line is held against those before it where it is said to follow from them
_CONCLUDES = re.compile(
    r"\b(?:so|hence|thus|therefore|then|we get|we have|which gives|it follows that)\b[\s,:$\\(\[]{0,6}$", re.IGNORECASE
)
# events, choices and branches are true by themselves, and not beside each other
_APART = Cue(r"(?:choice|option|case|event|probab|either|interval|region|piecewise|absolute value)", re.IGNORECASE)
_NEGATED = {"<": ">=", ">": "<=", "<=": ">", ">=": "<"}


@dataclass(frozen=True, slots=True)
class Line:
    """One relation between linear expressions, with its text."""

    text: str
    left: Tree
    right: Tree
    relation: str
    gap: Polynomial  # left - right

    @property
    def names(self) -> frozenset[str]:
        """The symbols in it."""
        return frozenset(monomial[0][0] for monomial in self.gap if monomial != ONE)

    def rows(self, relation: str) -> list[Row]:
        """left - right, or right - left, as what is at most zero; an equation is both."""
        slopes = {monomial[0][0]: slope for monomial, slope in self.gap.items() if monomial != ONE}
        constant = self.gap.get(ONE, Fraction(0))
        below = Row(slopes, constant, relation == "<")
        above = Row({name: -slope for name, slope in slopes.items()}, -constant, relation == ">")
        return [below, above] if relation == "=" else [below if relation[0] == "<" else above]


@dataclass(slots=True)
class Known:
    """The lines that stand so far, and how many were held against them."""

    lines: list[Line] = field(default_factory=list)
    judged: int = 0


def check(script: Script) -> Iterator[Placed]:
    """Every linear inequality against what the problem and the steps before it state."""
    passages = script.everything
    if not any(_ORDERS.intersection(chain.relations) for passage in passages for chain in passage.page.chains):
        return
    if is_split_into_cases(script.problem.text) or speaks_of_curves(script.problem.text):
        return
    if any(_APART.search(passage.text) for passage in script.anywhere_near(_APART)):
        return
    known = Known()
    for passage in passages:
        if passage.is_modular or opens_a_branch(passage) or takes_back(passage.text):
            continue
        loose = _with_several_values(passage)
        for chain in passage.page.chains:
            yield from _entered(passage, chain, known, loose, is_problem=passage is script.problem)


def _entered(passage: Passage, chain: Chain, known: Known, loose: set[str], *, is_problem: bool) -> Iterator[Placed]:
    """Judges the lines of one chain by those that are known, and adds them."""
    for index, (left, right) in enumerate(itertools.pairwise(chain.sides)):
        line = _line(passage, left, right, chain.relations[index])
        if line is None or line.names & loose or holds_in_one_case(passage, chain, index, is_problem):
            continue
        is_claim = not is_problem and line.relation in _ORDERS and known.judged < MOST_JUDGED
        relevant = _about(line, known.lines) if is_claim else []
        if relevant:
            known.judged += 1
            yield from _judged(passage, left.start, right.end, line, relevant)
        if len(known.lines) < MOST_LINES * 3 and all(line.text != earlier.text for earlier in known.lines):
            known.lines.append(line)


def _with_several_values(passage: Passage) -> set[str]:
    """x = 2 and x = 3: solutions of one equation, and no two facts."""
    values: dict[str, set[Tree]] = {}
    for chain in passage.page.chains:
        name, value = chain.sides[0].tree, chain.sides[-1].tree
        if isinstance(name, Sym) and set(chain.relations) == {"="} and value is not None:
            values.setdefault(name.name, set()).add(value)
    return {name for name, trees in values.items() if len(trees) > 1}


def _about(line: Line, known: Sequence[Line]) -> list[Line]:
    """The known lines that speak of its symbols, or of symbols that stand beside these in another line."""
    names, lines = set(line.names), list[Line]()
    for _ in range(MOST_SYMBOLS):
        lines = [earlier for earlier in known if earlier.names & names]
        names.update(*(earlier.names for earlier in lines))
    return lines[-MOST_LINES:] if len(names) <= MOST_SYMBOLS else []


def _line(passage: Passage, left: Side, right: Side, relation: str) -> Line | None:
    """A relation between linear expressions with exact numbers; None for any other."""
    if left.tree is None or right.tree is None or relation not in _ORDERS | {"="}:
        return None
    if left.doubts or right.doubts or left.others or right.others or left.log_open or right.log_open:
        return None
    if any(number.cut or number.decimals > 2 for tree in (left.tree, right.tree) for number in literals(tree)):
        return None
    try:
        sides = [quotient_of(tree) for tree in (left.tree, right.tree)]
    except IncalculableError:
        return None
    # a symbol below a fraction bar has an unknown sign
    if any(set(side.below) != {ONE} for side in sides):
        return None
    gap = add(_scaled(sides[0].above, 1 / sides[0].below[ONE]), _scaled(sides[1].above, -1 / sides[1].below[ONE]))
    linear = all(len(monomial) == 1 and monomial[0][1] == 1 for monomial in gap if monomial != ONE)
    if not linear or set(gap) <= {ONE}:
        return None
    return Line(passage.text[left.start : right.end][:500], left.tree, right.tree, relation, gap)


def _scaled(polynomial: Polynomial, factor: Fraction) -> Polynomial:
    return {monomial: coefficient * factor for monomial, coefficient in polynomial.items()}


def _judged(passage: Passage, start: int, end: int, line: Line, known: list[Line]) -> Iterator[Placed]:
    for relation, verdict in ((line.relation, Verdict.REFUTED), (_NEGATED[line.relation], Verdict.VERIFIED)):
        weights = _weights(line, relation, known)
        if weights is None:
            continue
        used = [(earlier, weight) for earlier, weight in zip(known, weights[:-1], strict=True) if weight]
        # a line that contradicts itself, or follows from nothing, is no matter of the lines before it
        if not used or not weights[-1]:
            return
        if verdict is Verdict.REFUTED and not _CONCLUDES.search(passage.text[max(0, start - 40) : start]):
            return
        yield _placed(passage, (start, end), line, used, weights[-1], verdict)
        return


def _weights(line: Line, relation: str, known: list[Line]) -> list[Fraction] | None:
    """One weight for each known line, and last that of the line itself; those of equations may be below zero."""
    groups = [earlier.rows(earlier.relation) for earlier in known] + [line.rows(relation)]
    certificate = contradiction(rows=[row for group in groups for row in group])
    if certificate is None:
        return None
    weights, at = [], 0
    for group in groups:
        weights.append(certificate[at] - (certificate[at + 1] if len(group) > 1 else 0))
        at += len(group)
    return weights


def _placed(
    passage: Passage,
    span: tuple[int, int],
    line: Line,
    used: list[tuple[Line, Fraction]],
    own: Fraction,
    verdict: Verdict,
) -> Placed:
    lines = [*(earlier for earlier, _ in used), line]
    reasons = " and ".join(" ".join(earlier.text.split()) for earlier, _ in used[:3])
    said = f"{plain(line.left)} {line.relation} {plain(line.right)}"
    holds = verdict is Verdict.VERIFIED
    sentence = f"{said} follows from {reasons}." if holds else f"{said} cannot hold beside {reasons}."
    return place(
        passage=passage,
        start=span[0],
        end=span[1],
        verdict=verdict,
        checker=NAME,
        rule="linear inequalities",
        sentence=sentence,
        details={
            "normal_form": said,
            "rule": "linear inequalities",
            "evidence_latex": rf"\text{{{sentence}}}",
            **packed({
                "kind": "farkas",
                "equations": [[each.text, formula(each.left), formula(each.right)] for each in lines],
                "relations": [each.relation for each in lines],
                "weights": [*(str(weight) for _, weight in used), str(own)],
            }),
        },
    )  # fmt: skip
