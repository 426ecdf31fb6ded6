"""Claims and chains: what soundness is computed on.

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
    """Base claims, then derived claims, each of which may lean on what stands before it."""

    base: tuple[BaseClaim, ...]
    derived: tuple[DerivedClaim, ...]

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for claim in self.claims:
            if claim.id in seen:
                raise ValueError(f"claim {claim.id} stands twice")
            for premise in (claim.premises or ()) if isinstance(claim, DerivedClaim) else ():
                if premise not in seen:
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
    def places(self) -> Mapping[str, int]:
        """Place of every claim: base claims first."""
        return {claim.id: place for place, claim in enumerate(self.claims)}

    @cached_property
    def parents(self) -> tuple[tuple[int, ...], ...]:
        """Places of each derived claim's premises, in order; all earlier places where none are declared."""
        ahead = len(self.base)
        return tuple(
            tuple(range(ahead + k)) if declared is None else tuple(sorted({self.places[name] for name in declared}))
            for k, declared in enumerate(claim.premises for claim in self.derived)
        )

    @cached_property
    def levels(self) -> tuple[tuple[int, ...], ...]:
        """Derived claims grouped by longest path from the base: those of one group can be asked together."""
        ahead = len(self.base)
        depth: list[int] = []
        for parents in self.parents:
            depth.append(1 + max((depth[p - ahead] for p in parents if p >= ahead), default=-1))
        ranked = sorted(range(len(depth)), key=depth.__getitem__)
        return tuple(tuple(group) for _, group in groupby(ranked, key=depth.__getitem__))

    def query(self, k: int, kept: Sequence[bool] | NDArray[np.bool_]) -> Query:
        """The question about derived claim `k` when of its premises only those marked in `kept` hold."""
        shown = [self.claims[place] for place, keep in zip(self.parents[k], kept, strict=True) if keep]
        hypothesis = self.derived[k]
        texts, ids = tuple(claim.text for claim in shown), tuple(claim.id for claim in shown)
        return Query(texts, hypothesis.text, ids, hypothesis.id, withheld=len(self.parents[k]) - len(shown))

    def undeclared(self, *, prior: float | None = None) -> "Chain":
        """The same chain as the paper reads it: no declared premises, and one prior for every base claim."""
        base = tuple(BaseClaim(c.id, c.text, c.prior if prior is None else prior) for c in self.base)
        return Chain(base, tuple(DerivedClaim(c.id, c.text) for c in self.derived))
