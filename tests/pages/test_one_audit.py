"""What a page of an audit says of itself: its figures and words agree, and no other audit is taken for it."""

import math
import re
from dataclasses import replace

import pytest

from auditing.core.values import Choice
from auditing.research.reports.appeals import appeal
from auditing.selectors.clock import database_now
from hdag.core.passages import Why
from tests.factories.passages import passage_world
from tests.factories.worlds import TRACE, make_user, make_world
from tests.rooms.consensus.test_appeals import page_for, recorded_world

pytestmark = pytest.mark.django_db

MORE_THAN_ONCE = "The same text was handed in more than once"


def test_a_text_that_is_handed_in_again_names_its_other_audits_to_whoever_may_read_them() -> None:
    world = make_world()
    first = world.submit()
    world.everybody_votes(first, Choice.FAIL)
    second = world.submit(copy=True)
    other = world.submit(replace(TRACE, thinking=f"{TRACE.thinking} So it is."))
    for here, there in ((first, second), (second, first)):
        page = page_for(world.provider, f"/audits/{here.pk}/report")
        assert MORE_THAN_ONCE in page
        assert f'href="/audits/{there.pk}"' in page
        assert f'href="/audits/{other.pk}"' not in page
        assert MORE_THAN_ONCE in page_for(world.provider, f"/audits/{here.pk}")
    assert MORE_THAN_ONCE not in page_for(world.provider, f"/audits/{other.pk}")
    # a consumer may not read the one that is under way
    assert MORE_THAN_ONCE not in page_for(make_user("c@example.org", "consumer"), f"/audits/{first.pk}/report")
    assert page_for(world.provider, "/audits").count("handed in again") == 1


def test_an_appeal_is_told_once_and_its_audit_is_no_other_audit_of_the_text() -> None:
    world, audit = recorded_world()
    made = appeal(audit=audit, by=world.provider, reason="wrong_outcome", text="", now=database_now())
    page = page_for(world.provider, f"/audits/{audit.pk}/report")
    assert MORE_THAN_ONCE not in page
    assert page.count(f'href="/audits/{made.successor.pk}"') == 1
    following = page_for(world.provider, f"/audits/{made.successor.pk}/report")
    assert MORE_THAN_ONCE not in following
    assert "<dt>Follows</dt>" in following


def test_what_is_rounded_down_in_words_is_no_other_number_at_the_rule() -> None:
    world = make_world()
    audit = world.submit()
    world.everybody_votes(audit)
    audit.refresh_from_db()
    page = page_for(world.provider, f"/audits/{audit.pk}/report")
    (in_words,) = re.findall(r"([\d.]+) % that it holds", page)
    (at_the_rule,) = re.findall(r"posterior ([\d.]+) %", page)
    assert math.floor(10 * float(at_the_rule)) / 10 == float(in_words)
    assert at_the_rule == f"{100 * audit.trace_outcome.score:.2f}" != f"{float(in_words):.2f}"


def test_a_person_is_called_person_one_segment_one_and_each_text_runs_its_own_way() -> None:
    world = passage_world(reviewers=3)
    audit = world.submit(replace(TRACE, answer=""))
    world.everybody_votes(audit)
    page = page_for(world.provider, f"/audits/{audit.pk}")
    assert "<dt>Decided by</dt> <dd>person</dd>" in page
    assert "pass: 1 segment, score" in page
    assert "The score is the plain product" in page
    rows = page[page.index('aria-label="List of the segments"') : page.index("</table>")]
    assert rows.count("data-show=") == rows.count('class="quiet" dir="auto"') > 0


def test_the_report_says_why_nobody_was_asked_about_the_answer_of_a_short_trace() -> None:
    world = passage_world(reviewers=3)
    audit = world.submit()
    world.everybody_votes(audit)
    page = page_for(world.provider, f"/audits/{audit.pk}/report")
    row = page[page.index("<tbody>") :]
    assert row.count("not asked") == row.count(Why.ONE_UNIT.sentence) > 0
