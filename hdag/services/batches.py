"""Questions asked in batches, at half the price.

Kept until they are sent, answered within a day, found when asked again.

Whoever asks is told that the question waits (Failure.BATCHED) and asks again later; the second time the answer is
there. So a study that was killed, or a seat whose worker died, goes on by asking the same questions.

Reads Endpoint; writes ChatCall, ChatBatch, BatchEntry. A row of the call reserves half the price before anything is
sent.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.db.models.functions import Now, TruncDay

from hdag.chat.address import Origin
from hdag.chat.batching.lines import HALF, MOST_BYTES, MOST_LINES, Line, request_line
from hdag.chat.book import Entry, check_caps
from hdag.chat.client import ChatClient, Course
from hdag.chat.dialects import RESPONSES_LIMIT
from hdag.chat.endpoint import EndpointSettings
from hdag.chat.errors import BatchRefusedError, CapReachedError, Failure
from hdag.chat.question import Question
from hdag.chat.replies.reading import read_reply
from hdag.chat.replies.reply import Attempt, Reply
from hdag.chat.replies.statuses import read_status
from hdag.chat.request import answer_limit, request_body
from hdag.chat.usage import NOTHING_USED, Spent, Usage, tokens_at_most
from hdag.models import BatchEntry, ChatBatch, ChatCall, Endpoint
from hdag.services.call_book import rounded, spent_by
from hdag.services.endpoint_settings import settings_of
from hdag.store import master_key

if TYPE_CHECKING:
    from hdag.chat.batching.wire import BatchWire, Look

__all__ = ["BatchedClient", "advance_batches", "find_reply", "forget", "waiting"]

_LABEL = b"TRUST/batches/v1"
_SHARE = Decimal(HALF)
_ABANDONED = timedelta(minutes=10)  # a batch that is being made for so long lost its worker
_KEPT = timedelta(days=3)  # an answer that nobody came back for


@dataclass
class BatchedClient(ChatClient):
    """A client whose questions wait for their answers in batches.

    gathers: new questions may still be put into one, else they are called for at once; patient: a question that waits
    already goes on waiting, else it is called for as well.
    """

    gathers: bool = True
    patient: bool = True

    @property
    def is_batched(self) -> bool:
        """Whether a question may wait for a day; at the other door nobody waits."""
        return self.endpoint.limit_field != RESPONSES_LIMIT

    def _reply(self, question: Question, course: Course) -> Reply:
        if not self.is_batched:
            return super()._reply(question, course)
        body = request_body(endpoint=self.endpoint, question=question)
        # sample: the same words asked again on purpose are another question.
        identity = f"{course.account}\n{question.sample}\n{json.dumps(body, sort_keys=True)}"
        entry = find_reply(endpoint=self.endpoint.name, identity=identity)
        if (entry is None and not self.gathers) or (entry and entry.status is None and not self.patient):
            return super()._reply(question, course)
        if entry is None:
            self._keep(question, course, body, identity)
        if entry is None or entry.status is None:
            raise self._no_answer(course, Failure.BATCHED, "it waits for its answer in a batch")
        made = _read(entry, self.endpoint)
        call = entry.call
        usage = Usage(call.tokens_in, call.tokens_out, call.tokens_cached, call.tokens_thinking)
        course.spent += Spent(usage, call.cost, 1, call.bytes_sent)
        if isinstance(made, Attempt):
            # Asked again, it waits for the next batch.
            entry.delete()
            raise self._no_answer(course, made.failure, made.reason)
        return made

    def _keep(self, question: Question, course: Course, body: dict[str, Any], identity: str) -> None:
        size = len(json.dumps(body).encode())
        most = Usage(tokens_at_most(bytes_sent=size), answer_limit(endpoint=self.endpoint, question=question))
        reserve = self.endpoint.prices.cost(most) * _SHARE
        try:
            _reserve(self.endpoint, Entry(course.account, question.purpose, reserve, size), body, identity)
        except CapReachedError as error:
            raise self._no_answer(course, Failure.CAP_REACHED, str(error)) from None
        except IntegrityError:  # another worker asked the same at this moment
            return


def find_reply(*, endpoint: str, identity: str) -> BatchEntry | None:
    """The entry of this very request, answered or not; None where it was never asked."""
    rows = BatchEntry.objects.select_related("call").filter(endpoint__name=endpoint)
    return rows.filter(key__in=master_key.keyed_digests(text=identity, label=_LABEL)).first()


def waiting(*, account: str) -> int:
    """How many questions of an account wait for an answer."""
    return BatchEntry.objects.filter(call__account=account, status=None).count()


def forget(*, accounts: Iterable[str]) -> int:
    """Delete what these accounts asked and were answered: a text of theirs is being erased."""
    return BatchEntry.objects.filter(call__account__in=list(accounts)).delete()[0]


def advance_batches(*, allowed: frozenset[Origin], at_once: bool = False) -> int:
    """Send what waits, collect what is answered; how many questions were answered. Called by the sweep.

    Questions are gathered for a minute before they are sent, unless `at_once`.
    """
    answered = 0
    for row in Endpoint.objects.filter(Q(batch_entries__isnull=False) | Q(chat_batches__state="making")).distinct():
        from hdag.chat.batching.wire import BatchWire  # here: its library takes 4 MB, and most sites have no batch

        wire = BatchWire(settings_of(row=row), allowed)
        try:
            _resume(row, wire)
            _send(row, wire, at_once)
            answered += sum(_collect(batch, wire) for batch in row.chat_batches.filter(state=ChatBatch.State.SENT))
        # Another sweep tries again; what is reserved stays reserved.
        except BatchRefusedError as error:
            if not error.may_pass:
                _give_up(row, error)
        finally:
            wire.close()
    BatchEntry.objects.filter(created__lt=Now() - _KEPT, status__isnull=False).delete()
    return answered


def _reserve(endpoint: EndpointSettings, entry: Entry, body: dict[str, Any], identity: str) -> None:
    """Row of the call and entry, under both caps, in one transaction."""
    with transaction.atomic():
        row = Endpoint.objects.select_for_update().get(name=endpoint.name)
        today = Q(endpoint=row, created__gte=TruncDay(Now()))
        check_caps(
            endpoint=endpoint,
            entry=entry,
            spent_account=spent_by(Q(account=entry.account)),
            spent_day=spent_by(today),
        )
        call = ChatCall.objects.create(
            endpoint=row,
            account=entry.account,
            purpose=entry.purpose,
            state="batched",
            cost=rounded(entry.reserve),
            bytes_sent=entry.bytes_sent,
        )
        BatchEntry.objects.create(
            endpoint=row,
            call=call,
            key=master_key.keyed_digests(text=identity, label=_LABEL)[0],
            request=master_key.wrap(data=json.dumps(body).encode(), label=_LABEL),
        )


def _send(row: Endpoint, wire: "BatchWire", at_once: bool) -> None:
    """Take what waits into a batch, in one transaction, and send it outside of it."""
    entries = row.batch_entries.filter(batch=None, status=None)
    if not at_once and not entries.filter(created__lt=Now() - timedelta(seconds=60)).exists():
        return
    with transaction.atomic():
        # skip_locked: another worker's sweep may be taking the same entries.
        taken = list(entries.select_for_update(skip_locked=True).order_by("created", "pk")[:MOST_LINES])
        if not taken:
            return
        batch = ChatBatch.objects.create(endpoint=row)
        BatchEntry.objects.filter(pk__in=[entry.pk for entry in _fitting(taken)]).update(batch=batch)
    _upload(batch, wire)


def _fitting(entries: Sequence[BatchEntry]) -> list[BatchEntry]:
    """As many as one file may hold, one at least."""
    chosen: list[BatchEntry] = []
    size = 0
    for entry in entries:
        size += len(entry.request or b"") + 300
        if chosen and size > MOST_BYTES:
            break
        chosen.append(entry)
    return chosen


def _upload(batch: ChatBatch, wire: "BatchWire") -> None:
    entries = list(batch.entries.filter(request__isnull=False))
    bodies = {str(entry.pk): master_key.unwrap(wrapped=bytes(entry.request), label=_LABEL) for entry in entries}  # type: ignore[arg-type]
    lines = [request_line(name=name, body=json.loads(body)) for name, body in bodies.items()]
    remote = wire.send(lines=lines, mark=str(batch.pk))
    _note_sent(batch, remote)


def _note_sent(batch: ChatBatch, remote: str) -> None:
    with transaction.atomic():
        ChatBatch.objects.filter(pk=batch.pk).update(state=ChatBatch.State.SENT, remote=remote)
        # The server has them now: no second copy of the texts.
        batch.entries.update(request=None)


def _resume(row: Endpoint, wire: "BatchWire") -> None:
    """Batches whose worker died while it sent them: adopted where the server has them, sent again where not."""
    for batch in row.chat_batches.filter(state=ChatBatch.State.MAKING, created__lt=Now() - _ABANDONED):
        remote = wire.find(mark=str(batch.pk))
        if remote is None:
            _upload(batch, wire)
        else:
            _note_sent(batch, remote)


def _collect(batch: ChatBatch, wire: "BatchWire") -> int:
    """Answers of a batch that is over; every question without one has failed. How many were answered."""
    look = wire.look(remote=batch.remote)
    ChatBatch.objects.filter(pk=batch.pk).update(checked_at=Now())
    if not look.is_over:
        return 0
    settings = settings_of(row=batch.endpoint)
    missing = Line(502, json.dumps({"error": {"code": look.state}}).encode())
    with transaction.atomic():
        # Once: of two sweeps that saw the same end, one moves the batch.
        if not ChatBatch.objects.filter(pk=batch.pk, state="sent").update(state="done", ended_as=look.state[:40]):
            return 0
        for entry in batch.entries.select_related("call"):
            _settle(entry, look.answers.get(str(entry.pk), missing), settings)
    wire.tidy(remote=batch.remote)
    return _answered(look)


def _settle(entry: BatchEntry, line: Line, settings: EndpointSettings) -> None:
    """The answer into its entry, the cost in place of the reserve."""
    entry.status, entry.reply = line.status, master_key.wrap(data=line.body, label=_LABEL)
    entry.save(update_fields=["status", "reply"])
    made = _read_line(line.status, line.body, settings)
    usage, cost, error = NOTHING_USED, Decimal(0), ""
    if isinstance(made, Attempt):
        error = made.failure.value
    elif made.usage is None:
        cost = entry.call.cost  # nobody knows: the whole reserve
    else:
        usage = made.usage
        cost = min(entry.call.cost, rounded(settings.prices.cost(usage) * _SHARE))
    ChatCall.objects.filter(pk=entry.call_id, state="batched").update(
        state="failed" if error else "done",
        tokens_in=usage.tokens_in,
        tokens_out=usage.tokens_out,
        tokens_cached=usage.tokens_cached,
        tokens_thinking=usage.tokens_thinking,
        cost=cost,
        error=error,
    )


def _read(entry: BatchEntry, settings: EndpointSettings) -> Reply | Attempt:
    body = master_key.unwrap(wrapped=bytes(entry.reply or b""), label=_LABEL)
    return _read_line(entry.status or 0, body, settings)


def _read_line(status: int, body: bytes, settings: EndpointSettings) -> Reply | Attempt:
    """An answer as if it had been called for at once."""
    if status == 200:
        return read_reply(body=body, model=settings.model, answers_as=settings.answers_as)
    return read_status(status=status, text=body.decode("utf-8", "replace"))


def _answered(look: "Look") -> int:
    return sum(line.status == 200 for line in look.answers.values())


def _give_up(row: Endpoint, refusal: BatchRefusedError) -> None:
    """The server takes no batches: what waits has failed with the reason, and nothing was spent."""
    with transaction.atomic():
        sent = ChatBatch.objects.filter(endpoint=row, state=ChatBatch.State.SENT)
        unsent = Q(batch=None) | ~Q(batch__in=sent)
        entries = BatchEntry.objects.select_for_update().filter(unsent, endpoint=row, status=None)
        calls = list(entries.values_list("call", flat=True))
        reason, body = str(refusal), json.dumps({"error": {"message": str(refusal)}}).encode()
        entries.update(status=refusal.status, reply=master_key.wrap(data=body, label=_LABEL), request=None)
        ChatCall.objects.filter(pk__in=calls).update(state="failed", cost=0, error=reason[:200])
        ChatBatch.objects.filter(endpoint=row, state="making").update(state="done", ended_as="refused")
