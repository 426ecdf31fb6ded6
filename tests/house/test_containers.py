"""docker-compose.yml and the Dockerfile, checked without an engine."""

import ast
import functools
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from trustweb import keys

ROOT = Path(__file__).resolve().parents[2]
OURS = {"migrate", "web", "worker", "beat", "sequencer", "revealer"}
IMAGE = "the image sets it"
OF_CLIENTS = ("TRUST_TOKEN",)
OF_TESTS = ("PATH", "PYTEST_XDIST_WORKER", "TRUST_CHAT_RECORD", "TRUST_CRASH_AT", "TRUST_CRASH_MARKS")
ELSEWHERE = {
    "STATIC_ROOT": IMAGE,
    "TRUST_MANIFEST": IMAGE,
    "TRUST_RUN_DIR": IMAGE,
    "EMAIL_HOST_PASSWORD": "private.env",
    "UVICORN_SSL_CERTFILE": "of an operator whose proxy is on another machine",
    **dict.fromkeys(
        ("ANCHOR_BACKEND", "ANCHOR_CONFIRMATIONS", "ANCHOR_CONTRACT", "ANCHOR_KEY", "ANCHOR_RPC_URL"),
        "the anchor's packages are no part of the image",
    ),
    **dict.fromkeys(
        (
            "DEBUG",
            "SECURE_HSTS_SECONDS",
            "SECURE_SSL_REDIRECT",
            "EMAIL_BACKEND",
            "STUDY_DATA_DIR",
            "TRUST_BREACHED_PASSWORDS",
            "TRUST_REDIS_PREFIX",
        ),
        "its default is right here",
    ),
    "LEDGER_ML_DSA_KEY": "the second signature is off by default",
    **dict.fromkeys(OF_TESTS, "for tests"),
    **dict.fromkeys(OF_CLIENTS, "for whoever hands traces in from a shell"),
}


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())


