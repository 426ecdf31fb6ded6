"""Submission: a trace is stored once under its digest, and an audit of it begins.

Reads Campaign; writes Trace, Block, Decomposition, Audit, Leaf, Transfer, AuditEvent.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import IntegrityError, transaction

from accounts.models import User
from auditing import dispatch
from auditing.core.events import EventKind
from auditing.core.stages import AUDIT_STAGES, AuditStage
from auditing.models import Audit, Campaign
from auditing.permissions import may_add_to
from auditing.selectors.intake.decomposition import BY_MODEL, RULES
from auditing.services.events import record_event
from auditing.services.ledger import leaves, receipts
from auditing.services.points import prices
from auditing.services.transitions import move_audit
from hdag.core.values import Trace
from hdag.models import Decomposition
from hdag.models import Trace as StoredTrace
from hdag.readers.records import Limits
from hdag.services.traces import store_trace
from hdag.store.rows import insert


class CampaignClosedError(Exception):
    """This campaign takes no more traces."""


class NotAgreedError(Exception):
    """A language model makes the graph only of a trace that it may see whole: agree to that, or choose the rules."""


@dataclass(frozen=True, slots=True)
class Submission:
    """The audit that a submission led to, and whether it is new."""

    audit: Audit
    is_new: bool


def limits() -> Limits:
    """The limits of one trace, from the settings."""
    return Limits(text_bytes=settings.TRUST_MAX_TRACE_BYTES)


def submit(
    *,
    provider: User,
    trace: Trace,
    campaign: Campaign,
    copy: bool = False,
    whole_to_models: bool = False,
    decomposer: str = RULES,
    tags: Sequence[str] = (),
) -> Submission:
    """Store `trace` and open its audit in `campaign`, in one transaction; the same trace twice is one trace.

    `copy` asks for a trace of its own, `decomposer` for who makes the graph. The provider pays the policy's price.
    Raises CampaignClosedError, NotAgreedError, PriceNotCoveredError.
    """
    if decomposer in BY_MODEL and not whole_to_models:
        raise NotAgreedError(NotAgreedError.__doc__)
    if campaign.state != Campaign.State.OPEN:
        raise CampaignClosedError(f"The campaign “{campaign.title}” is {campaign.state} and takes no more traces.")
    if not may_add_to(user=provider, campaign=campaign):
        raise CampaignClosedError(f"The campaign “{campaign.title}” takes traces of the providers it names only.")
    with transaction.atomic():
        row, _ = store_trace(provider=provider, trace=trace, copy=copy, whole_to_models=whole_to_models, tags=tags)
        done = open_audit(trace=row, campaign=campaign, actor=provider, decomposer=decomposer)
        if done.is_new:
            prices.charge(audit=done.audit)
        return done


def open_audit(*, trace: StoredTrace, campaign: Campaign, actor: User, decomposer: str = RULES) -> Submission:
    """The one first audit of a stored trace in a campaign."""
    try:
        with transaction.atomic():  # a savepoint: the caller may submit many traces in one transaction
            (job,) = insert([Decomposition(trace=trace, decomposer=decomposer)])
            new = Audit(trace=trace, campaign=campaign, policy=campaign.policy, decomposition=job, seed=os.urandom(32))
            (audit,) = insert([new])
            # The leaf in the same transaction: an acknowledged trace cannot be missing from the ledger.
            leaf = leaves.submit(audit=audit)
            receipts.promise_submission(audit=audit, leaf=leaf)
    except IntegrityError:  # the trace has its audit in this campaign: the same answer as the first time
        return Submission(Audit.objects.get(trace=trace, campaign=campaign, follows__isnull=True), False)
    record_event(audit=audit, kind=EventKind.AUDIT_SUBMITTED, actor=actor)
    dispatch.enqueue("auditing.advance_audit", audit.pk)
    return Submission(audit, True)


def withdraw(*, audit: Audit, actor: User) -> bool:
    """The provider takes the trace back before it is decided; False when it is too late."""
    if AuditStage.WITHDRAWN not in AUDIT_STAGES[AuditStage(audit.stage)].next:
        return False
    with transaction.atomic():
        if not move_audit(audit=audit, to=AuditStage.WITHDRAWN, failure="Withdrawn by its provider."):
            return False
        prices.refund(audit=audit)
    return True
