"""What happened, in sentences: one for each kind of event, with links to what it speaks of.

Nothing here tells more than the public ledger does at that moment: that votes were sealed, never by whom or on which
segment; a seat is named by no sentence, and nor why somebody gave one back.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.urls import reverse

from auditing.core.stages import AUDIT_STAGES
from auditing.models import Audit, AuditEvent, Campaign
from hdag.models import Segment

SAYS: dict[str, str] = {
    "audit.submitted": "The trace was handed in.",
    **{f"audit.{stage}": row.says for stage, row in AUDIT_STAGES.items() if stage != "submitted"},
    "audit.appealed": "Somebody appealed; a second audit began.",
    "audit.paused": "The audit was paused: a stored text was damaged. Nobody is shown it, nothing is decided on it.",
    "audit.resumed": "The damage was mended and the audit went on; deadlines moved by as long as it stood still.",
    "batch.closed": "The trace was mixed with others, so that nobody can tell whose it is.",
    "round.seated": "Seats were drawn for a segment.",
    "round.opened": "A segment goes before another round of auditors.",
    "round.closed": "The window of a segment closed; its sealed votes can be opened.",
    "round.deserted": "Nobody was left to draw for a segment; its round closed with the votes it had.",
    "round.redrawn": "Too few auditors answered; the silent seats were drawn again.",
    "segments.decided": "Segments were decided.",
    "vote.sealed": "A vote was sealed. Nobody can read or change it before the window closes.",
    "vote.unreadable": "A sealed vote could not be opened and counts as silent.",
    "seat.declined": "An auditor gave a seat back; it went to the next in the draw.",
    "seat.lapsed": "Time ran out on a seat; it went to the next in the draw.",
    "seat.passed_over": "An auditor of the draw was passed over, by the rules; the next one was asked.",
    "seat.postponed": "A language model did not answer and will be asked again.",
    "seat.short_trace": "An auditor read all of a segment's surroundings: the trace is too short to withhold any.",
    "seat.shortened": "An auditor was shown less around a segment, to keep within the policy's share of the trace.",
    "segment.dangerous": "A reviewer reported dangerous content; the admins were told at once.",
    "segment.unclear": "Two reviewers found a segment too unclear to judge; the admins were told.",
    "segment.escalated": "A reviewer asked others to decide what to do with a segment.",
    "adjudication.reason": "An adjudicator took up a contested segment.",
    "adjudication.lapsed": "No adjudicator answered in time.",
    "postings.corrected": "Points were corrected by new postings; the old ones stand.",
    "postings.released": "The appeal window closed and held points were released.",
    "soundness.asked": "Somebody asked for the soundness of each claim.",
    "erasure.asked": "Its provider asked that the text be erased.",
    "erasure.refused": "The request to erase the text was refused.",
    "trace.erased": "The text was erased; what the ledger says of it stays.",
    "campaign.opened": "The campaign was opened.",
    "campaign.changed": "Its title, policy or deadline was changed.",
    "campaign.open": "The campaign was opened again.",
    "campaign.paused": "The campaign was paused; nobody is handed a segment of it.",
    "campaign.closed": "The campaign was closed; it takes no more traces.",
    "campaign.reviewers": "Its reviewers were named anew.",
    "guidelines.rewritten": "The guidelines were rewritten; votes sealed before keep the version they saw.",
    "collusion.flagged": "An admin said that auditors of this campaign collude; skills are learned from gold alone.",
    "collusion.cleared": "An admin took back that auditors collude.",
    "policy.published": "A version of a policy was published.",
    "calibration.passed": "A reviewer passed the calibration of a field.",
    "calibration.started": "A reviewer began the calibration of a field.",
    "calibration.lapsed": "A reviewer must calibrate anew: their answers grew worse.",
    "recusal.ended": "A reviewer may be drawn for a provider's traces again.",
    "auditor.suspended": "An auditor was suspended.",
    "auditor.returned": "An auditor may be drawn again.",
    "gold.added": "Gold segments were added.",
    "gold.active": "A gold segment is used again.",
    "gold.retired": "A gold segment was retired.",
    "books.balanced": "The books were checked and balance.",
    "books.broken": "The books were checked and do not balance.",
    "ledger.sound": "The ledger was checked and is sound.",
    "ledger.broken": "The ledger was checked and something is wrong.",
    "ledger.anchored": "A root of the ledger was written to a chain.",
    "endpoint.saved": "A language model was added or changed.",
    "endpoint.switched": "A language model was switched on or off.",
    "export.asked": "Somebody asked for a data set.",
    "export.done": "A data set was written.",
    "study.asked": "Somebody asked for a study.",
    "causal.asked": "Somebody asked for causal audits.",
    "rado.iteration": "An iteration of a training loop began.",
    "rado.sampling": "A training loop began to draw answers from a model.",
    "rado.corrected": "A person corrected an evaluation.",
    "votes.imported": "Votes from elsewhere were imported.",
    "votes.forgotten": "Votes from elsewhere were deleted.",
}
WITH_REASON = frozenset({"audit.submitted", "audit.failed", "audit.paused", "round.opened", "round.redrawn"})
TURNS = frozenset({"audit.submitted", "audit.decided", "audit.recorded", "audit.failed", "audit.appealed"})
NEWEST, SHOWN = 600, 40


@dataclass(frozen=True, slots=True)
class Link:
    """Where an event leads."""

    href: str
    words: str


@dataclass(slots=True)
class Happening:
    """Neighbouring events of one kind, within a minute: one sentence, how often, and what they speak of."""

    kind: str
    says: str
    why: str
    at: datetime
    count: int
    links: list[Link]

    @property
    def is_turn(self) -> bool:
        """Whether it decides something."""
        return self.kind in TURNS


def story_of(*, audit: Audit) -> list[Happening]:
    """What happened to an audit, newest first: at most two queries."""
    events = list(AuditEvent.objects.filter(audit=audit).order_by("-id")[:NEWEST])
    named = {event.body["segment"] for event in events if "segment" in event.body}
    labels = {str(key): label for key, label in Segment.objects.filter(pk__in=named).values_list("pk", "label")}
    page = reverse("auditing:audit", args=[audit.pk])
    return _gathered(events, lambda event: _link_of_audit(event, labels, page))


def story_of_campaign(*, campaign: Campaign) -> list[Happening]:
    """What admins did with a campaign, newest first."""
    events = AuditEvent.objects.filter(audit=None, body__campaign=str(campaign.pk)).order_by("-id")[:NEWEST]
    return _gathered(events, lambda event: None)


def sentence(*, event: AuditEvent) -> str:
    """The event in words; a kind that this version does not know keeps its name."""
    return SAYS.get(event.kind, f"An event of kind {event.kind}.")


def _gathered(events: Iterable[AuditEvent], link_of: Any) -> list[Happening]:
    found: list[Happening] = []
    for event in events:
        says, why, minute = sentence(event=event), _why(event), event.at.replace(second=0, microsecond=0)
        last = found[-1] if found else None
        if last is None or (last.kind, last.why, last.at.replace(second=0, microsecond=0)) != (event.kind, why, minute):
            if len(found) == SHOWN:
                break
            last = Happening(event.kind, says, why, event.at, 0, [])
            found.append(last)
        last.count += int(event.body.get("count", 1)) if event.kind == "segments.decided" else 1
        link = link_of(event)
        if link is not None and link not in last.links:
            last.links.append(link)
    return found


def _why(event: AuditEvent) -> str:
    return str(event.body.get("why") or "")[:300] if event.kind in WITH_REASON else ""


def _link_of_audit(event: AuditEvent, labels: Mapping[str, str], page: str) -> Link | None:
    body = event.body
    if event.kind == "audit.appealed" and "successor" in body:
        return Link(reverse("auditing:audit", args=[UUID(body["successor"])]), "the second audit")
    if event.kind == "audit.recorded":
        return Link(reverse("auditing:story", args=[event.audit_id]), "in the ledger")
    if event.kind == "soundness.asked":
        return Link("#soundness", "soundness")
    label = labels.get(str(body.get("segment")))
    return Link(f"{page}?segment={label}#reading", label) if label else None
