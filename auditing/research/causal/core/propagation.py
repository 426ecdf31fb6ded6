"""A deterministic rerun: a changed value runs on through the computations that use it, down to the answer.

What a computation is, is the caller's: the core knows its operands, its result and how to compute it again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from auditing.research.causal.core.interventions import NUMBER, format_number, number_of


@dataclass(frozen=True, slots=True)
class Computation:
    """One equation of a segment: the numbers it uses, the number it states, and how to compute it anew."""

    segment: str
    operands: tuple[Fraction, ...]
    result: Fraction
    compute: Callable[[tuple[Fraction, ...]], Fraction | None]  # None: not computable


@dataclass(frozen=True, slots=True)
class Propagated:
    """What became of a changed value.

    answer: the answer with every changed value replaced. reached: segments with a changed value, in order.
    rederived: a later computation reached the old value without the changed one. recomputed: computations changed.
    values: old -> new for every value that changed.
    """

    answer: str
    reached: tuple[str, ...]
    rederived: bool
    recomputed: int
    values: Mapping[Fraction, Fraction]

    def changes(self, answer: str) -> bool:
        """Whether the given original answer changed."""
        return self.answer != answer


def ancestors(*, segment: str, premises: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """All direct and indirect premises of a segment."""
    visited: set[str] = set()
    stack = list(premises.get(segment, ()))
    while stack:
        premise = stack.pop()
        if premise not in visited:
            visited.add(premise)
            stack.extend(premises.get(premise, ()))
    return frozenset(visited)


def load_bearing(*, sink: str, premises: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """Segments on a path to the sink, the sink included: where an intervention ought to matter.

    >>> sorted(load_bearing(sink="c", premises={"c": ["b"], "b": ["a"], "x": ["a"]}))
    ['a', 'b', 'c']
    """
    return ancestors(segment=sink, premises=premises) | {sink}


def propagate(
    *,
    changed: Mapping[Fraction, Fraction],
    segments: Sequence[str],
    computations: Sequence[Computation],
    premises: Mapping[str, Sequence[str]],
    answer: str,
) -> Propagated:
    """Recompute downstream of one or several segments; `changed` maps old to new values, computations in reading order.

    A computation takes a new value when its segment depends on a segment already reached and one of its operands equals
    an old value. Its own result then changes with it. The changed segments themselves are taken as given.
    """
    # Computations come in reading order, so one pass is enough: whatever a computation uses was computed before.
    values, reached = dict(changed), list(segments)
    rederived, recomputed = False, 0
    for computation in computations:
        # The changed claim stands as it was put there; recomputing it would take the intervention back.
        if computation.segment in segments:
            continue
        linked = bool(ancestors(segment=computation.segment, premises=premises) & set(reached))
        # A value is only replaced along premises: the 12 of another line of thought that happens to be equal stays.
        if not linked or not set(computation.operands) & values.keys():
            # It reaches the old value from unchanged numbers: the trace repairs the change.
            rederived = rederived or (linked and computation.result in changed)
            continue
        new = computation.compute(tuple(values.get(operand, operand) for operand in computation.operands))
        if new is not None and new != computation.result:
            values[computation.result] = new
            reached.append(computation.segment)
            recomputed += 1
    # dict.fromkeys keeps the order and drops repetitions.
    return Propagated(rewrite(text=answer, values=values), tuple(dict.fromkeys(reached)), rederived, recomputed, values)


def rewrite(*, text: str, values: Mapping[Fraction, Fraction]) -> str:
    """The text with every number that stands in `values` replaced, to as many places as it had.

    >>> rewrite(text="8 * 2 = 16", values={Fraction(8): Fraction(9), Fraction(16): Fraction(18)})
    '9 * 2 = 18'
    """
    pieces, cursor = [], 0
    for match in NUMBER.finditer(text):
        old = number_of(match[0])
        if old in values:
            places = len(match[0].partition(".")[2])
            pieces += [text[cursor : match.start()], format_number(values[old], places=places)]
            cursor = match.end()
    return "".join([*pieces, text[cursor:]])
