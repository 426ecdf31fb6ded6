"""The commands of the model tier."""

import io
import json
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command

from auditing.models import SoundnessThreshold
from hdag.models import ChatCall, Endpoint
from tests.doubles.chat_server import run_server


@pytest.fixture
def listed_server(monkeypatch):
    with run_server() as server:
        monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
        yield server


def run(*words, **options):
    out = io.StringIO()
    call_command(*words, stdout=out, **options)
    return out.getvalue()


@pytest.mark.django_db
def test_check_endpoint_says_what_works_and_what_it_cost(listed_server):
    Endpoint.objects.create(name="local", base_url=listed_server.url("oracle"), model="m-1", family="f", price_in=1)
    said = run("check_endpoint", "local")
    assert "json_schema  works" in said
    assert "tokens" in said
    assert "may see: segments only" in said
    assert not ChatCall.objects.filter(state="open").exists()


@pytest.mark.django_db
@pytest.mark.parametrize(("behaviour", "reason"), [("500", "server error"), ("redirect", "redirected")])
def test_check_endpoint_fails_with_the_reason(listed_server, behaviour, reason, capsys):
    Endpoint.objects.create(name="ill", base_url=listed_server.url(behaviour), model="m-1")
    with pytest.raises(CommandError, match="no usable answer"):
        call_command("check_endpoint", "ill")
    assert reason in capsys.readouterr().out


@pytest.mark.django_db
def test_an_unknown_or_unlisted_endpoint_is_refused(monkeypatch, capsys):
    with pytest.raises(CommandError, match="there are: none"):
        call_command("check_endpoint", "nobody")
    monkeypatch.delenv("TRUST_CHAT_ALLOWED_ORIGINS", raising=False)
    Endpoint.objects.create(name="inner", base_url="http://127.0.0.1:6379", model="m-1")
    with pytest.raises(CommandError):
        call_command("check_endpoint", "inner")
    assert "refused address" in capsys.readouterr().out


def test_soundness_of_a_file_by_the_computer_tier_alone(tmp_path):
    record = {"problem": "Anna has 17 pens. She buys 25 more.", "thinking": "So 17 + 25 = 43.\nThen 43 + 1 = 44."}
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(record))
    said = run("soundness", str(path))
    assert "local error" in said
    assert "does not certify that a claim is true" in said
    found = json.loads(run("soundness", str(path), json=True))
    assert min(claim["tau"] for claim in found["claims"]) == 0.0


@pytest.mark.django_db(transaction=True)
def test_soundness_asks_an_endpoint_where_checkers_are_silent(listed_server, tmp_path):
    Endpoint.objects.create(name="local", base_url=listed_server.url("oracle"), model="m-1", audit_cap=9)
    path = tmp_path / "trace.txt"
    path.write_text("Roses are red.\nTherefore violets are blue.")
    said = run("soundness", str(path), endpoint="local")
    assert "asked up to" in said
    assert ChatCall.objects.filter(account__startswith="command:soundness:").exists()


@pytest.mark.django_db(transaction=True)
def test_a_run_of_soundness_has_a_limit_of_its_own_and_pays_for_no_earlier_one(listed_server, tmp_path):
    row = Endpoint.objects.create(
        name="local", base_url=listed_server.url("oracle"), model="m-1", price_in=10, price_out=10, audit_cap=9
    )
    ChatCall.objects.create(endpoint=row, account="command:soundness", purpose="entailment", state="done", cost=9)
    path = tmp_path / "trace.txt"
    path.write_text("Roses are red.\nTherefore violets are blue.")
    with pytest.raises(CommandError, match="has spent"):
        run("soundness", str(path), endpoint="local", limit_money=Decimal("0.001"))
    assert not ChatCall.objects.filter(account__startswith="command:soundness:").exists()
    assert "asked up to" in run("soundness", str(path), endpoint="local", limit_money=Decimal(2))


@pytest.mark.django_db
def test_a_trial_pays_for_no_earlier_one(listed_server, capsys):
    row = Endpoint.objects.create(name="local", base_url=listed_server.url("oracle"), model="m-1", price_out=1)
    for account in ("check_endpoint", "probe"):
        ChatCall.objects.create(endpoint=row, account=account, purpose="probe", state="done", cost=2)
    call_command("check_endpoint", "local")
    assert "works: right answer" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "[", '{"problem": 3}'])
def test_a_bad_file_is_refused_by_name(tmp_path, text):
    path = tmp_path / "trace.json"
    path.write_text(text)
    with pytest.raises(CommandError, match=r"trace\.json"):
        call_command("soundness", str(path))


@pytest.mark.django_db
def test_a_threshold_is_measured_on_public_labels_and_stored_with_its_data(tmp_path, settings):
    if not (settings.STUDY_DATA_DIR / "processbench").is_dir():
        pytest.skip("the public labelled traces are not beside this checkout")
    options = ["file=gsm8k", "chains=12", "store=yes"]
    said = run("study", "soundness", option=options, out=tmp_path, data=settings.STUDY_DATA_DIR)
    row = SoundnessThreshold.objects.get()
    assert (row.model, row.data, row.chains) == ("computer tier", "processbench gsm8k", 12)
    assert f"{row.threshold:.4g}" in said
    assert len(row.body["folds"]) == 5


def test_of_several_files_the_best_is_named(tmp_path):
    names = []
    for number in (43, 42):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps({"problem": "Anna has 17 pens and 25 more.", "thinking": f"So 17 + 25 = {number}."}))
        names.append(str(path))
    said = run("soundness", *names)
    assert f"best by mean: {names[1]}" in said
    assert f"best by last claim: {names[1]}" in said


def test_traces_of_different_problems_do_not_compete_and_false_alarms_are_said_once(tmp_path):
    path = tmp_path / "traces.jsonl"
    lines = [{"problem": f"Anna has {n} pens and 25 more.", "thinking": f"So {n} + 25 = {n + 25}."} for n in (1, 2, 3)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    said = run("soundness", str(path))
    assert said.count("right steps of PARC") == 1
    assert "best by" not in said
