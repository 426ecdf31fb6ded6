"""Norming rooms: blind means blind, votes are final, who did not vote blind does not count, the truth comes last."""

import pytest
from django.test import Client

from accounts.models import User
from auditing.core.values import Choice
from auditing.models import Auditor, GoldSegment
from auditing.research.norming import services
from auditing.research.norming.core import Ballot, change_of
from auditing.research.norming.models import NormingRoom, NormingVote
from auditing.research.norming.selectors import look
from auditing.research.norming.services import NormingRefusedError
from auditing.services.seating.auditors import auditor_of
from hdag.store import content
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db
FIELD = "school maths"


def page_of(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def make_item(name: str, truth: str, purpose: str = "practice") -> GoldSegment:
    block = content.store_json({"text": f"So {name} it is.", "problem": "How many?", "explanation": f"Because {name}."})
    return GoldSegment.objects.create(name=name, domain=FIELD, truth=truth, purpose=purpose, block=block)


@pytest.fixture
def judge() -> User:
    return make_user("judge@example.org", "adjudicator")


@pytest.fixture
def room(judge: User) -> NormingRoom:
    make_item("twelve", "pass")
    make_item("thirteen", "fail")
    return services.open_room(title="Counting", domain=FIELD, size=5, author=judge)


@pytest.fixture
def people() -> list[Auditor]:
    return [auditor_of(user=make_user(f"r{number}@example.org", "reviewer")) for number in range(3)]


def vote_all(room: NormingRoom, auditor: Auditor, *words: str) -> None:
    for gold, word in zip(room.items.order_by("name"), words, strict=True):
        services.vote(room=room, auditor=auditor, gold=gold, choice=Choice(word))


def move(room: NormingRoom, stage: str) -> None:
    services.move_on(room=room, stage=stage, by=room.author)
    room.refresh_from_db()


def test_a_room_holds_practice_passages_alone(judge: User) -> None:
    make_item("asked", "pass", "calibration")
    make_item("hidden", "fail", "honeypot")
    make_item("shown", "pass")
    with pytest.raises(NormingRefusedError, match="at least 2"):
        services.open_room(title="Counting", domain=FIELD, size=5, author=judge)
    make_item("seen", "fail")
    room = services.open_room(title="Counting", domain=FIELD, size=5, author=judge)
    assert {gold.name for gold in room.items.all()} == {"shown", "seen"}


def test_before_the_reveal_nobody_sees_a_vote_and_before_the_end_nobody_the_truth(
    room: NormingRoom, people: list[Auditor]
) -> None:
    vote_all(room, people[0], "pass", "pass")
    vote_all(room, people[1], "fail", "pass")
    page = page_of(people[1].person).get(f"/norming/{room.pk}").content.decode()
    assert people[0].person.pseudonym not in page
    assert "So twelve" not in page
    move(room, "blind")
    page = page_of(people[1].person).get(f"/norming/{room.pk}").content.decode()
    assert f"{people[0].person.pseudonym}: pass" in page
    assert "Because thirteen." not in page
    move(room, "discussing")
    # Who votes again sees neither the others' votes nor the truth.
    page = page_of(people[1].person).get(f"/norming/{room.pk}").content.decode()
    assert people[0].person.pseudonym not in page
    for person in people[:2]:
        vote_all(room, person, "fail", "pass")
    move(room, "again")
    page = page_of(people[1].person).get(f"/norming/{room.pk}").content.decode()
    assert "Because thirteen." in page
    assert f"{people[0].person.pseudonym}: pass, then fail" in page
    change = look(room=room, auditor=people[0]).change
    assert change is not None
    assert (change.before.alike, change.after.alike, change.towards, change.away) == (0.5, 1.0, 1, 0)
    assert (change.before.right, change.after.right) == (0.75, 1.0)


def test_a_vote_is_final(room: NormingRoom, people: list[Auditor]) -> None:
    vote_all(room, people[0], "pass", "pass")
    with pytest.raises(NormingRefusedError, match="final"):
        vote_all(room, people[0], "fail", "fail")
    assert set(NormingVote.objects.values_list("choice", flat=True)) == {"pass"}


def test_one_vote_alone_is_not_revealed(room: NormingRoom, people: list[Auditor]) -> None:
    vote_all(room, people[0], "pass", "pass")
    services.vote(room=room, auditor=people[1], gold=room.items.order_by("name")[0], choice=Choice.PASS)
    with pytest.raises(NormingRefusedError, match="Two people"):
        move(room, "blind")


def test_who_did_not_vote_blind_does_not_vote_again(room: NormingRoom, people: list[Auditor]) -> None:
    for person in people[:2]:
        vote_all(room, person, "pass", "pass")
    move(room, "blind")
    with pytest.raises(NormingRefusedError, match="no votes"):
        vote_all(room, people[2], "pass", "pass")
    move(room, "discussing")
    with pytest.raises(NormingRefusedError, match="voted blind"):
        vote_all(room, people[2], "pass", "pass")


def test_whoever_did_not_vote_blind_is_shown_no_form_to_vote_again(room: NormingRoom, people: list[Auditor]) -> None:
    for person in people[:2]:
        vote_all(room, person, "pass", "pass")
    move(room, "blind")
    move(room, "discussing")
    page = page_of(room.author).get(f"/norming/{room.pk}").content.decode()
    assert ("You did not vote blind, so you are not asked again" in page, 'name="choice"' in page) == (True, False)
    assert 'name="choice"' in page_of(people[0].person).get(f"/norming/{room.pk}").content.decode()


def test_only_whoever_opened_it_moves_it_on_and_only_once(room: NormingRoom, people: list[Auditor]) -> None:
    for person in people[:2]:
        vote_all(room, person, "pass", "pass")
    page_of(people[0].person).post(f"/norming/{room.pk}/next", {"stage": "blind"})
    room.refresh_from_db()
    assert room.stage == "blind"
    owner = page_of(room.author)
    owner.post(f"/norming/{room.pk}/next", {"stage": "blind"})
    # The second click of the same button is about a stage that is over.
    owner.post(f"/norming/{room.pk}/next", {"stage": "blind"})
    room.refresh_from_db()
    assert room.stage == "discussing"


def test_what_is_said_is_text_and_is_said_while_the_votes_lie_open(room: NormingRoom, people: list[Auditor]) -> None:
    client, gold = page_of(people[0].person), room.items.first()
    assert gold is not None
    client.post(f"/norming/{room.pk}/remarks", {"gold": str(gold.pk), "text": "Too early"})
    for person in people[:2]:
        vote_all(room, person, "pass", "pass")
    move(room, "blind")
    client.post(f"/norming/{room.pk}/remarks", {"gold": str(gold.pk), "text": "I <i>count</i> twelve."})
    page = page_of(people[1].person).get(f"/norming/{room.pk}").content.decode()
    assert "I &lt;i&gt;count&lt;/i&gt; twelve." in page
    assert "Too early" not in page


def test_people_vote_and_adjudicators_open_rooms_on_the_pages(judge: User, people: list[Auditor]) -> None:
    make_item("twelve", "pass")
    make_item("thirteen", "fail")
    fields = {"title": "Counting", "domain": FIELD, "size": "2"}
    assert page_of(people[0].person).post("/norming", fields).status_code == 403
    page_of(judge).post("/norming", fields)
    room = NormingRoom.objects.get()
    client = page_of(people[0].person)
    assert "Counting" in client.get("/norming").content.decode()
    for gold in room.items.order_by("name"):
        assert gold.name in client.get(f"/norming/{room.pk}").content.decode()
        client.post(f"/norming/{room.pk}", {"gold": str(gold.pk), "choice": "fail", "confidence": "70"})
    votes = NormingVote.objects.filter(auditor=people[0])
    assert set(votes.values_list("choice", "confidence")) == {("fail", 7_000)}
    assert "You have voted on everything" in client.get(f"/norming/{room.pk}").content.decode()


def test_who_leaves_in_between_changes_no_figure() -> None:
    words = {"ann": (True, True), "bo": (False, True)}
    ballots = [
        Ballot(auditor=who, item="s", round=turn, passed=word[turn - 1])
        for who, word in words.items()
        for turn in (1, 2)
    ]
    left = Ballot(auditor="cy", item="s", round=1, passed=False)
    assert change_of(ballots=[*ballots, left], truths={"s": True}) == change_of(ballots=ballots, truths={"s": True})
    assert change_of(ballots=[ballots[0], left], truths={"s": True}) is None
