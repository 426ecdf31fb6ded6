"""The history of an audit or a campaign in sentences: one for each kind of event, with links to what it speaks of.

Reads AuditEvent. Nothing here tells more than the public ledger does at that moment: that votes were sealed,
never by whom or on which segment; no sentence names a seat, or says why somebody gave one back.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.urls import reverse

from auditing.core.events import EventKind
from auditing.core.stages import AUDIT_STAGES
from auditing.models import Audit, AuditEvent, Campaign

# The stages of an audit are told in the words of the stage table, but for its beginning.
_STAGES = {EventKind(f"audit.{stage}"): row.says for stage, row in AUDIT_STAGES.items()}

SENTENCES: dict[EventKind, str] = {
    **_STAGES,
    EventKind.AUDIT_SUBMITTED: "The trace was handed in.",
    EventKind.AUDIT_APPEALED: "Somebody appealed; a second audit began.",
    EventKind.AUDIT_PAUSED: (
        "The audit was paused: a stored text was damaged. Nobody is shown it, nothing is decided on it."
    ),
    EventKind.AUDIT_RESUMED: (
        "The damage was mended and the audit went on; deadlines moved by as long as it stood still."
    ),
    EventKind.BATCH_CLOSED: "The trace was mixed with others, so that nobody can tell whose it is.",
    EventKind.ROUND_SEATED: "Seats were drawn for a segment.",
    EventKind.ROUND_OPENED: "A segment goes before another round of auditors.",
    EventKind.WAVE_PLANNED: "The planner looked at all votes so far.",
    EventKind.ROUND_CLOSED: "The window of a segment closed; its sealed votes can be opened.",
    EventKind.ROUND_DESERTED: "Nobody was left to draw for a segment; its round closed with the votes it had.",
    EventKind.ROUND_REDRAWN: "Too few auditors answered; the silent seats were drawn again.",
    EventKind.SEGMENTS_DECIDED: "Segments were decided.",
    EventKind.VOTE_SEALED: "A vote was sealed. Nobody can read or change it before the window closes.",
    EventKind.VOTE_UNREADABLE: "A sealed vote could not be opened and counts as silent.",
    EventKind.SEAT_DECLINED: "An auditor gave a seat back; it went to the next in the draw.",
    EventKind.SEATS_WITHDRAWN: "The trace was decided; seats that nobody had opened were withdrawn.",
    EventKind.SEAT_LAPSED: "Time ran out on a seat; it went to the next in the draw.",
    EventKind.SEAT_REASSIGNED: "An admin took back a seat that nobody had opened; it went to the next in the draw.",
    EventKind.SEAT_PASSED_OVER: "An auditor of the draw was passed over, by the rules; the next one was asked.",
    EventKind.SEAT_POSTPONED: "A language model did not answer and will be asked again.",
    EventKind.SEAT_SHORT_TRACE: (
        "An auditor read all of a segment's surroundings: the trace is too short to withhold any."
    ),
    EventKind.SEAT_SHORTENED: (
        "An auditor was shown less around a segment, to keep within the policy's share of the trace."
    ),
    EventKind.SEAT_OVER_BUDGET: (
        "A reviewer was shown a premise that was missing, beyond the policy's share of the trace."
    ),
    EventKind.SEAT_REMARKED: "A reviewer said of a passage that a premise is missing, or that it is badly cut.",
    EventKind.SEGMENT_DANGEROUS: "A reviewer reported dangerous content; the admins were told at once.",
    EventKind.SEGMENT_UNCLEAR: "Two reviewers found a segment too unclear to judge; the admins were told.",
    EventKind.SEGMENT_ESCALATED: "A reviewer asked others to decide what to do with a segment.",
    EventKind.ADJUDICATION_REASON: "An adjudicator took up a contested segment.",
    EventKind.ADJUDICATION_LAPSED: "No adjudicator answered in time.",
    EventKind.POSTINGS_CORRECTED: "Points were corrected by new postings; the old ones stand.",
    EventKind.POSTINGS_RELEASED: "The appeal window closed and held points were released.",
    EventKind.SOUNDNESS_ASKED: "Somebody asked for the soundness of each claim.",
    EventKind.REPORT_SHARED: "Its provider made a link under which the report is open without an account.",
    EventKind.REPORT_UNSHARED: "Its provider ended such a link.",
    EventKind.COMMENT_WRITTEN: "Somebody who took part commented on a passage.",
    EventKind.COMMENT_REMOVED: "A comment was taken back.",
    EventKind.ERASURE_ASKED: "Its provider asked that the text be erased.",
    EventKind.ERASURE_REFUSED: "The request to erase the text was refused.",
    EventKind.TRACE_ERASED: "The text was erased; what the ledger says of it stays.",
    EventKind.CAMPAIGN_OPENED: "The campaign was opened.",
    EventKind.CAMPAIGN_CHANGED: "Its terms were changed.",
    EventKind.CAMPAIGN_OPEN: "The campaign was opened again.",
    EventKind.CAMPAIGN_PAUSED: "The campaign was paused; nobody is handed a segment of it.",
    EventKind.CAMPAIGN_CLOSED: "The campaign was closed; it takes no more traces.",
    EventKind.CAMPAIGN_REVIEWERS: "Its reviewers were named anew.",
    EventKind.CAMPAIGN_PROVIDERS: "The providers who may add traces were named anew.",
    EventKind.CAMPAIGN_ADJUDICATORS: "The adjudicators of its contested segments were named anew.",
    EventKind.CAMPAIGN_MANAGERS: "Those who run it beside the admins were named anew.",
    EventKind.CAMPAIGN_REMINDED: "Those whose seats wait were reminded.",
    EventKind.GUIDELINES_ASKED: "Somebody asked about the guidelines.",
    EventKind.GUIDELINES_REWRITTEN: "The guidelines were rewritten; votes sealed before keep the version they saw.",
    EventKind.COLLUSION_FLAGGED: (
        "An admin said that auditors of this campaign collude; skills are learned from gold alone."
    ),
    EventKind.COLLUSION_CLEARED: "An admin took back that auditors collude.",
    EventKind.POLICY_PUBLISHED: "A version of a policy was published.",
    EventKind.CONDUCT_DECIDED: "An admin looked at the votes of a reviewer, and decided.",
    EventKind.CONDUCT_APPEALED: "A reviewer appealed against a decision about their votes.",
    EventKind.CONDUCT_RULED: "An appeal against a decision about a reviewer was ruled on.",
    EventKind.RING_FLAGGED: "An admin said that a group of reviewers votes together.",
    EventKind.RING_CLEARED: "An admin took back that a group of reviewers votes together.",
    EventKind.CALIBRATION_PASSED: "A reviewer passed the calibration of a field.",
    EventKind.CALIBRATION_STARTED: "A reviewer began the calibration of a field.",
    EventKind.CALIBRATION_LAPSED: "A reviewer must calibrate anew: their answers grew worse.",
    EventKind.RECUSAL_ENDED: "A reviewer may be drawn for a provider's traces again.",
    EventKind.AUDITOR_SUSPENDED: "An auditor was suspended.",
    EventKind.AUDITOR_RETURNED: "An auditor may be drawn again.",
    EventKind.GOLD_ADDED: "Gold segments were added.",
    EventKind.GOLD_ACTIVE: "A gold segment is used again.",
    EventKind.GOLD_RETIRED: "A gold segment was retired.",
    EventKind.GOLD_CONFIRMED: "A second editor confirmed gold that a person made.",
    EventKind.GOLD_REFUSED: "A second editor disagreed with gold that a person made.",
    EventKind.GOLD_DISPUTED: "A reviewer disputes a gold item.",
    EventKind.GOLD_JUDGED: "A dispute of gold was decided.",
    EventKind.GOLD_PLACED: "Gold was placed among the audits of a campaign.",
    EventKind.GOLD_REPEATED: "Passages come again to reviewers who judged them.",
    EventKind.PRICE_PAID: "Its provider paid the price of the trace.",
    EventKind.PRICE_REFUNDED: "It ended before anybody judged; its provider got the price back.",
    EventKind.POINTS_GRANTED: "An admin granted points.",
    EventKind.STAKE_ADDED: "An auditor put points at stake.",
    EventKind.STAKE_NOTICED: "An auditor gave notice of points at stake.",
    EventKind.STAKE_KEPT: "An auditor took a notice back.",
    EventKind.STAKE_WITHDRAWN: "Points went back from an auditor's stake, after notice.",
    EventKind.BOOKS_BALANCED: "The books were checked and balance.",
    EventKind.BOOKS_BROKEN: "The books were checked and do not balance.",
    EventKind.LEDGER_SOUND: "The ledger was checked and is sound.",
    EventKind.LEDGER_BROKEN: "The ledger was checked and something is wrong.",
    EventKind.LEDGER_ANCHORED: "A root of the ledger was written to a chain.",
    EventKind.ENDPOINT_SAVED: "A language model was added or changed.",
    EventKind.ENDPOINT_SWITCHED: "A language model was switched on or off.",
    EventKind.CONSENT_GIVEN: "It was agreed that texts of this campaign go to a language model's server.",
    EventKind.CONSENT_WITHDRAWN: "It was withdrawn that texts of this campaign go to a language model's server.",
    EventKind.EXPORT_ASKED: "Somebody asked for a data set.",
    EventKind.EXPORT_DONE: "A data set was written.",
    EventKind.STUDY_ASKED: "Somebody asked for a study.",
    EventKind.CAUSAL_ASKED: "Somebody asked for causal audits.",
    EventKind.RADO_ITERATION: "An iteration of a training loop began.",
    EventKind.RADO_SAMPLING: "A training loop began to draw answers from a model.",
    EventKind.RADO_CORRECTED: "A person corrected an evaluation.",
    EventKind.EXPERIMENT_REGISTERED: "The design of a human experiment was registered, and its campaigns opened.",
    EventKind.VOTES_IMPORTED: "Votes from elsewhere were imported.",
    EventKind.VOTES_FORGOTTEN: "Votes from elsewhere were deleted.",
}
ALONE = "The trace was the only one that waited: it goes to people unmixed."
# Kinds whose `why` is shown beside the sentence: reasons that the public ledger states as well, and who was named.
WITH_REASON = frozenset(
    {
        EventKind.AUDIT_SUBMITTED,
        EventKind.AUDIT_FAILED,
        EventKind.AUDIT_PAUSED,
        EventKind.ROUND_OPENED,
        EventKind.ROUND_REDRAWN,
        EventKind.WAVE_PLANNED,
        EventKind.CAMPAIGN_CHANGED,
        EventKind.CAMPAIGN_REVIEWERS,
        EventKind.CAMPAIGN_PROVIDERS,
        EventKind.CAMPAIGN_ADJUDICATORS,
        EventKind.CAMPAIGN_MANAGERS,
    }
)
# Kinds that a page prints in bold: with them the audit takes another turn.
TURNS = frozenset(
    {
        EventKind.AUDIT_SUBMITTED,
        EventKind.AUDIT_DECIDED,
        EventKind.AUDIT_RECORDED,
        EventKind.AUDIT_FAILED,
        EventKind.AUDIT_APPEALED,
    }
)
# Reasons of one word are keys of the ledger's format; beside a sentence they are sentences.
REASONS = {"hung": "The round before it decided nothing: no majority."}
NEWEST = 600  # events that are read
MOST_HAPPENINGS = 40  # sentences that are shown


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


def story_of(*, audit: Audit, labels: Mapping[str, str]) -> list[Happening]:
    """What happened to an audit, newest first: one query. labels: of its segments, by their keys."""
    events = AuditEvent.objects.filter(audit=audit).order_by("-id")[:NEWEST]
    page = reverse("auditing:audit", args=[audit.pk])
    return _gathered(events, lambda event: _link_of_audit(event, labels, page))


def story_of_campaign(*, campaign: Campaign) -> list[Happening]:
    """What admins did with a campaign, newest first."""
    events = AuditEvent.objects.filter(audit=None, body__campaign=str(campaign.pk)).order_by("-id")[:NEWEST]
    return _gathered(events, lambda event: None)


def sentence(*, event: AuditEvent) -> str:
    """The event in words; a kind that this version does not know (a newer one wrote it) keeps its name."""
    if event.kind == EventKind.BATCH_CLOSED and event.body.get("traces") == 1:
        return ALONE  # nothing to mix it with came within the policy's time
    try:
        return SENTENCES[EventKind(event.kind)]
    except ValueError:
        return f"An event of kind {event.kind}."


def _gathered(events: Iterable[AuditEvent], link_of: Callable[[AuditEvent], Link | None]) -> list[Happening]:
    """Events, newest first, with neighbours of one kind, reason and minute told as one."""
    happenings: list[Happening] = []
    group: tuple[str, str, datetime] | None = None
    for event in events:
        why = _why(event)
        key = (event.kind, why, event.at.replace(second=0, microsecond=0))
        if key != group:
            if len(happenings) == MOST_HAPPENINGS:
                break
            happenings.append(Happening(event.kind, sentence(event=event), why, event.at, 0, []))
            group = key
        happening = happenings[-1]
        # One event tells of several segments that were decided at once.
        happening.count += int(event.body.get("count", 1)) if event.kind == EventKind.SEGMENTS_DECIDED else 1
        link = link_of(event)
        if link is not None and link not in happening.links:
            happening.links.append(link)
    return happenings


def _why(event: AuditEvent) -> str:
    why = str(event.body.get("why") or "")[:300] if event.kind in WITH_REASON else ""
    return REASONS.get(why, why)


def _link_of_audit(event: AuditEvent, labels: Mapping[str, str], page: str) -> Link | None:
    body = event.body
    if event.kind == EventKind.AUDIT_APPEALED and "successor" in body:
        return Link(reverse("auditing:audit", args=[UUID(body["successor"])]), "the second audit")
    if event.kind == EventKind.AUDIT_RECORDED:
        return Link(reverse("auditing:story", args=[event.audit_id]), "in the ledger")
    if event.kind == EventKind.SOUNDNESS_ASKED:
        return Link("#soundness", "soundness")
    label = labels.get(str(body.get("segment")))
    return Link(f"{page}?segment={label}#reading", label) if label else None
