"""Comments on finished audits: by pseudonym, never before the votes are open, hostile words shown, gone when erased."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from accounts.models import Role
from auditing.models import Audit, AuditEvent, Notice, Seat
from auditing.research.erasure.services import ask, confirm
from auditing.research.models import Comment
from auditing.research.reports.appeals import appeal
from auditing.selectors.clock import database_now
from hdag.store.content import ContentGoneError, read
from tests.factories.worlds import ONE_SEAT, PROBLEM, TRACE, World, make_user, make_world
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
OTHER = replace(TRACE, problem=f"{PROBLEM} Count twice.")
SAID = "Sixty is right for one week."


@pytest.fixture
def seat(recorded_audit: Audit) -> Seat:
    """A seat of a person whose vote is open."""
    return Seat.objects.filter(round__audit=recorded_audit, auditor__tier="human", stage="revealed").order_by("pk")[0]


def address_of(seat: Seat) -> str:
    return f"/audits/{seat.round.audit_id}/segments/{seat.round.segment.label}/comments"


def said_by(person: Any, seat: Seat, text: str = SAID, **fields: Any) -> Any:
    return signed_in(person).post(address_of(seat), {"text": text, **fields})


def words_of(page: Any) -> str:
    return re.sub(r"<[^>]+>", " ", page.content.decode())


def test_a_voter_says_something_under_the_name_of_the_vote_and_the_provider_answers(
    recorded_hens: World, seat: Seat
) -> None:
    voter, name = seat.auditor.user, f"auditor {bytes(seat.pseudonym).hex()[:8]}"
    assert said_by(voter, seat).status_code == 302
    assert said_by(recorded_hens.provider, seat, "Thank you.").status_code == 302
    page = signed_in(recorded_hens.provider).get(address_of(seat))
    assert [line.speaker for line in page.context["discussion"].lines] == [name, "the provider"]
    beside = signed_in(recorded_hens.provider).get(f"/audits/{seat.round.audit_id}?segment={seat.round.segment.label}")
    assert SAID in words_of(beside)
    assert "2 comments on it" in words_of(signed_in(voter).get(f"/record/votes/{seat.pk}"))
    for text in (page, beside):
        assert not {voter.email, voter.pseudonym, str(voter.public_id)} & set(
            re.split(r"[\s<>\"']+", str(text.content))
        )


def test_nobody_learns_an_account_from_api_or_history(recorded_hens: World, seat: Seat) -> None:
    voter = seat.auditor.user
    said_by(voter, seat)
    answer = signed_in(recorded_hens.provider).get(f"/api/v1/audits/{seat.round.audit_id}/comments")
    assert answer.status_code == 200
    assert [line["text"] for line in answer.json()["comments"]] == [SAID]
    for secret in (voter.email, voter.pseudonym, str(voter.public_id)):
        assert secret not in answer.content.decode()
    event = AuditEvent.objects.get(kind="comment.written")
    assert event.actor is None
    assert SAID not in json.dumps(event.body)
    assert not Notice.objects.filter(text__contains="Sixty").exists()


def test_a_comment_is_pinned_to_words_that_stand_there(recorded_hens: World, seat: Seat) -> None:
    client = signed_in(seat.auditor.user)
    text = client.get(address_of(seat)).context["discussion"].text
    words = " ".join(text.split()[:3])
    assert said_by(seat.auditor.user, seat, words=words).status_code == 302
    assert said_by(seat.auditor.user, seat, words="no such words").status_code == 400
    assert said_by(seat.auditor.user, seat, start=0, end=len(text) + 1).status_code == 400
    line = client.get(address_of(seat)).context["discussion"].lines[0]
    assert (line.quote.split(), line.place) == (words.split(), (text.index(text.split()[0]), len(line.quote)))


def test_nobody_else_reads_or_writes(recorded_hens: World, seat: Seat) -> None:
    said_by(seat.auditor.user, seat)
    api = f"/api/v1/audits/{seat.round.audit_id}/comments"
    for role in (Role.REVIEWER, Role.CONSUMER, Role.PROVIDER):
        stranger = make_user(f"{role}@strangers.example", role)
        assert signed_in(stranger).get(address_of(seat)).status_code == 404
        assert said_by(stranger, seat).status_code == 404
        assert signed_in(stranger).get(api).status_code == 404
    researcher = make_user("studies@example.org", Role.RESEARCHER)
    assert SAID in words_of(signed_in(researcher).get(address_of(seat)))
    assert said_by(researcher, seat).status_code == 400
    assert Comment.objects.count() == 1


def seats_of_two(world: World) -> tuple[Seat, Seat]:
    """Seats of two people in one audit; the draw may give all of an audit to one person, then another is handed in."""
    for number in range(20):
        audit = world.submit(replace(TRACE, problem=f"{PROBLEM} Version {number}."))
        world.everybody_votes(audit)
        seats = Seat.objects.filter(round__audit=audit, auditor__tier="human", stage="revealed").order_by("pk")
        others = [seat for seat in seats if seat.auditor_id != seats[0].auditor_id]
        if others:
            return seats[0], others[0]
    raise AssertionError("twenty audits, and one person drawn for all of each")


@pytest.mark.usefixtures("empty_database")
def test_a_voter_reads_what_is_said_where_they_voted_and_nowhere_else() -> None:
    mine, other = seats_of_two(make_world(reviewers=3, policy=ONE_SEAT))
    audit = mine.round.audit
    assert signed_in(mine.auditor.user).get(address_of(mine)).status_code == 200
    assert signed_in(mine.auditor.user).get(address_of(other)).status_code == 404
    client = signed_in(mine.auditor.user)
    assert client.get(f"/api/v1/audits/{audit.pk}/comments").status_code == 404
    assert client.get(f"/api/v1/audits/{audit.pk}/comments?segment={other.round.segment.label}").status_code == 404


def test_nothing_is_said_before_the_audit_is_recorded(recorded_hens: World) -> None:
    waiting = recorded_hens.submit(OTHER)
    recorded_hens.settle_machines()
    seat = Seat.objects.filter(round__audit=waiting, auditor__tier="human").order_by("pk")[0]
    asked = {"segment": seat.round.segment.label, "text": SAID}
    for person in (seat.auditor.user, recorded_hens.provider, recorded_hens.campaign.owner):
        assert signed_in(person).get(address_of(seat)).status_code == 404
        assert said_by(person, seat).status_code == 404
        api = f"/api/v1/audits/{waiting.pk}/comments"
        assert signed_in(person).post(api, asked, content_type="application/json").status_code == 404
    assert not Comment.objects.exists()


def test_nothing_is_said_while_a_second_audit_is_under_way(recorded_hens: World, seat: Seat) -> None:
    audit = Audit.objects.get(stage="recorded")
    appeal(audit=audit, by=recorded_hens.provider, reason="misread", text="Again.", now=database_now())
    assert "second audit" in words_of(said_by(seat.auditor.user, seat))
    assert not Comment.objects.exists()


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "\u202egnp.exe", "{{ 7*7 }}", "$\\href{javascript:1}{x}$"]
)
def test_hostile_words_stand_there_as_words(recorded_hens: World, seat: Seat, text: str) -> None:
    assert said_by(seat.auditor.user, seat, text).status_code == 302
    for address in (address_of(seat), f"/audits/{seat.round.audit_id}?segment={seat.round.segment.label}"):
        page = signed_in(recorded_hens.provider).get(address).content.decode()
        assert "<script>alert" not in page
        assert "\u202e" not in page
        assert 'href="javascript' not in page
        assert "7*7" not in text or "{{ 7*7 }}" in page


def test_too_much_is_refused(recorded_hens: World, seat: Seat) -> None:
    assert said_by(seat.auditor.user, seat, "x" * 4_001).status_code == 400
    assert said_by(seat.auditor.user, seat, "  ").status_code == 400
    assert not Comment.objects.exists()


def test_the_words_are_erased_with_the_trace(recorded_hens: World, recorded_audit: Audit, seat: Seat) -> None:
    said_by(seat.auditor.user, seat)
    block = Comment.objects.get().block
    request = ask(trace=recorded_audit.trace, by=recorded_hens.provider, because="")
    if request.decided_at is None:
        confirm(erasure=request, by=recorded_hens.campaign.owner)
    block.refresh_from_db()
    with pytest.raises(ContentGoneError):
        read(block)
    assert signed_in(seat.auditor.user).get(address_of(seat)).status_code == 404
    assert not Notice.objects.filter(key__startswith="comment:").exists()


def test_an_author_takes_back_the_own_and_an_admin_removes_any(recorded_hens: World, seat: Seat) -> None:
    said_by(seat.auditor.user, seat)
    said_by(recorded_hens.provider, seat, "And I.")
    first, second = Comment.objects.order_by("created")
    remove = f"/audits/{seat.round.audit_id}/comments/{{}}/remove"
    assert signed_in(recorded_hens.provider).post(remove.format(first.pk)).status_code == 404
    assert signed_in(seat.auditor.user).post(remove.format(first.pk)).status_code == 302
    with pytest.raises(ContentGoneError):
        read(type(first.block).objects.get(pk=first.block_id))
    assert signed_in(recorded_hens.campaign.owner).post(remove.format(second.pk)).status_code == 302
    assert not Comment.objects.exists()


def test_the_api_writes_and_takes_back(recorded_hens: World, seat: Seat) -> None:
    client, api = signed_in(seat.auditor.user), f"/api/v1/audits/{seat.round.audit_id}/comments"
    asked = {"segment": seat.round.segment.label, "text": SAID, "start": 0, "end": 4}
    made = client.post(api, asked, content_type="application/json")
    assert (made.status_code, made.json()["start"], made.json()["end"]) == (201, 0, 4)
    assert made.json()["by"].startswith("auditor ")
    assert client.post(api, asked | {"end": 10**6}, content_type="application/json").status_code == 400
    assert client.delete(f"{api}/{made.json()['id']}").status_code == 204
    assert not Comment.objects.exists()


def test_a_trace_with_other_words_has_other_comments(recorded_hens: World, seat: Seat) -> None:
    said_by(seat.auditor.user, seat)
    other = recorded_hens.submit(OTHER)
    recorded_hens.everybody_votes(other)
    page = signed_in(recorded_hens.provider).get(f"/audits/{other.pk}")
    assert SAID not in words_of(page)
