"""ML-DSA-44 beside Ed25519: the verifier's own FIPS 204 against `cryptography`, keys demanded, policy files."""

import gzip
import json
import random
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PrivateKey

from auditing.translog import checkpoint, note, witnessing
from auditing.verifier import verify_audit
from benchmarks.liar import OLDER

WITNESS = {
    kind: note.signing_key(name="witness.example/w1", seed=bytes((kind,)) * 32, kind=kind) for kind in note.COSIGNING
}
VKEYS = {kind: key.verifier.vkey for kind, key in WITNESS.items()}


@pytest.mark.parametrize("number", range(6))
def test_the_verifiers_own_ml_dsa_agrees_with_another_implementation(number: int) -> None:
    rng, context = random.Random(number), b"" if number % 2 else b"a context"
    key, message = MLDSA44PrivateKey.from_seed_bytes(rng.randbytes(32)), rng.randbytes(rng.randrange(300))
    public, signature = key.public_key().public_bytes_raw(), key.sign(message, context or None)
    assert verify_audit.is_ml_dsa(public, signature, message, context)
    assert not verify_audit.is_ml_dsa(public, signature, message + b"x", context)
    assert not verify_audit.is_ml_dsa(public, signature, message, context + b"x")
    for data in (signature, public):
        at = rng.randrange(len(data) * 8)
        bad = bytearray(data)
        bad[at // 8] ^= 1 << at % 8
        pair = (public, bytes(bad)) if data is signature else (bytes(bad), signature)
        assert not verify_audit.is_ml_dsa(*pair, message, context)


HINTS = {  # the places of four rows, then where each row ends
    "ends go back": ([1, 2], [2, 1, 2, 2]),
    "an end beyond 80": ([1], [1, 1, 1, 81]),
    "places go back": ([5, 4], [2, 2, 2, 2]),
    "a place twice": ([5, 5], [2, 2, 2, 2]),
    "a place behind the last end": ([5, 6], [1, 1, 1, 1]),
}


@pytest.mark.parametrize("name", HINTS)
def test_hints_have_one_spelling(name: str) -> None:
    places, ends = HINTS[name]
    assert verify_audit.hints_of(bytes(places).ljust(80, b"\0") + bytes(ends)) is None
    assert verify_audit.hints_of(bytes([4, 5, 3]).ljust(80, b"\0") + bytes([2, 3, 3, 3])) == [{4, 5}, {3}, set(), set()]


class Signed:
    """An audit whose ledger has two keys, and whose witness has two."""

    def __init__(self, kinds: tuple[int, ...] = note.COSIGNING, is_second: bool = True) -> None:
        self.bundle: dict[str, Any] = json.loads(gzip.decompress((OLDER / "pens.json.gz").read_bytes()))
        origin = self.bundle["vkey"].partition("+")[0]
        self.key = note.signing_key(name=origin, seed=b"1" * 32)
        self.second = note.signing_key(name=origin, seed=b"2" * 32, kind=note.ML_DSA)
        head = checkpoint.parse_body(text=self.bundle["checkpoint"].rpartition("\n\n")[0] + "\n")
        signed = checkpoint.sign(checkpoint=head, key=self.key, also=self.second if is_second else None)
        lines = [note.cosign(text=signed.text, key=WITNESS[kind], time=1_790_000_000) for kind in kinds]
        self.bundle["checkpoint"] = str(note.with_signatures(note=signed, more=lines))
        self.bundle |= {"vkey": self.key.verifier.vkey, "witnesses": []}
        if is_second:
            self.bundle["vkey_ml_dsa"] = self.second.verifier.vkey

    def refusal(self, **named: Any) -> str:
        return verify_audit.verify(json.dumps(self.bundle).encode(), **named).refusal

    def without(self, key: note.VerifierKey) -> "Signed":
        lines = self.bundle["checkpoint"].splitlines(keepends=True)
        start = b64encode(key.id).decode()[:5]
        self.bundle["checkpoint"] = "".join(line for line in lines if f"{key.name} {start}" not in line)
        return self


def test_both_signatures_of_a_ledger_hold_and_either_alone_can_be_demanded() -> None:
    both, first = Signed(), Signed(is_second=False)
    assert not both.refusal()
    assert not both.refusal(vkey=[both.key.verifier.vkey, both.second.verifier.vkey])
    assert not first.refusal(vkey=both.key.verifier.vkey)
    assert "it is another key" in first.refusal(vkey=both.second.verifier.vkey)


def test_a_second_signature_that_is_named_is_demanded() -> None:
    both = Signed()
    assert "no ML-DSA-44 signature by the ledger" in both.without(both.second.verifier).refusal()
    forged = Signed()
    forged.bundle["vkey_ml_dsa"] = note.signing_key(name="other/ledger/v1", seed=b"3" * 32, kind=6).verifier.vkey
    assert "of another ledger" in forged.refusal()
    changed = Signed()
    line = next(line for line in changed.bundle["checkpoint"].splitlines() if len(line) > 3_000)
    flipped = line[:-20] + ("A" if line[-20] != "A" else "B") + line[-19:]
    changed.bundle["checkpoint"] = changed.bundle["checkpoint"].replace(line, flipped)
    assert "second signature" in changed.refusal()


@pytest.mark.parametrize("kind", note.COSIGNING)
def test_every_key_of_a_witness_that_is_named_must_have_cosigned(kind: int) -> None:
    assert not Signed().refusal(witnesses=list(VKEYS.values()))
    assert not Signed((kind,)).refusal(witnesses=[VKEYS[kind]])
    assert "did not cosign this checkpoint" in Signed((kind,)).refusal(witnesses=list(VKEYS.values()))


@pytest.mark.parametrize("kind", note.COSIGNING)
def test_a_changed_line_of_a_witness_that_the_file_names_is_refused_though_nobody_asked(kind: int) -> None:
    signed = Signed((kind,))
    signed.bundle["witnesses"] = [VKEYS[kind]]
    assert not signed.refusal()
    line = next(line for line in signed.bundle["checkpoint"].splitlines() if f"— {WITNESS[kind].name} " in line)
    changed = line[:-20] + ("A" if line[-20] != "A" else "B") + line[-19:]
    signed.bundle["checkpoint"] = signed.bundle["checkpoint"].replace(line, changed)
    assert "was changed" in signed.refusal()


def policy(threshold: str, log: Signed, quorum: str = "w1") -> str:
    lines = [f"log {log.key.verifier.vkey}", f"log {log.second.verifier.vkey}"]
    lines += [f"witness w1-ed {VKEYS[note.COSIGNATURE]}", f"witness w1-pq {VKEYS[note.ML_DSA]}"]
    return "\n".join([*lines, f"group w1 {threshold} w1-ed w1-pq", f"quorum {quorum}"]) + "\n"


def test_a_policy_file_accepts_either_key_of_a_witness_or_demands_both() -> None:
    for kind in note.COSIGNING:
        signed = Signed((kind,))
        assert not signed.refusal(policy=policy("any", signed))
        assert "the quorum w1 of the policy did not cosign" in signed.refusal(policy=policy("all", signed))
    signed = Signed()
    assert not signed.refusal(policy=policy("all", signed))
    # the library reads the same file, and finds the same
    read = witnessing.parse_policy(text=policy("all", signed))
    parsed = note.parse(data=signed.bundle["checkpoint"].encode())
    assert read.is_met(cosigners=read.witnesses_of(note=parsed))


@pytest.mark.parametrize(
    "line", ["quorum w9", "group w2 any w1-ed", "group w3 3 w1", "witness w1 x", "nonsense", "quorum w1"]
)
def test_a_policy_that_says_what_it_may_not_is_refused(line: str) -> None:
    signed = Signed()
    assert "your witness policy" in signed.refusal(policy=policy("any", signed) + line + "\n")


def test_a_policy_whose_log_did_not_sign_is_not_met(tmp_path: Path, capsys: Any) -> None:
    signed = Signed()
    (tmp_path / "audit.json").write_text(json.dumps(signed.bundle))
    (tmp_path / "policy").write_text(
        "log " + note.signing_key(name="x", seed=b"x" * 32).verifier.vkey + "\nquorum none"
    )
    command = [str(tmp_path / "audit.json"), "--policy", str(tmp_path / "policy")]
    assert verify_audit.main(command) == 2
    assert "no log of the policy signed" in capsys.readouterr().out
    (tmp_path / "policy").write_text(policy("all", signed))
    assert verify_audit.main(command) == 0
