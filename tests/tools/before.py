"""What outsiders see of the system before anybody uses it: addresses, commands, programs, words, leaves.

`tests/vectors/before` holds it as it was before issue 15; `tests/tools/before_story.py` is the same of a used system.
Everything goes through addresses, commands and single files, because the modules behind them move; what must be
imported from the project stands in the first lines and nowhere else.
"""

import importlib
import io
import json
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from enum import StrEnum
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError, call_command, get_commands, load_command_class
from django.db.models import TextChoices
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from auditing.core.ledger import leaves
from auditing.translog import checkpoint, note, receipt, tiles

__all__ = ["checkpoint", "note", "receipt", "tiles"]  # the log's own code, for the tests

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "tests" / "vectors" / "before"
APPS = ("trustweb", "accounts", "hdag", "auditing")
OTHERS = ("django.", "drf_spectacular", "allauth", "channels", "rest_framework")


def as_json(value: Any) -> bytes:
    """One value on many lines, so that a difference can be read."""
    return (json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()


def addresses() -> list[str]:
    """Every address with its name, those of other people's packages (admin, sign-in) by their prefix alone."""
    return sorted(_patterns(get_resolver(), "", ""))


def _patterns(resolver: URLResolver, before: str, space: str) -> Iterator[str]:
    for one in resolver.url_patterns:
        route = before + str(one.pattern)
        if isinstance(one, URLPattern):
            yield f"/{route} {space}{one.name}"
        elif route in ("admin/", "accounts/"):
            yield f"/{route}"
        else:
            yield from _patterns(one, route, f"{space}{one.namespace}:" if one.namespace else space)


def commands() -> dict[str, Any]:
    """Our management commands: option or place -> how often it may be given, and what it may be."""
    common = {one.dest for one in BaseCommand().create_parser("manage.py", "x")._actions}
    found = {}
    for name, app in sorted(get_commands().items()):
        if str(app).startswith(OTHERS):
            continue
        actions = load_command_class(app, name).create_parser("manage.py", name)._actions
        found[name] = {
            "/".join(one.option_strings) or one.dest: {
                "nargs": one.nargs, "required": one.required, "choices": sorted(map(str, one.choices or [])),
            }
            for one in actions
            if one.dest not in common
        }  # fmt: skip
    return found


def programs() -> dict[str, list[str]]:
    """The single files for strangers and their options, wherever they lie."""
    found = {}
    for name in ("verify_audit.py", "witness.py"):
        said = subprocess.run(
            [sys.executable, program(name), "--help"], capture_output=True, text=True, check=True, timeout=60
        )
        found[name] = sorted(set(re.findall(r"--[a-z][a-z-]*", said.stdout)))
    return found


def program(name: str) -> Path:
    """The one file of this name below auditing/."""
    (path,) = (ROOT / "auditing").rglob(name)
    return path


def words() -> list[list[str]]:
    """The values of every enumeration, without the names of their classes."""
    for app in APPS:
        package = importlib.import_module(app)
        for one in pkgutil.walk_packages(package.__path__, f"{app}."):
            if "migrations" not in one.name and not one.name.endswith(("asgi", "wsgi", "settings_test")):
                importlib.import_module(one.name)
    kinds = [*_below(StrEnum), *_below(TextChoices)]
    return sorted({tuple(sorted(map(str, kind))) for kind in kinds if kind.__module__.startswith(APPS)})  # type: ignore


def _below(kind: type) -> Iterator[Any]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)


def audited(command: str, source: Path, folder: Path) -> bytes:
    """The lines of `manage.py audit` or `manage.py decompose`."""
    target = folder / f"{command}.jsonl"
    # Some of its lines are no traces, which `audit` says at the end by its exit code.
    with redirect_stderr(io.StringIO()), suppress(CommandError):
        call_command(command, str(source), output=str(target), **({"workers": 1} if command == "audit" else {}))
    return target.read_bytes()


def studies() -> bytes:
    """Names and titles of the studies."""
    with redirect_stdout(io.StringIO()) as said:
        call_command("study")
    return said.getvalue().encode()


def encode_leaf(leaf: Any) -> bytes:
    """The bytes of a leaf in the ledger."""
    return leaves.encode(leaf=leaf)


def read_again(entry: bytes) -> bytes:
    """The bytes of a leaf, after it was read."""
    return encode_leaf(leaves.decode(entry=entry))


def schema() -> bytes:
    """The OpenAPI description; needs a database for the address alone."""
    return fetch(Client(), "/api/schema")


def fetch(client: Client, address: str) -> bytes:
    """What the address answers."""
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    return b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
