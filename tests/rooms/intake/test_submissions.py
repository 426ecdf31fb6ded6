"""Many traces handed in together lead to what they would lead to one by one."""

from dataclasses import replace

import pytest

from auditing.models import Audit, AuditEvent, Leaf
from auditing.research.campaigns.services.campaigns import open_campaign
from auditing.research.importing import services as importing
from auditing.services.intake.submission import submit
from hdag.models import Trace
from tests.factories.worlds import TRACE, make_world

pytestmark = pytest.mark.django_db


def about(*birds):
    return [replace(TRACE, thinking=TRACE.thinking.replace("hens", bird), title=bird) for bird in birds]


def hand_in(world, traces, **options):
    return submit(provider=world.provider, traces=traces, campaign=world.campaign, **options)


def test_known_and_equal_traces_among_new_ones_keep_their_places():
    world = make_world()
    (known,) = hand_in(world, about("geese"))
    done = hand_in(world, about("hens", "geese", "ducks", "hens"))
    assert [submission.is_new for submission in done] == [True, False, True, False]
    assert done[1].audit == known.audit
    assert done[0].audit == done[3].audit
    assert [submission.audit.trace.title for submission in done] == ["hens", "geese", "ducks", "hens"]
    assert Trace.objects.count() == Audit.objects.count() == Leaf.objects.filter(kind="submission").count() == 3
    assert AuditEvent.objects.filter(kind="audit.submitted").count() == 3


def test_a_trace_of_another_campaign_is_audited_anew_and_stored_once():
    world = make_world()
    hand_in(world, about("geese"))
    other = open_campaign(title="Other", owner=world.campaign.owner, policy=world.campaign.policy, guidelines="")
    done = submit(provider=world.provider, traces=about("geese", "ducks"), campaign=other)
    assert [submission.is_new for submission in done] == [True, True]
    assert (Trace.objects.count(), Audit.objects.count()) == (2, 3)


def test_copies_are_traces_of_their_own():
    world = make_world()
    hand_in(world, about("hens"))
    done = hand_in(world, about("hens", "hens"), copy=True)
    assert [submission.is_new for submission in done] == [True, True]
    assert sorted(Trace.objects.values_list("copy", flat=True)) == [0, 1, 2]


def test_more_traces_than_are_stored_at_once_are_told_of_as_they_come(monkeypatch):
    monkeypatch.setattr(importing, "AT_ONCE", 2)
    world, told = make_world(), []
    traces = about("hens", "geese", "hens", "ducks", "swans")
    done = importing.import_traces(provider=world.provider, campaign=world.campaign, traces=traces, tell=told.append)
    assert (done.opened, done.known, told) == (4, 1, [2, 4, 5])
