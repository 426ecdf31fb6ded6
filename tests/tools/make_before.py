"""Writes tests/vectors/before anew: `python -m pytest tests/tools/make_before.py`.

Only for a change that outsiders are told of, or when chance is drawn in another order: then the masked comparison of
tests/pages/test_as_before.py must hold before. Read the difference that this makes.
"""

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from tests.tools import before
from tests.tools.before_story import Story
from tests.tools.still import still_world
from tests.unit.ledger.examples import EXAMPLES


def write(name: str, data: bytes) -> None:
    path = before.VECTORS / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


@pytest.mark.django_db
def test_the_vectors_are_written(tmp_path: Path) -> None:
    source = before.VECTORS / "audit.in.jsonl"
    write("addresses.txt", "".join(f"{line}\n" for line in before.addresses()).encode())
    write("commands.json", before.as_json(before.commands()))
    write("programs.json", before.as_json(before.programs()))
    write("words.jsonl", "".join(f"{json.dumps(values)}\n" for values in before.words()).encode())
    write("studies.txt", before.studies())
    write("schema.yaml", before.schema())
    for command in ("audit", "decompose"):
        write(f"{command}.out.jsonl", before.audited(command, source, tmp_path))
    write("leaves.jsonl", b"".join(map(leaf_line, map(before.encode_leaf, EXAMPLES.values()))))
    with still_world():
        files = Story(tmp_path).tell()
    for name, data in files.items():
        write(f"story/{name}", data)
        if name.startswith("bundles/"):
            write(f"story/verified/{Path(name).name}", verified(name, files["ledger/vkey"].decode().strip()))


def verified(name: str, vkey: str) -> bytes:
    command = [sys.executable, before.program("verify_audit.py"), before.VECTORS / "story" / name]
    return subprocess.run([*command, "--json", "--vkey", vkey], capture_output=True, check=True).stdout


def leaf_line(entry: bytes) -> bytes:
    said = {"type": json.loads(entry)["t"], "entry": entry.decode(), "hash": sha256(b"\0" + entry).hexdigest()}
    return json.dumps(said, ensure_ascii=False).encode() + b"\n"
