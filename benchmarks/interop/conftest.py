"""Pythons with other people's programs, for the tests of this folder."""

import os
import subprocess
import sys

import pytest


@pytest.fixture(scope="module")
def python(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The Python that the module's variable GIVEN names, else one of its own with what the module has in WANTED."""
    given = os.environ.get(request.module.GIVEN)
    if given:
        return given
    folder = tmp_path_factory.mktemp("python")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    wanted = request.module.WANTED
    installed = subprocess.run([folder / "bin/pip", "install", "-q", *wanted], capture_output=True, text=True)
    if installed.returncode:
        pytest.skip(f"{', '.join(wanted)} cannot be installed here: {installed.stderr[-300:]}")
    return str(folder / "bin/python")