def test_the_file_follows_the_compose_specification():
    checked = subprocess.run(
        [
            Path(sys.executable).parent / "check-jsonschema",
            "--builtin-schema",
            "vendor.compose-spec",
            "docker-compose.yml",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout


def test_every_reference_leads_somewhere(compose):
    services = compose["services"]
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
        assert set(service.get("secrets", [])) <= set(compose["secrets"])
        named = {volume.split(":")[0] for volume in service.get("volumes", [])}
        assert named <= set(compose["volumes"])
        files = (
            [value for name, value in service["environment"].items() if name.endswith("_FILE")]
            if "environment" in service
            else []
        )
        assert {Path(file).name for file in files} <= set(service.get("secrets", []))


def given(service):
    """The secrets that a service is handed, by the name under which its program reads them."""
    return {name.removesuffix("_FILE") for name in service.get("environment", {}) if name.endswith("_FILE")}


@pytest.mark.parametrize("program", keys.NEEDS)
def test_every_program_is_given_exactly_the_secrets_that_it_needs(compose, program):
    service = compose["services"][program]
    assert service["environment"]["TRUST_PROGRAM"] == program
    assert given(service) == keys.NEEDS[program]
    mounted = {Path(value).name for name, value in service["environment"].items() if name.endswith("_FILE")}
    assert set(service["secrets"]) == mounted


def test_the_private_keys_of_the_system_have_the_same_holders_here_as_under_serve(compose):
    for name, program in keys.HOLDERS.items():
        assert {who for who, service in compose["services"].items() if name in given(service)} == {program}, name
    postgres = {
        who for who, service in compose["services"].items() if "postgres_password" in service.get("secrets", [])
    }
    assert postgres == {"postgres"}


@functools.cache
def read_variables():
    """Every variable that our programs read from the environment, by their own words."""
    files = [path for room in ("trustweb", "accounts", "hdag", "auditing") for path in (ROOT / room).rglob("*.py")]
    sources = [source for path in files if re.search(r"\benv\.|environ|_text\(", source := path.read_text())]
    calls = [node for source in sources for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    found = {
        call.args[0].value
        for call in calls
        if call.args
        and isinstance(call.args[0], ast.Constant)
        and re.fullmatch(r"env\.\w+|os\.environ\.get|(get|find)_text", ast.unparse(call.func))
    }
    return {name for name in found if isinstance(name, str)}


def test_every_variable_is_given_to_a_container_or_has_its_place_elsewhere(compose):
    services = [compose["services"][name] for name in OURS]
    told = {name.removesuffix("_FILE") for service in services for name in service["environment"]}
    read = read_variables()
    assert told <= read, "the containers are told something that nobody reads"
    assert read - told == set(ELSEWHERE)


def test_the_guide_names_every_variable_that_an_operator_may_set():
    guide = (ROOT / "docs" / "guides" / "operating.md").read_text()
    missing = {name for name in read_variables() - {*OF_TESTS, *OF_CLIENTS} if f"`{name}`" not in guide}
    assert not missing


def test_what_the_env_file_may_hold_is_what_the_containers_are_told(compose):
    """Each `${NAME}` reaches a program under its own name, and the guide names it: none is set for nothing."""
    text, guide = (ROOT / "docker-compose.yml").read_text(), (ROOT / "docs" / "guides" / "operating.md").read_text()
    passed = set(re.findall(r"\$\{(\w+)", text)) - {"TRUST_HOST"}
    told = {name for name in OURS for name in compose["services"][name]["environment"]}
    assert passed <= told
    assert {name for name in passed if f"`{name}`" not in guide} == set()


def test_files_that_several_programs_share_lie_on_a_volume_of_theirs(compose):
    for variable, sharers in {
        "EXPORT_DIR": {"web", "worker"},
        "BLOCK_DIR": {"web", "worker", "revealer"},
        "LEDGER_DIR": {"web", "worker", "sequencer"},
    }.items():
        for name in sharers:
            service = compose["services"][name]
            mounts = {one.split(":")[1]: one.split(":")[0] for one in service["volumes"]}
            assert mounts[service["environment"][variable]] == service["environment"][variable].strip("/"), name
    assert [one for one in compose["services"]["sequencer"]["volumes"] if one.endswith(":ro")] == []


def test_only_the_web_server_is_asked_for_its_health_by_the_image(compose):
    asked = {name for name in OURS if compose["services"][name].get("healthcheck") != {"disable": True}}
    assert asked == {"web", "migrate"}  # migrate ends before anybody asks


def test_the_witness_has_its_own_storage_and_no_secret(compose):
    witness = compose["services"]["witness"]
    assert "secrets" not in witness
    assert "environment" not in witness
    holders = {
        name
        for name, service in compose["services"].items()
        for one in service.get("volumes", [])
        if one.startswith("witness:")
    }
    assert holders == {"witness"}
    assert "ledger:/ledger:ro" in witness["volumes"]


def test_every_program_runs_in_production_without_rights(compose):
    for name in OURS:
        service = compose["services"][name]
        assert service["environment"]["TRUST_MODE"] == "production"
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]


def test_only_the_web_server_is_reachable_and_only_from_this_machine(compose):
    ports = {name: service["ports"] for name, service in compose["services"].items() if "ports" in service}
    assert ports == {"web": ["127.0.0.1:8000:8000"]}


def test_every_management_command_in_the_file_exists(compose):
    from django.core.management import get_commands

    commands = {
        service["command"][2] for service in compose["services"].values() if "manage.py" in service.get("command", [])
    }
    assert commands - set(get_commands()) == set()


def test_the_image_copies_what_exists_and_runs_as_nobody_special():
    text = (ROOT / "Dockerfile").read_text()
    for source in re.findall(r"^COPY (?!--)(\S+)", text, flags=re.MULTILINE):
        assert (ROOT / source).exists(), source
    assert re.search(r"^USER trust$", text, flags=re.MULTILINE)
    assert "HEALTHCHECK" in text
