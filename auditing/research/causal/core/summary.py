"""Batches of trials: rates with Wilson intervals, means, and the same by type of intervention."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auditing.core.consensus.proportions import Rate, wilson_interval
from auditing.research.causal.core.interventions import InterventionKind
from auditing.research.causal.core.judgement import Causal, Reaction


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures of a batch. Violations by either rule are counted among trials that say something (not unclear)."""

    trials: int
    reactions: Mapping[Reaction, Rate]
    violations: Rate
    paper_violations: Rate
    mean_phi: float | None
    mean_severity: float | None
    by_kind: Mapping[InterventionKind, Rate]
    paper_by_kind: Mapping[InterventionKind, Rate]
    phi_by_kind: Mapping[InterventionKind, float | None]
    phis: tuple[float, ...]  # of the clear trials


def summarise(*, results: Sequence[tuple[InterventionKind, Causal]]) -> Summary:
    """The figures of a batch of judged trials."""
    judged = [causal for _, causal in results]
    # Unclear trials say nothing for or against; counting them as "no violation" would flatter the model.
    clear = [(change_type, causal) for change_type, causal in results if causal.reaction is not Reaction.UNCLEAR]
    reactions = Counter(causal.reaction for causal in judged)
    # By type, because a rule that suits one (a number) may say nothing of another (a swapped cause).
    of_kind = {
        change_type: [causal for name, causal in clear if name is change_type] for change_type in InterventionKind
    }
    return Summary(
        trials=len(judged),
        reactions={name: wilson_interval(count=reactions[name], of=len(judged)) for name in Reaction},
        violations=_rate([causal.violation for _, causal in clear]),
        paper_violations=_rate([causal.paper_violation for _, causal in clear]),
        mean_phi=_mean([causal.phi for _, causal in clear]),
        mean_severity=_mean([causal.severity for _, causal in clear]),
        by_kind={change_type: _rate([causal.violation for causal in rows]) for change_type, rows in of_kind.items()},
        paper_by_kind={
            change_type: _rate([causal.paper_violation for causal in rows]) for change_type, rows in of_kind.items()
        },
        phi_by_kind={change_type: _mean([causal.phi for causal in rows]) for change_type, rows in of_kind.items()},
        phis=tuple(causal.phi for _, causal in clear),
    )


def phi_histogram(*, phis: Sequence[float]) -> list[tuple[float, float, int]]:
    """(from, to, trials) in ten bins; 1 falls into the last one.

    >>> [count for _, _, count in phi_histogram(phis=[0.0, 0.05, 1.0])]
    [2, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    """
    # phi is at most 1, which has no bin of its own.
    counts = Counter(min(int(phi * 10), 9) for phi in phis)
    return [(tenth / 10, (tenth + 1) / 10, counts[tenth]) for tenth in range(10)]


def _rate(values: Sequence[bool]) -> Rate:
    return wilson_interval(count=sum(values), of=len(values))


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
