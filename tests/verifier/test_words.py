"""What a stranger is told who hands in something else than a bundle: the file and its fault, in no words of Python."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from auditing.verifier import verify_audit, verify_proofs
from tests.tools.before import VECTORS

PROGRAMS = Path(verify_audit.__file__).parent
STORY = VECTORS / "story"
PYTHONS = (
    "Error",
    "Errno",
    "NoneType",
    "indices",
    "subscript",
    "Expecting",
    "codec",
    "recursion",
    "unpack",
    "object has",
)
NOT_FORMAT = f"this is not a bundle of format {verify_audit.FORMAT}: "
FILES = {
    "null": (b"null", f"{NOT_FORMAT}it is no JSON object"),
    "a list": (b"[]", f"{NOT_FORMAT}it is no JSON object"),
    "a number": (b"3", f"{NOT_FORMAT}it is no JSON object"),
    "a word": (b'"format"', f"{NOT_FORMAT}it is no JSON object"),
    "nothing": (b"", f"{NOT_FORMAT}it is empty"),
    "broken off": (b'{"format": "trust-audit-bundle/v1", "leaves": [', f"{NOT_FORMAT}it breaks off, as if it had not"),
    "broken off in a word": (b'{"format": "trust-audit', f"{NOT_FORMAT}it breaks off, as if it had not"),
    "deep": (b"[" * 200_000, f"{NOT_FORMAT}it is nested too deeply"),
    "a page": (
        b"\n<!DOCTYPE html><title>Sign in</title>",
        f"{NOT_FORMAT}it is a web page, saved perhaps while signed out",
    ),
    "another alphabet": ('{"format": 1}'.encode("utf-16"), f"{NOT_FORMAT}it is no text in UTF-8"),
    "a comma too many": (b'{"format":\n 1,}', f"{NOT_FORMAT}it is no JSON from line 2, column 4 on"),
    "another object": (b"{}", f"{NOT_FORMAT}the key 'format' is missing"),
    "leaves of nothing": (
        b'{"format":"trust-audit-bundle/v1","vkey":"a","checkpoint":"","leaves":[3],"segments":[],"eligible":[],"draw":{}}',
        "its leaves or lists are no bundle's: a value is missing or malformed",
    ),
}


@pytest.mark.parametrize("program", ["verify_audit.py", "witness.py"])
def test_without_the_package_one_sentence_says_what_to_install(program: str) -> None:
    bare = [sys.executable, "-I", "-S", str(PROGRAMS / program)]  # -S: a Python without any package
    ended = subprocess.run(bare, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (1, "", 1)
    assert "needs the package `cryptography`" in ended.stderr


@pytest.mark.parametrize("name", FILES)
def test_the_sentence_names_the_file_and_its_fault(name: str, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "audit.json").write_bytes(FILES[name][0])
    assert verify_audit.main([str(tmp_path / "audit.json")]) == 2
    assert capsys.readouterr().err.startswith(f"Refused: cannot read {tmp_path / 'audit.json'}: {FILES[name][1]}")


@pytest.mark.parametrize("name", FILES)
def test_no_program_speaks_in_words_of_python(name: str, tmp_path: Path, capsys: Any) -> None:
    path = str(tmp_path / "file")
    Path(path).write_bytes(FILES[name][0])
    bundle, ledger = str(STORY / "bundles" / "eggs.json"), str(STORY / "ledger")
    told = (["find", bundle, path], ["find", path, path], ["ledger", ledger, path], ["weights", ledger, path, path])
    for words in (*told, [bundle, "--policy", path]):
        assert verify_audit.main(words) == 2
    assert verify_proofs.main([path]) == verify_proofs.main([path, "--audit", path]) == 2
    printed = "".join(capsys.readouterr())
    assert [word for word in PYTHONS if word in printed] == []


@pytest.mark.parametrize(("name", "fault"), [("", "Is a directory"), ("no such file", "No such file or directory")])
def test_a_file_that_does_not_open_is_named(name: str, fault: str, tmp_path: Path, capsys: Any) -> None:
    path = str(tmp_path / name) if name else str(tmp_path)
    for words in ([path], ["find", str(STORY / "bundles" / "eggs.json"), path]):
        assert verify_audit.main(words) == 2
        assert capsys.readouterr().err == f"Refused: cannot read {path}: {fault}\n"
    assert verify_proofs.main([path]) == 2
    assert capsys.readouterr().out.startswith(f"refused: {path}: it cannot be read: {fault}\n")


def test_an_address_that_does_not_answer_is_named(capsys: Any) -> None:
    assert verify_audit.main(["ledger", "http://127.0.0.1:1/ledger/v1"]) == 2
    assert capsys.readouterr().err == "Refused: cannot read http://127.0.0.1:1/ledger/v1/vkey: Connection refused\n"


def test_the_receipt_among_several_that_is_none_is_named(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "mine.json").write_text('{"format": "trust-weights/v1", "weights": []}')
    (tmp_path / "shopping.txt").write_text("milk\n")
    pile = [str(STORY / "receipts" / "vote.txt"), str(tmp_path / "shopping.txt")]
    assert verify_audit.main(["weights", str(STORY / "ledger"), str(tmp_path / "mine.json"), *pile]) == 2
    assert f"Refused: receipt {tmp_path / 'shopping.txt'}: no signed note" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["find"], ["find", "audit.json"], ["weights", "ledger"], ["ledger"]])
def test_a_word_without_its_files_is_no_file(words: list[str], capsys: Any) -> None:
    with pytest.raises(SystemExit, match="2"):
        verify_audit.main(words)
    assert f"{words[0]} needs more" in capsys.readouterr().err


def test_the_file_of_an_audit_is_no_file_of_a_computers_vote(capsys: Any) -> None:
    """It ended with 0, as if its proofs had been computed again."""
    for path in (STORY / "bundles" / "eggs.json", STORY / "receipts" / "vote.txt"):
        assert verify_proofs.main([str(path)]) == 2
    assert verify_proofs.main(["--json", str(STORY / "bundles" / "eggs.json")]) == 2
    assert "no file of a computer vote" in capsys.readouterr().out


@pytest.mark.parametrize(("before", "after"), [('"proof":["', '"proof":["='), ('"proof":[', '"proog":[')])
def test_a_leaf_whose_proof_cannot_be_read_is_named(before: str, after: str, tmp_path: Path, capsys: Any) -> None:
    text = (STORY / "bundles" / "eggs.json").read_text()
    leaf = json.loads(text)["leaves"][2]
    third = json.dumps(leaf, separators=(",", ":"), ensure_ascii=False)
    assert third in text
    (tmp_path / "audit.json").write_text(text.replace(third, third.replace(before, after, 1)))
    assert verify_audit.main([str(tmp_path / "audit.json")]) == 2
    assert f"inclusion of every leaf: leaf {leaf['index']}: " in capsys.readouterr().out


def test_a_web_page_in_the_place_of_a_receipt_is_called_one(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "receipt.txt").write_text("\n<!DOCTYPE html><title>404</title>\n\n\u2014 x y\n")
    told = ["find", str(STORY / "bundles" / "eggs.json"), str(tmp_path / "receipt.txt")]
    assert verify_audit.main(told) == 2
    assert "it is a web page, saved perhaps while signed out" in capsys.readouterr().out
