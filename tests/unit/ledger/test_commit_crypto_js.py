"""The browser module makes the same commitments and sealed openings as the Python, shown in Node."""

import json
import shutil
import subprocess
from pathlib import Path
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from auditing.core.voting import commitment as c
from auditing.core.voting import seal
from tests.tools.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[3]
VECTORS = ROOT.parent / "shared" / "vectors" / "commit_vectors.json"
NODE = shutil.which("node")
REVEAL = ec.derive_private_key(12345, ec.SECP256R1())
SCRIPT = """
import { readFileSync } from "node:fs";
const { default: _, ...c } = await import(process.argv[1]);
const { vectors, reveal } = JSON.parse(readFileSync(0, "utf8"));
const out = [];
for (const v of vectors) {
  const rationaleDigest = await c.rationaleDigest(c.fromHex(v.rnonce), v.rationale);
  const place = { logId: c.fromHex(v.log_id), auditId: v.audit_id, segmentId: v.segment_id, round: v.round,
    seatId: v.seat_id, auditorId: c.fromHex(v.auditor_id), segmentDigest: c.fromHex(v.segment_digest) };
  const opening = { vote: v.vote, confidenceBp: v.confidence_bp, rationaleDigest, nonce: c.fromHex(v.nonce) };
  const commitment = await c.commitment(place, opening);
  const sealed = await c.seal(c.fromHex(reveal), v.seat_id, commitment,
    { opening, rnonce: c.fromHex(v.rnonce), rationale: v.rationale });
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", c.fromHex(v.nonce), hmac, false, ["sign"]);
  const nonce = await c.deriveNonce(key, c.fromHex(v.log_id), v.seat_id, v.round);
  out.push({ commitment: c.toHex(commitment), sealed: c.toHex(sealed), nonce: c.toHex(nonce) });
}
console.log(JSON.stringify(out));
"""

pytestmark = [
    pytest.mark.skipif(not NODE, reason="node is not installed; the browser tests cover this module"),
    pytest.mark.skipif(not VECTORS.exists(), reason="../shared/vectors/commit_vectors.json is absent"),
]


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    module = tmp_path_factory.mktemp("js") / "commit-crypto.mjs"
    module.write_text((ROOT / "static" / "js" / "commit-crypto.js").read_text())
    vectors = json.loads(VECTORS.read_text())
    asked = json.dumps({"vectors": vectors, "reveal": seal.public_point(key=REVEAL.public_key()).hex()})
    ran = subprocess.run(
        [NODE, "--input-type=module", "-e", SCRIPT, module.as_uri()],
        input=asked,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert ran.returncode == 0, ran.stderr
    return list(zip(vectors, json.loads(ran.stdout), strict=True))


def test_the_browser_makes_the_50_public_commitments(pairs):
    assert [made["commitment"] for _, made in pairs] == [vector["commitment"] for vector, _ in pairs]


def test_python_opens_what_the_browser_sealed(pairs):
    for vector, made in pairs:
        unsealed = seal.open_sealed(
            private_key=REVEAL,
            sealed=bytes.fromhex(made["sealed"]),
            seat_id=UUID(vector["seat_id"]),
            commitment=bytes.fromhex(vector["commitment"]),
        )
        assert unsealed.opening.choice.code == vector["vote"]
        c.check_rationale(opening=unsealed.opening, rnonce=unsealed.rnonce, text=vector["rationale"])


def test_browser_and_python_derive_the_same_nonce(pairs):
    for vector, made in pairs:
        nonce = c.derive_nonce(
            key=bytes.fromhex(vector["nonce"]),
            log_id=bytes.fromhex(vector["log_id"]),
            seat_id=UUID(vector["seat_id"]),
            round=vector["round"],
        )
        assert nonce.hex() == made["nonce"]
