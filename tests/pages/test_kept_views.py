"""Lists: views that a person keeps, columns left out, roles for many people at once."""

import pytest
from django.test import Client

from accounts.models import SavedView
from accounts.services.roles import close_account
from tests.factories.worlds import World, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(idle_hens: World) -> Client:
    return signed_in(make_user("lists@example.org", "admin"))


def signed_in(person: object) -> Client:
    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
    return client


def page_of(client: Client, address: str) -> str:
    return " ".join(client.get(address).content.decode().split())


def test_a_view_is_kept_shown_and_forgotten_by_its_person_alone(admin: Client) -> None:
    kept = {"page": "auditing:audits", "name": "Failing", "query": "outcome=fail&after=x&hide=domain"}
    answer = admin.post("/me/views", kept)
    assert answer["Location"] == "/audits?outcome=fail&hide=domain"
    assert 'href="/audits?outcome=fail&amp;hide=domain"' in page_of(admin, "/audits")
    assert "Failing" not in page_of(admin, "/campaigns")
    other = signed_in(make_user("other-lists@example.org", "admin"))
    assert "Failing" not in page_of(other, "/audits")
    key = SavedView.objects.get().pk
    assert other.post("/me/views", {"page": "auditing:audits", "forget": key}).status_code == 404
    assert admin.post("/me/views", {"page": "auditing:audits", "forget": key}).status_code == 302
    assert not SavedView.objects.exists()


@pytest.mark.parametrize("page", ["", "//evil.example", "auditing:desk"])
def test_nobody_is_sent_to_another_page_by_a_kept_view(admin: Client, page: str) -> None:
    assert admin.post("/me/views", {"page": page, "name": "x", "query": ""}).status_code == 404


def test_twenty_views_of_a_list_are_enough(admin: Client) -> None:
    for number in range(21):
        admin.post("/me/views", {"page": "auditing:audits", "name": f"v{number}", "query": ""})
    assert SavedView.objects.count() == 20


def test_a_column_that_is_left_out_stays_out_when_the_list_is_sorted(admin: Client) -> None:
    page = page_of(admin, "/people?hide=roles")
    assert 'class="table table-cards hide-3"' in page
    assert 'href="?hide=roles&amp;sort=pseudonym"' in page
    assert "hide-" not in page_of(admin, "/people?hide=pseudonym&hide=nothing").split("<table", 1)[1].split(">")[0]


def test_a_role_is_given_to_everybody_who_is_ticked_or_to_nobody(admin: Client) -> None:
    people = [make_user(f"many{number}@example.org") for number in range(3)]
    ticked = [str(person.public_id) for person in people[:2]]
    admin.post("/people", {"people": ticked, "role": "researcher", "verb": "grant"})
    assert ["researcher" in type(person).objects.get(pk=person.pk).roles for person in people] == [True, True, False]
    admins = list(SavedView.user.field.related_model.objects.filter(grants__role="admin"))
    admin.post("/people", {"people": [str(a.public_id) for a in admins], "role": "admin", "verb": "revoke"})
    assert SavedView.user.field.related_model.objects.filter(grants__role="admin").count() == len(admins)
    admin.post("/people", {"people": ["x"], "role": "nonsense", "verb": "grant"})


def test_a_closed_account_keeps_no_views(admin: Client) -> None:
    person, by = make_user("leaves@example.org", "researcher"), make_user("closes@example.org", "admin")
    signed_in(person).post("/me/views", {"page": "auditing:audits", "name": "mine", "query": ""})
    close_account(user=person, by=by)
    assert not SavedView.objects.filter(user=person).exists()


def test_the_list_of_campaigns_is_narrowed_sorted_and_counted(admin: Client, idle_hens: World) -> None:
    page = page_of(admin, "/campaigns?sort=-total")
    assert "1 campaign" in page
    assert 'aria-sort="descending"' in page
    assert "Nothing matches" in page_of(admin, "/campaigns?state=closed")
    assert idle_hens.campaign.title in page_of(admin, f"/campaigns?q={idle_hens.campaign.pk}")
