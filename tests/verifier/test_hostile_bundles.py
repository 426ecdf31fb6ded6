"""Sloppy and hostile files: one sentence and exit code 2 for each, never a traceback; `make fuzz` tries many more."""

import gzip
import json
import os
import random
import typing
from collections.abc import Iterator
from dataclasses import is_dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from auditing.core.ledger.leaves import Digest, Name, Parameters, fields
from auditing.verifier import verify_audit
from benchmarks import liar
from benchmarks.lying.log import Log
from tests.tools.before import VECTORS
from tests.verifier.test_matrix import RECORDS

FLIPS = 6_000 if os.environ.get("TRUST_FUZZ") == "whole" else 60
OLDER = sorted(liar.OLDER.iterdir())
STORY = VECTORS / "story"
VOTE = (STORY / "receipts" / "vote.txt").read_bytes()
FORMS = {
    UUID: "uuid",
    Digest: "digest",
    int: "integer",
    bool: "boolean",
    Decimal: "decimal",
    Fraction: "fraction",
    Name: "word",
    Parameters: "params",
}
# for each form what looks like it to a careless reader
WRONG: dict[str, list[Any]] = {
    "uuid": ["", "0" * 36, "{5de12ff0-b300-4113-bf79-a204f608e794}", "5DE12FF0-B300-4113-BF79-A204F608E794", 5],
    "digest": ["ab" * 31, "AB" * 32, "ab" * 33, "é" * 64, 0],
    "integer": [True, "1", 1 << 53, None, [1]],
    "boolean": [1, 0, "true", None],
    "decimal": ["0.50", "00.5", "-0", "1e3", ".5", "NaN", "1/2", "0" * 3000, 1, "٣"],
    "fraction": ["2/4", "1/0", "01/2", "-1/2", "0.5", "1/" + "3" * 3000, 1],
    "word": ["", "two words", "line\nline", "x" * 300, "é", 1, None],
    "records": [{}, "", [1], [[]], 7],
    "record": [[], "", 1],
    "params": [[], "", 1],
}


