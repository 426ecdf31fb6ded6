"""Who asks is read once a request: the person, their roles and their second factor in one statement."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from accounts.models import RoleGrant, User
from tests.factories.worlds import make_user, make_world

pytestmark = pytest.mark.django_db


def test_a_person_read_by_key_comes_with_roles_and_second_factor(django_assert_num_queries: Any) -> None:
    key = make_user("a@example.org", "reviewer", "provider").pk
    Authenticator.objects.create(user_id=key, type="totp", data={})
    with django_assert_num_queries(1):
        person = User.objects.get(pk=key)
        assert (person.roles, person.has_second_factor) == ({"reviewer", "provider"}, True)


def test_recovery_codes_alone_are_no_second_factor() -> None:
    person = make_user("a@example.org")
    Authenticator.objects.create(user=person, type="recovery_codes", data={})
    assert not User.objects.get(pk=person.pk).has_second_factor


def test_a_role_that_is_taken_away_counts_at_the_next_request() -> None:
    person = make_user("a@example.org", "provider")
    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get("/submit").status_code == 200
    RoleGrant.objects.filter(user=person).delete()
    assert client.get("/submit").status_code == 403


def test_a_relation_asks_only_among_its_own_people() -> None:
    campaign, stranger = make_world().campaign, make_user("s@example.org", "reviewer")
    with pytest.raises(User.DoesNotExist):
        campaign.reviewers.get(pk=stranger.pk)


def test_nobody_is_behind_a_key_that_there_is_not() -> None:
    with pytest.raises(User.DoesNotExist):
        User.objects.get(pk=2**40)
