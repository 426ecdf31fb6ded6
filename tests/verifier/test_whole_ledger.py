"""The whole ledger walked from its published files: what the file of one audit cannot show, and receipts kept."""

import json
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from auditing.translog import checkpoint, note, sequencing
from auditing.verifier import verify_audit
from hdag.core import canonical
from tests.tools.before import VECTORS

STORY = VECTORS / "story"
RECEIPTS = [str(STORY / "receipts" / name) for name in ("submission.txt", "vote.txt")]
KEY = note.signing_key(name="trust.example/ledger/v1", seed=b"l" * 32)


class Files(SimpleHTTPRequestHandler):
    """The published files, without a word about it."""

    def log_message(self, *values: object) -> None:
        """Silent."""


def leaves() -> list[dict]:
    size = int((STORY / "ledger" / "checkpoint").read_text().split("\n")[1])
    return [json.loads(entry) for entry in verify_audit.entries_of(str(STORY / "ledger"), size)]


def published(folder: Path, log: list[dict]) -> str:
    """The files of a log of these leaves, under a key of our own."""
    entries = [canonical.encode(value=leaf) for leaf in log]
    batch = sequencing.advance(frontier=sequencing.Frontier(), entries=entries, origin=KEY.name)
    for name, data in batch.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    (folder / "vkey").write_text(KEY.verifier.vkey)
    (folder / "checkpoint").write_text(str(checkpoint.sign(checkpoint=batch.checkpoint, key=KEY)))
    return str(folder)


def refusals(folder: str, receipts: list[str] = RECEIPTS) -> str:
    report = verify_audit.verify_ledger(folder, ((), None), receipts, True)
    return "\n".join(f"{title}: {why}" for good, title, why in report.lines if not good)


def test_an_honest_ledger_is_walked_whole_and_keeps_its_receipts(capsys: pytest.CaptureFixture[str]) -> None:
    told = ["ledger", str(STORY / "ledger"), *RECEIPTS, "--mine"]
    assert verify_audit.main(told) == 0
    assert "kept: leaf " in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["seat.assign", "payout", "submission", "reputation.update", "segment.outcome"])
def test_a_leaf_that_is_missing_from_the_ledger_is_found(kind: str, tmp_path: Path) -> None:
    log = leaves()
    log.remove(next(leaf for leaf in log if leaf["t"] == kind))
    assert "audit " in refusals(published(tmp_path, log), [])


def test_a_posting_of_another_amount_is_found(tmp_path: Path) -> None:
    log = leaves()
    payout = next(leaf for leaf in log if leaf["t"] == "payout" and leaf["held"])
    payout["lines"][0]["points"] += 1
    payout["pool"] -= 1
    assert "recomputed" in refusals(published(tmp_path, log), [])


def test_an_audit_that_never_settles_is_found_once_a_later_one_has(tmp_path: Path) -> None:
    log = leaves()
    first = next(leaf for leaf in log if leaf["t"] == "reputation.update")["audit"]
    kinds = ("payout", "reputation.update", "gold.reveal")
    log = [leaf for leaf in log if leaf.get("audit") != first or leaf["t"] not in kinds]
    assert "never settled, though an audit that was opened later is" in refusals(published(tmp_path, log), [])


def test_a_tally_that_its_votes_do_not_give_is_found(tmp_path: Path) -> None:
    log = leaves()
    tally = next(leaf for leaf in log if leaf["t"] == "outcome.preliminary" and leaf["tier"] == "human")
    tally["passes"], tally["fails"] = tally["fails"], tally["passes"]
    assert "the votes count" in refusals(published(tmp_path, log), [])


def test_a_ledger_is_walked_by_its_address(capsys: pytest.CaptureFixture[str]) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(STORY / "ledger")))
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        told = ["ledger", f"http://127.0.0.1:{server.server_port}/", *RECEIPTS, "--mine", "--json"]
        assert verify_audit.main(told) == 0
    finally:
        server.shutdown()
        server.server_close()
    report = json.loads(capsys.readouterr().out)
    assert sum(line["check"].startswith("receipt ") for line in report["checks"]) == len(RECEIPTS)
    assert "that persons are persons, and whom the list of the eligible names" in report["believed"]


def test_a_receipt_whose_leaf_is_missing_proves_that_the_operator_broke_its_word(tmp_path: Path) -> None:
    promise = verify_audit.read_receipt(Path(RECEIPTS[1]).read_text())
    log = [leaf for leaf in leaves() if leaf.get("seat") != promise["subject"]]
    assert "proves that the operator broke its word" in refusals(published(tmp_path, log))


def test_a_policy_that_is_not_the_published_one_is_found(tmp_path: Path) -> None:
    log = leaves()
    next(leaf for leaf in log if leaf["t"] == "audit.open")["params"]["theta_pass"] = "0.6"
    assert "theta_pass is not what policy 1 says" in refusals(published(tmp_path, log), [])


