"""docker-compose.yml and the Dockerfile, checked without an engine."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from trustweb import keys

ROOT = Path(__file__).resolve().parents[2]
OURS = {"migrate", "web", "worker", "beat", "sequencer", "revealer"}
HOLDERS = {
    "database_owner_url": {"migrate"},
    "database_sequencer_url": {"migrate", "sequencer"},
    "ledger_signing_key": {"sequencer"},
    "reveal_key": {"revealer"},
    "receipt_key": {"web"},
    "postgres_password": {"postgres"},
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


@pytest.mark.parametrize(("secret", "holders"), HOLDERS.items())
def test_a_private_secret_is_mounted_by_its_holder_only(compose, secret, holders):
    assert {name for name, service in compose["services"].items() if secret in service.get("secrets", [])} == holders


def test_every_private_key_of_the_system_has_its_holder(compose):
    """What `serve` hands to one program alone, the containers hand to that one too."""
    for name, program in keys.HOLDERS.items():
        given = {
            service for service, said in compose["services"].items() if f"{name}_FILE" in said.get("environment", {})
        }
        assert given == {program}, name


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
