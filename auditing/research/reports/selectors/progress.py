"""Progress of an audit: segments decided, and its open rounds by tier and stage. Reads Round, Route, SegmentOutcome."""

from dataclasses import dataclass

from django.db.models import Count

from auditing.core.stages import RoundStage
from auditing.models import Audit, Round, Route, SegmentOutcome


@dataclass(frozen=True, slots=True)
class Progress:
    """Segments decided of those audited, and what the open rounds wait for."""

    decided: int
    audited: int
    waiting: tuple[tuple[str, str, int], ...]  # tier, stage, rounds

    @property
    def share(self) -> float:
        """0 to 1."""
        return self.decided / self.audited if self.audited else 0.0


def progress_of(*, audit: Audit) -> Progress:
    """Three small counts."""
    rows = (
        Round.objects.filter(audit=audit)
        .exclude(stage=RoundStage.TALLIED)
        .values_list("tier", "stage")
        .annotate(rounds=Count("pk"))
        .order_by("tier", "stage")
    )
    return Progress(
        decided=SegmentOutcome.objects.filter(audit=audit).count(),
        audited=Route.objects.filter(audit=audit).count(),
        waiting=tuple((tier, stage, rounds) for tier, stage, rounds in rows),
    )
