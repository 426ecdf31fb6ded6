"""A program holds in memory what it works with, and nothing of what the others need."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.tools.patience import PATIENCE

ROOT = Path(__file__).parents[2]
BEAT = "from trustweb.celery import app; app.loader.init_worker(); app.finalize(); assert app.conf.beat_schedule"
SETUP = "import django; django.setup(); "
PROGRAMS = "import auditing.tasks, trustweb.urls, trustweb.management.commands.revealer, "
PROGRAMS += "trustweb.management.commands.sequencer"


def loaded_by(code: str, **environment: str) -> set[str]:
    """The modules that a program of this code has loaded."""
    command = [sys.executable, "-W", "ignore", "-c", f"{code}; import sys; print(*sys.modules)"]
    told = os.environ | {"DJANGO_SETTINGS_MODULE": "trustweb.settings_test"} | environment
    return set(subprocess.check_output(command, cwd=ROOT, env=told, text=True, timeout=PATIENCE).split())


def test_beat_knows_the_schedule_and_loads_no_model_and_no_task() -> None:
    loaded = loaded_by(BEAT, TRUST_SENDS_ONLY="1")
    assert "trustweb.schedule" in loaded
    assert not {"auditing.tasks", "auditing.models", "django.db.models.sql.query"} & loaded


def test_parquet_computer_algebra_and_clients_of_models_are_loaded_where_they_are_used() -> None:
    """All programs in one interpreter: what none of them loads stands nowhere."""
    assert not {"pyarrow", "sympy", "pandas", "openai"} & loaded_by(SETUP + PROGRAMS)


def test_a_fork_finds_no_free_place_between_what_its_parent_imported() -> None:
    fill = "import json; from trustweb.serve import warm; kept = warm.fill_holes(); "
    program = f"{fill} print(json.dumps(warm._free_places()))"
    command = [sys.executable, "-c", program]
    left = json.loads(subprocess.check_output(command, cwd=ROOT, text=True, timeout=PATIENCE))
    # What is free then lies together: the rest of one pool of 16 KiB, which a new object of that size has opened.
    assert {size: free for size, free in left.items() if free > 16_384 // int(size)} == {}
    assert len(left) >= 32
