"""Checker: the stated answer against what the problem asks for, where that can be computed.

Three ways, the first that says something: the formula that is asked for with what the problem gives put in; the answer
put into the only equation in its letter; and the question as a sentence ("The remainder ... is 3"), which the checks of
sentences judge.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from auditing.checker.answers import final_answer
from auditing.checker.checks.algebra import derivation
from auditing.checker.checks.algebra.expressions import expression_of
from auditing.checker.checks.number_sorts import told
from auditing.checker.checks.numbers import verbal_arithmetic
from auditing.checker.checks.numbers.complexes import are_equal, is_imaginary
from auditing.checker.checks.quantities import phrases
from auditing.checker.checks.questions.asked import Question, question_of
from auditing.checker.checks.questions.followed import NAME, RULE, Stated, followed, placed
from auditing.checker.checks.questions.givens import Givens, formula_of, givens_of
from auditing.checker.checks.said import operations
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.compare import FAILS, HOLDS, compare
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.polynomial import difference, names_in
from auditing.checker.mathematics.tree import (
    Node,
    Num,
    Sym,
    Tree,
    free_symbols,
    has_two_values,
    literals,
    repeats,
    substitute,
)
from auditing.checker.proofs.formulas import of_complex, of_values
from auditing.checker.reading.passages import Passage, Placed, Script, place, script_of
from hdag.core.text.cues import Cue
from hdag.core.values import Source, Trace

_SENTENCES = (verbal_arithmetic, told, phrases, operations, derivation)
_STATED = Cue(r"\\boxed\{|####|\b(?:final )?answer\s*(?:is|:|must be|has to be)", re.IGNORECASE)
# "for g(2) the answer is 7": on the way an answer may be that of a part
_FINAL = re.compile(r"\\boxed\{|####|\bfinal answer\b", re.IGNORECASE)
_BOX = r"\boxed{"
_OPEN = re.compile(
    r"\b(?:if|suppose\w*|assum\w*|would|not|wrong|incorrect\w*|approximat\w*|about|roughly|say|claim\w*|guess\w*|option|"
    r"choice|letter)\b|\\approx|≈",
    re.IGNORECASE,
)
# of passages that state an answer, the last ones
MOST_STATED = 50
# how far into a statement its claim may begin: behind "The"
_FIRST = 6
# in front of the answer, where it may be called a guess or somebody else's
_HEAD = 80


def check(script: Script) -> Iterator[Placed]:
    """Each stated answer of one value, put into the only question of the problem."""
    stated = [passage for passage in script.near(_STATED) if _STATED.search(passage.text)]
    # the answer beside the thinking is stated by its place
    stated += [passage for passage in script.passages if passage.source is Source.ANSWER and passage not in stated]
    passages = stated[-MOST_STATED:]
    question = question_of(script.problem.text) if passages and not script.problem.is_modular else None
    if question is None:
        return
    # where the problem is a formula and nothing else, the check of expressions judges what is boxed
    is_complex = script.once(is_imaginary)
    is_boxed_alone = expression_of(script.problem.text) is not None and not is_complex
    givens = givens_of(script.problem)
    # of the thinking and of the answer
    last = [passages[-1], *(passage for passage in passages[-2:-1] if passages[-1].source is Source.ANSWER)]
    for passage in passages:
        answer = _stated(passage, question, is_last=passage in last, may_be_complex=is_complex)
        if answer is not None and not (is_boxed_alone and passage.text.endswith(_BOX, 0, answer.start)):
            told = _computed(question, givens, answer) or _complex(script, question, answer)
            # "x = 4" is read by the check of derivations
            if told is None and "=" not in answer.text:
                told = (
                    _solved(question, givens, answer)
                    or followed(question, givens, answer)
                    or _said(script.problem.text, question, answer)
                )
            if told is not None:
                yield told


def _stated(passage: Passage, question: Question, *, is_last: bool, may_be_complex: bool) -> Stated | None:
    text = final_answer(text=passage.text)
    at = passage.text.rfind(text)
    if at < 0 or _OPEN.search(passage.text[max(0, at - _HEAD) : at]):
        return None
    name, sign, value = text.partition("=")
    bare = value.strip() if sign and question.asked and name.strip() == question.asked else text
    tree = formula_of(bare.strip("$ "))
    if tree is None or free_symbols(tree) - ({"i"} if may_be_complex else set()) or has_two_values(tree):
        return None
    return Stated(passage, at, text, tree, is_last or bool(_FINAL.search(passage.text)))


def _computed(question: Question, givens: Givens, answer: Stated) -> Placed | None:
    """f(g(2)) = 10 with the rules of f and g put in; the remainder of a formula."""
    asked = formula_of(question.asked) if question.asked else None
    if asked is None or isinstance(asked, Num):
        return None
    givens.used.clear()
    left = givens.closed(asked)
    if left is None or has_two_values(left):
        return None
    if question.modulus:
        left = Node("mod", (left, question.modulus))
    return _compared(question, answer, (left, answer.tree), tuple(givens.used), may_verify=True)


def _complex(script: Script, question: Question, answer: Stated) -> Placed | None:
    """(3 - i)(6 + 2i) = 20, as i^2 = -1."""
    asked = formula_of(question.asked) if question.asked and not question.modulus else None
    if asked is None or not script.once(is_imaginary) or free_symbols(asked) != {"i"}:
        return None
    same = are_equal(asked, answer.tree)
    if same is None:
        return None
    proof = of_complex(asked, answer.tree, (question.text,))
    return placed(question, answer, (asked, answer.tree), proof, holds=same)


def _solved(question: Question, givens: Givens, answer: Stated) -> Placed | None:
    """The answer put in for the letter that is asked for: what solves an equation need not be all that does."""
    asked = formula_of(question.asked) if question.asked and not question.modulus else None
    if not isinstance(asked, Sym):
        return None
    about = [equation for equation in givens.equations if asked.name in free_symbols(Node("=", equation[:2]))]
    about = [(_known(givens, left, asked), _known(givens, right, asked), text) for left, right, text in about]
    if len(about) != 1 or free_symbols(Node("=", about[0][:2])) != {asked.name}:
        return None
    left, right, text = about[0]
    sides = substitute(left, {asked.name: answer.tree}), substitute(right, {asked.name: answer.tree})
    return _compared(question, answer, sides, (text,), may_verify=_has_one_solution(left, right))


def _known(givens: Givens, tree: Tree, asked: Sym) -> Tree:
    """A side with the values that the problem gives to its other letters, where it gives them all."""
    return givens.closed(tree, {asked.name: asked}) or tree


def _has_one_solution(left: Tree, right: Tree) -> bool:
    """Whether an equation is linear in its only letter: what solves it is all that does."""
    try:
        gap = difference(left, right)
    except IncalculableError:
        return False
    # an atom, the root of x + 1, is no letter
    is_letter = all(len(name) == 1 for name in names_in(gap))
    return is_letter and max((sum(power for _, power in monomial) for monomial in gap), default=0) == 1


def _compared(
    question: Question, answer: Stated, sides: tuple[Tree, Tree], lines: tuple[str, ...], *, may_verify: bool
) -> Placed | None:
    left, right = sides
    state = compare(left=left, right=right, relation="=").state
    # a decimal may be the rounded value of what is asked, and of what solves an equation
    is_exact = not any(number.decimals or number.percent for number in literals(answer.tree))
    if state not in (HOLDS, FAILS) or (state == HOLDS and not may_verify) or (state == FAILS and not is_exact):
        return None
    # the file that checks proofs reads no decimals that repeat
    is_provable = not (repeats(left) or repeats(right))
    proof = of_values(left, right, (*dict.fromkeys(lines), question.text)) if is_provable else {}
    return placed(question, answer, sides, proof, holds=state == HOLDS)


def _said(problem: str, question: Question, answer: Stated) -> Placed | None:
    """The question as a statement, judged by the checks of sentences and of equations."""
    value = answer.text.strip("$ ")
    if "\\" in value and not question.asked:
        value = f"${value}$"
    statement, said_until = question.answered(value), len(question.before) + len(value)
    asked = script_of(Trace(problem, thinking=statement))
    for judge in _SENTENCES:
        for said in judge.check(asked):
            # from the first words to the answer: a part of the sentence may be another claim
            is_whole = said.source is Source.THINKING and said.start <= _FIRST and said.end >= said_until
            if is_whole and said.finding.verdict is not Verdict.NOT_APPLICABLE:
                return _told(said, question, answer, statement)
    return None


def _told(said: Placed, question: Question, answer: Stated, statement: str) -> Placed:
    finding = said.finding
    is_open = finding.verdict is Verdict.REFUTED and (question.is_rounded or not answer.is_final)
    return place(
        passage=answer.passage,
        start=answer.start,
        end=answer.end,
        verdict=finding.verdict,
        checker=NAME,
        rule=RULE,
        sentence=finding.evidence.sentence,
        details={
            **finding.evidence.details,
            "statement": statement,
            **_proof(finding.proof, question, answer, statement),
        },
        grade=Grade.LIKELY if is_open else finding.grade,
    )


def _proof(proof: str, question: Question, answer: Stated, statement: str) -> dict[str, str]:
    """The proof of the statement with the lines that stand in the trace: the question, and the answer as written."""
    if not proof:
        return {}
    parts = json.loads(proof)
    if "equations" in parts:
        # what is claimed stands in two places: its letters in the question, its number in the answer
        if any(sign.isdigit() for sign in question.asked):
            return {}
        parts["equations"] = [
            [answer.text if text in statement else text, *sides] for text, *sides in parts["equations"]
        ]
    else:
        parts["texts"] = [*(text for text in parts.get("texts", []) if text not in statement), question.text]
    return {"proof": json.dumps(parts, ensure_ascii=False, separators=(",", ":"))}
