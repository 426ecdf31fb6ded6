"""Writes docs/vectors anew: `python -m tests.unit.ledger.published_vectors`; the tests beside it check them.

Every key and nonce in them is a fixed number: these are examples for other implementations, and no secrets.
"""

import json
from dataclasses import asdict
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric import ec

from auditing.core.consensus import tally_round
from auditing.core.consensus.skills import Beta, Skill
from auditing.core.ledger import leaves
from auditing.core.ledger.leaves.fields import decimal_text, published
from auditing.core.policy import FAST, to_json
from auditing.core.values import Choice, Tier, Vote
from auditing.core.voting import commitment, seal, unopened
from auditing.translog import checkpoint, merkle, note, receipt, sequencing, tiles, witnessing
from tests.unit.ledger.examples import EXAMPLES

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "vectors"
ORIGIN = "log.example/ledger/v1"
LOG = note.signing_key(name=ORIGIN, seed=b"l" * 32)
RECEIPTS = note.signing_key(name="log.example/receipt/v1", seed=b"r" * 32)
WITNESS = note.signing_key(name="witness.example/w1", seed=b"w" * 32, kind=note.COSIGNATURE)
REVEAL = ec.derive_private_key(7**50, ec.SECP256R1())
TIME = 1_790_000_000
SEAT = UUID(int=5)


def notes() -> list[dict[str, Any]]:
    """Checkpoints signed and cosigned, and a receipt."""
    made = []
    for size in (1, 300, 70_000):
        head = checkpoint.Checkpoint(origin=ORIGIN, size=size, root=sha256(str(size).encode()).digest())
        signed = checkpoint.sign(checkpoint=head, key=LOG)
        both = note.with_signatures(note=signed, more=[note.cosign(text=signed.text, key=WITNESS, time=TIME)])
        made.append({"size": size, "root": head.root.hex(), "signed": str(signed), "cosigned": str(both)})
    promised = receipt.promise(kind=receipt.Kind.COMMIT, subject=SEAT, digest=b"c" * 32, leaf=b"f" * 32, time=TIME)
    text = str(receipt.sign(receipt=promised, key=RECEIPTS))
    keys = {"log": LOG.verifier.vkey, "witness": WITNESS.verifier.vkey, "receipt": RECEIPTS.verifier.vkey}
    return [{"keys": keys, "time": TIME, "checkpoints": made, "receipt": text}]


