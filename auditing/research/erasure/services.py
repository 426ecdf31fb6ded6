"""Erasure: the keys of a trace's texts are deleted, which makes every text unreadable; the ledger stays as it is.

Reads Audit; writes Erasure, Block, Trace, Segment, Vote, Commitment, Draft, Notice, AuditEvent. Salts and nonces go as
well, so that no digest that remains can be compared with a guess. What this cannot reach stands in REMAINS.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from accounts.models import Role, User
from auditing.core.events import EventKind
from auditing.core.stages import AUDIT_STAGES, AuditStage
from auditing.models import (
    Appeal,
    Audit,
    Commitment,
    Decoy,
    Draft,
    Erasure,
    GoldDispute,
    GoldSegment,
    Notice,
    Seat,
    Vote,
)
from auditing.services.campaigns.notices import tell_people
from auditing.services.events import record_event
from auditing.services.transitions import move_audit
from hdag.models import Decomposition, Segment, Trace
from hdag.services import answer_cache, batches
from hdag.store import content

TITLE = "Erased trace"
REMAINS = (
    "the ciphertexts, which nobody can open any more",
    "what the ledger says: commitments, votes without their reasons, outcomes, and the digests they rest on",
    "the shape of the graph: levels, places, lengths and measures, without a word of the text",
    "copies that left the system before: exports, downloaded reports, answers in the hands of model providers",
    "backups of the database made before, until they are overwritten: ask the operator how long they are kept",
)


@dataclass(frozen=True)
class TextKeeper:
    """An app above the corridor that keeps words of traces: where its blocks are named, and how it forgets the rest."""

    texts: Callable[[Trace], QuerySet[Any, Any]]
    forget: Callable[[Trace], None]


# Filled when the apps are ready, so that the corridor names nobody above it.
KEEPERS: list[TextKeeper] = []


class ErasureRefusedError(Exception):
    """This trace cannot be erased now."""


def ask(*, trace: Trace, by: User, because: str) -> Erasure:
    """The provider asks for erasure; the same request again is the first one. By policy it is carried out at once.

    Raises ErasureRefusedError for somebody else's trace and while an outcome is being recorded.
    """
    if trace.provider_id != by.pk:
        raise ErasureRefusedError("Only its provider can ask for the erasure of a trace.")
    with transaction.atomic():
        try:
            with transaction.atomic():
                erasure = Erasure.objects.create(trace=trace, asked_by=by, because=because.strip()[:300])
        except IntegrityError:  # asked already: one open request a trace
            return Erasure.objects.exclude(state=Erasure.State.REFUSED).get(trace=trace)
        for audit in trace.audits.all():
            record_event(audit=audit, actor=by, kind=EventKind.ERASURE_ASKED)
        if not settings.ERASURE_NEEDS_ADMIN:
            return confirm(erasure=erasure, by=None)
        admins = User.objects.filter(grants__role=Role.ADMIN, is_active=True).distinct()
        text = "A provider asks that a trace be erased."
        tell_people(people=admins, kind=Notice.Kind.DANGER, key=f"erasure:{erasure.pk}", text=text, link="/erasures")
    return erasure


def confirm(*, erasure: Erasure, by: User | None) -> Erasure:
    """Carry a request out, once. `by`: the admin who confirms, None for the policy.

    Raises ErasureRefusedError while an outcome is being recorded; nothing is erased then.
    """
    with transaction.atomic():
        current = Erasure.objects.select_for_update(of=("self",)).select_related("trace").get(pk=erasure.pk)
        if current.state != Erasure.State.WAITING:
            return current
        # A decoy repeats its original's text: the two are forgotten together.
        traces = [current.trace, *Trace.objects.filter(decoy__original=current.trace).order_by("pk")]
        # Audits first: none may be at work on a text whose key is going away.
        for trace in traces:
            _withdraw_open(trace)
        texts = sum(_forget(trace) for trace in traces)
        Erasure.objects.filter(pk=current.pk).update(
            state=Erasure.State.DONE, decided_by=by, decided_at=Now(), texts=texts
        )
        for audit in current.trace.audits.all():
            record_event(audit=audit, actor=by, kind=EventKind.TRACE_ERASED, texts=texts)
        if by is not None:  # who asked has left the page since; by policy it says so at once
            text = "A trace of yours was erased, as you asked. Its page says what remains."
            _tell(current, key=f"erased:{current.pk}", text=text)
        # Answers of models repeat words of the trace; they lie outside the database.
        transaction.on_commit(answer_cache.forget)
    current.refresh_from_db()
    return current


def refuse(*, erasure: Erasure, by: User, answer: str) -> bool:
    """An admin refuses, and says why; False when it is decided already."""
    with transaction.atomic():
        waiting = Erasure.objects.filter(pk=erasure.pk, state=Erasure.State.WAITING)
        if not waiting.update(
            state=Erasure.State.REFUSED, decided_by=by, decided_at=Now(), answer=answer.strip()[:300]
        ):
            return False
        for audit in erasure.trace.audits.all():
            record_event(audit=audit, actor=by, kind=EventKind.ERASURE_REFUSED)
        text = "Your request to erase a trace was refused; its page says why."
        _tell(erasure, key=f"refused:{erasure.pk}", text=text)
    return True


def _tell(erasure: Erasure, *, key: str, text: str) -> None:
    """News for whoever asked."""
    link = f"/audits/{erasure.trace.audits.order_by('created').values_list('pk', flat=True)[0]}/erase"
    tell_people(people=[erasure.asked_by], kind=Notice.Kind.OUTCOME, key=key, text=text, link=link)


def texts_of(*, trace: Trace) -> list[QuerySet[Any, Any]]:
    """Every block that holds words of a trace or about it, by the columns that lead there."""
    seats = Seat.objects.filter(round__audit__trace=trace)
    return [
        Trace.objects.filter(pk=trace.pk).values("payload"),
        Decomposition.objects.filter(trace=trace).values("notes"),
        Segment.objects.filter(decomposition__trace=trace).values("block"),
        Vote.objects.filter(seat__in=seats).values("rationale"),
        Appeal.objects.filter(audit__trace=trace).values("block"),
        GoldDispute.objects.filter(truth__segment__decomposition__trace=trace).values("block"),
        Decoy.objects.filter(trace=trace).values("explanation"),
        GoldSegment.objects.filter(original=trace).values("block"),
        *(keeper.texts(trace) for keeper in KEEPERS),
    ]


def _withdraw_open(trace: Trace) -> None:
    """No audit goes on without its text; one whose outcome is known is recorded first."""
    # Locked in one order; from here on none of them moves.
    for audit in Audit.objects.select_for_update(of=("self",)).filter(trace=trace).order_by("pk"):
        row = AUDIT_STAGES[AuditStage(audit.stage)]
        if AuditStage.WITHDRAWN in row.next:
            move_audit(audit=audit, to=AuditStage.WITHDRAWN, failure="Withdrawn: its text was erased.")
        elif not row.is_final:
            raise ErasureRefusedError(
                "An outcome of this trace is being recorded at this moment; try again in a minute."
            )


def _forget(trace: Trace) -> int:
    """Delete keys, salts, nonces and sealed openings, and every plain word; returns how many texts that were."""
    seats = Seat.objects.filter(round__audit__trace=trace)
    texts = sum(content.erase_named(blocks) for blocks in texts_of(trace=trace))
    # Without salts and nonces, nobody can test a guess of a text against the digests in the ledger.
    Segment.objects.filter(decomposition__trace=trace).update(salt=None)
    Vote.objects.filter(seat__in=seats).update(rationale_nonce=b"")
    Commitment.objects.filter(seat__in=seats).update(sealed=None, kept=None)
    Draft.objects.filter(seat__in=seats).delete()
    GoldSegment.objects.filter(original=trace).update(is_active=False)
    # News quotes titles.
    for audit in trace.audits.values_list("pk", flat=True):
        Notice.objects.filter(link__startswith=f"/audits/{audit}").delete()
    batches.forget(accounts=[f"audit:{audit}" for audit in trace.audits.values_list("pk", flat=True)])
    for keeper in KEEPERS:
        keeper.forget(trace)
    # The digest too could be compared with a guess: a random one takes its place.
    Trace.objects.filter(pk=trace.pk).update(
        title=TITLE, external_id="", tags=[], digest=os.urandom(32), whole_to_models=False, erased_at=Now()
    )
    return texts
