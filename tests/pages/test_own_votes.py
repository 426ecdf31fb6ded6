"""All votes of one's own: with their texts, narrowed, searched, as a file; nothing of a round that is not over."""

import csv
import io

import pytest
from django.test import Client

from auditing.models import Commitment
from tests.factories.worlds import World
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(recorded_hens: World) -> Client:
    return signed_in(recorded_hens.reviewers[0])


def sealed_by(world: World) -> int:
    return Commitment.objects.filter(seat__auditor__user=world.reviewers[0]).count()


def test_every_own_vote_stands_there_with_its_text(client: Client, recorded_hens: World) -> None:
    page = client.get("/record/votes")
    lines = page.context["lines"]
    assert len(lines) == page.context["page"].total == sealed_by(recorded_hens) > 0
    assert all(line.text and line.vote.choice == "pass" for line in lines)
    assert lines[0].text[:40] in page.content.decode()


@pytest.mark.parametrize(
    ("query", "is_all"),
    [
        ({"choice": "pass"}, True),
        ({"choice": "fail"}, False),
        ({"agreement": "same"}, True),
        ({"agreement": "other"}, False),
        ({"q": "EGGS"}, True),
        ({"q": "no such word"}, False),
    ],
)
def test_they_are_narrowed_by_vote_outcome_and_words(
    client: Client, recorded_hens: World, query: dict[str, str], is_all: bool
) -> None:
    lines = client.get("/record/votes", query).context["lines"]
    assert bool(lines) == is_all
    if is_all and "q" not in query:
        assert len(lines) == sealed_by(recorded_hens)


def test_the_file_holds_what_the_page_shows_and_no_formula(client: Client, recorded_hens: World) -> None:
    answer = client.get("/record/votes", {"format": "csv"})
    assert answer["Content-Disposition"] == 'attachment; filename="my-votes.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert len(rows) == sealed_by(recorded_hens)
    assert {row["vote"] for row in rows} == {"pass"}
    assert all(row["text"] and row["text"][0] not in "=+-@" for row in rows)


def test_nobody_reads_the_votes_of_another(recorded_hens: World) -> None:
    stranger = recorded_hens.reviewers[1]
    own = {line.vote.seat for line in signed_in(stranger).get("/record/votes").context["lines"]}
    others = {line.vote.seat for line in signed_in(recorded_hens.reviewers[0]).get("/record/votes").context["lines"]}
    assert own.isdisjoint(others)


def test_the_desk_leaves_the_table_of_votes_to_whoever_opens_it(client: Client, recorded_hens: World) -> None:
    desk, table = (client.get(address).content.decode() for address in ("/desk", "/desk/votes"))
    assert 'hx-get="/desk/votes"' in desk
    own = Commitment.objects.filter(seat__auditor__user=recorded_hens.reviewers[0]).values_list("seat", flat=True)
    receipts = {f"/record/votes/{seat}/receipt" for seat in own}
    assert table.count("/receipt") == len(receipts) > 0
    assert all(receipt in table and receipt not in desk for receipt in receipts)
