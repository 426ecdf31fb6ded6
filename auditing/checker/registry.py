"""The table of checkers: name -> what it does, whether it may pass a segment, and the function that does it.

A check is added by one row. Names stand in stored evidence and exports, so they never change, even where a module has
found a better one since ("transitions", "sayings"); a name that is given up ("orderings", "domains", "alphabet", "said
twice") stands in sealed votes alone and is never used anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from auditing.checker.checks.algebra import (
    continuations,
    derivation,
    entailment,
    equivalence,
    expressions,
    formulas,
    gaps,
    inequalities,
    like_terms,
    references,
    rewriting,
    roots,
    tuples,
)
from auditing.checker.checks.facts import plain_facts
from auditing.checker.checks.logic import exchanges, placings, sortings
from auditing.checker.checks.number_sorts import told
from auditing.checker.checks.numbers import (
    arithmetic,
    complexes,
    congruences,
    dates,
    facts,
    listings,
    number_facts,
    remainders,
    remarks,
    spoken,
    tables,
    verbal_arithmetic,
)
from auditing.checker.checks.quantities import measured, phrases, times
from auditing.checker.checks.questions import questions
from auditing.checker.checks.said import identities, operations
from auditing.checker.checks.sciences import check_digits, chemistry, named_formulas, reported_statistics
from auditing.checker.checks.solved import named_derivatives, solutions
from auditing.checker.checks.text import (
    answered_units,
    assertions,
    brackets,
    computed_lines,
    confessions,
    provenance,
    quotation,
    restatement,
    retractions,
    tools,
)
from auditing.checker.checks.vectors import array_equations
from auditing.checker.findings import Grade
from auditing.checker.reading.passages import Placed, Script

# of the checkers as a whole, sealed with each vote: raised whenever what they find or refute changes
VERSION = "2026.12.01.2"


@dataclass(frozen=True, slots=True)
class Checker:
    """One row: a checker reads a whole script and yields findings at their places.

    `grade` is the surest grade that its findings may have: only certain ones decide, and the table of measured alarms
    (demotion.py) may lower it further. `may_verify` says whether its verified findings may pass a segment: then what it
    verifies is all that the segment claims, and not just one thing that happens to be true in it. Without a proof
    that the verifier's file re-checks a refutation is likely at most (proofs/rechecking.py).
    """

    name: str
    what: str
    check: Callable[[Script], Iterator[Placed]]
    may_verify: bool = False
    grade: Grade = Grade.CERTAIN
    # whether the words around decide what is claimed (a supposition, a case, another curve): likely at most where they
    # are written in a script that is not read
    needs_words: bool = True
    # whether it holds lines against each other: in a trace that thinks aloud they may be of two attempts, and it is
    # likely at most there (thinking_aloud.py)
    compares_lines: bool = False
    # whether it tells of numbers alone, which others of these tell as well: a reader is told once (told_once.py)
    tells_numbers: bool = False

    @property
    def decides(self) -> bool:
        """Whether its refutations may fail a segment; the others are told to whoever judges it."""
        return self.grade is Grade.CERTAIN


CHECKERS: tuple[Checker, ...] = (
    Checker(
        "arithmetic",
        "numeric equalities, inequalities and chains",
        arithmetic.check,
        may_verify=True,
        needs_words=False,
        tells_numbers=True,
    ),
    Checker("rewriting", "rewritings that must hold for all values", rewriting.check),
    Checker(
        "derivation", "equations with symbols against all equations before them", derivation.check, compares_lines=True
    ),
    Checker("like terms", "sums of terms with a symbol", like_terms.check, compares_lines=True),
    Checker("gaps", "equations whose sides differ by a number", gaps.check, compares_lines=True),
    Checker("continuations", "lines that begin with a sign of equality", continuations.check, compares_lines=True),
    Checker("references", "sentences that take up the expression before them", references.check, compares_lines=True),
    Checker("said identities", "expressions that words call the same", identities.check, grade=Grade.LIKELY),
    Checker(
        "said operations", "expressions made of others in words, values put in", operations.check, compares_lines=True
    ),
    Checker("expressions", "the expression of the problem against what it becomes", expressions.check),
    Checker("questions", "the stated answer against what the problem asks for", questions.check),
    Checker("transitions", "one equation rewritten as the next", equivalence.check, compares_lines=True),
    Checker("roots", "values that solve an equation: roots gained and lost", roots.check, compares_lines=True),
    Checker(
        "solutions",
        "values said to solve what stands before, formulas with values put in",
        solutions.check,
        compares_lines=True,
    ),
    Checker("complexes", "equations between complex numbers", complexes.check),
    Checker("arrays", "vectors and matrices", array_equations.check, grade=Grade.LIKELY),
    Checker("tuples", "points and vectors whose components are computed", tuples.check, grade=Grade.LIKELY),
    Checker(
        "remarks", "numbers with their computation in brackets", remarks.check, grade=Grade.LIKELY, tells_numbers=True
    ),
    Checker("congruences", "congruences between numbers", congruences.check),
    Checker("remainders", "quotients and remainders of whole numbers", remainders.check),
    Checker("inequalities", "one linear inequality rewritten as the next", inequalities.check, compares_lines=True),
    Checker("entailment", "linear inequalities that follow or clash", entailment.check, grade=Grade.LIKELY),
    Checker("restatement", "a label that is given another value than before", restatement.check, compares_lines=True),
    Checker(
        "computed lines",
        "what one line computes and the next one makes of it",
        computed_lines.check,
        compares_lines=True,
    ),
    Checker("formulas", "formulas in words filled with numbers", formulas.check),
    Checker("facts", "divisible, prime, even, square", facts.check),
    Checker(
        "number facts",
        "nearest numbers of a sort, digits, bases, prime factors counted",
        number_facts.check,
        tells_numbers=True,
    ),
    Checker(
        "number sorts",
        "how many there are of a sort of whole numbers, their sum, their ends",
        told.check,
        tells_numbers=True,
    ),
    Checker(
        "spoken",
        "values that words set equal: a result that is said, a value written twice",
        spoken.check,
        tells_numbers=True,
    ),
    Checker("tables", "rows and columns that have a total", tables.check, grade=Grade.LIKELY),
    Checker("sayings", "arithmetic said in words", verbal_arithmetic.check, tells_numbers=True),
    Checker("listings", "lists of factors, multiples and primes", listings.check),
    Checker(
        "plain facts",
        "order, members, counts, numerals, spelling",
        plain_facts.check,
        grade=Grade.LIKELY,
        tells_numbers=True,
    ),
    Checker(
        "brackets",
        "brackets pushed, popped and closed",
        brackets.check,
        may_verify=True,
        needs_words=False,
    ),
    Checker(
        "placings",
        "orders, places and comparisons against all that fit the problem",
        placings.check,
        needs_words=False,
        compares_lines=True,
    ),
    Checker("exchanges", "who holds what after swaps of the problem or of a step", exchanges.check, needs_words=False),
    Checker("sortings", "lists that are called sorted, words and their letters", sortings.check, needs_words=False),
    Checker("tools", "calculator calls and pure Python expressions, recomputed", tools.check, needs_words=False),
    Checker("assertions", "what functions of the trace return", assertions.check, grade=Grade.LIKELY),
    Checker("retractions", "computations with a result that was taken back", retractions.check, grade=Grade.LIKELY),
    Checker("confessions", "steps that call their own deed wrong", confessions.check, compares_lines=True),
    Checker("calculus", "derivatives and antiderivatives", named_derivatives.check),
    Checker("quotation", "quotations and copied givens against the problem", quotation.check),
    Checker("dates", "weekdays, leap years, spans of days and hours", dates.check),
    Checker("units", "computations in which a unit is converted", measured.check),
    Checker(
        "phrases",
        "percentages, changes, ratios and intervals in words",
        phrases.check,
        grade=Grade.LIKELY,
        tells_numbers=True,
    ),
    Checker("times of day", "times of day and the hours between them", times.check, grade=Grade.LIKELY),
    Checker("statistics as reported", "p-values of t, F, chi2 and z", reported_statistics.check, grade=Grade.LIKELY),
    Checker("chemistry", "balanced equations and molar masses", chemistry.check, grade=Grade.LIKELY),
    Checker("named formulas", "published formulas by their name", named_formulas.check, grade=Grade.LIKELY),
    Checker("check digits", "cards, books, journals, accounts", check_digits.check, grade=Grade.LIKELY),
    Checker("answered units", "the unit that is asked for", answered_units.check, grade=Grade.LIKELY),
    Checker(
        "provenance",
        "the answer against the result; numbers from nowhere (evidence only)",
        provenance.check,
    ),
)
TELLS_NUMBERS = {checker.name: place for place, checker in enumerate(CHECKERS) if checker.tells_numbers}
# what decision.py asks: names, because a finding knows its checker by name
MAY_VERIFY = frozenset(checker.name for checker in CHECKERS if checker.may_verify)
