"""A used system as outsiders see it: four audits from the API to their bundles, receipts, reports and exports.

Call everything inside tests.tools.still, so that two runs give the same bytes.
"""

import importlib.util
import io
import json
import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow.parquet as pq
from django.core.management import call_command
from django.test import Client

from tests.factories.worlds import Choice, make_user, make_world
from tests.tools.before import as_json, fetch, program

DATASETS = "segments edges votes criteria outcomes steps soundness postings reputation ledger".split()
EMPTY = ("criteria.csv", "soundness.csv")  # no row in this story: their columns are in the head of a CSV
MEASURED = re.compile(rb'("took_ms": |"seconds": )[0-9.e-]+')
EGGS = {
    "title": "Eggs", "domain": "school maths", "answer": "180 eggs",
    "problem": "A farmer has 12 hens. Each hen lays 5 eggs a week. How many eggs are laid in 3 weeks?",
    "steps": ["Each week the hens lay 12 * 5 = 60 eggs.", "In 3 weeks they lay 60 * 3 = 180 eggs."],
}  # fmt: skip
NUTS = {
    "title": "Nuts", "domain": "school maths", "answer": "44 nuts",
    "problem": "Tom has 3 bags of 14 nuts. How many nuts has he?",
    "steps": ["Each bag holds 14 nuts.", "So he has 3 * 14 = 44 nuts."],
}  # fmt: skip
PENS = {
    "title": "Pens", "answer": "12 pens", "problem": "Ann has 3 boxes of 4 pens. How many pens has she?",
    "steps": ["Ann has 3 * 4 = 12 pens."],
}  # fmt: skip


class Story:
    """Eggs: passed by people, appealed, passed again. Nuts: failed by the computer. Pens: failed by an adjudicator.

    A rationale names the checker's version; here it is always the same, so that a better checker is no other story.
    """

    @patch("auditing.services.routing.checker_votes.VERSION", "2026.11.30.2")
    def __init__(self, folder: Path) -> None:
        """Call inside a still world. folder: where exports are written for a moment."""
        self.folder, self.world = folder, make_world()
        self.first = self.world.reviewers
        self.researcher = make_user("researcher@example.org", "researcher", "consumer", "admin")
        self.files: dict[str, bytes] = {}
        self.audits = {"eggs": self.submit(EGGS)}
        self.people_vote(Choice.PASS)
        self.audits["nuts"] = self.submit(NUTS)
        self.people_vote(Choice.PASS)
        self.judge = make_user("judge@example.org", "adjudicator")
        self.audits["pens"] = self.submit(PENS)
        self.people_vote(Choice.ABSTAIN)
        self.adjudicate()
        self.audits["eggs-again"] = self.appeal(self.audits["eggs"])
        self.world.reviewers = [make_user(f"second{number}@example.org", "reviewer") for number in range(3)]
        self.people_vote(Choice.PASS)

    def submit(self, record: dict[str, Any]) -> str:
        """Hand a trace in over the API."""
        said = {**record, "campaign": str(self.world.campaign.pk)}
        answer = signed_in(self.world.provider).post("/api/v1/traces", said, content_type="application/json")
        assert answer.status_code == 201, answer.content
        return str(answer.json()["audit"])

    def people_vote(self, choice: Any) -> None:
        """Each reviewer votes alike, with a confidence of one's own, until nothing moves."""
        for _ in range(200):
            self.world.settle_machines()
            pairs = zip(self.world.reviewers, (6000, 8000, 9000), strict=True)
            if not any([self.world.vote(who, choice, confidence=sure) for who, sure in pairs]):
                return

    def adjudicate(self) -> None:
        """The adjudicator says why of each contested segment, and fails it."""
        client = signed_in(self.judge)
        for _ in range(20):
            self.world.settle_machines()
            cases = set(re.findall(r"/adjudication/[0-9a-f-]{36}", client.get("/adjudication").content.decode()))
            for case in sorted(cases):
                client.post(case, {"reason": "ambiguous"})
            if not self.world.vote(self.judge, Choice.FAIL):
                return

    def appeal(self, audit: str) -> str:
        """The provider appeals; the second audit."""
        client = signed_in(self.world.provider)
        answer = client.post(f"/audits/{audit}/appeal", {"reason": "wrong_outcome", "text": "See step two."})
        assert answer.status_code == 302, answer.content
        listed = client.get("/api/v1/audits").json()["audits"]
        (new,) = {one["id"] for one in listed} - set(self.audits.values())
        return str(new)

    def tell(self) -> dict[str, bytes]:
        """Everything that an outsider takes home, by file name."""
        everybody, reader = Client(), signed_in(self.researcher)
        files = {"ledger/checkpoint": fetch(everybody, "/ledger/v1/checkpoint")}
        size = int(files["ledger/checkpoint"].split(b"\n")[1])
        for name in ("vkey", "policy", *tile_names(size)):
            files[f"ledger/{name}"] = fetch(everybody, f"/ledger/v1/{name}")
        files["ledger/first.tlog-proof"] = fetch(everybody, "/ledger/v1/proof/0.tlog-proof")
        for name, audit in self.audits.items():
            files[f"bundles/{name}.json"] = fetch(reader, f"/ledger/audits/{audit}/bundle.json")
            files[f"reports/{name}.json"] = as_json(json.loads(fetch(reader, f"/audits/{audit}/report.json")))
            files[f"graphs/{name}.json"] = as_json(json.loads(fetch(reader, f"/api/v1/audits/{audit}/graph")))
        provider, reviewer = signed_in(self.world.provider), signed_in(self.first[0])
        files["receipts/submission.txt"] = fetch(provider, f"/audits/{self.audits['eggs']}/receipt")
        seats = re.findall(r"/record/votes/[0-9a-f-]{36}", fetch(reviewer, "/record").decode())
        files["receipts/vote.txt"] = fetch(reviewer, f"{min(seats)}/receipt")
        files["reports/list.json"] = as_json(json.loads(fetch(reader, "/api/v1/audits")))
        files["exports/points.csv"] = fetch(reviewer, "/points.csv")
        files |= {f"exports/{name}": data for name, data in self.exports()}
        files |= cosigned(files["ledger/checkpoint"], files["ledger/vkey"].decode().strip(), self.folder / "witness")
        files["fsck.jsonl"] = checked()
        return {name: MEASURED.sub(rb"\g<1>N", data) for name, data in files.items()}

    def exports(self) -> Iterator[tuple[str, bytes]]:
        """Every data set as lines, and one of each other kind of file."""
        said = []
        shaped = ("steps.processbench.jsonl", "steps.prm800k.jsonl")
        for name in (
            *(f"{one}.jsonl" for one in DATASETS),
            *shaped,
            *EMPTY,
            "votes.csv",
            "outcomes.parquet",
            "outcomes",
        ):
            path = self.folder / name
            with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()):
                call_command("export", name.split(".")[0], str(path), "--text", "--as", self.researcher.email)
            said.append(f"{name}: {out.getvalue().strip()}\n")
            if path.suffix == ".parquet":
                yield f"{name}.json", table(path)
            elif path.is_dir():
                yield from ((f"hugging-face/{key}", data) for key, data in dataset_folder(path))
            else:
                yield name, path.read_bytes()
        # The size of a Parquet file is its writer's business, the rows are ours.
        yield "said.txt", re.sub(r"(outcomes(\.parquet)?: .*?) \d+ bytes", r"\1 N bytes", "".join(said)).encode()


