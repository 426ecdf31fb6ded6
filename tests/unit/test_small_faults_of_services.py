"""What no test noticed when one sign of a service or of a selector was changed (`make mutants`); no database."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from auditing.core.stages import AuditStage
from auditing.models import Audit
from auditing.research.reports.appeals import is_in_time
from auditing.selectors.intake.decomposition import QUESTIONS, Bill, Job
from auditing.selectors.voting.unit_form import Piece, _inside
from auditing.services.model_tier.new_endpoint import LONGEST_WAIT, _refusal_of
from hdag.models import Decomposition, Endpoint

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


def doing(share: float) -> str:
    row = Decomposition(state=Decomposition.State.RUNNING, done_share=share)
    return Job(row, (), {}, Bill(0, 0, 0, Decimal(0))).doing


@pytest.mark.parametrize(("begins", "words"), QUESTIONS.values())
def test_a_question_is_named_from_the_share_at_which_it_begins(begins: float, words: str) -> None:
    assert 0 < begins < 1
    assert doing(begins) == doing(begins + 0.01) == words
    assert doing(begins - 0.01) != words


@pytest.mark.parametrize(
    ("mark", "shown"), [((10, 12), (0, 2)), ((13, 14), (3, 4)), ((9, 12), None), ((12, 15), None), ((0, 30), None)]
)
def test_a_mark_is_shown_in_a_piece_only_where_all_of_it_lies_there(
    mark: tuple[int, int], shown: tuple[int, int] | None
) -> None:
    assert _inside(Piece(1, 10, "abcd"), [mark]) == (() if shown is None else (shown,))


@pytest.mark.parametrize(("before", "may_appeal"), [(timedelta(0), False), (timedelta(microseconds=1), True)])
def test_an_appeal_window_ends_at_its_very_moment(before: timedelta, may_appeal: bool) -> None:
    audit = Audit(stage=AuditStage.RECORDED, appeals_until=NOW)
    assert is_in_time(audit=audit, now=NOW - before) is may_appeal


def test_what_is_released_or_has_no_window_is_closed_to_appeals() -> None:
    released = Audit(stage=AuditStage.RECORDED, appeals_until=NOW, released_at=NOW)
    endless = Audit(stage=AuditStage.RECORDED)
    running = Audit(stage=AuditStage.AUDITING, appeals_until=NOW)
    assert not any(is_in_time(audit=audit, now=NOW - timedelta(1)) for audit in (released, endless, running))


@pytest.mark.parametrize(("seconds", "is_refused"), [(0, True), (1, False), (LONGEST_WAIT, False), (601, True)])
def test_an_endpoint_is_waited_for_from_one_second_to_the_longest_wait(seconds: int, is_refused: bool) -> None:
    assert _refusal_of(Endpoint(timeout_seconds=seconds)).startswith("timeout_seconds") is is_refused


@pytest.mark.parametrize(("calls", "is_refused"), [(0, True), (1, False)])
def test_an_endpoint_takes_at_least_one_call_at_a_time(calls: int, is_refused: bool) -> None:
    assert _refusal_of(Endpoint(max_concurrency=calls)).startswith("max_concurrency") is is_refused
