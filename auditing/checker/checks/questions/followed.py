"""Answers that follow from all equations of a problem: x = 7 from x + y = 10 and x - y = 4, and x - y itself."""

from __future__ import annotations

from dataclasses import dataclass

from auditing.checker.checks.questions.asked import Question
from auditing.checker.checks.questions.givens import Givens, formula_of
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.knowledge import Knowledge
from auditing.checker.mathematics.polynomial import Polynomial, difference, is_constant
from auditing.checker.mathematics.tree import Sym, Tree, free_symbols, latex, literals, plain
from auditing.checker.proofs.contradictions import Line, of_lines
from auditing.checker.reading.passages import Passage, Placed, place

NAME, RULE = "questions", "the answer to the question"


@dataclass(frozen=True, slots=True)
class Stated:
    """An answer: its passage and place, its text, and the expression that it is."""

    passage: Passage
    start: int
    text: str
    tree: Tree
    is_final: bool

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def followed(question: Question, givens: Givens, answer: Stated) -> Placed | None:
    """What is asked, and what all equations together make of it; nothing where they leave it open."""
    asked = formula_of(question.asked) if question.asked and not question.modulus else None
    if asked is None or not free_symbols(asked) or any(number.decimals for number in literals(answer.tree)):
        return None
    # "the zeros are at x = a and x = b" makes a and b no equals
    lines = [
        Line(text, *sides) for *sides, text in givens.equations if not all(isinstance(side, Sym) for side in sides)
    ]
    lines += [Line(value[1], Sym(name), value[0]) for name, value in givens.values.items() if value is not None]
    knowledge, claim = Knowledge(), _zero(asked, answer.tree)
    for number, line in enumerate(lines):
        polynomial = _zero(line.left, line.right)
        if polynomial is not None and not is_constant(polynomial):
            knowledge.learn(polynomial, number)
    if claim is None or is_constant(claim) or not knowledge.rows:
        return None
    if knowledge.follows(claim):
        return placed(question, answer, (asked, answer.tree), {}, holds=True)
    # another value of a letter alone is judged with all that solves its equation
    if isinstance(asked, Sym) or knowledge.contradiction(claim, len(lines)) is None:
        return None
    # what is claimed stands in two places: with numbers of its own the file would look for them in the answer
    has_digits = any(sign.isdigit() for sign in question.asked)
    proof = {} if has_digits else of_lines([*lines, Line(answer.text, asked, answer.tree)])
    return placed(question, answer, (asked, answer.tree), proof, holds=False)


def _zero(left: Tree, right: Tree) -> Polynomial | None:
    try:
        return difference(left, right)
    except IncalculableError:
        return None


def placed(
    question: Question, answer: Stated, sides: tuple[Tree, Tree], proof: dict[str, str], *, holds: bool
) -> Placed:
    """The finding at the answer: the equation that it makes of the question, and whether that holds."""
    left, right = sides
    equation = f"{plain(left)} = {plain(right)}"
    outcome = "holds" if holds else "does not hold"
    return place(
        passage=answer.passage,
        start=answer.start,
        end=answer.end,
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        checker=NAME,
        rule=RULE,
        sentence=f"The question asks for {question.in_words or question.asked}; {equation} {outcome}.",
        details={
            "statement": equation,
            "rule": RULE,
            "evidence_latex": f"{latex(left)} = {latex(right)}",
            **proof,
        },
        grade=Grade.CERTAIN if holds or (answer.is_final and not question.is_rounded) else Grade.LIKELY,
    )
