"""Every course that an audit can take, walked through the real services, is accepted by the stranger's verifier."""

import pytest

from auditing.models import Audit
from auditing.verifier import verify_audit
from tests.factories.stories import STORIES
from tests.factories.worlds import sequencer
from tests.rooms.ledger.test_ledger import bundled

pytestmark = pytest.mark.django_db
UNFINISHED = {"withdrawn"}


def accepted(audit: Audit) -> verify_audit.Report:
    while sequencer().step():
        pass
    report = verify_audit.verify(bundled(audit))
    assert report.ok, report.text()
    return report


@pytest.mark.parametrize("name", STORIES)
def test_an_honest_audit_of_every_course_is_accepted(name: str) -> None:
    for audit in STORIES[name]():
        report = accepted(audit)
        audit.refresh_from_db()
        assert ("unfinished" in [title for _, title, _ in report.lines]) == (name in UNFINISHED), audit.stage
