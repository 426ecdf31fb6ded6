"""The decomposition of a trace for its page: state, progress, cost, report, and whether another may be asked for.

Reads Decomposition, Endpoint, ChatCall, Seat.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, Sum

from auditing.core.stages import AuditStage
from auditing.core.values import Tier
from auditing.models import Audit, Seat
from hdag.models import ChatCall, Decomposition, Endpoint
from hdag.store import content

RULES, MODEL, PAPER = "rules", "llm", "llm-paper"
BY_MODEL = (MODEL, PAPER)  # these send the whole trace to a model's server
DECOMPOSERS = (
    (RULES, "rules: at once, on this machine"),
    (MODEL, "a language model: what rules cannot say, rules where it fails"),
    (PAPER, "a language model: the paper's five questions as they are, rules where it fails"),
)
# The five questions: where the share of the job starts that each takes, and what is done meanwhile.
QUESTIONS: Mapping[str, tuple[float, str]] = {
    "levels": (0.05, "reading what stands on which level"),
    "segments": (0.35, "cutting the text into segments"),
    "relations": (0.65, "relating the segments"),
    "tiers": (0.8, "suggesting who should look at what"),
    "refine": (0.9, "mending what breaks a rule"),
}


@dataclass(frozen=True, slots=True)
class Bill:
    """What the questions of a job took: calls, tokens in and out, cost in the operator's currency."""

    calls: int
    tokens_in: int
    tokens_out: int
    cost: Decimal


@dataclass(frozen=True, slots=True)
class Job:
    """One decomposition: its row, its report's sentences, and the reason where rules stood in for a model."""

    row: Decomposition
    report: tuple[str, ...]
    metrics: Mapping[str, Any]
    bill: Bill

    @property
    def fallback(self) -> str:
        """Why rules made the graph although a model was asked; "" when they did not."""
        return next((line for line in self.report if line.startswith("by rules, because")), "")

    @property
    def repairs(self) -> tuple[str, ...]:
        """What was mended: removed edges, adopted segments, text that was left over."""
        return tuple(line for line in self.report if line != self.fallback)

    @property
    def doing(self) -> str:
        """What the model is being asked now; "" when no question is open."""
        if self.row.state != Decomposition.State.RUNNING:
            return ""
        # Shares grow with the questions, so the last one that has begun is the one under way.
        begun = [words for start, words in QUESTIONS.values() if start <= self.row.done_share]
        return begun[-1] if begun else ""

    def as_json(self) -> dict[str, Any]:
        """The job as data: what its page shows."""
        return {
            "decomposer": self.row.decomposer,
            "state": self.row.state,
            "done_share": self.row.done_share,
            "doing": self.doing,
            "error": self.row.error,
            "took_ms": self.row.took_ms,
            "fallback": self.fallback,
            "repairs": list(self.repairs),
            "metrics": self.metrics,
            "calls": self.bill.calls,
            "tokens_in": self.bill.tokens_in,
            "tokens_out": self.bill.tokens_out,
            "cost": str(self.bill.cost),
        }


def job_of(*, audit: Audit) -> Job:
    """The job of an audit. Raises ContentGoneError, ContentDamagedError."""
    row = Decomposition.objects.select_related("notes").get(pk=audit.fine_job.pk)
    notes: dict[str, Any] = content.read_json(row.notes) if row.notes is not None else {}
    return Job(row, tuple(notes.get("report", ())), row.metrics, _bill(audit))


def is_model_ready() -> bool:
    """Whether an enabled endpoint may see whole traces."""
    return Endpoint.objects.filter(enabled=True, may_see=Endpoint.MaySee.TRACES).exists()


def why_not_again(*, audit: Audit) -> str:
    """Why no other graph of this audit's trace may be asked for; "" when it may, until an auditor takes a seat."""
    if (later := Audit.objects.filter(follows=audit).first()) is not None:
        return f"Audit {later.pk} follows this one already."
    if audit.stage in (AuditStage.DECIDED, AuditStage.SETTLED, AuditStage.RECORDED):
        return "Its outcome is decided, and a recorded audit is never edited; an appeal opens another one."
    if audit.stage == AuditStage.WITHDRAWN:
        return "It was withdrawn."
    # The computer tier takes its seats within milliseconds and would shut this door for everybody.
    taken = Seat.objects.filter(round__audit=audit, taken_at__isnull=False).exclude(round__tier=Tier.COMPUTER)
    return "An auditor has taken a seat on it: this graph is being audited." if taken.exists() else ""


def _bill(audit: Audit) -> Bill:
    # hdag knows no audits: a call names its payer as text, "audit:<id>", and its purpose is one of the five questions.
    mine = ChatCall.objects.filter(account=f"audit:{audit.pk}", purpose__in=QUESTIONS)
    sums = mine.aggregate(calls=Count("pk"), read=Sum("tokens_in"), written=Sum("tokens_out"), cost=Sum("cost"))
    return Bill(sums["calls"], sums["read"] or 0, sums["written"] or 0, sums["cost"] or Decimal(0))
