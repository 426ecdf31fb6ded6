"""Beside a vote with many findings stand those that it rests on."""

from dataclasses import replace

import pytest

from auditing.core.policy import Grain
from tests.factories.worlds import make_world
from tests.pages.test_corridor_pages import signed_in
from tests.pages.test_trace_page import WRONG

pytestmark = pytest.mark.django_db


def test_what_is_refuted_stands_first_beside_a_failing_vote() -> None:
    right = "\n\n".join(f"Then {n} + {n} = {2 * n}." for n in range(2, 8))
    world = make_world(reviewers=1, grain=Grain.PASSAGE)
    audit = world.submit(replace(WRONG, thinking=f"{right}\n\n{WRONG.thinking}"))
    world.settle_machines()
    lines = signed_in(world.provider).get(f"/audits/{audit.pk}").context["report"].lines
    failing = [line.computer for line in lines if line.computer and line.computer.choice == "fail"]
    assert failing
    assert {vote.telling[0].verdict for vote in failing} == {"refuted"}
    assert any(vote.rationale.evidence[0].verdict != "refuted" for vote in failing)
