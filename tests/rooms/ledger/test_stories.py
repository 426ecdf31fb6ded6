"""Every course that an audit can take, walked through the real services, is accepted by the stranger's verifier."""

import json

import pytest

from auditing.models import Audit
from auditing.verifier import verify_audit
from benchmarks.lying.consequences import Consequences
from benchmarks.lying.log import Log
from tests.factories.stories import STORIES
from tests.factories.worlds import sequencer
from tests.rooms.ledger.test_ledger import bundled, failures
from tests.tools.sweeping import sampled

pytestmark = pytest.mark.django_db
UNFINISHED = {"withdrawn"}
# A course of its own, or that of another one under another rule or preset.
VARIED = [name for name in STORIES if name.startswith(("consensus ", "trace ", "preset "))]
OWN = [name for name in STORIES if name not in VARIED]


def accepted(audit: Audit) -> verify_audit.Report:
    while sequencer().step():
        pass
    report = verify_audit.verify(bundled(audit))
    assert report.ok, report.text()
    return report


@pytest.mark.parametrize("name", [*OWN, *sampled(VARIED, one_in=3)])
def test_an_honest_audit_of_every_course_is_accepted(name: str) -> None:
    for audit in STORIES[name]():
        report = accepted(audit)
        audit.refresh_from_db()
        assert ("unfinished" in [title for _, title, _ in report.lines]) == (name in UNFINISHED), audit.stage


def test_weights_stand_before_the_votes_and_cannot_be_moved_behind_them() -> None:
    (audit,) = STORIES["divided"]()
    assert "weights" not in accepted(audit).believed
    log = Log(json.loads(bundled(audit)))
    weights = next(leaf for leaf in log.leaves if leaf["t"] == "skills")
    where = (weights["segment"], weights["round"])
    log.leaves.remove(weights)
    same = [leaf for leaf in log.leaves if (leaf.get("segment"), leaf.get("round")) == where]
    opened = next(leaf for leaf in same if leaf["t"] == "vote.reveal")
    log.leaves.insert(log.leaves.index(opened) + 1, weights)
    Consequences(log, lambda leaf, field: False).follow()
    assert "was weighed after its vote could be opened" in failures(log.bundle())


def test_weights_that_are_left_out_are_missed() -> None:
    (audit,) = STORIES["divided"]()
    accepted(audit)
    log = Log(json.loads(bundled(audit)))
    log.leaves.remove(next(leaf for leaf in log.leaves if leaf["t"] == "skills"))
    Consequences(log, lambda leaf, field: False).follow()
    assert "sealed a vote and was never weighed" in failures(log.bundle())


def test_nobody_who_is_not_marked_as_simulated_goes_unpaid() -> None:
    (audit,) = STORIES["divided"]()
    accepted(audit)
    log = Log(json.loads(bundled(audit)))
    auditor = next(leaf for leaf in log.leaves if leaf["t"] == "payout")["lines"][0]["auditor"]
    for leaf in log.leaves:
        if leaf["t"] == "payout":
            leaf["lines"] = [line for line in leaf["lines"] if line["auditor"] != auditor]
    log.leaves[:] = [leaf for leaf in log.leaves if leaf["t"] != "payout" or leaf["lines"]]
    Consequences(log, lambda leaf, field: False).follow()
    assert "and no payout says so" in failures(log.bundle())
