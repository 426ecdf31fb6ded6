"""The research pages: agreement from import to page, quality, studies as jobs, and what each says when it cannot."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from auditing.models import Posting
from auditing.research.exports import services
from auditing.research.exports.selectors.scope import Filters
from auditing.research.models import ImportedVote, ImportedVoteSet, StudyRun
from auditing.research.tasks import run_study
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db
DATA = Path(__file__).parents[3] / "shared" / "data"
public = pytest.mark.skipif(not DATA.is_dir(), reason="../shared/data is not here")
FLEISS = [  # Fleiss (1971) has 14 votes an item; here 3 people, 10 items, counted by hand below
    "ppp",
    "ppp",
    "pff",
    "fff",
    "ppf",
    "ppp",
    "fff",
    "pfp",
    "ppp",
    "fff",
]


@pytest.fixture
def client() -> Client:
    made = Client()
    made.force_login(
        make_user("researcher@example.org", "researcher"), backend="django.contrib.auth.backends.ModelBackend"
    )
    return made


def votes_file(path: Path, sheets: list[str]) -> Path:
    lines = ["item,who,says,sure"]
    for number, sheet in enumerate(sheets):
        lines += [
            f"i{number},p{who},{ {'p': 'Pass', 'f': 'wrong'}[mark] },0.{who + 7}" for who, mark in enumerate(sheet)
        ]
    path.write_text("\n".join(lines) + "\n")
    return path


def take_in(client: Client, path: Path, **said: str) -> Any:
    mapping = {"column_item": "item", "column_auditor": "who", "column_choice": "says", "column_confidence": "sure"}
    with path.open("rb") as file:
        form = {"file": file, "layout": "columns", "tier": "human", **mapping, **said}
        return client.post("/research/votes", form, follow=True)


def test_a_small_table_by_hand_from_import_to_page(client: Client, tmp_path: Path) -> None:
    page = take_in(client, votes_file(tmp_path / "v.csv", FLEISS))
    rows = {row[1]: row for row in page.context["tables"][0].rows}
    # 17 of 30 votes pass: P_e = (17/30)^2 + (13/30)^2; 7 items agree wholly, 3 agree in 1 pair of 3: P = (7 + 1) / 10
    expected = (0.8 - (17**2 + 13**2) / 900) / (1 - (17**2 + 13**2) / 900)
    assert rows["Fleiss kappa"][4] == pytest.approx(expected, abs=1e-12)
    assert rows["Fleiss kappa"][2:4] == [10, 30]
    # AC1: P_e = sum pi (1 - pi) / (2 - 1)
    chance = 2 * (17 / 30) * (13 / 30)
    assert rows["Gwet AC1"][4] == pytest.approx((0.8 - chance) / (1 - chance), abs=1e-12)
    text = client.get(page.redirect_chain[-1][0] + "?csv=1").content.decode()
    assert text.splitlines()[1].startswith("pass or fail,Fleiss kappa,10,30,")


def test_too_few_items_are_a_sentence_and_no_number(client: Client, tmp_path: Path) -> None:
    page = take_in(client, votes_file(tmp_path / "v.csv", FLEISS[:9]))
    assert "Not shown: only 9 of the at least 10 items" in page.content.decode()
    assert {row[4] for row in page.context["tables"][0].rows} == {None}


def test_a_wrong_line_is_named_and_nothing_is_taken_in(client: Client, tmp_path: Path) -> None:
    path = votes_file(tmp_path / "v.csv", FLEISS)
    path.write_text(path.read_text() + "i1,p0,pass,0.9\ni2,p9,maybe,0.9\ni3,p9,pass,3\n,p9,pass,1\n")
    page = take_in(client, path).content.decode()
    for words in (
        "record 31: p0 has voted on i1 before",
        "record 32: column says",
        "record 33: column sure",
        "record 34",
    ):
        assert words in page
    assert not ImportedVoteSet.objects.exists()


def test_the_same_votes_twice_are_one_set_and_can_be_taken_away(client: Client, tmp_path: Path) -> None:
    path = votes_file(tmp_path / "v.csv", FLEISS)
    take_in(client, path)
    assert "taken in before" in take_in(client, path).content.decode()
    made = ImportedVoteSet.objects.get()
    assert client.post(f"/research/votes/{made.pk}/forget").status_code == 302
    assert not ImportedVote.objects.exists()


@public
def test_medical_annotators_from_file_to_page_to_export(client: Client, settings: Any, tmp_path: Path) -> None:
    settings.EXPORT_DIR = tmp_path
    raw = DATA / "usmle_gpt4_errors" / "raw_annotator_level.jsonl"
    call_command("import_votes", str(raw), "--layout", "usmle_gpt4_errors", "--owner", "researcher@example.org")
    made = ImportedVoteSet.objects.get()
    page = client.get(f"/research/votes/{made.pk}")
    assert "Sticking with the wrong diagnosis" in page.content.decode()
    assert page.context["tables"][0].rows[1][4] == pytest.approx(_study_ac1(), abs=1e-12)
    rows = list(services.rows_of(owner=made.owner, dataset="votes", filters=Filters(imported="only"), salt="s"))
    assert len(rows) == ImportedVote.objects.count() > 100
    assert all(row["is_imported"] and row["committed_at"] is None for row in rows)
    assert not list(services.rows_of(owner=made.owner, dataset="votes", filters=Filters(), salt="s"))
    assert not Posting.objects.exists()


def _study_ac1() -> float:
    from auditing.research.studies.agreement import run_agreement
    from auditing.research.studies.instruments.runner import Run

    return float(run_agreement(Run(data=DATA)).tables[0].rows[0][3])  # type: ignore[arg-type]


@public
def test_judges_of_a_public_set_are_imported_with_their_reasons(client: Client) -> None:
    files = sorted(str(path) for path in (DATA / "mr_gsm8k_partial").glob("*.jsonl"))
    call_command("import_votes", *files, "--layout", "mr_gsm8k", "--tier", "llm", "--owner", "researcher@example.org")
    made = ImportedVoteSet.objects.get()
    assert made.votes.values("auditor").distinct().count() >= 3
    assert made.votes.filter(reason__isnull=False).exists()
    assert client.get(f"/research/votes/{made.pk}").status_code == 200


def test_every_page_stands_in_an_empty_house(client: Client) -> None:
    for url in ("", "/agreement", "/quality", "/quality?truth=consensus", "/votes", "/studies", "/exports"):
        assert client.get(f"/research{url}").status_code == 200, url
    assert b"tier" in client.get("/research/agreement?tier=nobody").content


def test_a_study_runs_as_a_job_and_its_report_is_drawn(client: Client) -> None:
    page = client.post("/research/studies", {"study": "trace_rules", "seed": "3", "options": ""}, follow=True)
    assert b"Waiting for a worker" in page.content
    run = StudyRun.objects.get()
    assert run_study(str(run.pk)) == "done"
    assert run_study(str(run.pk)) == "done"
    url = f"/research/studies/{run.pk}"
    page = client.get(url)
    assert page.context["tables"][0].title in page.content.decode()
    figures = json.loads(client.get(f"{url}.json").content)
    assert (figures["seed"], figures["study"]) == (3, "trace_rules")
    assert client.get(f"{url}?csv=1")["Content-Type"].startswith("text/csv")


def test_a_simulated_study_says_so_on_the_page_and_in_every_file(client: Client) -> None:
    client.post("/research/studies", {"study": "trace_rules", "seed": "3", "options": ""})
    run = StudyRun.objects.get()
    run_study(str(run.pk))
    url = f"/research/studies/{run.pk}"
    for address in (url, f"{url}.html"):
        assert b"Simulated: traces of twelve segments" in client.get(address).content, address
    assert json.loads(client.get(f"{url}.json").content)["simulated"]
    head, *rows = client.get(f"{url}?csv=1").content.decode().splitlines()
    assert head.endswith(",study")
    assert all(row.endswith(",simulated") for row in rows)


def test_missing_data_is_a_plain_sentence_on_page_and_command(
    client: Client, settings: Any, tmp_path: Path, capsys: Any
) -> None:
    settings.STUDY_DATA_DIR = tmp_path
    client.post("/research/studies", {"study": "agreement", "seed": "1"})
    run = StudyRun.objects.get()
    assert run_study(str(run.pk)) == "failed"
    assert "usmle_gpt4_errors is not in" in client.get(f"/research/studies/{run.pk}").content.decode()
    with pytest.raises(CommandError, match="measured nothing") as raised:
        call_command("study", "agreement", "--data", str(tmp_path))
    assert raised.value.returncode == 2
    assert capsys.readouterr().out.startswith("not measured: usmle_gpt4_errors is not in")


def test_every_registered_study_can_be_asked_for(client: Client) -> None:
    page = client.get("/research/studies").content.decode()
    for name in (
        "dag_math",
        "segmentation",
        "faithfulness",
        "policy_sweep",
        "attribution",
        "consistency",
        "complexity",
        "benchmark",
        "table1",
        "adversaries",
        "claimtrees",
        "bias",
    ):
        assert f"study={name}" in page, name
