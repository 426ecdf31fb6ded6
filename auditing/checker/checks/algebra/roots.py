"""Checker: values said to solve an equation; a gained root and a lost root are named, plus and minus are two values.

A root is *gained* when a stated value does not solve the equation, and *lost* when a list that claims to be complete
leaves a solution out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from auditing.checker.checks.algebra.equations import is_one_equation
from auditing.checker.checks.algebra.solving import SOLVING_FOR, exact_value, nearly_solves, solved_for, solves
from auditing.checker.checks.solved.plus_or_minus import Pair, judged_lines, judged_signs, pair_of, solves_none_of
from auditing.checker.checks.solved.turns import turns_between
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.division import coefficients, rational_roots, without_common
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.polynomial import Polynomial, difference, is_constant, names_in
from auditing.checker.mathematics.tree import (
    Sym,
    Tree,
    branches,
    free_symbols,
    latex,
    literals,
    number_text,
    plain,
    substitute,
)
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.contradictions import Line
from auditing.checker.proofs.formulas import of_values
from auditing.checker.proofs.solutions import of_lost_root, of_rewriting
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt

NAME = "roots"
# a trace of many values and many equations of one symbol is compared no further: it would take time by its square
MOST_FILLED = 200_000
REACH = 3  # passages between an equation and the values that solve it
_CASE = any_of("""
    if when whenever let suppose assum* try trying test* check* option choice case cases for at where unless consider
    minimum maximum vertex critical derivative discriminant first second next guess set setting substitut* plug* new
    not approximat* about case symmetr*
""")
# words that rule solutions out: a length is positive, a count is whole, so a root may be left out on purpose
_RESTRICTED = any_of("""
    positive negative integer* natural whole greater less nonzero non-zero must reject* discard* extraneous length
    width side radius age distance time height cannot since because domain defined acute interval only_one other also
    remaining one_solution one_root another first between smallest largest number_of discount price ignore valid invalid
    real prime digit nonnegative non-negative denominator
