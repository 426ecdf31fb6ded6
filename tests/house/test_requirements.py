"""The requirements: everything pinned, nothing missing, every direct dependency explained."""

import importlib.metadata
import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
HASH = re.compile("sha256:[0-9a-f]{64}")


def read(name):
    lines = (ROOT / name).read_text().splitlines()
    return [line for line in lines if line and not line.startswith(("#", "-r"))]


def pins():
    requirements = [Requirement(line.split("#")[0]) for line in read("requirements.txt") + read("requirements-dev.txt")]
    return {canonicalize_name(requirement.name): requirement for requirement in requirements}


def needs(requirement):
    for line in importlib.metadata.distribution(requirement.name).requires or []:
        need = Requirement(line)
        wanted = [{"extra": extra} for extra in requirement.extras] or [{"extra": ""}]
        if need.marker is None or any(need.marker.evaluate(one) for one in wanted):
            yield canonicalize_name(need.name)


def test_every_requirement_is_pinned():
    assert [str(pin) for pin in pins().values() if not str(pin.specifier).startswith("==")] == []


def test_what_the_requirements_need_is_pinned_too():
    known = pins()
    assert {need for requirement in known.values() for need in needs(requirement)} - set(known) == set()


def test_every_direct_requirement_says_what_needs_it():
    for name in ("requirements.txt", "requirements-dev.txt"):
        direct = (ROOT / name).read_text().split("# Needed by the above")[0].splitlines()[1:]
        assert [line for line in direct if line and "#" not in line and not line.startswith("-r")] == []


def locked(name):
    """Package -> (version, hashes) of a lock."""
    lines = (ROOT / ".ci" / f"{name}.lock").read_text().splitlines()
    rows = {}
    for line in lines:
        pin, *hashes = line.split(" --hash=")
        requirement = Requirement(pin)
        rows[canonicalize_name(requirement.name)] = (str(requirement.specifier), hashes)
    return rows


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_every_pinned_package_has_its_hashes(name):
    """`make hashes` writes them anew after a line of the requirements was changed."""
    own = {canonicalize_name(Requirement(line.split("#")[0]).name) for line in read("requirements.txt")}
    wanted = {key: str(pin.specifier) for key, pin in pins().items() if name == "requirements-dev" or key in own}
    assert {key: version for key, (version, _) in locked(name).items()} == wanted
    assert all(hashes and all(HASH.fullmatch(text) for text in hashes) for _, hashes in locked(name).values())


def test_what_installs_the_packages_has_its_hashes_too():
    [(version, hashes)] = locked("uv").values()
    assert f"uv{version}" in (ROOT / ".ci" / "lock").read_text()
    assert hashes
    assert all(HASH.fullmatch(text) for text in hashes)


def test_a_package_is_installed_by_its_hash_alone():
    installer = (ROOT / ".ci" / "make-venv").read_text().replace("\\\n", "")
    installs = [line for line in installer.splitlines() if re.search(r"\bpip install ", line)]
    assert len(installs) == 3  # uv by pip, the packages by uv, and by pip where uv cannot
    assert [line for line in installs if "--require-hashes" not in line] == []
    assert "--require-hashes -r" in (ROOT / "Dockerfile").read_text()
