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


def summarise(*, results: Sequence[tuple[InterventionKind, Causal]]) -> Summary:
    """The figures of a batch of judged trials."""
    judged = [causal for _, causal in results]
    # Unclear trials say nothing for or against; counting them as "no violation" would flatter the model.
    clear = [(kind, causal) for kind, causal in results if causal.reaction is not Reaction.UNCLEAR]
    reactions = Counter(causal.reaction for causal in judged)
    by_kind = {
        kind: wilson_interval(
            count=sum(causal.violation for name, causal in clear if name is kind),
            of=sum(name is kind for name, _ in clear),
        )
        for kind in InterventionKind
    }
    return Summary(
        trials=len(judged),
        reactions={name: wilson_interval(count=reactions[name], of=len(judged)) for name in Reaction},
        violations=wilson_interval(count=sum(causal.violation for _, causal in clear), of=len(clear)),
        paper_violations=wilson_interval(count=sum(causal.paper_violation for _, causal in clear), of=len(clear)),
        mean_phi=_mean([causal.phi for _, causal in clear]),
        mean_severity=_mean([causal.severity for _, causal in clear]),
        by_kind=by_kind,
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
