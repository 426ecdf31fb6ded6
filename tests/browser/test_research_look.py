"""Research in a real browser: corrections of a RADO loop by keyboard and mouse, and pages with no barrier."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from auditing.research.causal import services
from auditing.research.models import Correction, TrainingLoop
from auditing.research.rado import services as rado
from auditing.research.rado.core import Task, check_row
from auditing.research.rado.training_rows import training_rows
from auditing.research.studies import services as study_runs
from auditing.research.tasks import run_study
from auditing.selectors.clock import database_now
from tests.browser.test_look import look_at
from tests.factories.worlds import make_user
from tests.pages.test_research_pages import FLEISS, take_in, votes_file
from tests.rooms.research.test_causal import SHOP
from tests.rooms.research.test_rado import AUDIT, record
from tests.tools.sweeping import sweep_of

pytestmark = pytest.mark.django_db(transaction=True)
EVALUATIONS = int(os.environ.get("TRUST_EVALUATIONS", "12"))  # 200 and 20 once a release, see docs/guides/research.md
CORRECTIONS = int(os.environ.get("TRUST_CORRECTIONS", "3"))
BETTER = "[0, 0] The sum is wrong: it takes one too many, and so the last line does not follow from the two numbers."


@pytest.fixture
def researcher(site: Any) -> Any:
    return make_user("researcher@example.org", "researcher")


@pytest.fixture
def loop(researcher: Any) -> TrainingLoop:
    """Every second evaluation praises a wrong sum, and the audit that came along says so."""
    made = rado.open_loop(owner=researcher, title="Sums")
    records = [record(number, audit=AUDIT.format(1 - number % 2)) for number in range(EVALUATIONS)]
    given = rado.read_evaluations(records=records)
    iteration = rado.start_iteration(
        loop=made, owner=researcher, evaluations=given, reward_model="rm-1", audit_model="am-1"
    )
    assert rado.run(iteration=iteration, now=database_now()) == "done"
    return made


def test_people_correct_hard_samples_and_the_rows_validate(
    page: Page, sign_in: Callable[[Any], None], researcher: Any, loop: TrainingLoop, tmp_path: Path
) -> None:
    sign_in(researcher)
    page.goto(f"/research/rado/{loop.pk}")
    page.get_by_role("link", name="Correct the next of").click()
    page.wait_for_url("**/evaluations/**")
    look_at(page, page.url)
    for place in range(CORRECTIONS):
        expect(page.get_by_role("heading", name="Is this evaluation right?")).to_be_visible()
        if place % 2 == 0:
            page.get_by_label("A better evaluation").fill(BETTER)
            page.get_by_label("over derivation").check()
        address = page.url
        page.get_by_role("button", name="Keep").click()
        expect(page).not_to_have_url(address)
    assert Correction.objects.count() == CORRECTIONS
    assert Correction.objects.filter(confirms=True).count() == CORRECTIONS // 2
    assert set(Correction.objects.filter(confirms=False).values_list("tags__0", flat=True)) == {"over_derivation"}
    page.goto(f"/research/rado/{loop.pk}")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="DPO rows").click()
    rows = [json.loads(line) for line in Path(waiting.value.path()).read_text(encoding="utf-8").splitlines()]
    assert BETTER in {row["chosen"].replace("\n", " ") for row in rows}
    for task in Task:
        rows = list(training_rows(loop=loop, task=task))
        # This loop's items came as prompts: which of their words a policy wrote, nobody can tell.
        assert bool(rows) is (task is not Task.POLICY)
        for row in rows:
            check_row(row=row, task=task)
    look_at(page, f"/research/rado/{loop.pk}")


def test_a_study_is_a_few_screens_of_a_phone_and_its_contents_open_a_table(
    page: Page, sign_in: Callable[[Any], None], researcher: Any
) -> None:
    run = study_runs.ask(owner=researcher, study="policy_sweep", seed=1, full=False, options={})
    assert run_study(str(run.pk)) == "done"
    sign_in(researcher)
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(f"/research/studies/{run.pk}")
    assert page.evaluate("document.documentElement.scrollHeight") < 4 * 800
    table = page.get_by_role("region", name="Cost against accuracy", exact=True)
    expect(table).to_be_hidden()
    page.get_by_role("navigation", name="Tables on this page").get_by_role("link", name="Cost against accuracy").click()
    expect(table).to_be_visible()
    page.emulate_media(color_scheme="dark")
    look_at(page, page.url)


def test_two_charts_stand_below_each_other_on_a_phone_and_those_of_a_study_show_the_edge_of_the_next(
    page: Page, sign_in: Callable[[Any], None], researcher: Any, tmp_path: Path
) -> None:
    client = Client()
    client.force_login(researcher, backend="django.contrib.auth.backends.ModelBackend")
    votes = take_in(client, votes_file(tmp_path / "votes.csv", FLEISS)).redirect_chain[-1][0]
    run = study_runs.ask(owner=researcher, study="policy_sweep", seed=1, full=False, options={})
    assert run_study(str(run.pk)) == "done"
    sign_in(researcher)
    page.set_viewport_size({"width": 360, "height": 800})
    places = "[...document.querySelectorAll('.chart')].map((chart) => chart.getBoundingClientRect().left)"
    page.goto(votes)
    here, *others = page.evaluate(places)
    assert others == [here]
    page.goto(f"/research/studies/{run.pk}")
    here, following = page.evaluate(places)
    assert here < following < 360 - here  # what the margin of the page leaves


@sweep_of("test_people_correct_hard_samples_and_the_rows_validate")
def test_study_and_causal_pages_have_no_barrier(page: Page, sign_in: Callable[[Any], None], researcher: Any) -> None:
    run = study_runs.ask(owner=researcher, study="policy_sweep", seed=1, full=False, options={})
    assert run_study(str(run.pk)) == "done"
    batch = services.ask(owner=researcher, title="Shop", audits=[], public=1)
    assert services.run(batch=batch, now=database_now(), public=[("shop", SHOP)]) == "done"
    trial = batch.trials.first()
    assert trial is not None
    sign_in(researcher)
    for address in (
        f"/research/studies/{run.pk}",
        f"/research/causal/{batch.pk}",
        f"/research/causal/trials/{trial.pk}",
        "/research/causal",
    ):
        look_at(page, address)
