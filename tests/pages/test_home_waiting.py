"""Home while work waits: a reviewer's seats, an admin's concerns."""

from datetime import timedelta

import pytest
from django.test import Client

from auditing.models import Campaign
from auditing.research.campaigns.selectors.home import concerns, reviewer_home
from auditing.selectors.clock import database_now
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db


def signed_in(user):
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def text_of(answer):
    return " ".join(answer.content.decode().split())


def test_a_reviewer_reads_what_waits_and_begins_with_enter(waiting_hens):
    reviewer = waiting_hens.reviewers[0]
    home = reviewer_home(auditor=auditor_of(user=reviewer))
    page = text_of(signed_in(reviewer).get("/home"))
    assert home.seats > 0
    assert home.minutes is None  # nothing was measured yet
    assert f'<b class="num">{home.seats}</b> <span' in page  # the word is explained by the glossary
    assert 'href="/desk" autofocus>Start</a>' in page


def test_an_admin_reads_what_is_late_and_otherwise_that_all_is_well(waiting_hens):
    admin = make_user("boss@example.org", "admin")
    assert concerns(now=database_now()) == []
    assert "Nothing: no campaign is late" in text_of(signed_in(admin).get("/home"))
    Campaign.objects.update(deadline=database_now() - timedelta(days=1))
    assert [(late.count, late.what) for late in concerns(now=database_now())] == [(1, "campaign past the deadline")]
