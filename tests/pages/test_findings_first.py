"""Beside a vote with many findings stand those that it rests on."""

import re
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


def test_the_map_says_each_state_in_words() -> None:
    world = make_world(reviewers=1, grain=Grain.PASSAGE)
    audit = world.submit(WRONG)
    world.settle_machines()
    page = signed_in(world.provider).get(f"/audits/{audit.pk}").content.decode()
    labels = re.findall(r'aria-label="(\w+: [^"]*)"', page.split('id="map"')[1].split("</nav>")[0])
    assert any(label.endswith(": not asked") for label in labels)
    assert not any("unasked" in label for label in labels)
