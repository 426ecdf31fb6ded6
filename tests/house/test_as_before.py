"""Issue 15 moves everything and changes nothing: what was made before it verifies, and what is said is the same.

The vectors and how they were made: tests/vectors/before/README.md.
"""

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from tests.tools import before

STORY = before.VECTORS / "story"
BUNDLES = sorted(path.name for path in (STORY / "bundles").iterdir())
LEAVES = [json.loads(line) for line in (before.VECTORS / "leaves.jsonl").read_text(encoding="utf-8").splitlines()]


def read_bytes(name: str) -> bytes:
    return (before.VECTORS / name).read_bytes()


@pytest.mark.parametrize("name", BUNDLES)
def test_the_single_file_says_the_same_of_a_bundle(name: str, tmp_path: Path) -> None:
    """Copied to where nothing of ours can be imported; the key comes from elsewhere."""
    alone = tmp_path / "verify_audit.py"
    alone.write_bytes(before.program("verify_audit.py").read_bytes())
    vkey = read_bytes("story/ledger/vkey").decode().strip()
    command = [sys.executable, "-I", alone, STORY / "bundles" / name, "--json", "--vkey", vkey]
    said = json.loads(subprocess.run(command, capture_output=True, check=True, timeout=60).stdout)
    was = json.loads(read_bytes(f"story/verified/{name}"))
    assert said["ok"]
    assert said == was


def test_the_log_of_before_verifies() -> None:
    """The signed checkpoint, its witness's line, every tile, and the proof of the first leaf."""
    key = before.note.parse_vkey(text=read_bytes("story/ledger/vkey").decode().strip())
    witness = before.note.parse_vkey(text=read_bytes("story/ledger/witness").decode().strip())
    head = before.checkpoint.open_checkpoint(data=read_bytes("story/ledger/cosigned"), key=key)
    assert before.checkpoint.open_checkpoint(data=read_bytes("story/ledger/checkpoint"), key=key) == head
    cosigned = before.note.parse(data=read_bytes("story/ledger/cosigned"))
    assert before.note.verify(note=cosigned, keys=(witness,)) == (witness,)
    assert cosigned.time_of(key=witness) == 1_790_000_000
    root = before.tiles.check_tiles(size=head.size, read=lambda path: read_bytes(f"story/ledger/{path}"))
    assert (root, head.size) == (head.root, 299)
    index, _, signed = before.checkpoint.parse_proof(data=read_bytes("story/ledger/first.tlog-proof"))
    assert (index, signed) == (0, read_bytes("story/ledger/checkpoint"))


@pytest.mark.parametrize("name", ["submission", "vote"])
def test_a_receipt_of_before_is_signed_and_kept(name: str) -> None:
    """Its leaf stands in the entries of the log of before."""
    key = before.note.signing_key(name="trust.example/receipt/v1", seed=b"r" * 32).verifier
    promised = before.receipt.open_receipt(data=read_bytes(f"story/receipts/{name}.txt"), key=key)
    assert promised.leaf in {sha256(b"\0" + entry).digest() for entry in entries()}


def entries() -> list[bytes]:
    """The leaves of the log of before, in order."""
    found = []
    for path in sorted((STORY / "ledger" / "tile" / "entries").rglob("*")):
        data = path.read_bytes() if path.is_file() else b""
        while data:
            size = int.from_bytes(data[:2])
            found.append(data[2 : 2 + size])
            data = data[2 + size :]
    return found


def test_every_leaf_of_the_log_is_read_and_written_as_before() -> None:
    log = entries()
    assert len(log) == 299
    assert [before.read_again(entry) for entry in log] == log


@pytest.mark.parametrize("leaf", LEAVES, ids=[leaf["type"] for leaf in LEAVES])
def test_a_leaf_of_each_type_is_read_and_written_as_before(leaf: dict[str, str]) -> None:
    entry = leaf["entry"].encode()
    assert json.loads(entry)["t"] == leaf["type"]
    assert before.read_again(entry) == entry
    assert sha256(b"\0" + entry).hexdigest() == leaf["hash"]


def test_the_types_of_leaves_are_as_before() -> None:
    assert set(before.leaves.TYPES) == {leaf["type"] for leaf in LEAVES}


def test_the_addresses_and_their_names_are_as_before() -> None:
    assert before.addresses() == read_bytes("addresses.txt").decode().splitlines()


def test_the_commands_and_their_options_are_as_before() -> None:
    """A command may come; none goes or takes other options."""
    was, now = json.loads(read_bytes("commands.json")), before.commands()
    assert {name: now.get(name) for name in was} == was


def test_the_single_files_take_the_options_of_before() -> None:
    assert before.programs() == json.loads(read_bytes("programs.json"))


def test_every_word_of_an_enumeration_is_still_said() -> None:
    """States, outcomes, tiers, kinds: the values that stand in JSON, whatever their classes are called now."""
    was = {tuple(json.loads(line)) for line in read_bytes("words.jsonl").splitlines()}
    assert was - set(before.words()) == set()


def test_the_studies_are_as_before() -> None:
    assert before.studies() == read_bytes("studies.txt")


@pytest.mark.parametrize("command", ["audit", "decompose"])
def test_a_command_writes_the_lines_of_before(command: str, tmp_path: Path) -> None:
    said = before.audited(command, before.VECTORS / "audit.in.jsonl", tmp_path)
    assert said.splitlines() == read_bytes(f"{command}.out.jsonl").splitlines()
