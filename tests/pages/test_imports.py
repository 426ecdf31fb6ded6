"""Importing: a preview, fields of others, good lines in and bad lines out, the own id of a provider, whose campaign."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from auditing.models import Audit, Campaign
from auditing.research.campaigns.services.campaigns import name_people, open_campaign
from auditing.services.intake.submission import CampaignClosedError
from hdag.models import Trace
from hdag.readers.mapping import PRESETS, rename, suggest
from hdag.selectors import load_trace
from tests.factories.worlds import World, make_user
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
GSM = {"question": "What is 2 + 2?", "answer": "2 + 2 = <<2+2=4>>4\n#### 4"}
OWN = {"id": "run-7/12", "problem": "What is 3 + 3?", "steps": ["3 + 3 = 6"], "answer": "6"}
BAD = b'{"problem": 7,  "answer": "2"}'
MIXED = json.dumps(OWN).encode() + b"\n" + BAD + b"\nnonsense\n"


@pytest.fixture
def client(idle_hens: World) -> Client:
    return signed_in(idle_hens.provider)


def send(client: Client, world: World, body: bytes, button: str = "", **fields: str) -> Any:
    file = SimpleUploadedFile("t.jsonl", body)
    buttons = {button: "1"} if button else {}
    return client.post("/submit/file", {"campaign": str(world.campaign.pk), "file": file, **buttons, **fields})


def test_a_preview_shows_what_is_read_and_stores_nothing(idle_hens: World, client: Client) -> None:
    answer = send(client, idle_hens, MIXED, "preview")
    body = " ".join(answer.content.decode().split())
    assert answer.status_code == 200
    assert "1 line can be read, 2 cannot" in body
    assert "run-7/12" in body
    assert "line 2, problem: must be text" in body
    assert not Trace.objects.exists()


def test_one_audit_is_told_of_as_one(idle_hens: World, client: Client) -> None:
    single = json.dumps(GSM).encode()
    send(client, idle_hens, single, preset="GSM8K")
    assert "1 audit opened; 0 traces were known already." in client.get("/audits").content.decode()
    send(client, idle_hens, single, preset="GSM8K")
    assert "0 audits opened; 1 trace was known already." in client.get("/audits").content.decode()


def test_good_lines_go_in_and_the_bad_ones_come_back_byte_for_byte(idle_hens: World, client: Client) -> None:
    assert "1 audit opened" in " ".join(send(client, idle_hens, MIXED, "good").content.decode().split())
    assert Audit.objects.count() == 1
    bad = send(client, idle_hens, MIXED, "bad")
    assert bad.content == BAD + b"\nnonsense\n"
    assert bad["Content-Disposition"].startswith("attachment")
    assert bad["Content-Type"] == "application/octet-stream"
    again = " ".join(send(client, idle_hens, MIXED, "preview").content.decode().split())
    assert "0 new traces; 1 known already" in again


def test_without_a_button_a_file_is_still_taken_whole_or_not_at_all(idle_hens: World, client: Client) -> None:
    assert send(client, idle_hens, MIXED).status_code == 400
    assert not Trace.objects.exists()
    assert send(client, idle_hens, json.dumps(OWN).encode()).status_code == 302


def test_a_known_data_set_is_offered_and_read(idle_hens: World, client: Client) -> None:
    line = json.dumps(GSM).encode()
    assert "It looks like <strong>GSM8K</strong>" in send(client, idle_hens, line, "preview").content.decode()
    send(client, idle_hens, line, "good", preset="GSM8K")
    trace = load_trace(Trace.objects.get())
    assert (trace.problem, trace.thinking, trace.answer) == (GSM["question"], GSM["answer"], "")
    assert Trace.objects.get().domain == "school maths"


def test_a_typed_field_goes_before_the_preset(idle_hens: World, client: Client) -> None:
    line = json.dumps(GSM | {"meta": {"n": 9}}).encode()
    send(client, idle_hens, line, "good", preset="GSM8K", map_id="meta.n", map_domain="=medicine")
    row = Trace.objects.get()
    assert (row.external_id, row.domain) == ("9", "medicine")


def test_a_script_is_given_the_steps_alone(idle_hens: World, client: Client) -> None:
    file = SimpleUploadedFile("t.gz", b"PK")
    fields = {"campaign": str(idle_hens.campaign.pk), "file": file, "preview": "1"}
    body = client.post("/submit/file", fields, headers={"HX-Request": "true"}).content.decode()
    assert body.lstrip().startswith('<div id="steps"')
    assert "must end in .jsonl" in body


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_found_by_a_record_of_its_own_fields(name: str) -> None:
    record: dict[str, Any] = {}
    for path in PRESETS[name].values():
        for source in [] if path.startswith("=") else path.split(" & "):
            first, *rest = source.split(".")
            value: Any = "text"
            for step in reversed(rest):
                value = [value] if step in ("*", "0") else {step: value}
            record[first] = {**record.get(first, {}), **value} if isinstance(value, dict) else value
    assert suggest(record) == name
    renamed = rename(record, mapping=PRESETS[name], where="line 1")
    assert set(PRESETS[name]) <= set(renamed)  # type: ignore[call-overload]


def test_hostile_paths_find_nothing() -> None:
    deep: Any = "x"
    for _ in range(200):
        deep = {"a": deep}
    for path in ("a." * 99, "*.*.*", "0.0", "=", " & ", "9" * 400, "a.²"):
        rename({"a": deep, "problem": "p"}, mapping={"title": path}, where="line 1")


def test_the_providers_id_is_kept_shown_searched_and_in_the_report(idle_hens: World, client: Client) -> None:
    send(client, idle_hens, json.dumps(OWN).encode())
    audit = Audit.objects.get()
    assert audit.trace.external_id == "run-7/12"
    assert audit in client.get("/audits", {"q": "RUN-7"}).context["page"].rows
    assert audit not in client.get("/audits", {"q": "run-8"}).context["page"].rows
    assert "run-7/12" in client.get("/audits").content.decode()
    assert "run-7/12" in client.get(f"/audits/{audit.pk}/report").content.decode()
    assert client.get(f"/audits/{audit.pk}/report.json").json()["external_id"] == "run-7/12"


def post_trace(client: Client, **body: object) -> Any:
    return client.post("/api/v1/traces", json.dumps({**OWN, **body}), content_type="application/json")


def test_without_a_campaign_the_only_open_one_is_taken_and_none_of_several(idle_hens: World, client: Client) -> None:
    assert post_trace(client).status_code == 201
    second = open_campaign(title="Ducks", owner=idle_hens.campaign.owner, policy=idle_hens.campaign.policy)
    refused = post_trace(client, problem="What is 4 + 4?")
    assert refused.status_code == 400
    assert f"{second.pk} (Ducks)" in refused.json()["detail"]
    assert post_trace(client, problem="What is 4 + 4?", campaign=str(second.pk)).status_code == 201


def test_a_campaign_takes_traces_of_the_providers_it_names_only(idle_hens: World, client: Client) -> None:
    other = make_user("other@example.org", "provider")
    admin = idle_hens.campaign.owner
    assert name_people(campaign=idle_hens.campaign, role="provider", emails=["nobody@x.org"], actor=admin)
    assert not name_people(campaign=idle_hens.campaign, role="provider", emails=[other.email], actor=admin)
    named = str(idle_hens.campaign.pk)
    refused = post_trace(client, campaign=named)
    assert (refused.status_code, refused.json()["code"]) == (409, "CampaignClosed")
    assert "no campaign is open to you" in post_trace(client).json()["detail"]
    assert "No campaign is open to you" in client.get("/submit/file").content.decode()
    assert post_trace(signed_in(other)).status_code == 201
    with pytest.raises(CampaignClosedError):
        World(idle_hens.provider, [], Campaign.objects.get(pk=named)).submit()
    assert not name_people(campaign=idle_hens.campaign, role="provider", emails=[], actor=admin)
    assert post_trace(client, campaign=named, problem="What is 5?").status_code == 201


def test_an_admin_names_providers_on_the_page_of_the_campaign(idle_hens: World) -> None:
    admin = signed_in(idle_hens.campaign.owner)
    address = f"/campaigns/{idle_hens.campaign.pk}"
    admin.post(f"{address}/edit", {"providers": idle_hens.provider.email})
    assert list(idle_hens.campaign.providers.all()) == [idle_hens.provider]
    assert "1 named" in admin.get(address).content.decode()


def test_the_command_runs_dry_maps_fields_and_writes_bad_lines_to_a_file(idle_hens: World, tmp_path: Any) -> None:
    file, bad, who = tmp_path / "t.jsonl", tmp_path / "bad.jsonl", idle_hens.provider.email
    file.write_bytes(json.dumps(GSM).encode() + b"\n" + BAD)
    call_command("import_traces", file, provider=who, preset="GSM8K", dry_run=True)
    assert not Trace.objects.exists()
    call_command("import_traces", file, provider=who, map=["problem=question", "thinking=answer"], bad=bad)
    assert Trace.objects.count() == 1
    assert bad.read_bytes() == BAD + b"\n"
    with pytest.raises(CommandError, match="is the file itself"):
        call_command("import_traces", bad, provider=who, bad=bad)
    with pytest.raises(CommandError, match="--map takes"):
        call_command("import_traces", file, provider=who, map=["poem=question"])


TYPO = json.dumps(OWN | {"problme": "What?", "notes": {"by": "x"}, "empty": ""}).encode()
LEFT_ALONE = "Left alone, not being fields of a trace: problme, notes."


def test_fields_that_are_not_read_are_named_once_in_the_preview(idle_hens: World, client: Client) -> None:
    body = send(client, idle_hens, TYPO + b"\n" + TYPO.replace(b"run-7/12", b"run-8"), "preview").content.decode()
    assert body.count(LEFT_ALONE) == 1
    assert LEFT_ALONE in send(client, idle_hens, TYPO, "good").content.decode()


def test_fields_that_are_not_read_are_named_when_a_file_is_taken_whole(idle_hens: World, client: Client) -> None:
    send(client, idle_hens, TYPO)
    assert f"1 audit opened; 0 traces were known already. {LEFT_ALONE}" in client.get("/audits").content.decode()


def test_fields_that_are_not_read_are_named_on_the_command_line(
    idle_hens: World, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "t.jsonl"
    file.write_bytes(TYPO)
    call_command("import_traces", str(file), provider=idle_hens.provider.email)
    told = capsys.readouterr()
    assert (told.err.count(LEFT_ALONE), told.out) == (1, "1 audit opened; 0 traces were known already.\n")


def test_a_field_that_a_mapping_reads_is_not_named(idle_hens: World, client: Client) -> None:
    line = json.dumps(GSM | {"split": "train"}).encode()
    body = send(client, idle_hens, line, "preview", preset="GSM8K").content.decode()
    assert "not being fields of a trace: split." in body


@pytest.mark.parametrize("body", [b"", b"\n \n", b"\xef\xbb\xbf\n"], ids=["nothing", "blanks", "a mark"])
def test_an_empty_file_is_called_empty(idle_hens: World, client: Client, body: bytes) -> None:
    for button in ("preview", "good", ""):
        assert "file is empty" in send(client, idle_hens, body, button).content.decode()
    admin = signed_in(idle_hens.campaign.owner)
    gold = admin.post("/gold", {"file": SimpleUploadedFile("g.jsonl", body)})
    assert "the file is empty: it holds no gold segment" in gold.content.decode()
    bundle = Client().post("/verify", {"file": SimpleUploadedFile("b.json", body)})
    assert (bundle.status_code, "The file is empty." in bundle.content.decode()) == (400, True)
