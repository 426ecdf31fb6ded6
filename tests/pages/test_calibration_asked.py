"""A reviewer reads which calibrations open seats to them, before the desk is empty; admins read what gold waits."""

import pytest

from accounts.models import Profile
from auditing.models import GoldSegment, Qualification
from auditing.services.seating.auditors import auditor_of
from hdag.store import content
from tests.factories.worlds import make_user
from tests.pages.test_corridor_pages import signed_in
from tests.rooms.gold.test_reviews import made

pytestmark = pytest.mark.django_db


def text_of(user, address):
    return " ".join(signed_in(user).get(address, follow=True).content.decode().split())


def make_set(domain, size=5):
    for number in range(size):
        block = content.store_one(f"{number} + 2")
        name, purpose = f"{domain} {number}", GoldSegment.Purpose.CALIBRATION
        GoldSegment.objects.create(name=name, domain=domain, block=block, truth="pass", purpose=purpose)


@pytest.fixture
def reviewer():
    return make_user("reviewer@example.org", "reviewer")


@pytest.mark.parametrize("address", ["/home", "/record", "/calibration"])
def test_a_reviewer_who_never_began_reads_which_calibration_opens_seats(reviewer, address):
    make_set("law")
    assert "/calibration?domain=law" in text_of(reviewer, address)


def test_a_passed_one_a_small_set_and_a_field_that_the_profile_leaves_out_are_not_asked(reviewer):
    for domain, size in (("law", 5), ("medicine", 4), ("finance", 5)):
        make_set(domain, size)
    Qualification.objects.create(auditor=auditor_of(user=reviewer), domain="law", state="passed")
    Profile.objects.update_or_create(user=reviewer, defaults={"domains": ["law", "medicine"]})
    page = text_of(reviewer, "/record")
    assert "/calibration?domain=" not in page


def test_where_none_is_asked_the_record_says_so(reviewer):
    assert "No calibration is asked of you." in text_of(reviewer, "/record")


def test_an_admin_reads_that_gold_waits_for_a_second_editor():
    author = make_user("author@example.org", "admin")
    made(author)
    page = text_of(make_user("other@example.org", "admin"), "/home")
    assert '<a href="/gold/reviews"><b class="num">1</b> segment of gold before a second editor</a>' in page
