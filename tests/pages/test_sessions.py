"""Sessions are listed and ended: by their person, and by an admin (OWASP ASVS 5.0, 7.4.5 and 7.5.2)."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import PersonSession, Role, User
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"
PAGE = "/me/sessions"


@pytest.fixture
def person() -> User:
    return make_user("maria@example.org", Role.REVIEWER)


def signed_in(agent: str, person: User) -> Client:
    client = Client(headers={"user-agent": agent})
    client.post(reverse("account_login"), {"login": person.email, "password": PASSWORD})
    assert client.get("/me").status_code == 200
    return client


def confirmed(client: Client) -> Client:
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return client


def browsers(page: Any) -> list[str]:
    return sorted(session.browser for session in page.context["sessions"])


def test_a_person_sees_where_they_are_signed_in_and_no_key_of_a_session(person: User) -> None:
    here = confirmed(signed_in("Firefox on Linux", person))
    signed_in("Chrome on Android", person)
    signed_in("Safari on iPhone", make_user("other@example.org"))
    page = here.get(PAGE)
    assert browsers(page) == ["Chrome, Android", "Firefox, Linux"]
    for key in PersonSession.objects.values_list("pk", flat=True):
        assert key not in page.content.decode()


def test_a_session_that_was_ended_opens_nothing_and_the_others_go_on(person: User) -> None:
    here, elsewhere = confirmed(signed_in("Firefox", person)), signed_in("Chrome", person)
    [name] = [session.name for session in here.get(PAGE).context["sessions"] if not session.is_current]
    assert here.post(PAGE, {"session": name}).status_code == 302
    assert elsewhere.get("/me").status_code == 302
    assert here.get("/me").status_code == 200


def test_all_others_end_at_once(person: User) -> None:
    here, others = confirmed(signed_in("Firefox", person)), [signed_in("Chrome", person) for _ in range(3)]
    stranger = signed_in("Safari", make_user("other@example.org"))
    here.post(PAGE)
    assert [client.get("/me").status_code for client in [here, *others, stranger]] == [200, 302, 302, 302, 200]


def test_ending_a_session_asks_for_the_password_first(person: User) -> None:
    here, elsewhere = signed_in("Firefox", person), signed_in("Chrome", person)
    assert here.post(PAGE).url.startswith(reverse("account_reauthenticate"))
    assert elsewhere.get("/me").status_code == 200


def test_the_session_of_another_person_answers_like_an_unknown_one(person: User) -> None:
    other = confirmed(signed_in("Chrome", make_user("other@example.org")))
    [name] = [session.name for session in other.get(PAGE).context["sessions"]]
    here = confirmed(signed_in("Firefox", person))
    assert [here.post(PAGE, {"session": given}).status_code for given in (name, "0" * 16)] == [404, 404]
    assert other.get("/me").status_code == 200


def test_an_admin_ends_the_sessions_of_a_person_who_may_sign_in_again(person: User) -> None:
    admin, client = Client(), signed_in("Firefox", person)
    admin.force_login(make_user("root@example.org", Role.ADMIN), backend="django.contrib.auth.backends.ModelBackend")
    given = {"person": str(person.public_id), "role": "reviewer", "verb": "end"}
    assert "ended: 1" in admin.post("/people", given, follow=True).content.decode()
    assert client.get("/me").status_code == 302
    assert admin.get("/people").status_code == 200
    signed_in("Firefox", person)


def test_nobody_but_an_admin_ends_the_sessions_of_others(person: User) -> None:
    client, other = signed_in("Firefox", person), make_user("other@example.org", Role.REVIEWER)
    elsewhere = signed_in("Chrome", other)
    given = {"person": str(other.public_id), "role": "reviewer", "verb": "end"}
    assert client.post("/people", given).status_code == 403
    assert elsewhere.get("/me").status_code == 200
