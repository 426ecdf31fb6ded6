"""Batches of trials: rates with Wilson intervals, means, and the same by type of intervention."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from auditing.research.causal.core.interventions import InterventionKind
from auditing.research.causal.core.judgement import Causal, Reaction


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its Wilson interval; None when there is nothing to divide by."""

    count: int
    of: int
    share: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures of a batch. Violations are counted among trials that say something (not unclear)."""

    trials: int
    reactions: Mapping[Reaction, Rate]
    violations: Rate
    paper_violations: Rate
    mean_phi: float | None
    mean_severity: float | None
    by_kind: Mapping[InterventionKind, Rate]


def wilson_interval(*, count: int, of: int, z: float = 1.959963984540054) -> Rate:
    """(p + z^2/2n -+ z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n). Source: Wilson (1927).

    Raises ValueError unless 0 <= count <= of.

    >>> rate = wilson_interval(count=23, of=30)
    >>> round(rate.low, 2), round(rate.high, 2)
    (0.59, 0.88)
    """
    if not 0 <= count <= of:
        raise ValueError(f"{count} of {of} is no share")
    if of == 0:
        return Rate(0, 0, None, None, None)
    share, square = count / of, z * z
    middle = share + square / (2 * of)
    half = z * sqrt(share * (1 - share) / of + square / (4 * of * of))
    scale = 1 + square / of
    low, high = (middle - half) / scale, (middle + half) / scale
    return Rate(count, of, share, max(0.0, low) if count else 0.0, min(1.0, high) if count < of else 1.0)


def summarise(*, results: Sequence[tuple[InterventionKind, Causal]]) -> Summary:
    """The figures of a batch of judged trials."""
    found = [causal for _, causal in results]
    clear = [(kind, causal) for kind, causal in results if causal.reaction is not Reaction.UNCLEAR]
    reactions = Counter(causal.reaction for causal in found)
    by_kind = {
        kind: wilson_interval(
            count=sum(causal.violation for name, causal in clear if name is kind),
            of=sum(name is kind for name, _ in clear),
        )
        for kind in InterventionKind
    }
    return Summary(
        trials=len(found),
        reactions={name: wilson_interval(count=reactions[name], of=len(found)) for name in Reaction},
        violations=wilson_interval(count=sum(causal.violation for _, causal in clear), of=len(clear)),
        paper_violations=wilson_interval(count=sum(causal.paper_violation for causal in found), of=len(found)),
        mean_phi=_mean([causal.phi for _, causal in clear]),
        mean_severity=_mean([causal.severity for _, causal in clear]),
        by_kind=by_kind,
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
