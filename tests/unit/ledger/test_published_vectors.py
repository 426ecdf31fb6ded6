"""docs/vectors: what the code writes today, accepted by the stranger's verifier, which shares no code with it."""

import json
import uuid
from fractions import Fraction
from typing import Any

import pytest

from auditing.verifier import verify_audit
from tests.unit.ledger import published_vectors


def read(name: str) -> Any:
    return json.loads((published_vectors.FOLDER / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", published_vectors.VECTORS)
def test_the_published_vectors_are_what_the_code_makes(name: str) -> None:
    told = "run: python -m tests.unit.ledger.published_vectors"
    assert (published_vectors.FOLDER / f"{name}.json").read_text(encoding="utf-8") == published_vectors.as_text(name), (
        told
    )


def test_the_verifier_opens_the_notes() -> None:
    (made,) = read("notes")
    for head in made["checkpoints"]:
        for text in (head["signed"], head["cosigned"]):
            assert verify_audit.open_note(text, made["keys"]["log"]) == (head["size"], bytes.fromhex(head["root"]))
        witness = [made["keys"]["witness"]]
        assert "cosigned by" in verify_audit.check_witnesses(head["cosigned"], [made["keys"]["log"]], witness, witness)
    assert verify_audit.read_receipt(made["receipt"], made["keys"]["receipt"])["kind"] == "vote.commit"


def test_the_verifier_opens_the_second_signatures_and_no_changed_one() -> None:
    for made in read("ml-dsa"):
        body, ((name, _, signature),) = verify_audit.signature_lines(made["note"])
        key = verify_audit.parse_key(made["vkey"], 6)[2]
        assert verify_audit.is_cosigned(name, key, signature, body)
        assert verify_audit.is_ml_dsa(key[1:], signature[8:], bytes.fromhex(made["message"]))
        assert not verify_audit.is_cosigned(f"{name}x", key, signature, body)
        assert not verify_audit.is_cosigned(name, key, bytes((1,)) + signature[1:], body)


def test_the_verifier_accepts_either_key_of_a_witness_or_demands_both_as_the_policy_says() -> None:
    (made,) = read("policies")
    for policy in made["policies"]:
        for by, text in made["checkpoints"].items():
            report = verify_audit.Report()
            report.run("policy", verify_audit.check_policy_file, text, policy["policy"])
            assert report.ok is policy["accepted"][by], (policy["policy"], by)
    told = [sorted(policy["accepted"].values()) for policy in made["policies"]]
    assert [sum(row) for row in told] == [3, 1, 2, 4]


def test_the_verifier_follows_the_proofs() -> None:
    for tree in read("trees"):
        hashes = [verify_audit.leaf_hash(f"entry {number}".encode()) for number in range(tree["size"])]
        root = bytes.fromhex(tree["root"])
        assert verify_audit.tree_root(hashes) == root
        for one in tree["inclusion"]:
            proof = [bytes.fromhex(node) for node in one["proof"]]
            assert verify_audit.root_of_inclusion(hashes[one["index"]], one["index"], tree["size"], proof) == root
        for one in tree["consistency"]:
            old = (one["from"], verify_audit.tree_root(hashes[: one["from"]]))
            proof = [bytes.fromhex(node) for node in one["proof"]]
            verify_audit.check_consistency(old, (tree["size"], root), proof)


def test_the_verifier_computes_commitments_and_sees_through_spoilt_seals() -> None:
    for made in read("votes"):
        preimage = bytes.fromhex(made["preimage"])
        assert len(preimage) == 248
        assert verify_audit.sha(preimage).hex() == made["commitment"]
        shown, seat = made["unopened"], str(uuid.UUID(bytes=preimage[100:116]))
        commit = {"seat": seat, "commitment": made["commitment"], "escrow": made["spoilt_escrow"]}
        key = (str(uuid.UUID(bytes=preimage[80:96])), int.from_bytes(preimage[96:100]))
        audit = audit_of(preimage, key, made["round_reveal_key"])
        one = verify_audit.Seat(0, seat, preimage[116:148].hex(), None, True, "silent")
        verify_audit.check_seal(audit, key, (one, commit), shown)
        with pytest.raises(verify_audit.CheckFailedError, match="is not its key"):
            verify_audit.check_seal(audit, key, (one, commit), {**shown, "response": shown["challenge"]})


def audit_of(preimage: bytes, key: tuple[str, int], reveal_key: str) -> verify_audit.Audit:
    """As much of an audit as binds a vote."""
    name, digest = str(uuid.UUID(bytes=preimage[64:80])), preimage[148:180].hex()
    opened = {"t": "audit.open", "audit": name}
    leaf = {"t": "round.open", "segment": key[0], "round": key[1], "segment_digest": digest, "reveal_key": reveal_key}
    entries = [{"index": at, "entry": json.dumps(one)} for at, one in enumerate((opened, leaf))]
    lists = {"segments": [{"segment": key[0], "digest": digest}], "eligible": []}
    return verify_audit.Audit({"vkey": published_vectors.LOG.verifier.vkey, "leaves": entries} | lists)


def test_every_leaf_has_its_hash_and_its_form() -> None:
    for made in read("leaves"):
        leaf = verify_audit.strict_json(made["entry"])
        assert verify_audit.leaf_hash(made["entry"].encode()).hex() == made["hash"]
        assert verify_audit.canonical(leaf) == made["entry"].encode()
        values = {name: value for name, value in leaf.items() if name not in ("v", "t")}
        verify_audit.check_fields(values, made["type"], "", "the example")


def test_the_verifier_tallies_alike() -> None:
    for made in read("outcomes"):
        bundle = {"vkey": "x+1+1", "leaves": [], "segments": [], "eligible": []}
        audit = verify_audit.Audit(bundle)
        audit.params = made["params"]
        votes = [*made["votes"].items()]
        posterior = verify_audit.posterior_of(audit, made["tier"], votes, made["skills"])
        assert verify_audit.rounded(posterior) == Fraction(made["posterior"])
        counts = [sum(word == name for _, word in votes) for name in ("pass", "fail", "abstain")]
        paper = verify_audit.paper_outcome(counts, made["params"][made["tier"]], made["k"])
        decided = verify_audit.binding(made["params"], made["rule"], (paper, counts, posterior))
        silent = len(votes) < verify_audit.quorum(made["params"][made["tier"]]["turnout"], made["k"])
        assert ("hung" if silent or not sum(counts[:2]) else decided) == made["outcome"]
        assert ("hung" if silent else paper) == made["paper_outcome"]
