"""Votes are counted by several groups at once as they are by each alone."""

import pytest

from auditing.core.values import Choice
from auditing.models import Vote
from auditing.research.agreement.selectors.vote_counts import GROUPS, counts_by, counts_by_each, without_abstentions
from tests.factories.worlds import waiting_world

pytestmark = pytest.mark.django_db


def test_all_groups_at_once_are_each_alone() -> None:
    world = waiting_world()
    world.vote_on_all_seats(dict(zip(world.reviewers, (Choice.PASS, Choice.ABSTAIN, Choice.FAIL), strict=True)))
    world.settle_machines()
    votes, item, groups = Vote.objects.all(), "seat__round", list(GROUPS.values())
    together = counts_by_each(votes=votes, item=item, groups=groups)
    for group, tables in zip(groups, together, strict=True):
        for between, shown in ((True, tables), (False, without_abstentions(tables=tables))):
            alone = counts_by(votes=votes, item=item, group=group, between=between)
            assert {key: sorted(table.tolist()) for key, table in shown.items()} == {
                key: sorted(table.tolist()) for key, table in alone.items()
            }
    assert together[0]["human"].sum(axis=0).min() > 0  # each word was said
