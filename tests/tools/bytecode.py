"""What was compiled is kept beside its source, whatever the machine says; loaded by `-p` in pyproject.toml.

Images of Python often set PYTHONDONTWRITEBYTECODE. A run of all tests starts hundreds of interpreters, and with that
setting each of them compiles the whole project again, and each test process the assertions of all test files.
"""

import contextlib
import importlib
import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """For this process and for all that it starts."""
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Where several processes collect the same files, each begins with a share that the others will find compiled."""
    worker = getattr(session.config, "workerinput", None)
    if worker is None:
        return
    named = [ROOT / name.split("::")[0] for name in session.config.args]
    files = sorted(path for place in named for path in place.rglob("test_*.py"))
    for path in files[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
        # What cannot be imported, or skips itself, is reported by the collector, which tries again.
        with contextlib.suppress(Exception, pytest.skip.Exception):
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
