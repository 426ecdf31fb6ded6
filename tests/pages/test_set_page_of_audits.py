"""The audits of a list as one page to keep: what its reader may read, and nothing else."""

import pytest

from auditing.core.values import Choice
from auditing.models import Audit
from tests.factories.worlds import World, make_user
from tests.pages.test_corridor_pages import signed_in
from tests.pages.test_trace_page import WRONG

pytestmark = pytest.mark.django_db


@pytest.fixture
def audit(idle_hens: World) -> Audit:
    audit = idle_hens.submit(WRONG)
    idle_hens.everybody_votes(audit, Choice.PASS)
    return audit


def test_a_consumer_keeps_the_recorded_audits_as_one_page(audit: Audit) -> None:
    answer = signed_in(make_user("c@example.org", "consumer")).get("/audits.html")
    body = answer.content.decode()
    assert answer["Content-Disposition"].startswith("attachment")
    assert "It says 3 × 14 = 44; it is 42." in body
    assert body.count("<template id=") == 1
    assert "Content-Security-Policy" in body


def test_nobody_keeps_what_they_may_not_read(audit: Audit, idle_hens: World) -> None:
    Audit.objects.filter(pk=audit.pk).update(stage="auditing", recorded_at=None)
    body = signed_in(make_user("c@example.org", "consumer")).get("/audits.html").content.decode()
    assert "0 traces" in body
    assert "14 nuts" not in body


def test_the_page_is_narrowed_like_the_list(audit: Audit) -> None:
    client = signed_in(make_user("c@example.org", "consumer"))
    assert "0 traces" in client.get("/audits.html", {"q": "no such title"}).content.decode()
    assert "1 trace." in client.get("/audits.html", {"campaign": str(audit.campaign_id)}).content.decode()
