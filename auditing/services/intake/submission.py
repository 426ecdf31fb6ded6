"""Submission: a trace is stored once under its digest, and an audit of it begins.

Reads Campaign; writes Trace, Block, Decomposition, Audit, Leaf, Transfer, AuditEvent.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction

from accounts.models import User
from auditing import dispatch
from auditing.core.events import EventKind
from auditing.core.stages import AuditStage
from auditing.models import Audit, Campaign
from auditing.permissions import may_add_to
from auditing.selectors.intake.decomposition import BY_MODEL, RULES
from auditing.selectors.intake.lookup import may_be_withdrawn
from auditing.services.events import record_for_each
from auditing.services.ledger import leaves, receipts
from auditing.services.points import prices
from auditing.services.transitions import move_audit
from hdag.core.values import Trace
from hdag.models import Decomposition
from hdag.models import Trace as StoredTrace
from hdag.readers.records import Limits
from hdag.services.traces import TRIES, store_traces
from hdag.store.rows import insert

TOGETHER = 10  # audits that one message names: what is the same for all of them is asked once


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
    traces: Sequence[Trace],
    campaign: Campaign,
    copy: bool = False,
    whole_to_models: bool = False,
    decomposer: str = RULES,
    tags: Sequence[str] = (),
) -> list[Submission]:
    """Store `traces` and open their audits in `campaign`, in one transaction; the same trace twice is one trace.

    `copy` asks for traces of their own, `decomposer` for who makes the graphs. The provider pays the policy's price.
    Raises CampaignClosedError, NotAgreedError, PriceNotCoveredError.
    """
    if decomposer in BY_MODEL and not whole_to_models:
        raise NotAgreedError(NotAgreedError.__doc__)
    if campaign.state != Campaign.State.OPEN:
        raise CampaignClosedError(f"The campaign “{campaign.title}” is {campaign.state} and takes no more traces.")
    if not may_add_to(user=provider, campaign=campaign):
        raise CampaignClosedError(f"The campaign “{campaign.title}” takes traces of the providers it names only.")
    with transaction.atomic():
        stored = store_traces(provider=provider, traces=traces, copy=copy, whole_to_models=whole_to_models, tags=tags)
        done = open_audits(traces=[row for row, _ in stored], campaign=campaign, actor=provider, decomposer=decomposer)
        prices.charge_all(audits=[submission.audit for submission in done if submission.is_new])
        return done


def open_audits(
    *, traces: Sequence[StoredTrace], campaign: Campaign, actor: User, decomposer: str = RULES
) -> list[Submission]:
    """The one first audit of each stored trace in a campaign, in order; of two that are equal the first opens it."""
    known: dict[UUID, Submission] = {}
    for tries_left in reversed(range(TRIES)):
        unknown = {row.pk: row for row in traces if row.pk not in known}
        try:
            with transaction.atomic():  # a savepoint: the caller may submit more in the same transaction
                new = {
                    audit.trace_id: Submission(audit, True) for audit in _open(unknown.values(), campaign, decomposer)
                }
            break
        except IntegrityError:  # a trace has its audit in this campaign: the same answer as the first time
            if not tries_left:
                raise
            first = Audit.objects.filter(trace__in=traces, campaign=campaign, follows__isnull=True)
            known = {audit.trace_id: Submission(audit, False) for audit in first}
    audits = [submission.audit for submission in new.values()]
    record_for_each(audits=audits, kind=EventKind.AUDIT_SUBMITTED, actor=actor)
    for start in range(0, len(audits), TOGETHER):
        dispatch.enqueue("auditing.advance_audit", *(audit.pk for audit in audits[start : start + TOGETHER]))
    known |= {audit.trace_id: Submission(audit, False) for audit in audits}
    return [new.pop(row.pk) if row.pk in new else known[row.pk] for row in traces]


def _open(traces: Iterable[StoredTrace], campaign: Campaign, decomposer: str) -> list[Audit]:
    jobs = insert(Decomposition(trace=trace, decomposer=decomposer) for trace in traces)
    audits = [
        Audit(trace=job.trace, campaign=campaign, policy=campaign.policy, decomposition=job, seed=os.urandom(32))
        for job in jobs
    ]
    receipts.promise_submissions(audits=audits)
    insert(audits)
    # The leaf in the same transaction: an acknowledged trace cannot be missing from the ledger.
    leaves.submit(audits=audits)
    return audits


def withdraw(*, audit: Audit, actor: User) -> bool:
    """The provider takes the trace back before it is decided; False when it is too late, or others appealed."""
    if not may_be_withdrawn(audit=audit):
        return False
    with transaction.atomic():
        if not move_audit(audit=audit, to=AuditStage.WITHDRAWN, failure="Withdrawn by its provider."):
            return False
        prices.refund(audit=audit)
    return True
