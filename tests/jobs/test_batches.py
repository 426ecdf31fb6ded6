"""Batches: a study and a round whose window allows it are asked at half the price, and go on after any kill."""

import io
import json
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F, Sum
from django.db.models.functions import Now

from auditing.core.values import Tier
from auditing.models import Round, Seat, SeatAttempt, Vote
from auditing.services.model_tier.origins import allowed_origins
from hdag.chat.batching.lines import request_line
from hdag.chat.batching.wire import BatchWire
from hdag.chat.errors import NoAnswerError
from hdag.chat.probing.trial import SMALL_QUESTION
from hdag.chat.question import Message
from hdag.models import BatchEntry, ChatBatch, ChatCall, Endpoint
from hdag.services import batches
from hdag.services.batches import BatchedClient
from hdag.services.call_book import DatabaseBook
from hdag.services.endpoint_settings import settings_of
from tests.doubles.chat_server import run_server
from tests.factories.models import everything_moves, make_endpoint, model_seats, models_vote
from tests.factories.worlds import make_world

pytestmark = pytest.mark.django_db(transaction=True)
TRACES = 4


@pytest.fixture(scope="module")
def server():
    with run_server() as running:
        yield running


@pytest.fixture(autouse=True)
def _listed(server, monkeypatch):
    monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)


