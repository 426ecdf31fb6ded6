"""A decomposition job for its page: state, progress, time, and the report that was kept with the graph."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from auditing.models import Audit
from hdag import content
from hdag.models import Decomposition


@dataclass(frozen=True, slots=True)
class Job:
    """One decomposition: its row, its report's sentences, and the reason where rules stood in for a model."""

    row: Decomposition
    report: tuple[str, ...]
    metrics: Mapping[str, Any]

    @property
    def fallback(self) -> str:
        """Why rules made the graph although a model was asked; "" when they did not."""
        return next((line for line in self.report if line.startswith("by rules, because")), "")

    @property
    def repairs(self) -> tuple[str, ...]:
        """What was mended: removed edges, adopted segments, text that was left over."""
        return tuple(line for line in self.report if line != self.fallback)


def job_of(*, audit: Audit) -> Job:
    """The job of an audit. Raises ContentGone, ContentDamaged."""
    row = Decomposition.objects.select_related("notes").get(pk=audit.job.pk)
    kept: dict[str, Any] = content.read_json(row.notes) if row.notes is not None else {}
    return Job(row, tuple(kept.get("report", ())), row.metrics)
