"""Claims and chains of claims: the reasoning as the soundness estimate reads it.

Base claims are the facts of the problem, each with its own prior; derived claims are STEP and OPERATION segments and
the answer (plans are not claims). Source: ARES, section 2.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from auditing.core.soundness.entailment import Query

__all__ = ["BaseClaim", "Chain", "DerivedClaim"]


@dataclass(frozen=True, slots=True)
class BaseClaim:
    """A fact of the problem with its own probability of being sound."""

    id: str
    text: str
    prior: float = 1.0


@dataclass(frozen=True, slots=True)
class DerivedClaim:
    """A claim that the trace derives (STEP, OPERATION, answer). premises None: nothing declared, all earlier claims."""

    id: str
    text: str
    premises: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Chain:
    """Base claims, then derived claims, each of which may lean on what stands before it.

    Raises ValueError on an id that stands twice, a premise that does not stand earlier, a prior outside [0, 1].

    >>> chain = Chain((BaseClaim("F1", "x = 2"),), (DerivedClaim("S1", "2x = 4", ("F1",)), DerivedClaim("S2", "x < 3")))
    >>> chain.parents, chain.levels
    (((0,), (0, 1)), ((0,), (1,)))
    """

    base: tuple[BaseClaim, ...]
    derived: tuple[DerivedClaim, ...]

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for claim in self.claims:
            if claim.id in seen:
                raise ValueError(f"claim {claim.id} stands twice")
            premises = (claim.premises or ()) if isinstance(claim, DerivedClaim) else ()
            for premise in premises:
                if premise not in seen:  # no forward reference: so the chain is acyclic in its own order
                    raise ValueError(f"claim {claim.id} leans on {premise}, which does not stand before it")
            seen.add(claim.id)
        for base in self.base:
            if not 0.0 <= base.prior <= 1.0:
                raise ValueError(f"the prior of {base.id} is {base.prior}, not a probability")

    @cached_property
    def claims(self) -> tuple[BaseClaim | DerivedClaim, ...]:
        """All claims, base claims first."""
        return (*self.base, *self.derived)

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """Position of every claim in `claims`, by id."""
        return {claim.id: position for position, claim in enumerate(self.claims)}

    @cached_property
    def parents(self) -> tuple[tuple[int, ...], ...]:
        """Positions of each derived claim's premises, in order; all earlier positions where none are declared."""
        ahead = len(self.base)
        parents: list[tuple[int, ...]] = []
        for k, claim in enumerate(self.derived):
            if claim.premises is None:
                parents.append(tuple(range(ahead + k)))
            else:
                parents.append(tuple(sorted({self.positions[premise] for premise in claim.premises})))
        return tuple(parents)

    @cached_property
    def levels(self) -> tuple[tuple[int, ...], ...]:
        """Derived claims grouped by longest path from the base: those of one group can be asked together."""
        ahead = len(self.base)
        depth: list[int] = []  # 0 for a claim that leans on base claims alone
        for parents in self.parents:
            depth.append(1 + max((depth[p - ahead] for p in parents if p >= ahead), default=-1))
        ranked = sorted(range(len(depth)), key=depth.__getitem__)
        return tuple(tuple(group) for _, group in groupby(ranked, key=depth.__getitem__))

    def query(self, k: int, holds: Sequence[bool] | NDArray[np.bool_]) -> Query:
        """The question about derived claim `k` when only those of its premises are granted that `holds` marks."""
        granted = [self.claims[position] for position, keep in zip(self.parents[k], holds, strict=True) if keep]
        hypothesis = self.derived[k]
        texts, ids = tuple(claim.text for claim in granted), tuple(claim.id for claim in granted)
        return Query(texts, hypothesis.text, ids, hypothesis.id, withheld=len(self.parents[k]) - len(granted))

    def undeclared(self, *, prior: float | None = None) -> "Chain":
        """The same chain as the paper reads it: no declared premises, and one prior for every base claim."""
        base = tuple(BaseClaim(c.id, c.text, c.prior if prior is None else prior) for c in self.base)
        return Chain(base, tuple(DerivedClaim(c.id, c.text) for c in self.derived))