def rows(record: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    """(path, form) of each field of a record of the application, and of the records inside of it."""
    for name, hint in fields._field_hints(record).items():
        bare = fields._without_none(hint)
        is_list = typing.get_origin(bare) is tuple
        inner = typing.get_args(bare)[0] if is_list else bare
        if is_dataclass(inner):
            yield f"{prefix}{name}", "records" if is_list else "record"
            yield from rows(inner, f"{prefix}{name}.")
        else:
            is_word = isinstance(inner, type) and issubclass(inner, StrEnum)
            yield f"{prefix}{name}", "word" if is_word else FORMS[inner]


@pytest.mark.parametrize("kind", RECORDS)
def test_every_field_has_the_form_that_the_application_writes(kind: str) -> None:
    assert {path: verify_audit.form_of(kind, path) for path, _ in rows(RECORDS[kind])} == dict(rows(RECORDS[kind]))


@pytest.mark.parametrize("form", WRONG)
def test_what_only_looks_like_a_value_is_refused(form: str) -> None:
    for value in WRONG[form]:
        with pytest.raises(verify_audit.CheckFailedError):
            verify_audit.check_form(value, form, "field", "leaf 1")


@pytest.mark.parametrize("path", OLDER, ids=[path.name.partition(".")[0] for path in OLDER])
def test_a_flipped_bit_is_refused(path: Path) -> None:
    honest, rng = gzip.decompress(path.read_bytes()), random.Random(path.name)
    for position in rng.sample(range(len(honest) * 8), max(1, FLIPS // len(OLDER))):
        bad = bytearray(honest)
        bad[position // 8] ^= 1 << position % 8
        assert refused(bytes(bad)), f"{path.name}: bit {position}"


def refused(data: bytes) -> bool:
    try:
        return not verify_audit.verify(data).ok
    except verify_audit.UnreadableError:
        return True


@pytest.mark.parametrize("path", OLDER[:3], ids=[path.name.partition(".")[0] for path in OLDER[:3]])
def test_a_value_of_another_kind_anywhere_in_the_file_is_refused(path: Path) -> None:
    rng = random.Random(path.name)
    for _ in range(FLIPS // 12):
        bad = json.loads(gzip.decompress(path.read_bytes()))
        where = put(bad, rng, rng.choice(RUBBISH))
        assert refused(json.dumps(bad).encode()), where


RUBBISH: list[Any] = [None, True, [], {}, "", "\ud800", -1, 1 << 60, [[]], {"": {}}, "\x1b[2K", "0/0"]


def put(value: Any, rng: random.Random, rubbish: Any, where: str = "") -> str:
    """Rubbish in the place of some value inside of `value`: a member, or a member of a member, and so on."""
    name = rng.choice(sorted(value) if isinstance(value, dict) else range(len(value)))
    if isinstance(value[name], dict | list) and value[name] and rng.random() < 0.8:
        return put(value[name], rng, rubbish, f"{where}.{name}")
    if value[name] == rubbish:
        rubbish = "another"
    value[name] = rubbish
    return f"{where}.{name} = {rubbish!r}"


def forged(**changes: Any) -> bytes:
    bundle = json.loads(gzip.decompress((liar.OLDER / "pens.json.gz").read_bytes()))
    return json.dumps(bundle | changes).encode()


def lied(kind: str, **changes: Any) -> bytes:
    """An audit in which one leaf says something else, signed by whoever holds the key."""
    log = Log(json.loads(gzip.decompress((liar.OLDER / "divided.json.gz").read_bytes())))
    next(leaf for leaf in log.leaves if leaf["t"] == kind).update(changes)
    return log.bundle()


FILES = {
    "nothing": b"",
    "no text": b"\xff\xfe\x00",
    "half a letter": b'{"format": "trust-audit-bundle/v1\xc3"}',
    "a list": b"[]",
    "a number": b"7",
    "not a number": b'{"format": NaN}',
    "a key twice": b'{"format": "trust-audit-bundle/v1", "format": "trust-audit-bundle/v1"}',
    "deep": b"[" * 200_000,
    "deep inside": b'{"format": "trust-audit-bundle/v1", "leaves": ' + b'{"a":' * 5_000 + b"1" + b"}" * 5_000 + b"}",
    "huge number": b'{"format": ' + b"9" * 10_000 + b"}",
    "no leaves": forged(leaves=[]),
    "leaves by name": forged(leaves={"1": {}}),
    "leaves of nothing": forged(leaves=[None]),
    "an index that is no number": forged(leaves=[{"index": "x", "entry": "{}", "proof": []}]),
    "witnesses that are a number": forged(witnesses=5),
    "witnesses that are no keys": forged(witnesses=["x"]),
    "a later checkpoint that is nothing": forged(later=None),
    "a draw that is a list": forged(draw=[]),
    "a key that is no key": forged(vkey="a+b"),
    "half a character": forged(vkey="\ud800+1+1"),
    "a key that moves the cursor": forged(vkey="\x1b[2J\nEverything that can be checked holds.+1+1"),
    "segments by name": forged(segments={}),
    "one more than a billion auditors": lied("audit.open", eligible=10**12),
    "a billion rounds": lied("outcome.preliminary", round=10**9),
    "a billion rounds of a segment": lied("segment.outcome", rounds=10**12),
    "true seats": lied("round.open", k=True),
    "a round that is a list": lied("round.open", round=[]),
    "a segment that is a record": lied("round.open", segment={}),
    "a number with an idle zero": lied("trace.outcome", posterior="0.50"),
    "a beacon of the operator's": lied("trace.outcome", beacon="ab" * 32),
}


@pytest.mark.parametrize("name", FILES)
def test_a_malformed_file_is_refused_with_one_sentence(name: str, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "file").write_bytes(FILES[name])
    (tmp_path / "receipt").write_bytes(VOTE)
    for told in (["file"], ["find", "file", "receipt"], ["find", str(STORY / "bundles" / "eggs.json"), "file"]):
        words = [word if word == "find" else str(tmp_path / word) for word in told]
        assert verify_audit.main(words) == 2
        printed = capsys.readouterr()
        sentences = [line for line in f"{printed.out}{printed.err}".splitlines() if line.startswith("Refused: ")]
        assert len(sentences) == 1
        assert "\x1b" not in printed.out + printed.err
        assert "Everything that can be checked holds." not in printed.out.splitlines()


@pytest.mark.parametrize("name", ["vkey", "checkpoint", "tile/entries/000"])
@pytest.mark.parametrize("data", [b"", b"\xff", b"[" * 9_000, b"\x00\x05{}{}{", b"\xe2\x80\x94 a b\n"])
def test_a_malformed_ledger_is_refused_with_one_sentence(name: str, data: bytes, tmp_path: Path, capsys: Any) -> None:
    for path in (STORY / "ledger").rglob("*"):
        if path.is_file():
            target = tmp_path / path.relative_to(STORY / "ledger")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    (tmp_path / name).write_bytes(data)
    assert verify_audit.main(["ledger", str(tmp_path)]) == 2
    printed = capsys.readouterr()
    assert "Refused: " in printed.out + printed.err