""")
# words that claim a list to be complete
_ALL = any_of("solutions_are roots_are solutions: roots: the_solutions the_roots or only_solution* solutions_to zeros")
_SENTENCE = re.compile(r"[.!?]\s|\n\s*\n|;")


@dataclass(slots=True)
class Source:
    """An equation in one symbol, where it stands, and the values that were said to solve it."""

    left: Tree
    right: Tree
    polynomial: Polynomial
    passage: int
    end: int
    text: str
    written: str
    stated: set[Fraction] = field(default_factory=set)


@dataclass(slots=True)
class Known:
    """The equations so far by their symbol, and how many characters of them values may still be put into.

    told: the last value that each symbol was given before any equation of it.
    """

    script: Script
    by_name: dict[str, list[Source]] = field(default_factory=dict)
    told: dict[str, Tree] = field(default_factory=dict)
    left: int = MOST_FILLED


def check(script: Script) -> Iterator[Placed]:
    """x = a after an equation in x alone, and links between sides with a plus-or-minus sign."""
    known = Known(script)
    yield from judged_lines(script)
    # "the lines x = 4 and y = 3" of the problem solve nothing
    told = {_text_of(script.problem, chain) for chain in script.problem.page.chains}
    for number, passage in enumerate((script.problem, *script.passages)):
        is_problem = passage is script.problem
        if passage.is_modular:
            continue
        for chain in passage.page.chains:
            if not is_problem:
                yield from judged_signs(passage, chain)
            if not script.has_symbols:
                continue
            if not is_problem:
                yield from _claim(passage, number, chain, known) if _text_of(passage, chain) not in told else ()
            _remember(number, chain, passage.text[chain.start : chain.end], known)
        if known.by_name and not is_problem:
            yield from _lost(passage, number, known.by_name, script.problem.lower)


def _text_of(passage: Passage, chain: Chain) -> str:
    return "".join(passage.text[chain.start : chain.end].split())


def _remember(number: int, chain: Chain, written: str, known: Known) -> None:
    """Keeps an equation in one symbol; an unreadable one in a chain makes what stood before unreliable."""
    left, right, last = chain.sides[0].tree, chain.sides[1].tree, chain.sides[-1].tree
    name = solved_for(chain.sides[0], chain.sides[1])
    if name and last is not None:
        known.told[name] = last
    if name or left is None or right is None or not chain.once(is_one_equation):
        return
    names = free_symbols(left) | free_symbols(right)
    # x = x and 2 = 2 are equations as well, and hold for everything: they have no roots to compare with.
    if len(names) != 1:
        return
    try:
        polynomial = without_common(difference(left, right), "pi")
    except IncalculableError:
        return
    if names_in(polynomial) <= names | {"pi"} and not is_constant(polynomial):
        name = next(iter(names))
        # k = 1: n = 5, n^2 = 25; k = 2: n = 10: what a value does is no equation that the next value has to solve
        value = known.told.get(name)
        if value is not None and not free_symbols(value) and solves(left=left, right=right, name=name, value=value):
            return
        text = f"{plain(left)} = {plain(right)}"
        source = Source(left, right, polynomial, number, chain.end, text, written)
        known.by_name.setdefault(name, []).append(source)


def _claim(passage: Passage, number: int, chain: Chain, known: Known) -> Iterator[Placed]:
    left, right = chain.sides[0], chain.sides[1]
    name = solved_for(left, right)
    candidates = known.by_name.get(name, [])
    if not name or chain.relations[0] != "=" or not candidates or number - candidates[-1].passage > REACH:
        return
    tree = right.tree
    if tree is None or not _is_plain(left, right, tree):
        return
    if _is_left_to_the_derivation(candidates[-1]) or _in_a_case(passage, chain):
        return
    if _is_of_another_thread(candidates[-1], passage, chain, known.script):
        return
    pair = pair_of(tree)
    if pair is not None and solves_none_of(pair, [source.polynomial for source in candidates]):
        yield _gained(passage, chain, name, pair, candidates[-1])
        return
    for value in branches(tree):
        if _fails_everywhere(candidates, name, value, known):
            yield _gained(passage, chain, name, value, candidates[-1])
            return


def _is_of_another_thread(source: Source, passage: Passage, chain: Chain, script: Script) -> bool:
    """Whether the text has turned to something else since it told the equation."""
    earlier = script.passages[source.passage - 1] if source.passage else None
    return earlier is not None and turns_between(script, earlier, source.end, passage, chain.start)


def _is_left_to_the_derivation(source: Source) -> bool:
    """It checks linear equations, but for those with pi, whose products with a symbol are terms of their own there."""
    return "pi" not in names_in(difference(source.left, source.right)) and len(coefficients(source.polynomial)) < 3


def _fails_everywhere(candidates: list[Source], name: str, value: Tree, known: Known) -> bool:
    """Whether a value solves no equation that stands open, for it may be meant to solve any; the last keeps it."""
    exact = exact_value(value)
    for source in reversed(candidates):
        known.left -= len(source.text)
        if known.left < 0:
            return False
        solved = solves(left=source.left, right=source.right, name=name, value=value)
        if solved and exact is not None:
            source.stated.add(exact)
        if solved is not False or nearly_solves(left=source.left, right=source.right, name=name, value=value):
            return False
    return True


def _is_plain(left: Side, right: Side, tree: Tree) -> bool:
    """No doubts but those of a list of values, one reading, nothing rounded."""
    if left.doubts or any(doubt != "a list" and not doubt.startswith("the word or") for doubt in right.doubts):
        return False
    return not right.others and not any(
        number.decimals > 1 or number.cut or number.percent for number in literals(tree)
    )


def _in_a_case(passage: Passage, chain: Chain) -> bool:
    head = SOLVING_FOR.sub(" ", passage.text[max(0, chain.start - 200) : chain.start])
    after = _SENTENCE.split(passage.text[chain.end : chain.end + 80])[0]
    return bool(_CASE.search(_SENTENCE.split(head)[-1]) or _CASE.search(after) or context_doubt(passage.text, chain, 0))


def _gained(passage: Passage, chain: Chain, name: str, value: Tree | Pair, source: Source) -> Placed:
    rational = rational_roots(source.polynomial) or ()
    roots = f" Its rational roots are {', '.join(map(number_text, rational))}." if rational else ""
    if isinstance(value, Pair):
        written = passage.text[chain.start : chain.sides[1].end]
        sentence = f"{written} does not solve {source.text}.{roots}"
        line = Line(written, *value.equation(Sym(name)))
        return _placed(passage, chain, sentence, "root gained", source, of_rewriting(_line_of(source), line))
    sentence = f"{name} = {plain(value)} does not solve {source.text}.{roots}"
    filling = {name: value}
    proof = of_values(substitute(source.left, filling), substitute(source.right, filling), (source.written,))
    return _placed(passage, chain, sentence, "root gained", source, proof)


def _line_of(source: Source) -> Line:
    return Line(source.written, source.left, source.right)


def _placed(
    passage: Passage,
    chain: Chain,
    sentence: str,
    rule: str,
    source: Source,
    proof: dict[str, str],
    *,
    weak: bool = False,
) -> Placed:
    details = {
        "normal_form": sentence,
        "against": source.text,
        "rule": rule,
        "evidence_latex": f"{latex(source.left)} = {latex(source.right)}",
        **proof,
    }
    verdict = Verdict.NOT_APPLICABLE if weak else Verdict.REFUTED
    return place(
        passage=passage,
        start=chain.start,
        end=chain.end,
        checker=NAME,
        rule=rule,
        sentence=sentence,
        details=details,
        verdict=verdict,
    )


def _lost(passage: Passage, number: int, sources: dict[str, list[Source]], problem: str) -> Iterator[Placed]:
    """Rational roots of the last equation that a list of all its solutions leaves out."""
    solved = {name: equations for name, equations in sources.items() if equations and equations[-1].stated}
    for name, equations in solved.items():
        source = equations[-1]
        chains = [chain for chain in passage.page.chains if solved_for(chain.sides[0], chain.sides[1]) == name]
        if not chains or number - source.passage > 1:
            continue
        missing = [root for root in rational_roots(source.polynomial) or () if root not in source.stated]
        if missing:
            text = ", ".join(number_text(root) for root in missing)
            sentence = f"{source.text} is also solved by {name} = {text}."
            head = passage.text[max(0, chains[0].start - 120) : chains[-1].end]
            # Evidence without a verdict unless the list is said to be complete, has two values, and nothing restricts
            # it.
            weak = (
                len(source.stated) < 2
                or not _ALL.search(head)
                or bool(_RESTRICTED.search(passage.text) or _RESTRICTED.search(problem))
            )
            proof = {} if weak else of_lost_root(_line_of(source), {name: missing[0]})
            yield _placed(passage, chains[-1], sentence, "root lost", source, proof, weak=weak)
        # judged once
        source.stated.clear()
