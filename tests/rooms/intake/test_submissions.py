"""Many traces handed in together lead to what they would lead to one by one."""

from dataclasses import replace
from uuid import uuid4

import pytest
from celery import current_app
from django.db import connection
from django.test.utils import CaptureQueriesContext

from auditing import tasks
from auditing.models import Audit, AuditEvent, Leaf, Round
from auditing.research.campaigns.services.campaigns import open_campaign
from auditing.research.importing import services as importing
from auditing.selectors.seating.rosters import eligible_lines
from auditing.services.intake import submission
from auditing.services.intake.submission import submit
from hdag.models import Trace
from hdag.selectors import known_traces, load_trace
from tests.factories.worlds import TRACE, make_user, make_world

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


def test_one_message_names_several_audits(monkeypatch, django_capture_on_commit_callbacks):
    monkeypatch.setattr(submission, "TOGETHER", 2)
    world = make_world()
    with current_app.connection_for_write() as broker:
        queue = broker.default_channel
        queue.queue_purge("default")
        with django_capture_on_commit_callbacks(execute=True):
            hand_in(world, about("hens", "geese", "ducks", "swans", "cocks"))
        assert queue.queue_purge("default") == 3


def test_audits_of_one_message_go_on_whatever_becomes_of_the_others():
    world = make_world(reviewers=3)
    first, last = [done.audit for done in hand_in(world, about("hens", "geese"))]
    with pytest.raises(Audit.DoesNotExist):
        tasks.advance_audit.run(str(first.pk), str(uuid4()), str(last.pk))
    assert list(Audit.objects.values_list("stage", flat=True)) == ["auditing", "auditing"]
    assert tasks.advance_audit.run(str(first.pk), str(last.pk)) == 0


def test_what_a_task_has_no_time_for_is_another_message(monkeypatch, django_capture_on_commit_callbacks):
    monkeypatch.setattr(tasks, "TURN_SECONDS", -1)
    world = make_world(reviewers=3)
    keys = [str(done.audit.pk) for done in hand_in(world, about("hens", "geese", "ducks"))]
    with current_app.connection_for_write() as broker:
        queue = broker.default_channel
        queue.queue_purge("default")
        with django_capture_on_commit_callbacks(execute=True):
            assert tasks.advance_audit.run(*keys) == 1
        left = queue.basic_get("default", no_ack=True)
        assert left.decode()[0] == keys[1:]
        assert queue.queue_purge("default") == 0
    assert Audit.objects.filter(stage="submitted").count() == 2


def test_newcomers_are_seated_before_any_audit_of_a_message_could_be_rolled_back():
    world = make_world(reviewers=3)
    keys = [str(done.audit.pk) for done in hand_in(world, about("hens", "geese"))]
    make_user("newcomer@example.org", "reviewer")
    with CaptureQueriesContext(connection) as asked:
        tasks.advance_audit.run(*keys)
    statements = [one["sql"] for one in asked.captured_queries]
    seated = next(place for place, one in enumerate(statements) if one.startswith('INSERT INTO "auditing_auditor"'))
    assert not [one for one in statements[:seated] if "auditing_audit SET" in one or '"hdag_segment"' in one]


def test_audits_of_one_message_have_the_same_people_and_ask_for_them_once():
    world = make_world(reviewers=3)
    birds = ("hens", "geese", "ducks", "swans", "cocks", "quails")
    keys = [str(done.audit.pk) for done in hand_in(world, about(*birds))]
    tasks.advance_audit.run(keys[0])  # what is asked for once a process
    with CaptureQueriesContext(connection) as alone:
        tasks.advance_audit.run(keys[1])
        tasks.advance_audit.run(keys[2])
    with CaptureQueriesContext(connection) as together:
        tasks.advance_audit.run(keys[3], keys[4])
    assert len(together) < len(alone)
    with CaptureQueriesContext(connection) as later:
        tasks.advance_audit.run(keys[5])
    assert len(later) == len(alone) / 2  # another message asks again
    people = [sorted(line.kind for line in eligible_lines(audit=audit)) for audit in Audit.objects.all()]
    assert people == [people[0]] * len(birds)
    assert set(Round.objects.filter(tier="human").values_list("audit", flat=True)) == set(
        Audit.objects.values_list("pk", flat=True)
    )


def test_the_same_text_of_two_models_is_two_traces_and_of_one_model_one():
    world = make_world()
    by = {name: replace(TRACE, model_name=name) for name in ("qwen3-8b", "Qwen3-8B", "llama-3.1-8b", "")}
    done = hand_in(world, [by["qwen3-8b"], by["llama-3.1-8b"], by["Qwen3-8B"]])
    assert [submission.is_new for submission in done] == [True, True, False]
    assert known_traces(provider=world.provider, traces=list(by.values())) == [True] * 4
    later = hand_in(world, [by["llama-3.1-8b"], by[""], replace(TRACE, model_name="phi-4")])
    assert [submission.is_new for submission in later] == [False, False, True]
    assert later[0].audit == done[1].audit
    authors = [load_trace(row).model_name for row in Trace.objects.order_by("copy")]
    assert authors == ["qwen3-8b", "llama-3.1-8b", "phi-4"]


def test_a_preview_of_a_file_tells_the_same_text_of_another_model_apart():
    world = make_world()
    traces = [replace(TRACE, model_name=name) for name in ("a-1", "b-1", "a-1")]
    assert known_traces(provider=world.provider, traces=traces) == [False, False, True]