@pytest.fixture
def make(server, request):
    """An endpoint at an account of its own, so that tests do not meet each other's batches."""
    return lambda fate: make_endpoint(
        server.url(f"batches-{fate}-{request.node.name[:40].replace('/', '-')}"),
        model="gpt-4o",
        dialect="openai",
        may_see="whole traces",
        batches=True,
        logprobs="left out",
        audit_cap=100,
        daily_cap=100,
    )


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data" / "processbench"
    folder.mkdir(parents=True)
    records = [
        {
            "id": f"t{number}",
            "problem": f"Anna has {number} pens and buys some more.",
            "steps": [f"First, she has {number} pens.", f"Then her friend {number} looks on.", "So she is glad."],
            "label": 1 if number % 2 else -1,
        }
        for number in range(TRACES)
    ]
    (folder / "gsm8k.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return tmp_path / "data"


def study(data, tmp_path):
    """(what was printed, exit code)"""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command(
            "study", "benchmark", option=["endpoint=first"], out=tmp_path / "out", data=data, stdout=out, stderr=err
        )
    except CommandError as error:
        return out.getvalue(), error.returncode
    return out.getvalue(), 0


def ask(row, count=4):
    """Some questions, asked as a study asks them, which nobody has sent yet."""
    with BatchedClient(settings_of(row=row), DatabaseBook(), allowed=allowed_origins()) as client:
        for number in range(count):
            message = Message("user", f"Anna has {number} pens. Which number is 6 times 7?")
            question = replace(SMALL_QUESTION, messages=(message,))
            with pytest.raises(NoAnswerError, match="batched"):
                client.ask(question=question, account="study:benchmark")


def advance(times=3):
    return sum(batches.advance_batches(allowed=allowed_origins(), at_once=True) for _ in range(times))


def test_a_study_is_asked_in_batches_and_filled_by_the_next_run(make, data, tmp_path):
    row = make("whole")
    printed, code = study(data, tmp_path)
    asked = BatchEntry.objects.count()
    assert (code, "batched" in printed, asked > TRACES) == (3, True, True), printed
    assert advance() == asked
    printed, code = study(data, tmp_path)
    # Steps that lean on a first answer are asked in a second batch; then nothing is missing.
    for _ in range(3):
        if code == 0:
            break
        advance()
        printed, code = study(data, tmp_path)
    assert (code, printed.startswith("complete")) == (0, True), printed
    done = ChatCall.objects.filter(endpoint=row)
    assert set(done.values_list("state", flat=True)) == {"done"}
    totals = done.aggregate(read=Sum("tokens_in"), wrote=Sum("tokens_out"), cost=Sum("cost"))
    assert totals["cost"] == pytest.approx(Decimal(totals["read"] + totals["wrote"]) / 2 / 1_000_000)


def test_a_study_that_waits_ends_complete_in_one_command(make, data, tmp_path):
    make("whole")
    out, options = io.StringIO(), ["endpoint=first"]
    call_command("study", "benchmark", option=options, out=tmp_path / "out", data=data, stdout=out, wait=1)
    assert out.getvalue().startswith("complete"), out.getvalue()


def test_an_expired_batch_leaves_holes_that_the_next_one_fills(make, data, tmp_path):
    make("expire")
    study(data, tmp_path)
    asked = BatchEntry.objects.count()
    assert advance() == asked // 2
    assert ChatCall.objects.filter(state="failed", cost=0).count() == asked - asked // 2
    printed, code = study(data, tmp_path)
    assert (code, printed.split(":")[0]) == (3, "partial")
    study(data, tmp_path)
    assert BatchEntry.objects.filter(status=None).exists()


def test_a_server_without_batches_is_told_plainly_and_nothing_is_spent(make, data, tmp_path):
    make("forbid")
    study(data, tmp_path)
    advance(1)
    again, code = study(data, tmp_path)
    assert (code, "(403)" in again) == (3, True), again
    assert ChatCall.objects.filter(state="failed").aggregate(cost=Sum("cost"))["cost"] == 0


def test_a_worker_that_died_while_it_sent_a_batch_is_followed_by_one_that_adopts_it(make, server):
    row = make("whole")
    ask(row)
    # Sent, and then killed before the name of the batch was written down.
    lost = ChatBatch.objects.create(endpoint=row)
    entries = list(BatchEntry.objects.all())
    BatchEntry.objects.update(batch=lost)
    wire = BatchWire(settings_of(row=row), allowed_origins())
    lines = [request_line(name=str(entry.pk), body=_body_of(entry)) for entry in entries]
    remote = wire.send(lines=lines, mark=str(lost.pk))
    wire.close()
    ChatBatch.objects.update(created=F("created") - timedelta(hours=1))
    assert advance() == len(entries)
    lost.refresh_from_db()
    assert (lost.state, lost.remote, ChatBatch.objects.count()) == ("done", remote, 1)
    assert server.stats(row.base_url.split("/")[-2])["POST batches"] == 1


def _body_of(entry):
    wrapped = bytes(entry.request)
    return json.loads(batches.master_key.unwrap(wrapped=wrapped, label=b"TRUST/batches/v1"))


def test_texts_lie_encrypted_and_only_until_the_server_has_them(make, server):
    row = make("whole")
    ask(row)
    assert not any(b"Anna" in bytes(entry.request) for entry in BatchEntry.objects.all())
    batches.advance_batches(allowed=allowed_origins(), at_once=True)
    assert set(BatchEntry.objects.values_list("request", flat=True)) == {None}
    advance(2)
    assert server.stats(row.base_url.split("/")[-2])["DELETE files"] >= 2
    assert batches.forget(accounts=["study:benchmark"]) > 0
    assert not BatchEntry.objects.exists()


def test_a_round_with_a_long_window_waits_for_its_batch_and_votes(make):
    make("whole")
    world = make_world()
    audit = world.submit()
    world.settle_machines()
    Round.objects.filter(audit=audit, tier=Tier.LLM).update(due_at=Now() + timedelta(hours=40))
    assert set(models_vote()) == {"waits for its batch"}
    assert (
        SeatAttempt.objects.count(),
        set(Seat.objects.filter(round__tier="llm").values_list("attempts", flat=True)),
    ) == (
        0,
        {0},
    )
    advance()
    assert set(models_vote()) == {"sealed"}
    everything_moves(world)
    votes = Vote.objects.filter(seat__round__audit=audit, seat__round__tier="llm")
    assert votes.count() == ChatCall.objects.filter(state="done").count() == len(model_seats(audit))


def test_a_round_with_a_short_window_is_asked_at_once(make):
    row = make("whole")
    Endpoint.objects.filter(pk=row.pk).update(timeout_seconds=60)
    world = make_world()
    world.submit()
    world.settle_machines()
    assert set(models_vote()) == {"sealed"}
    assert not BatchEntry.objects.exists()


def test_a_seat_whose_batch_comes_too_late_is_asked_at_once(make):
    make("whole")
    world = make_world()
    audit = world.submit()
    world.settle_machines()
    rounds = Round.objects.filter(audit=audit, tier=Tier.LLM)
    rounds.update(due_at=Now() + timedelta(hours=40))
    models_vote()
    rounds.update(due_at=Now() + timedelta(minutes=20))
    assert set(models_vote()) == {"sealed"}