def trees() -> list[dict[str, Any]]:
    """Logs of several sizes: files, roots, inclusion and consistency."""
    made = []
    for size in (1, 2, 7, 256, 300):
        entries = [f"entry {number}".encode() for number in range(size)]
        batch = sequencing.advance(frontier=sequencing.Frontier(), entries=entries, origin=ORIGIN)
        read = tiles.node_reader(size=size, read=batch.files.__getitem__)
        indexes = sorted({0, size // 2, size - 1})
        made.append(
            {
                "entries": f'"entry N" for N from 0 to {size - 1}',
                "size": size,
                "root": batch.checkpoint.root.hex(),
                "files": {path: sha256(data).hexdigest() for path, data in sorted(batch.files.items())},
                "inclusion": [
                    {"index": at, "proof": _hex(merkle.inclusion_proof(index=at, size=size, read=read))}
                    for at in indexes
                ],
                "consistency": [
                    {"from": old, "proof": _hex(merkle.consistency_proof(size1=old, size2=size, read=read))}
                    for old in sorted({1, (size + 1) // 2, size})
                ],
            }
        )
    return made


def votes() -> list[dict[str, Any]]:
    """Openings with what they are bound to, their seals, and the proof that a spoilt seal does not open."""
    made = []
    for number, choice in enumerate(Choice):
        text = f"because {number}"
        binding = commitment.Binding(
            log_id=commitment.log_id(origin=ORIGIN),
            audit_id=UUID(int=1),
            segment_id=UUID(int=2),
            round=number,
            seat_id=SEAT,
            auditor_id=sha256(b"auditor").digest(),
            segment_digest=commitment.segment_digest(salt=b"s" * 32, text="2 + 2 = 4"),
        )
        opening = commitment.Opening(
            choice=choice,
            confidence_bp=None if choice is Choice.ABSTAIN else 9_000,
            rationale_digest=commitment.rationale_digest(rnonce=b"n" * 32, text=text),
            nonce=sha256(bytes((number,))).digest(),
        )
        digest = commitment.commitment(binding=binding, opening=opening)
        sealed = seal.seal(
            reveal_key=REVEAL.public_key(),
            ephemeral=ec.derive_private_key(11**40 + number, ec.SECP256R1()),
            seat_id=SEAT,
            commitment=digest,
            unsealed=seal.Unsealed(opening=opening, rnonce=b"n" * 32, rationale=text),
        )
        spoilt = sealed[:66] + bytes((sealed[66] ^ 1,)) + sealed[67:]
        shown = unopened.prove(private_key=REVEAL, sealed=spoilt, seat_id=SEAT, commitment=digest, k=99 + number)
        made.append(
            {
                "preimage": commitment.preimage(binding=binding, opening=opening).hex(),
                "commitment": digest.hex(),
                "rationale": text,
                "reveal_key_secret": f"{7**50:064x}",
                "sealed": sealed.hex(),
                "escrow": unopened.escrow_digest(sealed=sealed).hex(),
                "round_reveal_key": unopened.key_digest(point=shown.reveal_key).hex(),
                "spoilt_escrow": unopened.escrow_digest(sealed=spoilt).hex(),
                "unopened": {name: data.hex() for name, data in asdict(shown).items()},
            }
        )
    return made


def entries() -> list[dict[str, Any]]:
    """One leaf of every type, as its entry and its hash."""
    made = [(leaf.TYPE, leaves.encode(leaf=leaf)) for leaf in EXAMPLES.values()]
    return [{"type": kind, "entry": data.decode(), "hash": merkle.leaf_hash(entry=data).hex()} for kind, data in made]


def outcomes() -> list[dict[str, Any]]:
    """Rounds of people and models, with skills and without: posterior and outcome."""
    made = []
    skilled = Skill(Beta(Fraction(9), Fraction(1)), Beta(Fraction(7), Fraction(3)))
    family = Skill(Beta(Fraction(8), Fraction(2)), Beta(Fraction(8), Fraction(2)), "acme", Fraction(1, 2))
    # what a tally reads: parameters that a policy gets for other things are no part of these vectors
    read = ("human", "llm", "base_rate", "family_correlation", "consensus", "theta_pass", "theta_fail")
    params = {name: value for name, value in to_json(policy=FAST).items() if name in read}
    for tier, words, skills in (
        (Tier.HUMAN, "ppp", {}),
        (Tier.HUMAN, "ppf", {"a0": skilled}),
        (Tier.HUMAN, "pff", {"a0": skilled, "a1": skilled}),
        (Tier.HUMAN, "paa", {}),
        (Tier.HUMAN, "p", {}),
        (Tier.LLM, "pp", {"a0": family, "a1": family}),
        (Tier.LLM, "pf", {"a0": family, "a1": family}),
    ):
        choice = {"p": Choice.PASS, "f": Choice.FAIL, "a": Choice.ABSTAIN}
        cast = [Vote(choice=choice[word], auditor=f"a{at}", tier=tier) for at, word in enumerate(words)]
        k = max(3 if tier is Tier.HUMAN else 2, len(cast))
        tally = tally_round(votes=cast, policy=FAST, tier=tier, skills=skills, k=k, redraws=FAST.max_redraws)
        made.append(
            {
                "params": params,
                "tier": tier,
                "k": k,
                "votes": {vote.auditor: vote.choice for vote in cast},
                "skills": {
                    name: {"sensitivity": str(skill.sensitivity.mean), "specificity": str(skill.specificity.mean)}
                    | ({"family": skill.family, "correlation": str(skill.correlation)} if skill.family else {})
                    for name, skill in skills.items()
                },
                "rule": tally.rule,
                "outcome": tally.outcome,
                "paper_outcome": tally.paper_outcome,
                "posterior": decimal_text(published(number=tally.posterior)),
            }
        )
    return made


def post_quantum() -> list[dict[str, Any]]:
    """ML-DSA-44 cosignatures of checkpoints (tlog-cosignature type 6) by a log and by a witness.

    A signature has fresh randomness in it: one that is published, and holds, stays.
    """
    path = FOLDER / "ml-dsa.json"
    kept = {one["message"]: one["note"] for one in json.loads(path.read_text())} if path.exists() else {}
    made = []
    for size, time in ((1, 0), (300, TIME), (70_000, 2**40)):
        head = checkpoint.Checkpoint(origin=ORIGIN, size=size, root=sha256(str(size).encode()).digest())
        for name, seed in ((ORIGIN, b"m" * 32), ("witness.example/w1", b"v" * 32)):
            key = note.signing_key(name=name, seed=seed, kind=note.ML_DSA)
            message = note.subtree_message(text=head.body, time=time, name=name).hex()
            fresh = str(note.Note(text=head.body, signatures=(note.cosign(text=head.body, key=key, time=time),)))
            cosigned = kept.get(message, fresh)
            note.verify(note=note.parse(data=cosigned.encode()), keys=(key.verifier,))
            made.append(
                {
                    "seed": seed.hex(),
                    "vkey": key.verifier.vkey,
                    "size": size,
                    "time": time,
                    "message": message,
                    "note": cosigned,
                }
            )
    return made


def policies() -> list[dict[str, Any]]:
    """Witness policies (tlog-policy) about a checkpoint and a witness with keys of both kinds: which notes suffice."""
    first, second = WITNESS.verifier.vkey, post_quantum()[3]["vkey"]
    log, cosigned = note.parse(data=notes()[0]["checkpoints"][1]["cosigned"].encode()).signatures
    again = note.parse(data=post_quantum()[3]["note"].encode())
    (also,) = again.signatures
    lines = {"none": (), "ed25519": (cosigned,), "ml-dsa-44": (also,), "both": (cosigned, also)}
    checkpoints = {by: note.Note(text=again.text, signatures=(log, *more)) for by, more in lines.items()}
    head = f"log {LOG.verifier.vkey}\nwitness ed {first}\nwitness pq {second}\n"
    made = []
    for rule in ("group w1 any ed pq\nquorum w1", "group w1 all ed pq\nquorum w1", "quorum pq", "quorum none"):
        policy = witnessing.parse_policy(text=f"{head}{rule}\n")
        is_met = {by: policy.is_met(cosigners=policy.witnesses_of(note=seen)) for by, seen in checkpoints.items()}
        made.append({"policy": f"{head}{rule}\n", "accepted": is_met})
    return [{"checkpoints": {by: str(seen) for by, seen in checkpoints.items()}, "policies": made}]


VECTORS = {
    "ml-dsa": post_quantum,
    "notes": notes,
    "policies": policies,
    "trees": trees,
    "votes": votes,
    "leaves": entries,
    "outcomes": outcomes,
}


def as_text(name: str) -> str:
    return json.dumps(VECTORS[name](), indent=1, ensure_ascii=False) + "\n"


def _hex(nodes: tuple[bytes, ...]) -> list[str]:
    return [node.hex() for node in nodes]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in VECTORS:
        (FOLDER / f"{name}.json").write_text(as_text(name), encoding="utf-8")