def test_a_step_of_mine_that_starts_elsewhere_is_found(tmp_path: Path) -> None:
    log = leaves()
    promise = verify_audit.read_receipt(Path(RECEIPTS[1]).read_text())
    mine = next(one["auditor"] for leaf in log for one in leaf.get("openings", []) if one["seat"] == promise["subject"])
    steps = [leaf for leaf in log if leaf["t"] == "reputation.update" and leaf["auditor"] == mine]
    steps[-1] |= {"prior": "0.6", "after": "0.608"}
    assert "where my chain does not stand" in refusals(published(tmp_path, log))


def test_a_changed_entry_does_not_fit_its_tree(tmp_path: Path) -> None:
    shutil.copytree(STORY / "ledger", tmp_path / "ledger")
    path = next(path for path in (tmp_path / "ledger" / "tile" / "entries").iterdir() if path.is_file())
    path.write_bytes(path.read_bytes().replace(b'"k":3', b'"k":1', 1))
    assert "it has another root" in refusals(str(tmp_path / "ledger"), [])


def test_a_receipt_leads_to_the_vote_that_was_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    promise = verify_audit.read_receipt(Path(RECEIPTS[1]).read_text())
    holds = [path for path in (STORY / "bundles").iterdir() if promise["subject"] in path.read_text()]
    assert verify_audit.main(["find", str(holds[0]), RECEIPTS[1]]) == 0
    assert "it was opened as pass and counted: 3 passes, 0 fails" in capsys.readouterr().out
    assert verify_audit.main(["find", str(STORY / "bundles" / "pens.json"), RECEIPTS[1]]) == 2


WITNESS = (STORY / "ledger" / "witness").read_text().strip()


@pytest.mark.parametrize(("name", "code"), [("checkpoint", 2), ("cosigned", 0)])
def test_a_witness_that_is_named_must_have_cosigned_the_head_of_a_walk(name: str, code: int, tmp_path: Path) -> None:
    shutil.copytree(STORY / "ledger", tmp_path / "ledger")
    shutil.copy(STORY / "ledger" / name, tmp_path / "ledger" / "checkpoint")
    assert verify_audit.main(["ledger", str(tmp_path / "ledger"), "--witness", WITNESS]) == code


@pytest.mark.parametrize(("name", "code"), [("checkpoint", 2), ("cosigned", 0)])
def test_weights_are_walked_under_the_witness_and_the_policy_that_are_named(
    name: str, code: int, tmp_path: Path
) -> None:
    shutil.copytree(STORY / "ledger", tmp_path / "ledger")
    shutil.copy(STORY / "ledger" / name, tmp_path / "ledger" / "checkpoint")
    own = tmp_path / "my-weights.json"
    own.write_text('{"format": "trust-weights/v1", "weights": []}')
    command = ["weights", str(tmp_path / "ledger"), str(own)]
    assert verify_audit.main([*command, "--witness", WITNESS]) == code
    policy = tmp_path / "policy"
    policy.write_text(f"log {(STORY / 'ledger' / 'vkey').read_text().strip()}\nwitness w1 {WITNESS}\nquorum w1\n")
    assert verify_audit.main([*command, "--policy", str(policy)]) == code


PENS = str(STORY / "bundles" / "pens.json")


@pytest.mark.parametrize(
    ("words", "unread"),
    [
        ([PENS, RECEIPTS[1]], "vote.txt is not read here; receipts are checked by: find"),
        ([PENS, "--receipt-key", "key"], "--receipt-key is not read here"),
        ([PENS, "--mine"], "--mine is not read here"),
        ([PENS, "--design", "registered.json"], "--design is not read here"),
        (["find", PENS, RECEIPTS[1], RECEIPTS[0]], "submission.txt is not read here"),
        (["find", PENS, RECEIPTS[1], "--json"], "--json is not read here"),
        (["matrix", PENS], "pens.json is not read here"),
        (["weights", PENS, PENS, "--mine"], "--mine is not read here"),
    ],
    ids=lambda words: " ".join(Path(word).name for word in words) if isinstance(words, list) else None,
)
def test_what_a_command_does_not_read_is_refused_or_it_would_look_checked(
    words: list[str], unread: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        verify_audit.main(words)
    assert ended.value.code == 2
    assert unread in capsys.readouterr().err


@pytest.mark.parametrize("change", [("\n", "\r\n"), ("=\n", "=")], ids=["CRLF", "no last line end"])
def test_a_receipt_whose_line_ends_were_changed_is_refused_and_says_why(change: tuple[str, str]) -> None:
    text = Path(RECEIPTS[1]).read_bytes().decode().replace(*change)
    with pytest.raises(verify_audit.CheckFailedError, match="its lines do not end as they were signed"):
        verify_audit.read_receipt(text)
