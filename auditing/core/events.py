"""Every kind of event that the history of an audit, a campaign or the system can hold.

A kind is a noun and what happened to it ("vote.sealed"). The values are stored in AuditEvent.kind and shown by the
history pages: a kind may be added, but no value may change. selectors/report/event_words.py has a sentence for each.
"""

from enum import StrEnum


class EventKind(StrEnum):
    """What happened."""

    # One for each stage that an audit reaches: transitions.move_audit makes the kind from the stage.
    AUDIT_SUBMITTED = "audit.submitted"
    AUDIT_DECOMPOSED = "audit.decomposed"
    AUDIT_ROUTED = "audit.routed"
    AUDIT_AUDITING = "audit.auditing"
    AUDIT_DECIDED = "audit.decided"
    AUDIT_SETTLED = "audit.settled"
    AUDIT_RECORDED = "audit.recorded"
    AUDIT_FAILED = "audit.failed"
    AUDIT_WITHDRAWN = "audit.withdrawn"

    # What befalls an audit beside its stages.
    AUDIT_APPEALED = "audit.appealed"
    AUDIT_PAUSED = "audit.paused"
    AUDIT_RESUMED = "audit.resumed"
    BATCH_CLOSED = "batch.closed"
    REPORT_SHARED = "report.shared"
    REPORT_UNSHARED = "report.unshared"
    COMMENT_WRITTEN = "comment.written"
    COMMENT_REMOVED = "comment.removed"
    ERASURE_ASKED = "erasure.asked"
    ERASURE_REFUSED = "erasure.refused"
    TRACE_ERASED = "trace.erased"

    # Rounds, seats and votes.
    ROUND_SEATED = "round.seated"
    ROUND_OPENED = "round.opened"
    ROUND_CLOSED = "round.closed"
    ROUND_DESERTED = "round.deserted"
    ROUND_REDRAWN = "round.redrawn"
    WAVE_PLANNED = "wave.planned"
    SEGMENTS_DECIDED = "segments.decided"
    VOTE_SEALED = "vote.sealed"
    VOTE_UNREADABLE = "vote.unreadable"
    SEAT_DECLINED = "seat.declined"
    SEAT_LAPSED = "seat.lapsed"
    SEATS_WITHDRAWN = "seats.withdrawn"
    SEAT_REASSIGNED = "seat.reassigned"
    SEAT_PASSED_OVER = "seat.passed_over"
    SEAT_POSTPONED = "seat.postponed"
    SEAT_SHORT_TRACE = "seat.short_trace"
    SEAT_SHORTENED = "seat.shortened"
    SEAT_OVER_BUDGET = "seat.over_budget"
    SEAT_REMARKED = "seat.remarked"

    # What people report and decide.
    SEGMENT_DANGEROUS = "segment.dangerous"
    SEGMENT_UNCLEAR = "segment.unclear"
    SEGMENT_ESCALATED = "segment.escalated"
    ADJUDICATION_REASON = "adjudication.reason"
    ADJUDICATION_LAPSED = "adjudication.lapsed"
    RECUSAL_ENDED = "recusal.ended"

    # Points, reputation, calibration and gold.
    POSTINGS_CORRECTED = "postings.corrected"
    POSTINGS_RELEASED = "postings.released"
    BOOKS_BALANCED = "books.balanced"
    BOOKS_BROKEN = "books.broken"
    AUDITOR_SUSPENDED = "auditor.suspended"
    AUDITOR_RETURNED = "auditor.returned"
    CALIBRATION_STARTED = "calibration.started"
    CALIBRATION_PASSED = "calibration.passed"
    CALIBRATION_LAPSED = "calibration.lapsed"
    CONDUCT_DECIDED = "conduct.decided"
    CONDUCT_APPEALED = "conduct.appealed"
    CONDUCT_RULED = "conduct.ruled"
    RING_FLAGGED = "ring.flagged"
    RING_CLEARED = "ring.cleared"
    GOLD_ADDED = "gold.added"
    GOLD_ACTIVE = "gold.active"
    GOLD_RETIRED = "gold.retired"
    GOLD_CONFIRMED = "gold.confirmed"
    GOLD_REFUSED = "gold.refused"
    GOLD_PLACED = "gold.placed"
    GOLD_REPEATED = "gold.repeated"
    GOLD_DISPUTED = "gold.disputed"
    GOLD_JUDGED = "gold.judged"

    # Campaigns and policies; "campaign.open" is a campaign that was paused or closed and is open again.
    CAMPAIGN_OPENED = "campaign.opened"
    CAMPAIGN_CHANGED = "campaign.changed"
    CAMPAIGN_OPEN = "campaign.open"
    CAMPAIGN_PAUSED = "campaign.paused"
    CAMPAIGN_CLOSED = "campaign.closed"
    CAMPAIGN_REVIEWERS = "campaign.reviewers"
    CAMPAIGN_PROVIDERS = "campaign.providers"
    CAMPAIGN_ADJUDICATORS = "campaign.adjudicators"
    CAMPAIGN_MANAGERS = "campaign.managers"
    CAMPAIGN_REMINDED = "campaign.reminded"
    GUIDELINES_ASKED = "guidelines.asked"
    GUIDELINES_REWRITTEN = "guidelines.rewritten"
    COLLUSION_FLAGGED = "collusion.flagged"
    COLLUSION_CLEARED = "collusion.cleared"
    POLICY_PUBLISHED = "policy.published"

    # The ledger and the model tier.
    LEDGER_SOUND = "ledger.sound"
    LEDGER_BROKEN = "ledger.broken"
    LEDGER_ANCHORED = "ledger.anchored"
    ENDPOINT_SAVED = "endpoint.saved"
    ENDPOINT_SWITCHED = "endpoint.switched"
    CONSENT_GIVEN = "consent.given"
    CONSENT_WITHDRAWN = "consent.withdrawn"
    SOUNDNESS_ASKED = "soundness.asked"

    # Research, in the app above the corridor.
    EXPORT_ASKED = "export.asked"
    EXPORT_DONE = "export.done"
    STUDY_ASKED = "study.asked"
    CAUSAL_ASKED = "causal.asked"
    RADO_ITERATION = "rado.iteration"
    RADO_SAMPLING = "rado.sampling"
    RADO_CORRECTED = "rado.corrected"
    EXPERIMENT_REGISTERED = "experiment.registered"
    VOTES_IMPORTED = "votes.imported"
    VOTES_FORGOTTEN = "votes.forgotten"
