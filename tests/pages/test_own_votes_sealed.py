"""Own votes before their round is over: nothing but the seal."""

import pytest

from tests.factories.worlds import World
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db


def test_a_vote_whose_round_is_not_over_is_told_by_no_filter(waiting_hens: World) -> None:
    reviewer = waiting_hens.reviewers[0]
    waiting_hens.vote(reviewer)
    client = signed_in(reviewer)
    (line,) = client.get("/record/votes").context["lines"]
    assert (line.vote.choice, line.vote.outcome, line.reason) == ("", "", "")
    assert [client.get("/record/votes", {"choice": choice}).context["lines"] for choice in ("pass", "fail")] == [[], []]
