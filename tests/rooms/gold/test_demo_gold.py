"""The demo's gold is enough to fail a calibration and to begin it anew, and stands before nobody's seat."""

import json

import pytest

from accounts.demo import DOMAINS
from auditing.core.values import Choice
from auditing.models import GoldSegment
from auditing.research.population.demo import FILE, GOLD
from auditing.research.practice import services as calibration
from auditing.services.gold import import_jsonl
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db
FIELD = "everyday reasoning"
WRONG = {Choice.PASS: Choice.FAIL, Choice.FAIL: Choice.PASS}


@pytest.fixture
def demo_gold(db: None) -> None:
    with GOLD.open("rb") as lines:
        import_jsonl(lines=lines, actor=None)


def test_whoever_fails_the_demos_calibration_may_begin_it_anew_and_pass(demo_gold: None) -> None:
    auditor = auditor_of(user=make_user("visitor@example.org", "reviewer"))
    asked = []
    while gold := calibration.next_question(auditor=auditor, domain=FIELD):
        asked.append(gold.pk)
        calibration.answer(auditor=auditor, gold=gold, choice=WRONG[Choice(gold.truth)])
    failed = calibration.progress_of(auditor=auditor, domain=FIELD)
    assert (failed.is_over, failed.right, failed.missing) == (True, 0, 0)
    calibration.start_again(auditor=auditor, domain=FIELD)
    while gold := calibration.next_question(auditor=auditor, domain=FIELD):
        assert gold.pk not in asked
        calibration.answer(auditor=auditor, gold=gold, choice=Choice(gold.truth))
    assert calibration.progress_of(auditor=auditor, domain=FIELD).state == "passed"


def test_the_demos_calibration_stands_before_no_trace_of_the_demo(demo_gold: None) -> None:
    calibrated = set(GoldSegment.objects.filter(purpose="calibration").values_list("domain", flat=True))
    traces = {json.loads(line)["domain"] for line in FILE.read_text(encoding="utf-8").splitlines() if line.strip()}
    assert calibrated == {FIELD}
    assert FIELD in DOMAINS
    assert FIELD not in traces


def test_each_wrong_segment_of_the_calibration_says_where_and_why(demo_gold: None) -> None:
    for line in GOLD.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["purpose"] == "calibration":
            assert record["explanation"]
            assert bool(record.get("place")) is (record["truth"] == "fail")