def checked() -> bytes:
    """What `manage.py ledger_fsck` finds, without how long it took."""
    with redirect_stdout(io.StringIO()) as said:
        call_command("ledger_fsck", "--json")
    return MEASURED.sub(rb"\g<1>N", said.getvalue().encode())


def cosigned(signed: bytes, vkey: str, store: Path) -> dict[str, bytes]:
    """The checkpoint with the line of a witness that knows only the ledger's key, and that witness's own key."""
    spec = importlib.util.spec_from_file_location("witness_of_before", program("witness.py"))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    one = module.Witness(name="witness.example/w1", store=store, logs=[module.Log(vkey)], clock=lambda: 1_790_000_000)
    line = one.add_checkpoint(b"old 0\n\n" + signed)
    return {"ledger/cosigned": signed + line.encode(), "ledger/witness": f"{one.vkey}\n".encode()}


def dataset_folder(path: Path) -> Iterator[tuple[str, bytes]]:
    """The card, and each shard as its schema and rows."""
    for file in sorted(one for one in path.rglob("*") if one.is_file()):
        name = file.relative_to(path).as_posix()
        yield (f"{name}.json", table(file)) if file.suffix == ".parquet" else (name, file.read_bytes())


def table(path: Path) -> bytes:
    """A Parquet file as its schema and its rows: the bytes in between change with the version of the writer."""
    read = pq.read_table(path)
    rows = json.loads(json.dumps(read.to_pylist(), default=str))
    return as_json({"schema": [[one.name, str(one.type), one.nullable] for one in read.schema], "rows": rows})


def tile_names(size: int) -> Iterator[str]:
    """The tiles of a small ledger: hashes of level 0, and its entries."""
    assert size < 256 * 1000
    for number in range(0, size, 256):
        width = min(256, size - number)
        name = f"{number // 256:03}" + (f".p/{width}" if width < 256 else "")
        yield f"tile/0/{name}"
        yield f"tile/entries/{name}"
    if size >= 256:
        yield f"tile/1/000.p/{size // 256}"


def signed_in(user: Any) -> Client:
    """A browser in which the person has signed in."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


_NAMES = (
    (r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "<id>"),
    (r"\b[apv]-[0-9a-f]{16}\b", "<pseudonym>"),
    (r"\bauditor [0-9a-f]{6}\b", "<pseudonym>"),
    (r"\b[0-9a-f]{64}\b", "<digest>"),
    (r"[A-Za-z0-9+/]{43,}=*", "<base64>"),
)


def masked(files: dict[str, bytes]) -> dict[str, list[str]]:
    """Each file as its sorted lines, with every drawn name and digest replaced by its kind.

    The log's bytes are left out, because their order follows the draw; a bundle is its leaves and lists, one a line.
    Whom a draw passes over because they sat here before is chance too: `vote.noreveal` leaves, the number of them, and
    the seats that a draw came to.
    """
    return {name: sorted(_lines(name, data)) for name, data in files.items() if not name.startswith("ledger/")}


def _lines(name: str, data: bytes) -> Iterator[str]:
    if name.startswith("bundles/"):
        said = json.loads(data)
        yield from said
        for line in (*said["segments"], *said["eligible"], *(json.loads(leaf["entry"]) for leaf in said["leaves"])):
            if line.get("t") != "vote.noreveal":
                yield json.dumps(_sorted(line | ({"seats": "N"} if line.get("t") == "seat.assign" else {})))
        return
    for line in data.decode().splitlines():
        if "vote.noreveal" not in line and not line.startswith("ledger.jsonl: "):
            yield re.sub(r'"index": \d+', '"index": N', _mask(line))


def _sorted(value: Any) -> Any:
    """A leaf with its names masked and its lists in an order that does not follow them."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return sorted(map(_sorted, value), key=json.dumps)
    return _mask(value) if isinstance(value, str) else value


def _mask(line: str) -> str:
    for pattern, kind in _NAMES:
        line = re.sub(pattern, kind, line)
    return line
