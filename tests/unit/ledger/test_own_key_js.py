"""Strict mode in the browser's own code, in Node: a lost opening is found by trying, the code brings back the key."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import playwright
import pytest

from tests.tools.patience import PATIENCE

JS = Path(__file__).resolve().parents[3] / "static" / "js"
NODE = Path(playwright.__file__).parent / "driver" / "node"  # the browser tests bring their own
SCRIPT = """
import { readFileSync } from "node:fs";
const own = await import(process.argv[1] + "/own-key.js");
const c = await import(process.argv[1] + "/commit-crypto.js");
const raw = new Uint8Array(32).map((_, at) => 7 * at + 1);
const code = await own.writeCode(raw);
const key = await own.readCode(code);
const id = (digit) => `${digit.repeat(8)}-0000-4000-8000-000000000001`;
const base64 = (bytes) => Buffer.from(bytes).toString("base64");

async function sealed({ vote, confidenceBp, kept }) {
  const seat = { origin: "here/ledger/v1", auditId: id("1"), segmentId: id("2"), round: 3, seatId: id("4"),
    auditorId: "05".repeat(32), segmentDigest: "06".repeat(32) };
  const { logId, nonce, rnonce } = await own.noncesOf(key, seat);
  const text = '{"criteria":{},"reason":"said"}';
  const rationaleDigest = await c.rationaleDigest(rnonce, text);
  const place = { ...seat, logId, auditorId: c.fromHex(seat.auditorId), segmentDigest: c.fromHex(seat.segmentDigest) };
  const commitment = c.toHex(await c.commitment(place, { vote, confidenceBp, rationaleDigest, nonce }));
  const said = { vote, confidenceBp, rationale: text, ...kept };
  const box = kept === null ? new Uint8Array() : await own.lock(key, seat.seatId, said);
  return { ...seat, commitment, rationaleDigest: c.toHex(rationaleDigest), kept: base64(box), nonce: c.toHex(nonce) };
}
const refusal = (work) => work.then(() => "", (error) => error.message);
const out = { code, found: [], other: {} };
for (const vote of JSON.parse(readFileSync(0, "utf8"))) {
  const one = await sealed(vote);
  out.found.push({ ...(await own.openingOf(key, one)), right: one.nonce });
}
const stranger = await own.readCode(await own.writeCode(raw.map((byte) => byte ^ 1)));
const lost = await sealed({ vote: 1, confidenceBp: 8000, kept: null });
out.other.stranger = await own.openingOf(stranger, lost);
out.other.changed = await own.openingOf(key, { ...lost, commitment: "0".repeat(64) });
const typed = await own.readCode(` ${code.toLowerCase()} `);
out.other.checks = await Promise.all([key, stranger, typed].map(own.checkOf));
const swapped = code.slice(0, 5) + code[6] + code[5] + code.slice(7);
const wrong = [swapped, code.slice(1), "U" + code.slice(1)];
out.other.refusals = await Promise.all(wrong.map((one) => refusal(own.readCode(one))));
out.other.extractable = key.extractable || stranger.extractable;
console.log(JSON.stringify(out));
process.exit(0);
"""
VOTES: list[dict[str, Any]] = [
    {"vote": 1, "confidenceBp": 9000},  # what was kept opens it at once, with its reason
    {"vote": 0, "confidenceBp": 6000, "kept": {"vote": 1}},  # what was kept is wrong: the commitment decides
    {"vote": 2, "confidenceBp": None, "kept": None},
    {"vote": 1, "confidenceBp": 10000, "kept": None},
    {"vote": 0, "confidenceBp": 5001, "kept": None},
    {"vote": 0, "confidenceBp": None, "kept": None},
    {"vote": 2, "confidenceBp": 0, "kept": None},  # the last of 30,006
]


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    here = tmp_path_factory.mktemp("js")
    for name in ("own-key", "commit-crypto", "vault"):
        shutil.copy(JS / f"{name}.js", here)
    (here / "package.json").write_text('{"type": "module"}')
    ran = subprocess.run(
        [str(NODE), "--input-type=module", "-e", SCRIPT, here.as_uri()],
        input=json.dumps(VOTES),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.parametrize("number", range(len(VOTES)))
def test_every_vote_and_confidence_is_found_again(said: dict[str, Any], number: int) -> None:
    vote, found = VOTES[number], said["found"][number]
    assert (found["vote"], found["confidence_bp"]) == (vote["vote"], vote["confidenceBp"])
    assert found["nonce"] == found["right"]
    assert found.get("rationale") == (None if "kept" in vote else '{"criteria":{},"reason":"said"}')
    assert ("rnonce" in found) == ("kept" not in vote)


def test_the_key_of_another_and_a_changed_commitment_open_nothing(said: dict[str, Any]) -> None:
    assert said["other"]["stranger"] is None
    assert said["other"]["changed"] is None


def test_the_code_brings_back_the_same_key_and_a_mistake_in_it_is_named(said: dict[str, Any]) -> None:
    right, other, typed = said["other"]["checks"]
    assert right == typed != other
    mistake, short, letter = said["other"]["refusals"]
    assert "typing mistake" in mistake
    assert "14 groups" in short
    assert "14 groups" in letter
    assert not said["other"]["extractable"]
