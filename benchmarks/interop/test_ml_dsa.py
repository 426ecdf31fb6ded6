"""noble's FIPS 204 (npm) judges our ML-DSA-44 cosignatures, and its own are judged by the stranger's verifier."""

import json
import random
import shutil
import subprocess
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PrivateKey

from auditing.verifier import verify_audit

NOBLE = "0.7.1"
VECTORS = Path(__file__).resolve().parents[2] / "docs" / "vectors" / "ml-dsa.json"
PROGRAM = """
import { readFileSync } from "node:fs";
import { ml_dsa44 } from "@noble/post-quantum/ml-dsa.js";
const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));
const text = (data) => Buffer.from(data).toString("base64");
const asked = JSON.parse(readFileSync(0, "utf8"));
const judged = asked.claims.map(({ key, message, signature }) => {
  try { return ml_dsa44.verify(bytes(signature), bytes(message), bytes(key)); } catch { return false; }
});
const signed = asked.seeds.map((seed) => {
  const { publicKey, secretKey } = ml_dsa44.keygen(bytes(seed));
  return { key: text(publicKey), signature: text(ml_dsa44.sign(bytes(seed), secretKey)) };
});
console.log(JSON.stringify({ judged, signed }));
"""


def claims() -> list[tuple[bytes, bytes, bytes]]:
    """(key, message, signature) of the published vectors, and of signatures made now."""
    made = []
    for one in json.loads(VECTORS.read_text()):
        _, ((_, _, signature),) = verify_audit.signature_lines(one["note"])
        key = verify_audit.parse_key(one["vkey"], 6)[2]
        made.append((key[1:], bytes.fromhex(one["message"]), signature[8:]))
    for number in range(50):
        private = MLDSA44PrivateKey.from_seed_bytes(number.to_bytes(32))
        message = b"message %d" % number
        made.append((private.public_key().public_bytes_raw(), message, private.sign(message)))
    return made


def changed(claim: tuple[bytes, bytes, bytes], rng: random.Random) -> tuple[bytes, bytes, bytes]:
    parts = [bytearray(part) for part in claim]
    part = parts[rng.randrange(3)]
    at = rng.randrange(len(part) * 8)
    part[at // 8] ^= 1 << at % 8
    return bytes(parts[0]), bytes(parts[1]), bytes(parts[2])


@pytest.mark.skipif(not shutil.which("npm"), reason="npm is not installed")
def test_noble_and_the_verifier_judge_each_others_signatures(tmp_path: Path) -> None:
    install = ["npm", "install", "--silent", "--ignore-scripts", f"@noble/post-quantum@{NOBLE}"]
    subprocess.run(install, cwd=tmp_path, check=True, timeout=300)
    (tmp_path / "judge.mjs").write_text(PROGRAM)
    rng, honest = random.Random(204), claims()
    asked = [*honest, *(changed(rng.choice(honest), rng) for _ in range(100))]
    seeds = [rng.randbytes(32) for _ in range(20)]
    question: dict[str, Any] = {
        "claims": [
            {name: b64encode(data).decode() for name, data in zip(("key", "message", "signature"), claim, strict=True)}
            for claim in asked
        ],
        "seeds": [b64encode(seed).decode() for seed in seeds],
    }
    ran = subprocess.run(
        ["node", "judge.mjs"], cwd=tmp_path, input=json.dumps(question), capture_output=True, text=True, timeout=300
    )
    assert ran.returncode == 0, ran.stderr[-2_000:]
    answer = json.loads(ran.stdout)
    ours = [verify_audit.is_ml_dsa(key, signature, message) for key, message, signature in asked]
    assert answer["judged"] == ours == [True] * len(honest) + [False] * 100
    for seed, one in zip(seeds, answer["signed"], strict=True):
        key, signature = verify_audit.b64(one["key"]), verify_audit.b64(one["signature"])
        assert key == MLDSA44PrivateKey.from_seed_bytes(seed).public_key().public_bytes_raw()
        assert verify_audit.is_ml_dsa(key, signature, seed)
