"""Who hears of outcomes and appeals: those concerned, once, and never more than they may know."""

import pytest

from auditing.models import Audit, Notice
from auditing.research.reports.appeals import appeal
from auditing.selectors.clock import database_now
from auditing.services import corridor
from auditing.services.campaigns import notices
from tests.factories.worlds import make_world

pytestmark = pytest.mark.django_db


def news_of(user: object, kind: str) -> list[Notice]:
    return list(Notice.objects.filter(user=user, kind=kind))


def test_outcomes_and_appeals_reach_those_concerned_once_and_say_no_more_than_they_may_know() -> None:
    world = make_world()
    audit = world.submit()
    world.everybody_votes(audit)
    audit = Audit.objects.get(pk=audit.pk)
    notices.tell_outcome(audit=audit)  # again: tells nobody twice
    (told,) = news_of(world.provider, "outcome")
    assert (told.link, audit.trace.title in told.text, str(audit.outcome) in told.text) == (
        f"/audits/{audit.pk}/report",
        True,
        True,
    )
    for reviewer in world.reviewers:
        (heard,) = news_of(reviewer, "outcome")
        assert audit.trace.title not in heard.text + heard.link
        assert str(audit.pk) not in heard.text + heard.link
    assert news_of(world.campaign.owner, "outcome") == []
    appeal(audit=audit, by=world.provider, reason="misread", text="secret words", now=database_now())
    assert news_of(world.provider, "appeal") == []
    assert [len(news_of(one, "appeal")) for one in world.reviewers] == [1, 1, 1]
    assert not Notice.objects.filter(text__contains="secret").exists()


def test_a_provider_hears_that_an_audit_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    world = make_world()
    audit = world.submit()

    def broken(**_: object) -> bool:
        raise RuntimeError("a door that falls on everybody's foot")

    monkeypatch.setitem(corridor.TRANSITIONS, audit.stage, broken)
    Audit.objects.filter(pk=audit.pk).update(attempts=corridor.MAX_ATTEMPTS)
    corridor.advance(audit=audit, now=database_now())
    assert Audit.objects.get(pk=audit.pk).stage == "failed"
    assert [one.link for one in news_of(world.provider, "outcome")] == [f"/audits/{audit.pk}"]
