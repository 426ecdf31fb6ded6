"""PROOF scores: how complete, safe and accurate a line of reasoning is, by several judges, beside people.

Source: RADO, equation 6 and appendix I; an audit score a in [0, 1] is put on the same scale by 1 + 6 a.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auditing.research.agreement.core import Coefficient, Estimate, measure_agreement, tabulate_votes


@dataclass(frozen=True, slots=True)
class Scores:
    """One judge's reasoning completeness, domain safety and factual accuracy, each 1 to 7."""

    rc: float
    ds: float
    fa: float

    def __post_init__(self) -> None:
        """Refuse scores off the scale."""
        if not all(1 <= score <= 7 for score in (self.rc, self.ds, self.fa)):
            raise ValueError(f"PROOF scores lie between 1 and 7, got {self.rc}, {self.ds}, {self.fa}")

    @property
    def mean(self) -> float:
        """(RC + DS + FA) / 3."""
        return (self.rc + self.ds + self.fa) / 3


@dataclass(frozen=True, slots=True)
class Proof:
    """The PROOF score over judges and how far they are apart."""

    score: float
    by_judge: Mapping[str, float]
    spread: float  # highest minus lowest judge


def proof_score(*, judges: Mapping[str, Scores], audit_score: float | None = None) -> Proof:
    """Mean over judges of (RC + DS + FA) / 3; an audit score a joins as a judge of 1 + 6 a.

    >>> proof_score(judges={"a": Scores(6, 7, 5)}, audit_score=0.5).by_judge
    {'a': 6.0, 'audit': 4.0}
    """
    by_judge = {name: scores.mean for name, scores in judges.items()}
    if audit_score is not None:
        if not 0 <= audit_score <= 1:
            raise ValueError(f"an audit score lies between 0 and 1, got {audit_score}")
        # 0 to 1 onto the scale of 1 to 7.
        by_judge["audit"] = 1 + 6 * audit_score
    if not by_judge:
        raise ValueError("a PROOF score needs at least one judge")
    return Proof(sum(by_judge.values()) / len(by_judge), by_judge, max(by_judge.values()) - min(by_judge.values()))


@dataclass(frozen=True, slots=True)
class Alignment:
    """Models beside experts: mean of each, signed and absolute deviation, and the experts' own agreement."""

    experts: float
    models: float
    deviation: float  # models - experts
    absolute_deviation: float  # mean over items
    kappa: Estimate  # Fleiss, of the experts' whole scores


def compare_with_experts(*, experts: Sequence[Mapping[str, int]], models: Sequence[float]) -> Alignment:
    """One mapping expert -> whole score 1..7 and one model score for each item.

    Raises ValueError when the lists differ in length or are empty, or an expert's score is off the scale.
    """
    if not experts or len(experts) != len(models):
        raise ValueError(f"{len(experts)} items of experts and {len(models)} of models cannot be compared")
    if any(score not in range(1, 8) for scores in experts for score in scores.values()):
        raise ValueError("experts give whole scores from 1 to 7")
    # Whole scores as categories: Fleiss' kappa of seven categories.
    votes = [(index, expert, score) for index, scores in enumerate(experts) for expert, score in scores.items()]
    kappa = measure_agreement(counts=tabulate_votes(votes=votes, categories=range(1, 8)).counts())
    means = [sum(scores.values()) / len(scores) for scores in experts]
    gaps = [model - mean for model, mean in zip(models, means, strict=True)]
    size = len(models)
    return Alignment(
        sum(means) / size,
        sum(models) / size,
        sum(gaps) / size,
        sum(map(abs, gaps)) / size,
        kappa[Coefficient.FLEISS_KAPPA],
    )
