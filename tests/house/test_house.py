"""The house tests itself: arrows, sizes, names, templates, documents (house.md)."""

import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.order import LONGEST

ROOT = Path(__file__).resolve().parents[2]
APPS = ("trustweb", "accounts", "hdag", "auditing")
LONG_FILES: dict[str, str] = {
    "auditing/verifier/verify_audit.py": "a stranger downloads and reads one file",
    "auditing/verifier/verify_proofs.py": "a stranger downloads and reads one file",
    "auditing/verifier/witness.py": "somebody else downloads and runs one file",
}
"""File over 300 lines -> the reason why it must stay one file."""
FORBIDDEN_NAMES = re.compile(r"(utils|helpers|common|misc|managers?|handlers|signals)\.py")
INLINE = re.compile(
    r"<script(?![^>]*\bsrc=)[^>]*>|<style\b|\sstyle\s*=|\son[a-z]+\s*=|=\W?javascript:|\|\s*safe\b", re.IGNORECASE
)
DATA_SCRIPT = re.compile(r"""<script[^>]*type=["']application/(?:json|ld\+json)["'][^>]*>""", re.IGNORECASE)
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|root|farm)/[a-z]")


def tracked(*patterns):
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "--", *patterns], cwd=ROOT, capture_output=True, text=True
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def test_imports_point_down_only():
    ran = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"], cwd=ROOT, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout


def test_no_file_is_longer_than_three_hundred_lines():
    long = {
        name_of(path)
        for path in tracked("*.py", "*.js")
        if "migrations" not in path.parts and len(path.read_text().splitlines()) > 300
    }
    assert long == set(LONG_FILES), sorted(long ^ set(LONG_FILES))


def test_no_file_has_a_name_that_says_nothing():
    assert [name_of(path) for path in tracked("*.py") if FORBIDDEN_NAMES.fullmatch(path.name)] == []


def test_no_template_holds_inline_script_or_style():
    found = [
        f"{name_of(path)}: {match.group()}"
        for path in tracked("templates/*.html", "*/templates/*.html")
        for match in INLINE.finditer(re.sub(r"\{#.*?#\}|\{%.*?%\}", "", path.read_text(), flags=re.DOTALL))
        if not DATA_SCRIPT.fullmatch(match.group())
    ]
    assert found == []


@pytest.mark.parametrize("example", ['<p onclick="x()">', "<style>", '<i style="x">', "<script>", "{{ text|safe }}"])
def test_the_template_rule_bites(example):
    assert INLINE.search(example)


def test_no_path_of_a_machine_is_written_down():
    texts = (
        path for path in tracked() if path.suffix in {".py", ".md", ".toml", ".txt", ".yml", ".html", ".js", ".css", ""}
    )
    found = [
        name_of(path)
        for path in texts
        if path != Path(__file__) and MACHINE_PATH.search(path.read_text(errors="replace"))
    ]
    assert found == []


def test_no_python_file_uses_django_signals():
    found = [
        name_of(path)
        for path in tracked("*.py")
        if "django.db.models.signals" in path.read_text() and path != Path(__file__)
    ]
    assert found == []


def test_nothing_stands_at_the_top_that_does_not_belong_there():
    allowed = set(
        "manage.py trustweb auditing hdag accounts templates static docker-compose.yml requirements.txt tests "
        "README.md Makefile Dockerfile pyproject.toml requirements-dev.txt docs benchmarks LICENSE "
        "CHANGELOG.md CONTRIBUTING.md".split()
    )
    top = {name_of(path).split("/")[0] for path in tracked()}
    assert {name for name in top if not name.startswith(".")} <= allowed


def test_every_command_in_the_documents_exists():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    commands = {path.stem for app in APPS for path in (ROOT / app).rglob("management/commands/[a-z]*.py")}
    commands |= {"migrate", "check", "shell", "createsuperuser", "collectstatic", "test", "dbshell"}
    for path in tracked("*.md"):
        text = path.read_text()
        said = {match for match in re.findall(r"`make ([a-z]+)", text)}
        assert said <= targets, (name_of(path), said - targets)
        run = set(re.findall(r"manage\.py ([a-z_]+)", text))
        assert run <= commands, (name_of(path), run - commands)


def _modules():
    return sorted(
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for app in APPS
        for path in (ROOT / app).rglob("*.py")
        if ">>> " in path.read_text() and "migrations" not in path.parts
    )


@pytest.mark.parametrize("module", _modules())
def test_every_example_in_a_docstring_is_true(module):
    failed, _ = doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS)
    assert failed == 0


def test_the_files_that_are_run_first_are_there():
    assert [name for name in LONGEST if not (ROOT / "tests" / name).is_file()] == []
