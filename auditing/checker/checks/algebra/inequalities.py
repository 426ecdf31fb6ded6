"""Checker: one linear inequality rewritten as the next; refuted when the two have no solution in common.

The classic error: "-2x < 6, so x < -3", where dividing by a negative number should have turned the sign. From step to
step, and where the number is a logarithm, only this error is looked for.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.enclosure import IncalculableError, as_range
from auditing.checker.mathematics.evaluate import evaluate
from auditing.checker.mathematics.polynomial import ONE, difference
from auditing.checker.mathematics.tree import Node, Sym, free_symbols, literals, plain
from auditing.checker.proofs.claims import of_said
from auditing.checker.proofs.formulas import formula, packed
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt

NAME = "inequalities"
# characters before an inequality that goes on from the step before
FARTHEST = 200
MOST_BESIDE = 6
_SENTENCE_END = re.compile(r"[.!?;]\s|\n")
# what each relation becomes when both sides are multiplied by a negative number
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_OTHER = re.compile(
    r"\b(?:or|if|when|case|and|also|second|other|both(?!\ssides)|suppose|assume|either|but|while|for|next|unless|since|because|"
    r"contradict\w*|(?<!by\s)(?<!by\sa\s)negative|positive|integer|similarly)\b|\\neg|\\lor|\n\s*\n",
    re.IGNORECASE,
)
# what may stand before an inequality that is the last one of the step before, solved
_SOLVES = re.compile(
    r"\W{0,4}(?:step\s\d{1,3}\W{0,3}\s?)?(?:(?:so|thus|hence|therefore|then|now|next|finally)[,:]?\s){0,2}"
    r"(?:(?:we\s)?(?:divid|multiply|solv|isolat)(?:e|ing)\b[^.;\n<>=]{0,80}?(?:(?:we\s(?:get|have|obtain|find)|gives|yields|to\sget)"
    r"(?:\sus)?|[:,]))?[\s:,$\\(\[]{0,8}",
    re.IGNORECASE,
)
_SPLIT = re.compile(
    r"\b(?:or|either|case|also|other|and|systems?|conditions?|constraints?|restrictions?)\b|\\l?or\b", re.IGNORECASE
)
_END = re.compile(r"[\s$\\)\].,;]*")
_IS_WHOLE = re.compile(r"[\s$\\)\]]*(?:$|[.;!\n]|,\s(?:so|which|and|since|because)\b)")


@dataclass(frozen=True, slots=True)
class Ray:
    """The solutions of a linear inequality in one symbol, as a ray of the number line: name relation bound."""

    name: str
    relation: str
    bound: Fraction

    def __str__(self) -> str:
        return f"{self.name} {self.relation} {self.bound}"


def check(script: Script) -> Iterator[Placed]:
    """Neighbouring inequalities, the second derived from the first."""
    for before, passage in itertools.pairwise((script.problem, *script.passages)):
        if passage.is_modular:
            continue
        if before is not script.problem:
            yield from _from_step_to_step(before, passage, script.problem.text)
        yield from _in_passage(passage)


def _in_passage(passage: Passage) -> Iterator[Placed]:
    """Neighbours in one text, with no word between them by which they stand side by side."""
    for earlier, later in itertools.pairwise(passage.page.chains):
        # A chain a < b < c states two; one that begins with the bare symbol is solved already.
        if len(earlier.relations) != 1 or len(later.relations) != 1 or isinstance(earlier.sides[0].tree, Sym):
            continue
        # "or", "if", "the other case": two inequalities side by side need not follow from one another.
        if _OTHER.search(passage.text[earlier.end : later.start]):
            continue
        # x - 3 >= 0, 3 - x >= 0: both hold at 3; of two that are solved together the later may solve the first
        if _meet_in_a_point(earlier, later) or any(_agree(chain, later) for chain in _beside(passage, earlier)):
            continue
        yield from _judged((passage, earlier), (passage, later))


def _beside(passage: Passage, chain: Chain) -> Iterator[Chain]:
    """What stands before a chain in its sentence."""
    end = chain.start
    for earlier in reversed([other for other in passage.page.chains if other.end <= chain.start][-MOST_BESIDE:]):
        if _SENTENCE_END.search(passage.text, earlier.end, end):
            return
        yield earlier
        end = earlier.start


def _agree(one: Chain, other: Chain) -> bool:
    first, second = ray_of(one), ray_of(other)
    if first is None or second is None or first.name != second.name:
        return False
    return len(one.relations) == 1 and first.relation[0] == second.relation[0]


def _meet_in_a_point(earlier: Chain, later: Chain) -> bool:
    """Both hold at one number, and the later one is not solved: the two are stated side by side."""
    first, second = ray_of(earlier), ray_of(later)
    if first is None or second is None or isinstance(later.sides[0].tree, Sym):
        return False
    return first.bound == second.bound and {first.relation, second.relation} == {"<=", ">="}


def _judged(
    premise: tuple[Passage, Chain], conclusion: tuple[Passage, Chain], *, by_a_sign: bool = False
) -> Iterator[Placed]:
    """by_a_sign: only where nothing but the sign is wrong."""
    (before, earlier), (passage, later) = premise, conclusion
    first, second = ray_of(earlier), ray_of(later)
    if first is not None and second is not None:
        is_wrong = _excludes(first, second) and (not by_a_sign or first.bound == second.bound)
    else:
        is_wrong = _keeps_its_sign(earlier, later)
    if not is_wrong or context_doubt(before.text, earlier, 0) or context_doubt(passage.text, later, 0):
        return
    if first is not None and second is not None:
        yield _placed(before, passage, (earlier, later), (first, second))
    else:
        yield _unturned(passage, earlier, later)


def _from_step_to_step(before: Passage, passage: Passage, problem: str) -> Iterator[Placed]:
    """-2x <= 6 ends a step, and x <= -3 begins the next one."""
    if not before.page.chains or not passage.page.chains or before.is_modular:
        return
    earlier, later = before.page.chains[-1], passage.page.chains[0]
    if len(earlier.relations) != 1 or later.relations != earlier.relations or isinstance(earlier.sides[0].tree, Sym):
        return
    if not isinstance(later.sides[0].tree, Sym):
        return
    is_next = later.start < FARTHEST and _SOLVES.fullmatch(passage.text[: later.start])
    is_next = is_next and _END.fullmatch(before.text[earlier.end :])
    is_next = is_next and _IS_WHOLE.match(passage.text, later.end)
    # one of several that are given
    is_given = passage.text[later.start : later.end] in problem or _SPLIT.search(before.text)
    if is_next and not is_given:
        yield from _judged((before, earlier), (passage, later), by_a_sign=True)


def _keeps_its_sign(earlier: Chain, later: Chain) -> bool:
    """n log(4/5) <= log(1/4), then n <= log(1/4) / log(4/5): the factor is a logarithm below zero."""
    name, bound = later.sides[0].tree, later.sides[1].tree
    product, before = earlier.sides[0].tree, earlier.sides[1].tree
    if earlier.relations != later.relations or earlier.relations[0] not in _TURNED or not isinstance(name, Sym):
        return False
    if (
        before is None
        or bound is None
        or not isinstance(product, Node)
        or product.op != "*"
        or name not in product.args
    ):
        return False
    factor = product.args[1 - product.args.index(name)]
    if free_symbols(factor) or free_symbols(before) or free_symbols(bound):
        return False
    try:
        size, ratio, claimed = (as_range(evaluate(tree)) for tree in (factor, Node("/", (before, factor)), bound))
    except IncalculableError:
        return False
    return size.high < 0 and ratio.low <= claimed.high and claimed.low <= ratio.high


def ray_of(chain: Chain) -> Ray | None:
    """The solutions of a linear inequality in one symbol with exact numbers."""
    left, right = chain.sides[0], chain.sides[1]
    if chain.relations[0] not in _TURNED or left.tree is None or right.tree is None:
        return None
    if left.doubts or right.doubts or left.others or right.others or left.log_open or right.log_open:
        return None
    if any(number.cut or number.decimals > 2 for tree in (left.tree, right.tree) for number in literals(tree)):
        return None
    try:
        gap = difference(left.tree, right.tree)
    except IncalculableError:
        return None
    # slope * x + c, and nothing else: one symbol, to the first power
    powers = [monomial for monomial in gap if monomial != ONE]
    if len(powers) != 1 or len(powers[0]) != 1 or powers[0][0][1] != 1 or len(powers[0][0][0]) > 2:
        return None
    slope, relation = gap[powers[0]], chain.relations[0]
    if "/" in plain(left.tree) + plain(right.tree) and not _constant_below(chain):
        return None
    # slope * x + c < 0 is x < -c/slope for a positive slope, and x > -c/slope for a negative one
    bound = -gap.get(ONE, Fraction(0)) / slope
    return Ray(powers[0][0][0], relation if slope > 0 else _TURNED[relation], bound)


def _constant_below(chain: Chain) -> bool:
    """A symbol below a fraction bar has an unknown sign; then the numerator says nothing."""
    # the printed text is enough: a slash with a letter behind it
    return not re.search(r"/ \(?[^/]*[a-zA-Z]", " ".join(plain(side.tree) for side in chain.sides if side.tree))


def _excludes(first: Ray, second: Ray) -> bool:
    """Whether the two rays point apart from one bound, or do not meet."""
    if first.name != second.name or first.relation[0] == second.relation[0]:
        return False
    below, above = (first, second) if first.relation[0] == "<" else (second, first)
    return below.bound <= above.bound


def _proof(*stated: tuple[Passage, Chain]) -> dict[str, str]:
    """Both inequalities, each with its text: whoever solves them again finds two rays that do not meet."""
    sides = [(chain.sides[0].tree, chain.sides[1].tree, passage, chain) for passage, chain in stated]
    equations = [
        [passage.text[chain.start : chain.end][:500], formula(left), formula(right)]
        for left, right, passage, chain in sides
        if left is not None and right is not None
    ]
    return packed({"kind": "rays", "equations": equations, "relations": [chain.relations[0] for _, chain in stated]})


def _unturned(passage: Passage, earlier: Chain, later: Chain) -> Placed:
    """The sign would stand if the logarithm were above zero: that it is not, the proof says."""
    name, product = later.sides[0].tree, earlier.sides[0].tree
    assert isinstance(product, Node)
    above_zero = of_said([formula(product.args[1 - product.args.index(name)])], ["0"], ">")
    factor = f"{plain(earlier.sides[0].tree)} {earlier.relations[0]}"  # type: ignore[arg-type]
    turned = f"{plain(later.sides[0].tree)} {_TURNED[later.relations[0]]}"  # type: ignore[arg-type]
    return place(
        passage=passage,
        start=later.start,
        end=later.end,
        verdict=Verdict.REFUTED,
        checker=NAME,
        rule="a sign that is not turned",
        sentence=f"{factor} ... divided by a number below zero turns the sign: {turned} ...",
        details={"normal_form": turned, "rule": "a sign that is not turned", "evidence_latex": turned, **above_zero},
    )


def _placed(before: Passage, passage: Passage, chains: tuple[Chain, Chain], rays: tuple[Ray, Ray]) -> Placed:
    (earlier, later), (first, second) = chains, rays
    read = f"{plain(earlier.sides[0].tree)} {earlier.relations[0]} {plain(earlier.sides[1].tree)}"  # type: ignore[arg-type]
    sentence = f"{read} means {first}, not {second}."
    if first.bound == second.bound:
        sentence += " Multiplying or dividing by a negative number turns the sign."
    details = {
        "normal_form": str(second),
        "against": read,
        "rule": "solutions of an inequality",
        "evidence_latex": str(second),
        **_proof((before, earlier), (passage, later)),
    }
    return place(
        passage=passage,
        start=later.start,
        end=later.end,
        verdict=Verdict.REFUTED,
        checker=NAME,
        rule="solutions of an inequality",
        sentence=sentence,
        details=details,
    )
