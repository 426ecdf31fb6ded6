"""Check an audit offline, trusting nobody: python verify_audit.py BUNDLE [--vkey KEY] [--witness KEY] [--policy FILE]

    verify_audit.py BUNDLE            one audit from its file
    verify_audit.py find BUNDLE RECEIPT   whether the audit holds and keeps a promise, and how it counted that vote
    verify_audit.py ledger URL|DIRECTORY [RECEIPT ...] [--mine] [--design FILE]   all audits of a ledger, receipts kept
    verify_audit.py weights URL|DIRECTORY FILE [RECEIPT ...]   from what your own votes were weighed (my-weights.json)
    verify_audit.py matrix            what is checked, leaf by leaf and field by field, as Markdown

Needs Python 3.11 and the package `cryptography`; nothing of the system that made the bundle. Exit code 0: everything
holds that is not listed at the end as believed; 2: refused, with one sentence that says why, be it a lie or a file
that cannot be read; 1: nothing was checked, as `cryptography` is missing (a program that breaks has refused nothing).
Arithmetic is exact (fractions), posteriors are compared as published: rounded half even to 12 decimal places.

The sections: what is believed and what is checked (MATRIX), hashes and signatures, reading, the lists and the draw,
windows and sealed votes, tallies and what follows from them, the trace, waves, settlement, everything together.
"""

import argparse
import base64
import hashlib
import heapq
import hmac
import json
import math
import re
import sys
import urllib.request
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF
except ImportError:
    sys.exit("Nothing was checked: this needs the package `cryptography` (pip install cryptography).")

FORMAT = "trust-audit-bundle/v1"
# a bundle with other keys is refused, so nothing unchecked rides along in it
KEYS = {"format", "vkey", "checkpoint", "leaves", "segments", "eligible", "draw"}
OPTIONAL_KEYS = {"later", "witnesses", "vkey_ml_dsa"}
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+|/[1-9][0-9]*)?", re.ASCII)
LONGEST_NUMBER = 2048  # characters
SPELLINGS = {
    "uuid": re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    "digest": re.compile(r"[0-9a-f]{64}"),
    "decimal": re.compile(r"(?!-0$)-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?"),
    "fraction": re.compile(r"(0|[1-9][0-9]*)/[1-9][0-9]*"),
    "word": re.compile(r"[A-Za-z0-9._:/+=<>-]{1,256}"),
}
# the byte of a vote in its commitment
WORDS = {0: "fail", 1: "pass", 2: "abstain"}
TIERS = ("computer", "llm", "human")
Leaf = dict[str, Any]
RoundKey = tuple[str, int]


def each(codes: str, fields: str) -> dict[str, str]:
    """Lines of the matrix below: these fields are all bound in one manner."""
    return dict.fromkeys(fields.split(), codes)


# -- what is checked, and what is believed --------------------------------------------------------------------------

CHECKS = {
    1: "the signature of the checkpoint, and the cosignatures of the witnesses named",
    2: "inclusion of every leaf under that checkpoint; in a walk, that each anchored head is an older one of its tree",
    3: "form: canonical JSON, known kinds and fields, one audit",
    4: "the lists of segments and of eligible auditors are those that audit.open and eligible.extend fixed",
    5: "the seed of the draw opens what audit.open sealed, and uses a checkpoint of this ledger",
    6: "every draw repeated: who sits where, how many, and each seat drawn ends exactly once",
    7: "every opened vote is the sealed one, sealed in its window; none is left out, or its seal is shown not to open",
    8: "order: what must stand before something else does",
    9: "every round has the tier, seats and windows that the policy and the step before it ask for",
    10: "every tally recomputed from its votes, its redraws from the turnout",
    11: "what follows each tally: the segment is decided, or escalated for the reason that the tally gives",
    12: "every listed segment has exactly one outcome, and it follows from its rounds",
    13: "the outcome of the trace from the outcomes of all listed segments",
    14: "gold opens what audit.open sealed, before anything is paid; overturned gold pays every vote, and once",
    15: "every vote has exactly its postings, their amounts, and the draw of its slash; releases and reversals match",
    16: "every judged vote has exactly its steps of reputation, each recomputed from its prior",
    17: "an outcome is taken back after an appeal only, from what stood to something else, before points are released",
    18: "weights stand in the log before the closing after which votes are opened, for all who sealed (revision 2);"
    " each says what it came from, and no two people are one voice (revision 3)",
    19: "every plan of a wave recomputed from the tallies before it; nobody is asked, and nothing decided, without one",
    20: "in a walk, that each case about a reviewer begins with one decision, and is ruled on once, after an appeal",
}
BELIEVED = {
    "persons": "that persons are persons, and whom the list of the eligible names",
    "passing": "conflicts of interest, and who was passed over or passed on",
    "names": "that seats were named by chance: slashes are drawn by their names, and nobody else knows the name of a"
    " seat without a sealed vote",
    "gold": "the truth of gold, and that no other segment was gold",
    "adjudicator": "an adjudicator's verdict",
    "machine": "that a model or a checker said what its vote says, and found nothing where it has no vote",
    "values": "the values of prior reputations, of soundness and of skills",
    "agreement": "how far a reviewer agreed with others given the models' answers, in the thirty days before",
    "weights": "weights in an audit of the older format (revision 1): nothing binds them to stand before the votes",
    "trusted": "the reason why a round was drawn from the trusted pool",
    "text": "the text behind a digest, that no other audit judged it, how it was cut, and how its segments were routed:"
    " tiers, seats, weights, basis",
    "clock": "the clock between two checkpoints, that the draw used the first one after its list, and tried no other",
    "silence": "that a reviewer who kept the own opening never handed it in, and sealed any other to its round's key",
    "appeals": "who appealed, and that every appeal was recorded",
}
# What binds a field, and is not in the file of one audit.
ELSEWHERE = {
    "ledger": "that no leaf of this audit was left out of the file, and that its policy is the published one: walk it",
    "receipt": "that every vote and trace was logged as it was handed in: of one that never was, its owner's receipt"
    " is the proof (find, ledger)",
    "sources": "that a weight follows from the older leaves whose digest it names: its owner checks it (weights)",
    "key": "that the key is the operator's: compare it with a copy that you got elsewhere (--vkey)",
    "case": "whom a decision about a reviewer was about and what it rests on: the person holds what its digest opens",
    "witnesses": "that the operator shows everybody the same ledger: name witnesses whom you trust (--witness)",
}
# Kind of leaf -> field -> how it is bound: numbers of CHECKS, names of BELIEVED; "" is the leaf itself (left out,
# doubled, moved). A name that ends in ? is optional. Fields of entries in a list are written list.field.
DRAWN = {"pool?": "6 trusted", "roster?": "6 clock"}
MATRIX: dict[str, dict[str, str]] = {
    "submission": {"": "8", "audit": "3", "digest": "receipt text"},
    "audit.open": {
        "": "3 8",
        "audit": "3",
        "policy": "ledger",
        "params": "9 10 11 13 15 16 ledger",
        "segments": "4",
        "segments_root": "4",
        "eligible": "4",
        "eligible_root": "4",
        "draw": "6",
        "draw.load_cap": "6",
        "draw.share_cap": "6",
        "draw.adjacent": "6",
        "seed_commit": "5 clock",
        "predecessor?": "8 appeals",
        "revision?": "18 weights",
    },
    "eligible.extend": {"": "4", "audit": "3", "number": "4", "eligible": "4", "eligible_root": "4"},
    "round.open": {
        "": "9 11",
        "audit": "3",
        **each("9", "segment round tier k segment_digest"),
        **each("9 clock", "commit_by reveal_by"),
        "reveal_key?": "7 receipt silence",
    },
    "seat.assign": {"": "6", "audit": "3", **each("6", "segment round draw seats digest"), **DRAWN},
    "substitution": {"": "6", "audit": "3", **each("6", "segment round draw replaced digest reason"), **DRAWN},
    "vote.commit": {
        "": "7 8 receipt",
        "audit": "3",
        "segment": "7",
        "round": "7",
        "seat": "7 receipt names",
        "commitment": "7 receipt",
        "escrow?": "7 receipt silence",
    },
    "phase.reveal": {"": "6 7 10", "audit": "3", **each("7", "segment round commits digest"), "salts": "6"},
    "vote.reveal": {
        "": "6 7",
        "audit": "3",
        "segment": "7",
        "round": "7",
        "openings": "7",
        "openings.seat": "7 receipt names",
        "openings.auditor": "6 7 receipt",
        "openings.draw": "6",
        "openings.vote": "7 receipt machine",
        "openings.confidence": "7 receipt machine",
        "openings.rationale": "7 receipt machine",
        "openings.nonce": "7 receipt machine",
    },
    "vote.noreveal": {
        "": "6 7",
        "audit": "3",
        "segment": "6",
        "round": "6",
        "seats": "6",
        "seats.seat": "6 names",
        "seats.auditor": "6",
        "seats.draw": "6 passing",
        "seats.committed": "7",
        "seats.reason": "6 passing silence",
    },
    "vote.unopened": {"": "7", "audit": "3"}
    | each("7", "segment round seat reveal_key ephemeral cipher secret challenge response"),
    "skills": {
        "": "8 10 18 weights",
        "audit": "3",
        "segment": "8",
        "round": "8",
        "auditors": "10 18 weights",
        "auditors.auditor": "10 18 weights",
        "auditors.sensitivity": "10 values weights",
        "auditors.specificity": "10 values weights",
        "auditors.family?": "10 18 values weights",
        "auditors.correlation?": "10 values weights",
        "auditors.sources?": "18 values sources",
        "auditors.follows?": "10 18 values",
        "auditors.following?": "10 18 values",
    },
    "outcome.preliminary": {"": "10 12", "audit": "3"}
    | each("10", "segment round tier rule k redraws passes fails abstentions outcome paper_outcome posterior"),
    "outcome.rollback": {
        "": "17 appeals",
        "audit": "3",
        **each("17", "segment round reason"),
        "outcome?": "17 appeals",
    },
    "escalation": {"": "11", "audit": "3", "segment": "11", "round": "11", "to": "11", "reason": "11 machine"},
    "wave.plan": {
        "": "8 19",
        "audit": "3",
        "wave": "19",
        "right": "19",
        "reason": "19",
        "asked": "19",
        "asked.segment": "19",
        "asked.round": "19",
        "asked.seats": "9 19",
        "asked.ratio": "19",
        "asked.sampled?": "19 machine",
        "asked.inclusion?": "5 19",
        "outcome?": "13 19",
        "bound?": "13 19 values",
    },
    "segment.outcome": {
        "": "12",
        "audit": "3",
        "segment": "12",
        "rounds": "12",
        "tier": "12",
        "outcome": "12 adjudicator",
        "paper_outcome": "12",
        "posterior": "12",
        "refuted": "12",
        "adjudicated": "12",
        "weight": "4 12",
        "soundness?": "13 values",
    },
    "trace.outcome": {
        "": "8 13",
        "audit": "3",
        "outcome": "13",
        "posterior": "13",
        "score": "13",
        "rule": "13",
        "paper_outcome": "13",
        "weight_passed": "13",
        "weight_needed": "13",
        "seed": "5 clock",
        "draw_size": "5 clock",
        "draw_root": "5 clock",
        "beacon?": "5",
        "extensions?": "5 6",
        "extensions.size": "5 clock",
        "extensions.root": "5 clock",
    },
    "gold.reveal": {"": "14 gold", "audit": "3", "segment": "14", "truth": "14 gold", "salt": "14"},
    "gold.overturn": {"": "14 gold", "audit": "3", "segment": "14 15", "stands": "14 gold"},
    "reputation.update": {"": "16", "audit": "3", **each("16", "segment round auditor column"), "prior": "16 values"}
    | each("16", "correct after"),
    "payout": {
        "": "15 clock",
        "audit": "3",
        "segment": "15",
        "round": "15",
        "held": "15 clock",
        "pool": "15",
        "lines": "15 persons",
        "lines.seat": "15",
        "lines.auditor": "15",
        "lines.posting": "15",
        "lines.points": "15 names",
        "lines.p?": "15",
    },
    "appeal": {"": "8 appeals", "audit": "3", "by": "3 appeals", "reason": "appeals", "successor?": "17 appeals"},
    # leaves of no audit: a bundle holds none of them
    "conduct.decision": {"": "20 case"}
    | each("20 case", "case decision")
    | {"evidence": "case"}
    | each("20 case", "until? points?"),
    "params.policy": {"": "3", "policy": "3", "digest": "3", "params": "3"},
    "experiment.register": {"": "8", "digest": "8 text"},
    "key.rotate": {"": "3", "origin": "3", "old": "3", "new": "3", "signature": "3"},
    "anchor": {"": "3", "chain": "3", "contract": "3", "transaction": "3", "size": "2", "root": "2"},
    # lines of the two lists that audit.open commits to
    "list of segments": {
        "segment": "4",
        "digest": "4 text",
        "tier": "4 9 text",
        "secondaries": "4 11 text",
        "k": "4 9 text",
        "weight": "4 12 text",
        "basis": "4 13 text",
        "gold": "4 14 gold",
        "by?": "4 9 text",
    },
    "list of the eligible": {
        "auditor": "4 6 persons",
        "kind": "4 6 persons",
        "weight": "4 6 persons",
        "load": "4 6 persons",
        "reputation": "4 15 values",
        "pool?": "4 6 trusted persons",
        "simulated?": "4 15 persons",
        "against?": "4 15 values",
        "agreement?": "4 15 agreement",
    },
}
# The form of each field, by its last name: one spelling for each value, so that nothing is said in two ways.
FORMS: dict[str, str] = {
    "uuid": "audit segment seat predecessor successor replaced",
    "digest": "auditor digest segments_root eligible_root seed_commit segment_digest commitment salts rationale nonce"
    " seed draw_root root beacon salt gold escrow challenge response sources case evidence",
    "integer": "policy round k commit_by reveal_by commits vote confidence redraws passes fails abstentions rounds"
    " draw_size size load load_cap number revision roster pool points wave until",
    "boolean": "adjacent committed refuted adjudicated held correct basis simulated sampled",
    "decimal": "share_cap posterior score weight_passed weight_needed soundness prior after p reputation right ratio"
    " bound agreement inclusion",
    "fraction": "sensitivity specificity correlation following",
    "word": "tier to reason rule outcome paper_outcome truth stands column posting by kind family secondaries against"
    " follows origin old new signature chain contract transaction reveal_key ephemeral cipher secret decision",
    "params": "params",
}
# names that mean different things in different records
OTHER_FORMS = {
    "audit.open.segments": "integer",
    "audit.open.eligible": "integer",
    "audit.open.draw": "record",
    "eligible.extend.eligible": "integer",
    "round.open.reveal_key": "digest",
    "seat.assign.draw": "integer",
    "seat.assign.seats": "integer",
    "seat.assign.pool": "word",
    "substitution.draw": "integer",
    "substitution.pool": "word",
    "vote.reveal.openings": "records",
    "vote.reveal.openings.draw": "integer",
    "vote.noreveal.seats": "records",
    "vote.noreveal.seats.draw": "integer",
    "skills.auditors": "records",
    "wave.plan.asked": "records",
    "wave.plan.asked.seats": "integer",
    "segment.outcome.weight": "decimal",
    "trace.outcome.extensions": "records",
    "payout.lines": "records",
    "list of segments.weight": "decimal",
    "list of the eligible.weight": "integer",
    "list of the eligible.pool": "word",
}
# what can be decided about a reviewer; the last three have an end or a price
DECISIONS = ("cleared", "warned", "retrain", "gold-only", "suspended", "slashed")
LISTS = ("replaced", "salts", "secondaries")  # fields that hold several values of their form
# fields that have one of a few words, wherever a kind has them: another word would be judged by no rule
CLOSED = {
    "tier": TIERS,
    "kind": TIERS,
    "secondaries": TIERS,
    "truth": ("pass", "fail", "none"),
    "stands": ("pass", "fail", "none"),
    "column": ("gold", "consensus"),
    "decision": (*DECISIONS, "appealed", "stands", "lifted"),
}
# kinds that belong to the ledger and to no audit
OF_THE_LEDGER = ("conduct.decision", "params.policy", "experiment.register", "key.rotate", "anchor")


class UnreadableError(Exception):
    """The file is no bundle."""


class CheckFailedError(Exception):
    """A check failed."""


def in_words(error: Exception) -> str:
    """What broke while a file was read, in words of this program: those of Python say nothing to a stranger."""
    match error:
        case UnreadableError() | CheckFailedError():
            return str(error)
        case OSError(strerror=str(reason)):
            return f"{error.filename}: {reason}"
        case json.JSONDecodeError():
            return in_words_of_json(error)
        case UnicodeError():
            return "it is no text in UTF-8"
        case RecursionError():
            return "it is nested too deeply"
        case KeyError():
            return f"the key {error} is missing"
    return "a value is missing or malformed"


def in_words_of_json(error: json.JSONDecodeError) -> str:
    text = error.doc.strip()
    if not text or text.startswith("<"):
        return "it is a web page, saved perhaps while signed out" if text else "it is empty"
    if error.msg.startswith("Unterminated") or error.pos >= len(error.doc.rstrip()):
        return "it breaks off, as if it had not been saved whole"
    return f"it is no JSON from line {error.lineno}, column {error.colno} on"


@dataclass
class Report:
    """What was checked, in order, and what had to be believed for it."""

    lines: list[tuple[bool, str, str]] = field(default_factory=list)
    believed: dict[str, list[str]] = field(default_factory=dict)
    of: str = "A bundle"
    elsewhere: list[str] = field(default_factory=lambda: ["ledger", "receipt", "sources", "key", "witnesses"])

    def run(self, title: str, check: Callable[..., Any], *args: Any) -> Any:
        """One check: its result, or None when it failed."""
        try:
            result = check(*args)
        # whatever a malformed value breaks, it fails its own check; the others go on
        except Exception as error:
            self.lines.append((False, title, in_words(error)[:300]))
            return None
        self.lines.append((True, title, result if isinstance(result, str) else ""))
        return result

    def believe(self, key: str, detail: str = "") -> None:
        """This audit cannot be followed without believing it; detail: of what, in a few words."""
        details = self.believed.setdefault(key, [])
        if detail and detail not in details:
            details.append(detail)

    @property
    def ok(self) -> bool:
        """Nothing failed."""
        return all(good for good, _, _ in self.lines)

    @property
    def refusal(self) -> str:
        """The one sentence that says why the audit is refused; "" when it is not."""
        bad = (f"{title}: {note}" if note else title for good, title, note in self.lines if not good)
        return plain(next(bad, ""))

    def sentences(self) -> list[str]:
        """What is believed, in plain words, in the order of the closed list."""
        return [
            plain(f"{sentence} ({'; '.join(self.believed[key])})") if self.believed[key] else sentence
            for key, sentence in BELIEVED.items()
            if key in self.believed
        ]

    def text(self) -> str:
        """The report for a person; nothing in it can move a cursor or begin a line of its own."""
        rows = [
            f"  {'ok    ' if good else 'FAILED'} {plain(title)}{': ' + plain(note) if note else ''}"
            for good, title, note in self.lines
        ]
        bad = sum(not good for good, _, _ in self.lines)
        if bad:
            return "\n".join(
                ["Checked:", *rows, "", f"{bad} of {len(self.lines)} checks FAILED.", f"Refused: {self.refusal}"]
            )
        ending = ["Believed, not proven:", *(f"  - {line}" for line in self.sentences() or ["nothing"])]
        elsewhere = [f"{self.of} alone cannot show:", *(f"  - {ELSEWHERE[name]}" for name in self.elsewhere)]
        return "\n".join(["Checked:", *rows, "", "Everything that can be checked holds.", "", *elsewhere, "", *ending])


def plain(text: str) -> str:
    """Text of a file as one line that every terminal can print, and that moves no cursor."""
    return "".join(letter if letter.isascii() and letter.isprintable() else f"<{ord(letter):x}>" for letter in text)


def need(condition: object, message: str) -> None:
    """Fail the running check unless `condition`."""
    if not condition:
        raise CheckFailedError(message)


# -- hashes, trees, signatures --------------------------------------------------------------------------------------


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def pad32(label: str) -> bytes:
    return label.encode().ljust(32, b"\0")


def unhex(text: str, length: int = 32) -> bytes:
    data = bytes.fromhex(text)
    need(len(data) == length and data.hex() == text, f"not {length} bytes in hexadecimal: {text[:80]}")
    return data


def b64(text: str) -> bytes:
    data = base64.b64decode(text, validate=True)
    need(base64.b64encode(data).decode() == text, f"base64 with stray bits: {text[:80]}")
    return data


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def leaf_hash(entry: bytes) -> bytes:
    return sha(b"\0", entry)


def tree_root(leaves: Sequence[bytes]) -> bytes:
    """By the definition of RFC 6962 section 2.1."""
    if not leaves:
        return sha(b"")
    if len(leaves) == 1:
        return leaves[0]
    # the largest power of two below the number of leaves
    split = 1 << ((len(leaves) - 1).bit_length() - 1)
    return sha(b"\1", tree_root(leaves[:split]), tree_root(leaves[split:]))


def root_of_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> bytes:
    """RFC 9162 section 2.1.3.2."""
    need(type(index) is int and 0 <= index < size, f"leaf {index} lies outside a tree of {size}")
    # the names of the RFC: the node's position on its level, and the last position there; both halve on the way up
    fn, sn, node = index, size - 1, leaf
    for sibling in proof:
        need(sn > 0 and len(sibling) == 32, "the audit path is too long")
        if fn % 2 or fn == sn:
            node = sha(b"\1", sibling, node)
            while fn % 2 == 0 and fn:
                fn, sn = fn // 2, sn // 2
        else:
            node = sha(b"\1", node, sibling)
        fn, sn = fn // 2, sn // 2
    need(sn == 0, "the audit path is too short")
    return node


Head = tuple[int, bytes]


def check_consistency(old: Head, new: Head, proof: Sequence[bytes]) -> None:
    """RFC 9162 section 2.1.4.2, heads as (size, root)."""
    (size1, root1), (size2, root2) = old, new
    need(1 <= size1 <= size2, f"size {size2} cannot continue size {size1}")
    if size1 == size2:
        need(root1 == root2 and not proof, "two roots of one size")
        return
    # a power of two: the old root is itself a node of the new tree, and is left out of the proof
    proof = [root1, *proof] if size1 & (size1 - 1) == 0 else list(proof)
    need(proof and all(len(sibling) == 32 for sibling in proof), "the consistency proof is empty")
    fn, sn = size1 - 1, size2 - 1
    while fn % 2:
        fn, sn = fn // 2, sn // 2
    first = second = proof[0]
    for sibling in proof[1:]:
        need(sn > 0, "the consistency proof is too long")
        if fn % 2 or fn == sn:
            first, second = sha(b"\1", sibling, first), sha(b"\1", sibling, second)
            while fn % 2 == 0 and fn:
                fn, sn = fn // 2, sn // 2
        else:
            second = sha(b"\1", second, sibling)
        fn, sn = fn // 2, sn // 2
    need(
        sn == 0 and (first, second) == (root1, root2), f"the ledger of {size2} leaves does not continue that of {size1}"
    )


# Types of keys in a note: 1 signs, 4 and 6 cosign checkpoints (C2SP signed-note, tlog-cosignature)
KEY_BYTES = {1: 32, 4: 32, 6: 1312}
KEY_NAMES = {1: "Ed25519 key", 4: "Ed25519 key of a witness", 6: "ML-DSA-44 key"}


def parse_key(vkey: str, *kinds: int) -> tuple[str, str, bytes]:
    """(name, key id, type and public key) of a verifier key of one of these types."""
    need(vkey.count("+") > 1, f"{vkey[:80]!r} is no key, which is name+id+base64")
    name, key_id, encoded = vkey.split("+", 2)
    key = b64(encoded)
    wanted = " or ".join(KEY_NAMES[kind] for kind in kinds)
    need(key[:1] and key[0] in kinds and len(key) == 1 + KEY_BYTES[key[0]], f"the key of {name[:80]} is no {wanted}")
    need(sha(name.encode(), b"\n", key)[:4].hex() == key_id, "the key id does not belong to the key")
    return name, key_id, key


def signature_lines(text: str) -> tuple[str, list[tuple[str, str, bytes]]]:
    """The signed body of a note, and its signatures as (name, key id, signature) (C2SP signed-note)."""
    body, separator, tail = text.rpartition("\n\n")
    need(separator and tail.endswith("\n"), "no signed note, or its lines do not end as they were signed")
    # em dash, name, base64 of key id and signature
    lines = [line.split(" ") for line in tail[:-1].split("\n")]
    need(len(lines) <= 100, "more than 100 signatures")
    need(all(len(line) == 3 and line[0] == "\u2014" for line in lines), "a signature line is malformed")
    decoded = [(name, b64(signature)) for _, name, signature in lines]
    return body + "\n", [(name, data[:4].hex(), data[4:]) for name, data in decoded]


def is_signed(typed_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether a key with its type before it made this signature; Ed25519 by `cryptography`, ML-DSA-44 by this file."""
    if typed_key[0] == 6:
        return is_ml_dsa(typed_key[1:], signature, message)
    try:
        Ed25519PublicKey.from_public_bytes(typed_key[1:]).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def is_cosigned(name: str, typed_key: bytes, signature: bytes, body: str) -> bool:
    """A statement that at a time the cosigner `name` knew of no larger tree (C2SP tlog-cosignature, types 4 and 6)."""
    stamp, mark = int.from_bytes(signature[:8]), signature[8:]
    if len(signature) <= 8 or stamp >= 1 << 63:
        return False
    if typed_key[0] == 4:
        return len(mark) == 64 and is_signed(typed_key, mark, f"cosignature/v1\ntime {stamp}\n{body}".encode())
    origin, size, root = body.split("\n")[:3]
    names = [bytes((len(text.encode()),)) + text.encode() for text in (name, origin)]
    parts = (names[0], stamp.to_bytes(8), names[1], bytes(8), int(size).to_bytes(8), b64(root))
    return is_signed(typed_key, mark, b"subtree/v1\n\0" + b"".join(parts))


# ML-DSA-44 (FIPS 204), verification alone: matrices of 4 x 4 polynomials of 256 coefficients modulo PRIME.
PRIME = 8380417
GAMMA = 95232  # gamma_2
OMEGA = 80  # at most so many hints
LARGEST_Z = (1 << 17) - 78  # gamma_1 - beta
# powers of the 512th root of unity 1753 in the order of reversed bits (appendix B)
ZETAS = [pow(1753, int(f"{number:08b}"[::-1], 2), PRIME) for number in range(256)]
Polynomial = list[int]


def is_ml_dsa(key: bytes, signature: bytes, message: bytes, context: bytes = b"") -> bool:
    """Algorithms 3 and 8: w = A z - c t1 2^13, corrected by the hints, hashes to the challenge of the signature."""
    if len(key) != 1312 or len(signature) != 2420 or len(context) > 255:
        return False
    challenge, hints = signature[:32], hints_of(signature[2336:])
    z = [[(1 << 17) - piece for piece in unpacked(signature[at : at + 576], 18)] for at in range(32, 2336, 576)]
    if hints is None or any(abs(piece) >= LARGEST_Z for polynomial in z for piece in polynomial):
        return False
    z = [transformed(polynomial) for polynomial in z]
    c = transformed(ball_of(challenge))
    w = b""
    for row in range(4):
        t = transformed([piece << 13 for piece in unpacked(key[32 + 320 * row : 352 + 320 * row], 10)])
        matrix = [uniform(key[:32] + bytes((column, row))) for column in range(4)]
        sums = [sum(a[at] * b[at] for a, b in zip(matrix, z, strict=True)) - c[at] * t[at] for at in range(256)]
        high = [hinted(piece, at in hints[row]) for at, piece in enumerate(restored(sums))]
        # w1Encode: 6 bits each, the first lowest
        w += sum(piece << (6 * at) for at, piece in enumerate(high)).to_bytes(192, "little")
    sealed = bytes((0, len(context))) + context + message
    mu = shake(shake(key, 64) + sealed, 64)
    return shake(mu + w, 32) == challenge


def shake(data: bytes, length: int) -> bytes:
    return hashlib.shake_256(data).digest(length)


def unpacked(data: bytes, bits: int) -> Polynomial:
    """256 numbers of so many bits each, the first lowest (algorithm 18)."""
    whole, mask = int.from_bytes(data, "little"), (1 << bits) - 1
    return [whole >> (bits * at) & mask for at in range(256)]


def hints_of(data: bytes) -> list[set[int]] | None:
    """The places that each row's hints name, in their one spelling (algorithm 21); None where they are malformed."""
    rows, start = [], 0
    for end in data[OMEGA:]:
        places = list(data[start:end])
        if not start <= end <= OMEGA or places != sorted(set(places)):
            return None
        rows.append(set(places))
        start = end
    return rows if not any(data[start:OMEGA]) else None


def ball_of(seed: bytes) -> Polynomial:
    """39 coefficients of 1 or -1 and otherwise 0 (algorithm 29)."""
    stream, read = shake(seed, 1024), 8  # 39 draws of at least 217 in 256 use far less
    signs, ball = int.from_bytes(stream[:8], "little"), [0] * 256
    for position in range(217, 256):
        while stream[read] > position:
            read += 1
        ball[position], ball[stream[read]] = ball[stream[read]], 1 - 2 * (signs & 1)
        signs, read = signs >> 1, read + 1
    return ball


def uniform(seed: bytes) -> Polynomial:
    """256 coefficients below PRIME, three bytes each, larger ones passed over (algorithm 30)."""
    length = 168 * 6
    while True:
        stream = hashlib.shake_128(seed).digest(length)
        drawn = (int.from_bytes(stream[at : at + 3], "little") & 0x7FFFFF for at in range(0, length, 3))
        below = [number for number in drawn if number < PRIME]
        if len(below) >= 256:
            return below[:256]
        length += 168


def transformed(polynomial: Polynomial) -> Polynomial:
    """The number-theoretic transform (algorithm 41)."""
    values, width, turn = list(polynomial), 128, 0
    while width:
        for start in range(0, 256, 2 * width):
            turn += 1
            zeta = ZETAS[turn]
            for at in range(start, start + width):
                step = zeta * values[at + width] % PRIME
                values[at], values[at + width] = values[at] + step, values[at] - step
        width //= 2
    return values


def restored(values: Polynomial) -> Polynomial:
    """The inverse transform (algorithm 42), with coefficients from 0 to PRIME - 1."""
    values, width, turn = [value % PRIME for value in values], 1, 256
    while width < 256:
        for start in range(0, 256, 2 * width):
            turn -= 1
            zeta = -ZETAS[turn]
            for at in range(start, start + width):
                left, right = values[at], values[at + width]
                values[at], values[at + width] = left + right, zeta * (left - right) % PRIME
        width *= 2
    return [value * 8347681 % PRIME for value in values]


def hinted(value: int, hint: bool) -> int:
    """The high bits of a coefficient, moved by its hint (algorithms 36 and 40)."""
    low = value % (2 * GAMMA)
    low -= 2 * GAMMA * (low > GAMMA)
    high = 0 if value - low == PRIME - 1 else (value - low) // (2 * GAMMA)
    low -= value - low == PRIME - 1
    return high if not hint else (high + (1 if low > 0 else -1)) % 44


def open_note(text: str, vkey: str) -> Head:
    """(size, root) of a checkpoint that `vkey` signed (C2SP signed-note, tlog-checkpoint)."""
    name, key_id, key = parse_key(vkey, 1)
    body, lines = signature_lines(text)
    mine = [signature for signer, number, signature in lines if (signer, number) == (name, key_id)]
    need(mine, f"no signature by {name}")
    for signature in mine:
        need(is_signed(key, signature, body.encode()), "the signature does not belong to this checkpoint")
    origin, size, root, *_ = body[:-1].split("\n")
    need(origin == name and str(int(size)) == size, "the checkpoint is of another ledger")
    return int(size), b64(root)


def check_post_quantum(text: str, vkey: str, second: str) -> str:
    """The ledger's ML-DSA-44 key, named beside its Ed25519 key, cosigned the checkpoint (C2SP tlog-checkpoint)."""
    name, key_id, key = parse_key(second, 6)
    need(name == parse_key(vkey, 1)[0], "the ML-DSA-44 key is of another ledger")
    body, lines = signature_lines(text)
    mine = [signature for signer, number, signature in lines if (signer, number) == (name, key_id)]
    need(mine, "no ML-DSA-44 signature by the ledger")
    need(
        all(is_cosigned(name, key, signed, body) for signed in mine),
        "the ML-DSA-44 signature is not one of this checkpoint",
    )
    return "ML-DSA-44 beside Ed25519"


def check_witnesses(text: str, of_log: Sequence[str], witnesses: Sequence[str], trusted: Sequence[str]) -> str:
    """Every key of a witness named cosigned (C2SP tlog-cosignature); whose lines nobody named is said, not believed."""
    body, lines = signature_lines(text)
    keys = {(name, key_id): key for name, key_id, key in (parse_key(witness, 4, 6) for witness in witnesses)}
    logs = {parse_key(key, 1, 6)[:2] for key in of_log}
    cosigned, strangers = set(), []
    for signer, number, signature in lines:
        if (signer, number) in logs:
            continue
        if (signer, number) not in keys:
            # a changed name or key id of a line whose witness is named is a changed line, and not a stranger's
            need(
                signer not in {known for known, _ in keys}, f"the line of {signer} is by another key than the one named"
            )
            strangers.append(signer[:80])
            continue
        need(is_cosigned(signer, keys[signer, number], signature, body), f"the line of {signer} was changed")
        cosigned.add((signer, number))
    missing = sorted({name for name, _ in keys.keys() - cosigned})
    need(not missing, f"{', '.join(missing)} did not cosign this checkpoint with every key named")
    known = {parse_key(witness, 4, 6)[:2] for witness in trusted}
    mine, theirs = ({name for name, _ in group} for group in (cosigned & known, cosigned - known))
    notes = [f"cosigned by {', '.join(sorted(mine))}, whom you named"] if mine else []
    notes += [f"cosigned by {', '.join(sorted(theirs - mine))}, whom this file names and you do not"] * bool(
        theirs - mine
    )
    notes += [f"not checked, for nobody named their keys: {', '.join(strangers)}"] if strangers else []
    return "; ".join(notes) or "no witness named"


def check_policy_file(text: str, policy: str) -> str:
    """A reader's own rule of trust: one of its logs signed, and its quorum of witnesses cosigned (C2SP tlog-policy)."""
    logs, witnesses, groups, quorum = read_policy(policy)
    body, lines = signature_lines(text)

    def has_signed(vkey: str, *kinds: int) -> bool:
        name, key_id, key = parse_key(vkey, *kinds)
        mine = [signature for signer, number, signature in lines if (signer, number) == (name, key_id)]
        for signature in mine:
            good = is_signed(key, signature, body.encode()) if key[0] == 1 else is_cosigned(name, key, signature, body)
            need(good, f"the line of {name} was changed")
        return bool(mine)

    need(any([has_signed(vkey, 1, 6) for vkey in logs]) or not logs, "no log of the policy signed this checkpoint")
    # a list, not a generator: a wrong line of any key that is named spoils the checkpoint
    present = {name for name, signed in [(name, has_signed(vkey, 4, 6)) for name, vkey in witnesses.items()] if signed}
    for name, (threshold, members) in groups.items():  # a group names only what stands above it
        if sum(member in present for member in members) >= threshold:
            present.add(name)
    need(quorum == "none" or quorum in present, f"the quorum {quorum} of the policy did not cosign this checkpoint")
    return f"quorum {quorum}, by {', '.join(name for name in witnesses if name in present) or 'no witness'}"


Groups = dict[str, tuple[int, list[str]]]


def read_policy(text: str) -> tuple[list[str], dict[str, str], Groups, str]:
    """Logs, witnesses, groups and the quorum of a policy file; a name stands above the line that uses it."""
    logs: list[str] = []
    witnesses: dict[str, str] = {}
    groups: Groups = {}
    quorums: list[str] = []
    for line in text.split("\n"):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        match words:
            case ["log", vkey, *_]:
                logs.append(vkey)
            case ["witness", name, vkey, *_] if name not in {*witnesses, *groups, "none"}:
                witnesses[name] = vkey
            case ["group", name, count, *members] if name not in {*witnesses, *groups, "none"} and members:
                used = [member for _, others in groups.values() for member in others] + members
                need(len(set(used)) == len(used), f"the policy counts a member of {name} twice")
                need({*members} <= {*witnesses, *groups}, f"the policy's group {name} has an unknown member")
                threshold = int({"any": "1", "all": str(len(members))}.get(count, count))
                need(1 <= threshold <= len(members), f"the policy's group {name} has no threshold")
                groups[name] = threshold, members
            case ["quorum", name] if name in {*witnesses, *groups, "none"}:
                quorums.append(name)
            case _:
                raise CheckFailedError(f"not a line of a witness policy: {line[:60]}")
    keys = [b64(vkey.split("+", 2)[2])[1:] for vkey in (*logs, *witnesses.values())]
    need(len(set(keys)) == len(keys), "a key stands twice in the policy")
    need(len(quorums) == 1, "a policy has exactly one quorum line")
    return logs, witnesses, groups, quorums[0]


# -- reading --------------------------------------------------------------------------------------------------------


def rational(value: Any) -> Fraction:
    """An exact number from a JSON integer or from text such as "0.6" or "7/10"."""
    if type(value) is int or (isinstance(value, str) and len(value) <= LONGEST_NUMBER and NUMBER.fullmatch(value)):
        return Fraction(value)
    raise CheckFailedError(f"not a number: {str(value)[:40]!r}")


def strict_json(text: str) -> Any:
    """JSON without duplicate keys, floats, NaN or integers beyond 2^53."""

    def pairs(pairs_read: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs_read)) == len(pairs_read), "a key stands twice")
        return dict(pairs_read)

    # floats have no exact canonical form, so a leaf holds none
    def refuse(token: str) -> Any:
        raise CheckFailedError(f"{token} is not an integer")

    def integer(digits: str) -> int:
        good = digits != "-0" and len(digits) <= 17 and abs(int(digits)) < 1 << 53
        need(good, f"{digits[:20]} is no integer below 2^53 in its one spelling")
        return int(digits)

    return json.loads(text, object_pairs_hook=pairs, parse_float=refuse, parse_constant=refuse, parse_int=integer)


@dataclass
class Seat:
    """A seat that a draw filled, and how it ended: opened, or without a vote for a reason."""

    draw: int
    seat: str
    auditor: str
    opening: Leaf | None
    committed: bool
    reason: str

    @property
    def word(self) -> str:
        """pass, fail, abstain; or silent."""
        return WORDS[self.opening["vote"]] if self.opening else "silent"


def read_leaves(bundle: dict[str, Any]) -> Iterable[Leaf]:
    """The leaves of a bundle in the order of the log, each with its index."""
    for proved_leaf in sorted(bundle["leaves"], key=lambda proved_leaf: int(proved_leaf["index"])):
        leaf = strict_json(proved_leaf["entry"])
        need(isinstance(leaf, dict) and "index" not in leaf, "a leaf is no record, or states a place of its own")
        yield leaf | {"index": proved_leaf["index"]}


class Audit:
    """The leaves of a bundle by type, in log order, with what has been recomputed so far."""

    def __init__(
        self, bundle: dict[str, Any], report: Report | None = None, leaves: Iterable[Leaf] | None = None
    ) -> None:
        """leaves: those of the bundle, with their indexes and in their order, where they were read already."""
        self.bundle = bundle
        self.report = report or Report()
        self.origin: str = bundle["vkey"].split("+")[0]
        self.by_type: dict[str, list[Leaf]] = defaultdict(list)
        self.by_round: dict[tuple[str, str, int], list[Leaf]] = defaultdict(list)
        self.tallies: dict[str, dict[int, Leaf]] = defaultdict(dict)  # segment -> round -> recomputed tally
        self.posteriors: dict[str, Fraction] = {}
        self.held: dict[str, set[int]] = defaultdict(set)  # auditor -> positions
        self.asked: dict[RoundKey, list[Leaf]] = defaultdict(list)  # round -> plans that ask for it
        for leaf in read_leaves(bundle) if leaves is None else leaves:
            self.by_type[leaf["t"]].append(leaf)
            if "segment" in leaf and "round" in leaf:
                self.by_round[leaf["t"], leaf["segment"], leaf["round"]].append(leaf)
        opened = self.by_type["audit.open"]
        self.open: Leaf = opened[0] if opened else {}
        self.params: Leaf = self.open.get("params", {})
        self.segments: list[Leaf] = bundle["segments"]
        self.eligible: dict[str, Leaf] = {line["auditor"]: line for line in bundle["eligible"]}
        self.extensions = self.by_type["eligible.extend"]
        # Auditors who joined later were added by eligible.extend leaves; each extension has a list and a seed of its
        # own.
        most = len(bundle["eligible"])  # a lie about the number is found later; here it costs no memory
        late = [number for number, leaf in enumerate(self.extensions, 1) for _ in range(min(leaf["eligible"], most))]
        early = len(bundle["eligible"]) - len(late)
        self.roster_of = {
            line["auditor"]: late[number - early] if number >= early else 0
            for number, line in enumerate(bundle["eligible"])
        }
        self.seeds: list[Head] = []  # (size of the checkpoint that it needs, seed) of each list
        self.roster = 0  # of the last draw
        self.position = {line["segment"]: number for number, line in enumerate(self.segments)}
        self.truth: dict[str, str] = {leaf["segment"]: leaf["truth"] for leaf in self.by_type["gold.reveal"]}

    def of(self, leaf_type: str, segment: str, number: int) -> list[Leaf]:
        """Leaves of one type about one round."""
        return self.by_round.get((leaf_type, segment, number), [])

    def one(self, leaf_type: str, segment: str, number: int) -> Leaf:
        """The only such leaf."""
        leaves = self.of(leaf_type, segment, number)
        need(len(leaves) == 1, f"{len(leaves)} leaves {leaf_type} instead of one")
        return leaves[0]

    def line(self, segment: str) -> Leaf:
        """The line of a segment in the list that audit.open fixed."""
        need(segment in self.position, "the segment is not in the list that audit.open fixed")
        return self.segments[self.position[segment]]

    def outcome_of(self, segment: str) -> Leaf | None:
        """The segment.outcome leaf, or None."""
        return next((leaf for leaf in self.by_type["segment.outcome"] if leaf["segment"] == segment), None)

    def is_for_adjudicator(self, segment: str, number: int) -> bool:
        """Whether the round before this one, or a plan, asked an adjudicator."""
        if any(leaf["to"] == "adjudicator" for leaf in self.of("escalation", segment, number - 1)):
            return True
        return any(leaf["reason"] == LEFT_OPEN for leaf in plans_for(self, segment, number))

    @property
    def revision(self) -> int:
        """2 fixes weights before votes, 3 says in the list what each reputation was judged by."""
        return int(self.open.get("revision", 1))

    @property
    def outcome(self) -> Leaf | None:
        """The trace.outcome leaf, or None while the audit runs."""
        return (self.by_type["trace.outcome"] or [None])[0]  # type: ignore[list-item]


# -- form, lists, order ---------------------------------------------------------------------------------------------


def check_inclusion(bundle: dict[str, Any], head: Head) -> str:
    size, root = head
    for proved_leaf in bundle["leaves"]:
        try:
            entry = proved_leaf["entry"].encode()
            path = [b64(sibling) for sibling in proved_leaf["proof"]]
            reached = root_of_inclusion(leaf_hash(entry), proved_leaf["index"], size, path)
        except Exception as error:  # whatever breaks here, this leaf broke it: a stranger wants to know which
            raise CheckFailedError(f"leaf {str(proved_leaf['index'])[:20]}: {in_words(error)}") from None
        need(reached == root, f"leaf {proved_leaf['index']} is not in the ledger: it was changed, or its proof was")
    indexes = [proved_leaf["index"] for proved_leaf in bundle["leaves"]]
    need(len(set(indexes)) == len(indexes), "a leaf stands twice")
    return f"{len(indexes)} leaves under {size}"


def check_forms(bundle: dict[str, Any], audit: Audit) -> None:
    need(
        KEYS <= bundle.keys() <= KEYS | OPTIONAL_KEYS,
        f"a bundle has exactly the keys {sorted(KEYS)}, and {' or '.join(sorted(OPTIONAL_KEYS))}",
    )
    need(len(audit.by_type["audit.open"]) == 1, "there must be one audit.open leaf")
    draw = bundle["draw"]
    need(isinstance(draw, dict) and draw.keys() <= {"consistency", "extensions"}, "the key draw holds an unknown key")
    need(audit.outcome or not any(draw.values()), "an unfinished audit shows the proof of a draw")
    for proved_leaf in bundle["leaves"]:
        leaf, name = strict_json(proved_leaf["entry"]), f"leaf {proved_leaf['index']}"
        need(proved_leaf.keys() == {"index", "entry", "proof"}, f"{name} carries an unknown key")
        # one leaf, one spelling: the hash that was proved is the hash of what is read here
        need(canonical(leaf) == proved_leaf["entry"].encode(), f"{name} is not canonical JSON")
        check_leaf(leaf, audit, name)
    need(len(audit.by_type["trace.outcome"]) <= 1, "there is more than one trace.outcome leaf")


def check_leaf(leaf: Leaf, audit: Audit, name: str) -> None:
    need(type(leaf["v"]) is int and leaf["v"] == 1, f"{name} is not of version 1")
    need(leaf["t"] in MATRIX and leaf["t"] not in OF_THE_LEDGER, f"{name} is of no kind that an audit has")
    check_fields({key: value for key, value in leaf.items() if key not in ("v", "t")}, leaf["t"], "", name)
    need(leaf["audit"] == audit.open["audit"], f"{name} is of another audit")


def check_fields(value: Leaf, kind: str, prefix: str, name: str) -> None:
    """Exactly the fields of the matrix, in records inside of records too."""
    rows = [row[len(prefix) :] for row in MATRIX[kind] if row and row.startswith(prefix)]
    mine = [row for row in rows if "." not in row]
    needed = {row for row in mine if not row.endswith("?")}
    allowed = {row.rstrip("?") for row in mine}
    need(isinstance(value, dict), f"{name}: {prefix or kind} is no record")
    need(needed <= value.keys() <= allowed, f"{name} has not exactly the fields of a {kind}")
    for field_name, content in value.items():
        check_form(content, form_of(kind, f"{prefix}{field_name}"), field_name, name)
        if field_name in CLOSED:
            words = content if isinstance(content, list) else [content]
            strange = ", ".join(word for word in words if word not in CLOSED[field_name])
            need(not strange, f"{name}: {field_name} says {strange[:80]}, which is none of its words")
    for inner in {row.split(".")[0] for row in rows if "." in row}:
        records = value.get(inner, [])
        for record in records if isinstance(records, list) else [records]:
            check_fields(record, kind, f"{prefix}{inner}.", name)


def form_of(kind: str, path: str) -> str:
    """The form of a field: the one of its record, or of its name wherever it stands."""
    last = path.rpartition(".")[2]
    by_name = next((form for form, names in FORMS.items() if last in names.split()), "")
    return OTHER_FORMS.get(f"{kind}.{path}", by_name)


def check_form(value: Any, form: str, field_name: str, name: str) -> None:
    """Nothing is coerced: true is no number, and a number has one spelling."""
    if field_name in LISTS:
        need(isinstance(value, list), f"{name}: {field_name} is no list")
        for element in value:
            check_form(element, form, "", f"{name}: {field_name}")
        return
    wanted = {"integer": int, "boolean": bool, "records": list, "record": dict, "params": dict}.get(form, str)
    good = type(value) is wanted
    if good and form == "records":
        good = all(isinstance(element, dict) for element in value)
    elif good and form == "integer":
        good = abs(value) < 1 << 53
    elif good and wanted is str:
        good = len(value) <= LONGEST_NUMBER and bool(SPELLINGS[form].fullmatch(value))
        good = good and (form != "fraction" or is_lowest(value))
    need(good, f"{name}: {field_name} is no {form}: {str(value)[:80]!r}")


def is_lowest(text: str) -> bool:
    number = Fraction(text)
    return f"{number.numerator}/{number.denominator}" == text


def check_rosters(audit: Audit) -> str:
    check_list("segments", audit.segments, audit.open)
    start, lines = audit.open["eligible"], audit.bundle["eligible"]
    check_list("eligible", lines[:start] if audit.extensions else lines, audit.open)
    for number, leaf in enumerate(audit.extensions, 1):
        need(leaf["number"] == number, f"extension {number} of the list is numbered {leaf['number']}")
        need(leaf["eligible"] > 0, f"extension {number} adds nobody, and asks for another seed")
        check_list("eligible", lines[start : start + leaf["eligible"]], leaf)
        start += leaf["eligible"]
    need(len(audit.eligible) == len(lines) == start, "the list eligible has lines that no leaf fixed")
    need(len(audit.position) == len(audit.segments), "a segment is listed twice")
    people = [line for line in lines if line["kind"] == "human"]
    simulated = sum("simulated" in line and line["simulated"] for line in people)
    simulated_note = f", of whom {simulated} are said to be simulated, and are not paid" if simulated else ""
    audit.report.believe("persons", f"{len(people)} people{simulated_note}")
    audit.report.believe("text", routes_in_words(audit))
    check_seats_of_routes(audit)
    audit.report.believe("machine")
    late = start - audit.open["eligible"]
    added = f", {late} of them added later and drawn with seeds of their own" if late else ""
    return f"{len(audit.segments)} segment{'s' * (len(audit.segments) != 1)}, {len(audit.eligible)} auditors{added}"


def routes_in_words(audit: Audit) -> str:
    """How the segments were routed, counted: a reader sees where one vote alone was to decide."""
    routes = Counter(f"{line['tier']} x {line['k']}" for line in audit.segments)
    basis = sum(line["basis"] for line in audit.segments)
    told = ", ".join(f"{count} to {route}" for route, count in sorted(routes.items()))
    suggested = sum("by" in line for line in audit.segments)
    also = f"; {suggested} as a model suggested" if suggested else ""
    return f"{len(audit.segments)} segment{'s' * (len(audit.segments) != 1)}: {told}{also}; the answer rests on {basis}"


def check_seats_of_routes(audit: Audit) -> None:
    """A segment has its tier's seats, or those of a route for that tier; a model orders tiers where the policy says."""
    orders = ("model", "model_within_rules")
    for number, line in enumerate(audit.segments, 1):
        need(line.get("by", "model") == "model", f"the tiers of segment {number} are suggested by {line.get('by')}")
        is_allowed = "by" not in line or audit.params.get("routed_by") in orders
        need(is_allowed, f"a model suggested the tiers of segment {number}, and its policy routes by rules")
        usual = audit.params[line["tier"]]["k"]
        if line["k"] == usual:
            continue
        odd = f"segment {number} has {line['k']} seats, its tier {usual}"
        is_named = line["k"] in audit.params.get("route_seats", {}).get(line["tier"], [])
        # the first audits did not say what their routes name
        need(is_named or audit.revision == 1, f"{odd}, and no route of the policy names another number")
        audit.report.believe("text", odd)


def check_list(name: str, lines: list[Leaf], leaf: Leaf) -> None:
    need(len(lines) == leaf[name], f"the list {name} has {len(lines)} lines, {leaf['t']} says {leaf[name]}")
    root = tree_root([leaf_hash(canonical(line)) for line in lines]).hex()
    need(root == leaf[f"{name}_root"], f"the list {name} is not the one that {leaf['t']} fixed")
    kind = "list of segments" if name == "segments" else "list of the eligible"
    for line in lines:
        check_fields(line, kind, "", f"a line of the list {name}")
        need(name != "segments" or rational(line["weight"]) > 0, "a segment has no weight, or less than none")
    if name == "eligible":
        order = [line["auditor"] for line in lines]
        need(order == sorted(order), "the list eligible is not in the order of its pseudonyms")


# (what must stand first, what comes after it, within): "needed" when the second cannot stand without the first
ORDER = (
    ("submission", "audit.open", "audit", False),
    ("audit.open", "round.open", "audit", True),
    ("round.open", "seat.assign", "round", True),
    ("round.open", "phase.reveal", "round", True),
    ("seat.assign", "substitution", "round", True),
    ("phase.reveal", "vote.reveal", "round", True),
    ("phase.reveal", "vote.noreveal", "round", True),
    ("phase.reveal", "vote.unopened", "round", True),
    ("phase.reveal", "outcome.preliminary", "round", True),
    ("vote.unopened", "outcome.preliminary", "round", False),
    ("vote.reveal", "outcome.preliminary", "round", False),
    ("vote.noreveal", "outcome.preliminary", "round", False),
    ("skills", "outcome.preliminary", "round", False),
    ("outcome.preliminary", "escalation", "round", True),
    ("outcome.preliminary", "segment.outcome", "segment", True),
    ("segment.outcome", "trace.outcome", "audit", True),
    ("trace.outcome", "gold.reveal", "audit", True),
    ("trace.outcome", "payout", "audit", True),
    ("trace.outcome", "reputation.update", "audit", True),
    ("trace.outcome", "appeal", "audit", True),
    ("gold.reveal", "gold.overturn", "segment", True),
    ("gold.reveal", "payout", "audit", False),
    ("gold.reveal", "reputation.update", "audit", False),
    ("appeal", "outcome.rollback", "audit", False),
)


def scope_of(leaf: Leaf, within: str) -> tuple[Any, ...]:
    return {"audit": (), "segment": (leaf.get("segment"),), "round": (leaf.get("segment"), leaf.get("round"))}[within]


def check_order(audit: Audit) -> None:
    """Causes before effects: each pair of ORDER, in its audit, its segment or its round."""
    start = audit.open["index"]
    for kind, leaves in audit.by_type.items():
        if kind not in ("submission", "audit.open"):
            need(all(leaf["index"] > start for leaf in leaves), f"a leaf {kind} stands before audit.open")
    for first, second, within, is_needed in ORDER:
        last = {scope_of(leaf, within): leaf["index"] for leaf in audit.by_type[first]}
        for leaf in audit.by_type[second]:
            before = last.get(scope_of(leaf, within))
            where = f" ({place_of(audit, leaf)})" if "segment" in leaf else ""
            need(before is not None or not is_needed, f"{second} without {first}{where}")
            need(before is None or before < leaf["index"], f"{second} stands before {first}{where}")
    for number, leaf in [(leaf["round"], leaf) for leaf in audit.by_type["round.open"] if leaf["round"]]:
        asked = audit.of("escalation", leaf["segment"], number - 1) or plans_for(audit, leaf["segment"], number)
        need(
            asked and asked[0]["index"] < leaf["index"],
            f"{place_of(audit, leaf)} was opened before anybody asked for it",
        )
    check_presence(audit)


def check_presence(audit: Audit) -> None:
    """What every audit has once: a submission, unless it follows another audit."""
    count = len(audit.by_type["submission"])
    need(count <= 1, "there is more than one submission leaf")
    if "predecessor" not in audit.open:
        need(count == 1, "no submission leaf says that this trace was handed in")
    else:
        need(audit.open["predecessor"] != audit.open["audit"], "an audit follows itself")
        audit.report.believe("appeals", f"it follows audit {audit.open['predecessor'][:8]}")
    need(audit.revision in (1, 2, 3), f"unknown revision {audit.revision}")
    need(is_planned(audit) or not audit.by_type["wave.plan"], "a wave was planned, and the policy plans none")
    for leaf in audit.by_type["appeal"]:
        need(leaf["by"] in ("provider", "auditor", "operator"), f"an appeal by {leaf['by']}")
        audit.report.believe("appeals", f"an appeal by the {leaf['by']}: {leaf['reason'][:40]}")
    successors = {leaf["successor"] for leaf in audit.by_type["appeal"] if "successor" in leaf}
    need(len(successors) <= 1, "appeals opened two successors: one could be chosen afterwards")
    need(audit.open["audit"] not in successors, "an audit follows itself")
    asked = max((leaf["index"] for leaf in audit.by_type["appeal"]), default=-1)
    given = min((leaf["index"] for leaf in audit.by_type["payout"] if not leaf["held"]), default=END)
    need(asked < given, "somebody appealed after its points were given out")
    entries = [entry["seat"] for kind in SEATED for leaf in audit.by_type[kind] for entry in leaf[SEATED[kind]]]
    # One id for two seats would be one seat to the books: what it lost in one round would be paid by the other.
    need(len(set(entries)) == len(entries), "a seat has the id of another one")
    if audit.outcome:
        audit.report.believe("appeals")  # whoever recorded none could not be caught here
        late = [
            kind for kind in BEFORE_THE_END for leaf in audit.by_type[kind] if leaf["index"] > audit.outcome["index"]
        ]
        need(not late, f"a leaf {late[0] if late else ''} stands after the outcome of the trace")


SEATED = {"vote.reveal": "openings", "vote.noreveal": "seats"}  # leaves in which a seat ends, and its entries there
OF_A_ROUND = (
    "seat.assign",
    "substitution",
    "vote.commit",
    "phase.reveal",
    "vote.reveal",
    "vote.noreveal",
    "vote.unopened",
    "skills",
    "outcome.preliminary",
    "escalation",
)
BEFORE_THE_END = ("eligible.extend", "round.open", "wave.plan", *OF_A_ROUND)


# -- the draw -------------------------------------------------------------------------------------------------------


def check_seed(audit: Audit, head: Head) -> None:
    done = audit.outcome
    assert done is not None
    need(
        sha(unhex(done["seed"])).hex() == audit.open["seed_commit"],
        "the seed is not the one committed to in audit.open",
    )
    # The seed mixes what the operator committed to before (seed), and what it could not know then (the root of a later
    # checkpoint, a public beacon): neither side alone chooses who is drawn.
    draw = audit.bundle["draw"]
    proofs = [draw["consistency"], *draw.get("extensions", [])]
    heads = [
        (done["draw_size"], done["draw_root"]),
        *((extension["size"], extension["root"]) for extension in done.get("extensions", [])),
    ]
    lists = [audit.open, *audit.extensions][: len(heads)]
    need(len(heads) == len(proofs) == len(lists), "a seed has no list, or no proof")
    for leaf, (size, root), proof in zip(lists, heads, proofs, strict=True):
        need(size > leaf["index"], f"the draw used a checkpoint older than {leaf['t']}")
        check_consistency((size, unhex(root)), head, [b64(sibling) for sibling in proof])
        entry = next(
            proved_leaf["entry"] for proved_leaf in audit.bundle["leaves"] if proved_leaf["index"] == leaf["index"]
        )
        # whoever could put any 32 bytes here would choose who is drawn, and nothing shows where they came from
        need("beacon" not in done, "a public beacon is stated, and nothing in this file shows that it was one")
        parts = (unhex(done["seed"]), leaf_hash(entry.encode()), unhex(root), bytes(32))
        audit.seeds.append((size, sha(pad32("TRUST/draw/v1"), *parts)))
    audit.report.believe("clock")


NO_LOAD_CAP = 100_000  # what audit.open says where nothing limits the seats of one auditor


def check_draw_rules(audit: Audit) -> str:
    """The constraints are the policy's; a text so short that it is shown whole has none."""
    rules = audit.open["draw"]
    share, whole = rational(rules["share_cap"]), rational(audit.params["disclosure_share"])
    need(share in (whole, 1), f"one auditor may see {share} of the trace, the policy says {whole}")
    # a policy that says nothing of neighbours forbids them; a text that is shown whole has none
    allowed = {audit.params.get("neighbours", False)} if share != 1 else {True, audit.params.get("neighbours", True)}
    need(rules["adjacent"] in allowed, "neighbouring segments are allowed otherwise than the policy says")
    need(rules["load_cap"] == NO_LOAD_CAP, f"the limit of seats is {rules['load_cap']}, and no policy has one")
    if share == 1 != whole:
        audit.report.believe("text", "so short that the policy shows it whole")
    return "" if share != 1 else "none: the text is shown whole"


def seats_of(audit: Audit, segment: str, number: int) -> list[Seat]:
    """Every seat ever filled in a round."""
    opened = [opening for leaf in audit.of("vote.reveal", segment, number) for opening in leaf["openings"]]
    silent = [seat for leaf in audit.of("vote.noreveal", segment, number) for seat in leaf["seats"]]
    seats = [Seat(opening["draw"], opening["seat"], opening["auditor"], opening, True, "") for opening in opened]
    seats += [
        Seat(entry["draw"], entry["seat"], entry["auditor"], None, entry["committed"], entry["reason"])
        for entry in silent
    ]
    need(len({seat.seat for seat in seats}) == len(seats), "a seat stands twice")
    return sorted(seats, key=lambda seat: (seat.draw, seat.seat))


def draws_of(audit: Audit, segment: str | None = None, number: int | None = None) -> list[Leaf]:
    """The leaves that filled seats, in log order; of one round, or of all."""
    if segment is not None and number is not None:
        leaves = audit.of("seat.assign", segment, number) + audit.of("substitution", segment, number)
    else:
        leaves = audit.by_type["seat.assign"] + audit.by_type["substitution"]
    return sorted(leaves, key=lambda leaf: leaf["index"])


def check_draw(audit: Audit, leaf: Leaf) -> str:
    """The hidden list opens to the seats, and the auditors are the next ones of the seeded draw."""
    segment, number = leaf["segment"], leaf["round"]
    salts = closings_of(audit, segment, number)[-1]["salts"]
    numbers = [record["draw"] for record in draws_of(audit, segment, number)]
    need(numbers == list(range(len(salts))), "a draw of this round is missing")
    seats = seats_of(audit, segment, number)
    mine = [seat for seat in seats if seat.draw == leaf["draw"]]
    # sorted: the digest says who sits, whatever the order in which the leaves list them
    body = sorted(uuid.UUID(seat.seat).bytes + unhex(seat.auditor) for seat in mine)
    digest = sha(pad32("TRUST/assign/v1"), unhex(salts[leaf["draw"]]), *body).hex()
    need(digest == leaf["digest"], "the seats are not those that were assigned")
    need(leaf.get("seats", len(mine)) == len(mine), f"{len(mine)} seats were filled, {leaf.get('seats')} stated")
    position = audit.position[segment]
    tier, pool = audit.one("round.open", segment, number)["tier"], leaf.get("pool")
    # the caps on load, share and neighbouring segments hold for human auditors outside the trusted pool
    bound = tier == "human" and not pool
    # the draw is a ranking by hash: the first ones who may sit are drawn
    allowed = [auditor for auditor in ranked(audit, leaf, tier) if may_sit(audit, auditor, position, bound)]
    wanted = allowed[: len(mine)]
    need(sorted(wanted) == sorted(seat.auditor for seat in mine), "these are not the auditors that the seed draws")
    for auditor in wanted:
        audit.held[auditor].add(position)
    away = sum(seat.reason == "passed_over" for seat in mine)
    places = places_of(audit, leaf, seats)
    filled = len(mine) - away
    need(
        filled == places or (filled < places and len(mine) == len(allowed)), f"{filled} of {places} places were filled"
    )
    return ", ".join([f"{filled} seats", *remarks_on(audit, leaf, away, pool)])


def remarks_on(audit: Audit, leaf: Leaf, away: int, pool: str | None) -> list[str]:
    """What the operator's word is in a draw: who was passed over, and why the trusted pool was asked."""
    remarks = []
    if away:
        audit.report.believe("passing")
        remarks.append(f"{away} auditors passed over, which is the operator's word")
    judged = audit.is_for_adjudicator(leaf["segment"], leaf["round"])
    need(pool in (None, "trusted"), f"an unknown pool {pool}")
    need(pool or not judged, "an adjudicator was not drawn from the trusted pool")
    if pool and not judged:
        audit.report.believe("trusted", place_of(audit, leaf))
        remarks.append("from the trusted pool, which is the operator's word")
    return remarks


def places_of(audit: Audit, leaf: Leaf, seats: list[Seat]) -> int:
    """How many places a draw had to fill: all of the round, the one that was given back, or those left silent."""
    k = int(audit.one("round.open", leaf["segment"], leaf["round"])["k"])
    if leaf["t"] == "substitution" and leaf["reason"] != "silent":
        return 1
    # who voted keeps the place
    return k - len([seat for seat in seats if seat.opening and seat.draw < leaf["draw"]])


def closings_of(audit: Audit, segment: str, number: int) -> list[Leaf]:
    """The closings of a round's window, in log order: a redraw opens it again."""
    closings = audit.of("phase.reveal", segment, number)
    need(closings, "the window was never closed")
    return closings


def ranked(audit: Audit, leaf: Leaf, tier: str) -> list[str]:
    """Auditors of the round's tier and the draw's pool by the smallest of their tickets' hashes."""
    roster = leaf.get("roster", 0)
    need(roster < len(audit.seeds), "the draw used a list without a seed")
    size, seed = audit.seeds[roster]
    if tier != "computer" or roster:  # there is one checker, and no choice: it sits before the first seed is fixed
        need(audit.roster <= roster, "the draw used an older list again")
        need(size <= leaf["index"], "the draw was made before its seed was fixed")
        audit.roster = roster
    if tier != "computer" and any(newer <= leaf["index"] for newer, _ in audit.seeds[roster + 1 :]):
        audit.report.believe("clock", f"{place_of(audit, leaf)} was drawn from a list when a newer one had its seed")
    start = seed + uuid.UUID(leaf["segment"]).bytes + leaf["round"].to_bytes(4)

    def rank(line: Leaf) -> tuple[bytes, bytes]:
        name = unhex(line["auditor"])
        need(1 <= line["weight"] <= 8, "a weight in the eligible list lies outside 1 to 8")
        # more tickets, more chances of a small hash: the weight of the lottery
        return min(sha(start, name, ticket.to_bytes(4)) for ticket in range(line["weight"])), name

    listed = [
        line
        for line in audit.eligible.values()
        if line["kind"] == tier and is_in_pool(line, leaf.get("pool")) and audit.roster_of[line["auditor"]] <= roster
    ]
    return [line["auditor"] for line in sorted(listed, key=rank)]


def is_in_pool(line: Leaf, pool: str | None) -> bool:
    return line.get("pool") == "both" or line.get("pool") == pool


def may_sit(audit: Audit, auditor: str, position: int, bound: bool) -> bool:
    if not bound:
        return position not in audit.held[auditor]
    rules, held = audit.open["draw"], audit.held[auditor]
    cap = max(1, int(rational(rules["share_cap"]) * len(audit.segments)))
    if position in held or audit.eligible[auditor]["load"] + len(held) >= rules["load_cap"] or len(held) + 1 > cap:
        return False
    return bool(rules["adjacent"]) or not {position - 1, position + 1} & held


# -- windows and sealed votes ---------------------------------------------------------------------------------------


def check_opening(audit: Audit, leaf: Leaf) -> str:
    """A round has the tier that was asked for, and the seats and windows that policy and route say."""
    segment, number, tier = leaf["segment"], leaf["round"], leaf["tier"]
    line = audit.line(segment)
    audit.one("round.open", segment, number)
    need(leaf["segment_digest"] == line["digest"], "the round showed another text than audit.open fixed")
    judged = number > 0 and audit.is_for_adjudicator(segment, number)
    if number == 0:
        need(tier in ("computer", line["tier"]), f"the first round was before {tier}, the route says {line['tier']}")
    else:
        plans = plans_for(audit, segment, number)
        asked = "human" if plans else audit.one("escalation", segment, number - 1)["to"]
        need(tier == ("human" if judged else asked), f"the round is before {tier}, asked was {asked}")
    wanted = 1 if judged or (tier == "computer" and number == 0) else seats_wanted(audit, line, leaf)
    need(leaf["k"] == wanted, f"the round has {leaf['k']} seats, policy and route say {wanted}")
    check_window(audit, leaf, judged)
    return f"{tier}, {wanted} seats"


def seats_wanted(audit: Audit, line: Leaf, opened: Leaf) -> int:
    """What the plan of its wave says; else the route's number in its first tier, any other tier's own."""
    tier, key = opened["tier"], (opened["segment"], opened["round"])
    if is_planned(audit) and tier == "human":
        plans = plans_for(audit, *key)
        need(len(plans) == 1, f"{len(plans)} plans ask for this round instead of one")
        return int(next(entry["seats"] for entry in plans[0]["asked"] if (entry["segment"], entry["round"]) == key))
    seats: int = line["k"] if tier == line["tier"] else audit.params[tier]["k"]
    return seats


def check_window(audit: Audit, leaf: Leaf, judged: bool) -> None:
    """The time to open votes is the policy's; the checker and an adjudicator whom nobody found need none."""
    wait, wanted = leaf["reveal_by"] - leaf["commit_by"], audit.params[leaf["tier"]]["reveal_seconds"]
    if leaf["tier"] == "computer" or is_left_alone(audit, leaf):
        wanted = 0
    elif judged and not draws_of(audit, leaf["segment"], leaf["round"]):
        audit.report.believe("passing", "no adjudicator was there in time")
        wanted = 0
    need(wait == wanted, f"votes may be opened for {wait} seconds, the policy says {wanted}")


def check_seating(audit: Audit, segment: str, number: int) -> str:
    """The windows of a round in turn: seats drawn, given back, closed; silent ones drawn again while turnout lacks."""
    draws, closings = draws_of(audit, segment, number), closings_of(audit, segment, number)
    seats, opened = seats_of(audit, segment, number), audit.one("round.open", segment, number)
    tier, judged = opened["tier"], audit.is_for_adjudicator(segment, number)
    least = quorum(audit.params[tier]["turnout"], opened["k"])
    ends = [leaf["index"] for leaf in closings]
    # 1. Redraws: one for each closing with too few votes, as long as the policy allows another.
    most = 0 if judged or tier == "computer" or is_left_alone(audit, opened) else audit.params["max_redraws"]
    is_over = any(seat.reason == "withdrawn" for seat in seats)  # the trace was decided: nobody else is needed
    need(len(closings) - 1 <= most, f"the seats were drawn again {len(closings) - 1} times, the policy allows {most}")
    for turn, end in enumerate(ends):
        before = {leaf["draw"] for leaf in draws if leaf["index"] < end}
        votes = sum(seat.opening is not None and seat.draw in before for seat in seats)
        is_last = turn == len(ends) - 1
        need(is_last or votes < least, "silent seats were drawn again although enough had voted")
        is_done = votes >= least or turn == most or is_over
        need(not is_last or is_done, f"{votes} votes of {least} needed, and the silent seats were not drawn again")
    # 2. Every draw has its reason, and every seat its end.
    for leaf in draws:
        check_substitution(leaf, seats, sum(end < leaf["index"] for end in ends), draws)
    for seat in seats:
        need(seat.opening or seat.reason in REASONS, f"seat {seat.seat} ended as {seat.reason}")
        need(0 <= seat.draw < len(draws), f"seat {seat.seat} was never drawn")
    if not draws and tier != "computer":
        check_nobody(audit, segment, number, judged)
    # whoever sealed has a receipt with the name of the seat
    if unsealed := sum(not seat.committed for seat in seats):
        audit.report.believe("names", f"{place_of(audit, opened)}: {unsealed} seats without a sealed vote")
    back = [seat.seat for seat in seats if seat.reason in ("declined", "lapsed")]
    if back:
        again = {name for leaf in draws if "replaced" in leaf for name in leaf["replaced"]}
        empty = len(set(back) - again)
        where = place_of(audit, opened)
        audit.report.believe("passing", f"{where}: {empty} seats given back and not drawn again" if empty else "")
    return f"drawn again {len(closings) - 1} times" if len(closings) > 1 else ""


REASONS = ("silent", "declined", "lapsed", "passed_over", "withdrawn")


def check_substitution(leaf: Leaf, seats: list[Seat], closed: int, draws: list[Leaf]) -> None:
    """Seats are drawn again where one was given back in an open window, or all silent ones after a closing."""
    if leaf["t"] == "seat.assign":
        need(leaf["draw"] == 0, "the first draw of a round is number 0")
        return
    earlier = [seat for seat in seats if seat.draw < leaf["draw"]]
    if leaf["reason"] == "silent":
        need(closed, "seats were drawn again as silent while their window was open")
        silent = sorted(seat.seat for seat in earlier if seat.reason == "silent")
        need(leaf["replaced"] == silent, "the seats drawn again are not the silent ones")
        return
    need(leaf["reason"] in ("declined", "lapsed"), f"seats were drawn again for {leaf['reason']}")
    left = {seat.seat for seat in earlier if seat.reason == leaf["reason"]}
    need(
        len(leaf["replaced"]) == 1 and set(leaf["replaced"]) <= left,
        f"no seat was {leaf['reason']} that was drawn again",
    )
    twice = [name for draw in draws if draw.get("reason") == leaf["reason"] for name in draw["replaced"]]
    need(len(set(twice)) == len(twice), "a seat was replaced twice")


def check_nobody(audit: Audit, segment: str, number: int, judged: bool) -> None:
    """A round without a draw: nobody of its tier is listed, or nobody was there in time."""
    tier = (opened := audit.one("round.open", segment, number))["tier"]
    if is_left_alone(audit, opened):
        where = place_of(audit, opened)
        audit.report.believe("passing", f"{where}: nobody was left whom a wave could ask")
        return
    listed = [line for line in audit.eligible.values() if line["kind"] == tier and is_in_pool(line, None)]
    need(judged or not listed, "nobody was drawn, although the list names who could sit")


def is_left_alone(audit: Audit, opened: Leaf) -> bool:
    """Whether a wave asked people about a segment, and nobody was drawn."""
    segment, number = opened["segment"], opened["round"]
    is_asked = opened["tier"] == "human" and bool(plans_for(audit, segment, number))
    return is_asked and not draws_of(audit, segment, number)


def check_openings(audit: Audit, segment: str, number: int) -> str:
    """Every opened vote matches the commitment that was in the ledger before the window closed."""
    closings = closings_of(audit, segment, number)
    commits = {leaf["seat"]: leaf for leaf in audit.of("vote.commit", segment, number)}
    need(len(commits) == len(audit.of("vote.commit", segment, number)), "a commitment is missing or double")
    for closing_leaf in closings:
        listed = sorted(unhex(leaf["commitment"]) for leaf in commits.values() if leaf["index"] < closing_leaf["index"])
        need(len(listed) == closing_leaf["commits"], "a commitment is missing or double")
        digest = sha(pad32("TRUST/commits/v1"), *listed).hex()
        need(digest == closing_leaf["digest"], "the commitments are not those at closing time")
    # sealed before the closing, opened after it: nobody voted knowing the other votes
    end = closings[-1]["index"]
    need(all(leaf["index"] < end for leaf in commits.values()), "a commitment came after the closing")
    need(all(leaf["index"] > end for leaf in audit.of("vote.reveal", segment, number)), "opened before the closing")
    seats = seats_of(audit, segment, number)
    for seat in seats:
        need(seat.committed == (seat.seat in commits), f"seat {seat.seat}: whether it committed is misstated")
        if seat.opening:
            check_values(seat.opening)
            commitment = commitment_of(audit, (segment, number), seat)
            need(
                commitment == commits[seat.seat]["commitment"],
                f"seat {seat.seat}: the opened vote is not the sealed one",
            )
        elif seat.committed:
            check_unopened(audit, (segment, number), seat, commits[seat.seat])
        if seat.committed:
            check_sealing_time(audit, (segment, number), seat, commits[seat.seat])
    need(set(commits) <= {seat.seat for seat in seats}, "a sealed vote was neither opened nor marked silent")
    silent = {seat.seat for seat in seats if seat.committed and not seat.opening}
    unopened = [leaf["seat"] for leaf in audit.of("vote.unopened", segment, number)]
    need(
        len(set(unopened)) == len(unopened) and set(unopened) <= silent,
        "a seal is shown of a vote that was opened, or twice",
    )
    check_escrows(audit, segment, number)
    if audit.one("round.open", segment, number)["tier"] != "human":
        audit.report.believe("machine")
    opened = sum(seat.opening is not None for seat in seats)
    return f"{opened} votes opened, {len(seats) - opened} seats silent"


def check_values(opening: Leaf) -> None:
    """The values that a vote may have: an abstention, and nothing else, has no confidence."""
    need(opening["vote"] in WORDS, f"a vote of {opening['vote']}")
    none, sure = opening["confidence"] == 0xFFFF, 5_000 <= opening["confidence"] <= 10_000
    need(none if WORDS[opening["vote"]] == "abstain" else sure, f"a confidence of {opening['confidence']}")
    need(len(set(unhex(opening["nonce"]))) > 1, "a nonce of equal bytes hides nothing")


def check_weights(audit: Audit, segment: str, number: int) -> str:
    """Who sealed a vote is weighed once, after sealing it and before the closing after which it can be opened."""
    if audit.one("round.open", segment, number)["tier"] == "computer":
        need(not audit.of("skills", segment, number), "the checker needs no skill, and one is stated")
        return ""
    lines = [(leaf["index"], line) for leaf in audit.of("skills", segment, number) for line in leaf["auditors"]]
    weighed = {line["auditor"]: index for index, line in lines}
    people = audit.one("round.open", segment, number)["tier"] == "human"
    for _, line in lines:
        name = line["auditor"][:8]
        need("sources" in line or audit.revision < 3, f"the weight of {name} does not say what it came from")
        need("family" not in line or not people, f"{name} is a person, and counts as one voice with others")
        check_following(audit, line, people)
    seats = {seat.seat: seat.auditor for seat in seats_of(audit, segment, number) if seat.committed}
    for commit in audit.of("vote.commit", segment, number):
        name = seats.get(commit["seat"], "")
        ends = [leaf["index"] for leaf in closings_of(audit, segment, number) if leaf["index"] > commit["index"]]
        need(name in weighed, f"seat {commit['seat']} sealed a vote and was never weighed")
        need(ends and weighed[name] < ends[0], f"seat {commit['seat']} was weighed after its vote could be opened")
    return f"{len(weighed)} weighed before their votes were opened"


def check_following(audit: Audit, line: Leaf, people: bool) -> None:
    """A person may be taken to repeat a model, where the policy says so, and never for certain."""
    if not {"follows", "following"} & line.keys():
        return
    name = line["auditor"][:8]
    need("follows" in line and "following" in line, f"{name} follows a model, and how far is not said")
    need(people, f"{name} is no person, and follows a model")
    need(audit.params.get("followers", "apart") == "one_voice", "the policy hears everybody apart, and one follows")
    need(0 < rational(line["following"]) < 1, f"{name} follows a model outside 0 to 1")


def check_escrows(audit: Audit, segment: str, number: int) -> None:
    """Where a round names the key that votes are sealed to, a seal is handed in with each vote as the policy says."""
    opened = audit.one("round.open", segment, number)
    openings = audit.params.get("openings", "choice") if opened["tier"] == "human" else "escrow"
    if "reveal_key" not in opened or opened["tier"] == "computer":
        return
    for leaf in audit.of("vote.commit", segment, number):
        has = "escrow" in leaf
        need(has or openings != "escrow", f"seat {leaf['seat']} handed in no seal, and the policy asks for one")
        need(not has or openings != "browser", f"seat {leaf['seat']} handed in a seal, and the policy forbids it")


def check_unopened(audit: Audit, round_key: RoundKey, seat: Seat, commit: Leaf) -> None:
    """Who sealed a vote and kept the opening may stay silent; a seal that was handed in is opened, or shown not to."""
    tier = audit.one("round.open", *round_key)["tier"]
    need(seat.reason == "silent", f"seat {seat.seat} sealed a vote, and is called {seat.reason}")
    if "escrow" in commit:
        leaves = [leaf for leaf in audit.of("vote.unopened", *round_key) if leaf["seat"] == seat.seat]
        need(leaves, f"the revealer had the vote of seat {seat.seat}, and neither opened it nor showed its seal")
        check_seal(audit, round_key, (seat, commit), leaves[0])
        return
    # a policy that does not say who keeps the openings leaves it to each reviewer
    openings = audit.params.get("openings", "choice")
    keeps = tier == "human" and openings in ("browser", "choice")
    need(keeps, f"the sealed vote of seat {seat.seat} was never opened, and nothing shows whose fault that was")
    where = place_of(audit, {"segment": round_key[0], "round": round_key[1]})
    is_sure = openings == "browser" or "reveal_key" in audit.one("round.open", *round_key)
    need(
        is_sure or audit.revision == 1,
        f"the sealed vote of seat {seat.seat} was never opened, and its round names no key",
    )
    unsure = "" if is_sure else ", or that the revealer had no opening of it"
    audit.report.believe("silence", f"{where}: seat {seat.seat[:8]} sealed a vote that nobody saw{unsure}")


def check_seal(audit: Audit, round_key: RoundKey, sealed: tuple[Seat, Leaf], shown: Leaf) -> None:
    """The seal that was handed in, opened with the right key, does not hold what was committed to.

    The key is the point S = d E for the reveal key P = d G: a Chaum-Pedersen proof over P-256 shows it without d.
    """
    seat, commit = sealed
    reveal, ephemeral, secret = (bytes.fromhex(shown[name]) for name in ("reveal_key", "ephemeral", "secret"))
    cipher, commitment = bytes.fromhex(shown["cipher"]), unhex(commit["commitment"])
    need(len(cipher) == 68 and shown["cipher"] == cipher.hex(), "a seal that is shown has not its length")
    opened = audit.one("round.open", *round_key)
    named = sha(pad32("TRUST/reveal-key/v1"), reveal).hex()
    need(
        opened.get("reveal_key") == named,
        f"the seal of seat {seat.seat} is shown under a key that its round never named",
    )
    head = sha(pad32("TRUST/escrow/v1"), b"\1", ephemeral, cipher).hex()
    need(head == commit["escrow"], f"the seal shown for seat {seat.seat} is not the one that was handed in")
    # 1. The proof: A = s G - c P and B = s E - c S lead to the same c.
    c, s = int.from_bytes(unhex(shown["challenge"])), int.from_bytes(unhex(shown["response"]))
    base, points = (BASE_X, BASE_Y), [point_of(reveal), point_of(ephemeral), point_of(secret)]
    sums = [
        added(multiplied(s, left), multiplied(-c % GROUP_ORDER, right))
        for left, right in ((base, points[0]), (points[1], points[2]))
    ]
    told = b"".join(point_bytes(point) for point in [*points, *sums])
    proved = sha(pad32("TRUST/unopened/v1"), told, uuid.UUID(seat.seat).bytes, commitment)
    need(int.from_bytes(proved) % GROUP_ORDER == c, f"the key shown for the seal of seat {seat.seat} is not its key")
    # 2. What it opens to. GCM encrypts in counter mode, from counter 2 on; the tag is not needed for the beginning.
    info = pad32("TRUST/seal/v1") + ephemeral + reveal
    derived = HKDF(algorithm=SHA256(), length=44, salt=None, info=info).derive(secret[1:33])
    counter = modes.CTR(derived[32:] + (2).to_bytes(4))
    opening = Cipher(algorithms.AES(derived[:32]), counter).decryptor().update(cipher)
    same = sha(preimage_of(audit, round_key, seat), opening) == commitment
    need(not same, f"the seal of seat {seat.seat} holds the vote that was committed to, and it was not counted")
    # whoever sealed knows for which key; the leaf does not say it
    where = place_of(audit, {"segment": round_key[0], "round": round_key[1]})
    audit.report.believe(
        "silence", f"{where}: the seal of seat {seat.seat[:8]} does not open under the key of its round"
    )


# P-256 (FIPS 186-5): y^2 = x^3 - 3 x + b over the integers modulo FIELD
FIELD = 2**256 - 2**224 + 2**192 + 2**96 - 1
GROUP_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
CURVE_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
BASE_X = 0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296
BASE_Y = 0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5
Point = tuple[int, int] | None  # None: infinity


def point_of(data: bytes) -> Point:
    x, y = int.from_bytes(data[1:33]), int.from_bytes(data[33:])
    need(len(data) == 65 and data[0] == 4 and max(x, y) < FIELD, "a point of a seal is malformed")
    need((y * y - x**3 + 3 * x - CURVE_B) % FIELD == 0, "a point of a seal is not on its curve")
    return x, y


def point_bytes(point: Point) -> bytes:
    need(point, "a proof about a seal is degenerate")
    assert point is not None
    return b"\4" + point[0].to_bytes(32) + point[1].to_bytes(32)


def added(left: Point, right: Point) -> Point:
    if left is None or right is None:
        return right if left is None else left
    if left[0] == right[0]:
        if (left[1] + right[1]) % FIELD == 0:
            return None
        slope = 3 * (left[0] * left[0] - 1) * pow(2 * left[1], -1, FIELD)
    else:
        slope = (right[1] - left[1]) * pow(right[0] - left[0], -1, FIELD)
    x = (slope * slope - left[0] - right[0]) % FIELD
    return x, (slope * (left[0] - x) - left[1]) % FIELD


def multiplied(number: int, point: Point) -> Point:
    total: Point = None
    for bit in f"{number:b}":
        total = added(total, total)
        if bit == "1":
            total = added(total, point)
    return total


def check_sealing_time(audit: Audit, round_key: RoundKey, seat: Seat, commit: Leaf) -> None:
    """A vote is sealed after its round opened and its seat was drawn, and before the next closing."""
    if audit.one("round.open", *round_key)["tier"] == "computer" and audit.revision == 1:
        return  # the checker has no window: audits of revision 1 wrote its seals before the round
    drawn = next((leaf["index"] for leaf in draws_of(audit, *round_key) if leaf["draw"] == seat.draw), None)
    need(drawn is not None and drawn < commit["index"], f"seat {seat.seat} sealed a vote before it was drawn")
    between = [leaf for leaf in audit.of("phase.reveal", *round_key) if (drawn or 0) < leaf["index"] < commit["index"]]
    need(not between, f"seat {seat.seat} sealed a vote after its window had closed")


def preimage_of(audit: Audit, round_key: RoundKey, seat: Seat) -> bytes:
    """The first 180 of the 248 bytes of format v1: what a vote is bound to."""
    segment, number = round_key
    digest = audit.line(segment)["digest"]
    parts = (
        pad32("TRUST/vote-commit/v1"),
        sha(audit.origin.encode()),
        uuid.UUID(audit.open["audit"]).bytes,
        uuid.UUID(segment).bytes,
        number.to_bytes(4),
        uuid.UUID(seat.seat).bytes,
        unhex(seat.auditor),
        unhex(digest),
    )
    need(sum(map(len, parts)) == 180, "the preimage has not its length")
    return b"".join(parts)


def commitment_of(audit: Audit, round_key: RoundKey, seat: Seat) -> str:
    """SHA-256 of the 248 bytes of format v1."""
    opening = seat.opening
    assert opening is not None
    parts = (
        bytes((opening["vote"], 0)),
        opening["confidence"].to_bytes(2),
        unhex(opening["rationale"]),
        unhex(opening["nonce"]),
    )
    return sha(preimage_of(audit, round_key, seat), *parts).hex()


# -- tallies, and what follows from them ----------------------------------------------------------------------------


def quorum(share: Any, k: int) -> int:
    # a tolerance of 10^-9, for shares such as 2/3 that a policy states as rounded decimals
    return math.ceil(rational(share) * k - Fraction(1, 10**9))


def rounded(number: Fraction) -> Fraction:
    """A published posterior: 12 places, half even."""
    return Fraction(round(Fraction(number) * 10**12), 10**12)


def check_tally(audit: Audit, segment: str, number: int) -> str:
    """The round's numbers and outcome follow from its opened votes and the published skills."""
    opened, stated = audit.one("round.open", segment, number), audit.one("outcome.preliminary", segment, number)
    tier, k, params = opened["tier"], opened["k"], audit.params
    votes = [(seat.auditor, seat.word) for seat in seats_of(audit, segment, number) if seat.opening]
    need(
        len({auditor for auditor, _ in votes}) == len(votes) <= k,
        "an auditor voted twice, or there are more votes than seats",
    )
    withdrawn = sum(seat.reason == "withdrawn" for seat in seats_of(audit, segment, number))
    # only a plan can say that the trace is decided and nobody else is needed (check_withdrawn)
    need(not withdrawn or plans_for(audit, segment, number), "seats were withdrawn, and no wave had asked for them")
    counts = [sum(word == name for _, word in votes) for name in ("pass", "fail", "abstain")]
    need(counts == [stated[name] for name in ("passes", "fails", "abstentions")], f"the votes count {counts}")
    redraws = len(closings_of(audit, segment, number)) - 1
    need(stated["redraws"] == redraws, f"silent seats were drawn again {redraws} times, stated {stated['redraws']}")
    skills = skills_of(audit, segment, number, {auditor for auditor, _ in votes})
    plain = posterior_of(audit, tier, votes, skills)
    posterior = beside_models(audit, (segment, number), votes, skills, plain)
    paper = paper_outcome(counts, params[tier], k)
    outcome = binding(params, stated["rule"], (paper, counts, posterior))
    # too few votes decide nothing
    silent = len(votes) < quorum(params[tier]["turnout"], k)
    paper = "hung" if silent else paper
    outcome = "hung" if silent or counts[0] + counts[1] == 0 else outcome
    recomputed = (tier, k, outcome, paper, rounded(posterior))
    claimed = (stated["tier"], stated["k"], stated["outcome"], stated["paper_outcome"], rational(stated["posterior"]))
    need(recomputed == claimed, f"recomputed {describe(recomputed)}, stated {describe(claimed)}")
    audit.tallies[segment][number] = {
        "tier": tier,
        "k": k,
        "outcome": outcome,
        "paper": paper,
        "posterior": posterior,
        "passes": counts[0],
        "fails": counts[1],
        "abstentions": counts[2],
        "judged": audit.is_for_adjudicator(segment, number),
        "withdrawn": withdrawn,
    }
    if skills:
        believe_skills(audit, (segment, number), (tier, votes, outcome))
    return f"{outcome} at {float(posterior):.4f}"


def believe_skills(audit: Audit, round_key: RoundKey, counted: tuple[str, list[tuple[str, str]], str]) -> None:
    """Say where skills decided: what the votes alone would have said at the prior of their tier."""
    tier, votes, outcome = counted
    rule = audit.one("outcome.preliminary", *round_key)["rule"]
    counts = [sum(word == name for _, word in votes) for name in ("pass", "fail", "abstain")]
    plain = binding(audit.params, rule, ("", counts, posterior_of(audit, tier, votes, {})))
    decided = outcome in ("pass", "fail") and rule not in ("quorum", "majority") and plain != outcome
    where = place_of(audit, {"segment": round_key[0], "round": round_key[1]})
    position = f"{where} says {outcome} by its weights, {plain} without"
    audit.report.believe("values", position if decided else "")
    if audit.revision == 1:
        audit.report.believe("weights", position if decided else "")


def describe(values: Iterable[Any]) -> str:
    return ", ".join(str(float(value)) if isinstance(value, Fraction) else str(value) for value in values)


def paper_outcome(counts: list[int], rules: Leaf, k: int) -> str:
    passes, fails = counts[0] >= quorum(rules["tau"], k), counts[1] >= quorum(rules["tau_fail"], k)
    return "hung" if passes == fails else "pass" if passes else "fail"


def binding(params: Leaf, rule: str, tally: tuple[str, list[int], Fraction]) -> str:
    paper, counts, posterior = tally
    wanted = params.get("consensus", "auto")
    need(rule == ("two_coin_gold" if wanted == "auto" else wanted), f"the rule {rule} is not the policy's")
    if rule == "quorum":
        return paper
    if rule == "majority":
        return "hung" if counts[0] == counts[1] else "pass" if counts[0] > counts[1] else "fail"
    if posterior >= rational(params["theta_pass"]):
        return "pass"
    return "fail" if posterior <= rational(params["theta_fail"]) else "hung"


def skills_of(audit: Audit, segment: str, number: int, voters: set[str]) -> dict[str, Leaf]:
    """auditor -> what the round believed of it; nobody twice, and nobody who did not vote."""
    lines = [line for leaf in audit.of("skills", segment, number) for line in leaf["auditors"]]
    skills = {line["auditor"]: line for line in lines}
    need(len(skills) == len(lines), "a skill is stated twice")
    sealed = {seat.auditor for seat in seats_of(audit, segment, number) if seat.committed}
    may_stand = sealed if audit.revision > 1 else voters
    need(skills.keys() <= may_stand, "a skill is stated of somebody who did not vote")
    for line in lines:
        values = [rational(line[name]) for name in ("sensitivity", "specificity")]
        need(all(0 < value < 1 for value in values), "a skill lies outside 0 to 1")
    return skills


def posterior_of(audit: Audit, tier: str, votes: list[tuple[str, str]], skills: dict[str, Leaf]) -> Fraction:
    """Two-coin model in exact fractions; a unanimous family of models counts partly as one voice."""
    rules, believed = audit.params[tier], rational(audit.params["family_correlation"])
    # an auditor without a record counts as the mean of the Beta prior
    mean = rational(rules["prior_right"]) / (rational(rules["prior_right"]) + rational(rules["prior_wrong"]))
    groups: dict[str, list[tuple[str, Fraction, Fraction, Fraction | None]]] = defaultdict(list)
    for auditor, word in votes:
        skill = skills.get(auditor, {})
        sens, spec = (rational(skill[name]) if skill else mean for name in ("sensitivity", "specificity"))
        if word != "abstain":
            valid, wrong = (sens, 1 - spec) if word == "pass" else (1 - sens, spec)
            measured = rational(skill["correlation"]) if "correlation" in skill else None
            need(measured is None or 0 <= measured <= 1, "a correlation lies outside 0 to 1")
            groups[skill.get("family", auditor)].append((word, valid, wrong, measured))
    # likelihoods of all votes if the segment is valid, and if it is wrong; auditors vote independently, families do
    # not
    valid = wrong = Fraction(1)
    for group in groups.values():
        sides = [[voice[1] for voice in group], [voice[2] for voice in group]]
        a, b = (math.prod(side, start=Fraction(1)) for side in sides)
        if len(group) > 1 and len({voice[0] for voice in group}) == 1:
            # with probability rho the family spoke with one voice, otherwise independently
            rho = max((voice[3] for voice in group if voice[3] is not None), default=believed)
            together = [sum(side, start=Fraction(0)) / len(group) for side in sides]
            a, b = rho * together[0] + (1 - rho) * a, rho * together[1] + (1 - rho) * b
        valid, wrong = valid * a, wrong * b
    prior = rational(audit.params["base_rate"])
    # Bayes' rule
    return prior * valid / (prior * valid + (1 - prior) * wrong)


Heard = tuple[str, Leaf]  # the word of a vote, and its line in skills


def beside_models(
    audit: Audit, round_key: RoundKey, votes: list[tuple[str, str]], skills: dict[str, Leaf], posterior: Fraction
) -> Fraction:
    """The posterior where people follow models: these votes add only what the earlier rounds have not said."""
    segment, number = round_key
    before: list[Heard] = []
    for turn in range(number):
        lines = {line["auditor"]: line for leaf in audit.of("skills", segment, turn) for line in leaf["auditors"]}
        for seat in seats_of(audit, segment, turn):
            if seat.opening and seat.auditor in lines:
                before.append((seat.word, lines[seat.auditor]))
    now = [(word, skills[auditor]) for auditor, word in votes if auditor in skills]
    if not any("follows" in line for _, line in (*before, *now)):
        return posterior
    then, until = following_of(before + now), following_of(before)
    odds = posterior / (1 - posterior) * (then[0] / until[0]) / (then[1] / until[1])
    return odds / (1 + odds)


def following_of(heard: list[Heard]) -> tuple[Fraction, Fraction]:
    """How far the votes of each family's followers are from independent ones: joint over product, valid and wrong."""
    spoken = [(word, line) for word, line in heard if word != "abstain"]
    sides = []
    for side in ("valid", "wrong"):
        whole = Fraction(1)
        for family in sorted({line["follows"] for _, line in spoken if "follows" in line}):
            group = [(word, line) for word, line in spoken if line.get("follows") == family]
            models = [word for word, line in spoken if line.get("family") == family]
            joint = Fraction(0)
            for word in ("pass", "fail"):
                # the model's word: as its models said it, or as often as its followers would
                chances = [chance_of(word, line, side) for _, line in group]
                part = Fraction(models.count(word), len(models)) if models else sum(chances) / Fraction(len(group))
                for own, line in group:
                    share = rational(line["following"])
                    part *= share * (own == word) + (1 - share) * chance_of(own, line, side)
                joint += part
            whole *= joint / math.prod((chance_of(word, line, side) for word, line in group), start=Fraction(1))
        sides.append(whole)
    return sides[0], sides[1]


def chance_of(word: str, line: Leaf, side: str) -> Fraction:
    passes = rational(line["sensitivity"]) if side == "valid" else 1 - rational(line["specificity"])
    return passes if word == "pass" else 1 - passes


@dataclass
class Step:
    """What follows from the rounds of a segment so far: an outcome, or who is asked next and why."""

    outcome: str | None
    to: str = ""
    why: str = ""


NEEDS_A_PERSON = "a-model-saw-words-that-speak-to-its-auditors:-a-person-looks-as-well"
# a sentence that is no word of a leaf stands there as its digest
PEOPLE_DISAGREE = "sha256:" + hashlib.sha256(b"words that speak to auditors, and people disagree").hexdigest()


def next_step(audit: Audit, segment: str, number: int) -> Step:
    """One decided tier is enough, two where the policy confirms; else the next tier, and an adjudicator at last."""
    tallies = tallies_of(audit, segment, number)
    last = tallies[-1]
    if last["judged"]:
        if last["passes"] != last["fails"]:
            return Step("pass" if last["passes"] > last["fails"] else "fail")
        # Nobody overruled what a checker refuted.
        return Step("fail" if is_refuted(tallies) else "undecided")
    if last["tier"] == "computer" and last["fails"] and "predecessor" in audit.open:
        if audit.of("escalation", segment, number):
            return Step(None, "adjudicator", "an-appeal-questions-the-refutation")
        audit.report.believe("appeals", "a refutation was repeated, and no adjudicator asked")
    if is_planned(audit):
        return planned_step(audit, segment, number, tallies)
    line = audit.line(segment)
    decided = [tally["outcome"] for tally in tallies if tally["outcome"] in ("pass", "fail")]
    asked = {tally["tier"] for tally in tallies}
    waiting = [tier for tier in (line["tier"], *line["secondaries"]) if tier not in asked]
    confirms = audit.params.get("escalation", "hung") == "confirm" and (waiting or len(decided) > 1)
    if len(set(decided)) == 1 and len(decided) >= (2 if confirms else 1):
        return Step(decided[-1])
    why = "the-tiers-disagree" if len(set(decided)) > 1 else "confirmation-required" if decided else "hung"
    return Step(None, waiting[0] if waiting else "adjudicator", why)


def is_refuted(tallies: list[Leaf]) -> bool:
    """Whether a checker failed it, and no adjudicator passed it afterwards."""
    last = tallies[-1]
    overruled = last["judged"] and last["passes"] > last["fails"]
    return not overruled and any(tally["tier"] == "computer" and tally["fails"] for tally in tallies)


def tallies_of(audit: Audit, segment: str, number: int) -> list[Leaf]:
    need(number < len(audit.by_type["round.open"]), "a round that was never opened")
    tallies = [audit.tallies[segment].get(turn) for turn in range(number + 1)]
    need(all(tallies), "one of its rounds was not recomputed")
    return [tally for tally in tallies if tally]


def check_follow(audit: Audit, leaf: Leaf) -> str:
    """After a tally the segment is decided or goes on, never both, and as its tallies say."""
    segment, number = leaf["segment"], leaf["round"]
    step, went, outcome = (
        next_step(audit, segment, number),
        audit.of("escalation", segment, number),
        audit.outcome_of(segment),
    )
    ends = outcome is not None and outcome["rounds"] == number + 1
    if is_planned(audit) and not step.to:
        return check_follow_planned(audit, leaf, outcome if ends else None, step)
    need(
        len(went) + ends == 1,
        "it is decided and escalated" if ends else f"{len(went)} leaves escalation instead of one",
    )
    if ends:
        need(step.outcome, f"it is decided, although it goes on to {step.to}: {step.why}")
        return f"decided: {step.outcome}"
    goes = (went[0]["to"], went[0]["reason"])
    if step.outcome and is_suspect_step(audit, segment, number, goes):
        audit.report.believe("machine", f"{place_of(audit, leaf)}: a model saw words that speak to auditors")
        return f"to {goes[0]}, because a model saw words that speak to auditors, which is the operator's word"
    need(step.outcome is None, f"it says {step.outcome}, and was escalated all the same: {goes[1]}")
    need(
        goes == (step.to, step.why),
        f"it went to {goes[0]} for {goes[1]}, its tallies send it to {step.to} for {step.why}",
    )
    return f"to {step.to}: {step.why}"


def is_suspect_step(audit: Audit, segment: str, number: int, goes: tuple[str, str]) -> bool:
    """A text that tries to talk its auditors round is never decided by machines alone: a model must have seen it."""
    earlier = tallies_of(audit, segment, number)[:-1]
    seen = any(audit.tallies[segment][turn]["tier"] == "llm" for turn in range(number + 1))
    people = [tally for tally in earlier if tally["tier"] == "human"]
    if not seen or audit.is_for_adjudicator(segment, number):
        return False
    if not people:
        return goes == ("human", NEEDS_A_PERSON)
    return people[-1]["outcome"] == "hung" and goes == ("adjudicator", PEOPLE_DISAGREE)


def check_segment(audit: Audit, leaf: Leaf) -> str:
    """A segment's outcome follows from its rounds; an adjudicator's opened vote decides by itself."""
    segment = leaf["segment"]
    need(sum(entry["segment"] == segment for entry in audit.by_type["segment.outcome"]) == 1, "it has two outcomes")
    need(leaf["rounds"] > 0, "decided without a round")
    opened = sum(entry["segment"] == segment for entry in audit.by_type["round.open"])
    need(leaf["rounds"] == opened, f"it had {opened} rounds, {leaf['rounds']} are stated")
    tallies = tallies_of(audit, segment, leaf["rounds"] - 1)
    step, last = next_step(audit, segment, leaf["rounds"] - 1), tallies[-1]
    judged = audit.is_for_adjudicator(segment, leaf["rounds"] - 1)
    need(judged or not leaf["adjudicated"], "nobody was asked to adjudicate")
    need(leaf["adjudicated"] or not judged, "an adjudicator decided, which is not said")
    posterior = combined(audit, tallies)
    if judged and last["passes"] != last["fails"]:
        error = rational(audit.params["adjudicator_error"]) if "adjudicator_error" in audit.params else None
        posterior = posterior if error is None else 1 - error if step.outcome == "pass" else error
    need(not judged or step.outcome == leaf["outcome"], f"the adjudicator said {step.outcome}")
    need(
        rational(leaf["posterior"]) == rounded(posterior),
        f"the posterior is {float(posterior)}, stated {leaf['posterior']}",
    )
    audit.posteriors[segment] = posterior
    need(leaf["paper_outcome"] == last["paper"], "the paper's outcome is not that of the last round")
    need(leaf["tier"] == last["tier"], f"it was decided by {last['tier']}, stated {leaf['tier']}")
    refuted = leaf["outcome"] != "pass" and any(tally["tier"] == "computer" and tally["fails"] for tally in tallies)
    need(leaf["refuted"] is refuted, "whether a checker refuted it is misstated")
    need(
        rational(leaf["weight"]) == rational(audit.line(segment)["weight"]),
        "the weight is not the one that audit.open fixed",
    )
    need(step.outcome == leaf["outcome"], "the rounds do not lead to this outcome")
    return remark_on(audit, leaf, judged, posterior)


def remark_on(audit: Audit, leaf: Leaf, judged: bool, posterior: Fraction) -> str:
    if "soundness" in leaf:
        bound = rational(leaf["soundness"])
        need(0 <= bound <= 1, "the soundness lies outside 0 to 1")
        audit.report.believe("values", f"{place_of(audit, leaf)}: soundness {leaf['soundness']}")
    if judged:
        audit.report.believe("adjudicator", f"{place_of(audit, leaf)}: {leaf['outcome']}")
        return f"{leaf['outcome']}, the adjudicator's word, at {float(posterior):.4f}"
    return str(leaf["outcome"])


def combined(audit: Audit, tallies: list[Leaf]) -> Fraction:
    """Each round's posterior holds the prior once; dividing it out leaves the round's evidence, which multiplies."""
    base = rational(audit.params["base_rate"])
    prior = odds = base / (1 - base)
    for tally in tallies:
        if tally["posterior"] == 1:
            return Fraction(1)
        odds *= tally["posterior"] / (1 - tally["posterior"]) / prior
    return odds / (1 + odds)


# -- the trace ------------------------------------------------------------------------------------------------------


def check_complete(audit: Audit) -> str:
    """Nothing is decided while a segment is open: every listed one has its outcome, and every round its tally."""
    decided = {leaf["segment"] for leaf in audit.by_type["segment.outcome"]}
    unlisted = sorted(decided - audit.position.keys())
    need(not unlisted, f"an outcome of segment {(unlisted or [''])[0][:8]}, which is not in the list")
    missing = [audit.position[line["segment"]] + 1 for line in audit.segments if line["segment"] not in decided]
    need(not missing, f"segment {(missing or [0])[0]} has no outcome, and no leaf says why")
    for kind in OF_A_ROUND:
        for leaf in audit.by_type[kind]:
            need(audit.of("round.open", leaf["segment"], leaf["round"]), f"{kind} of a round that was never opened")
    for leaf in audit.by_type["round.open"]:
        audit.one("outcome.preliminary", leaf["segment"], leaf["round"])
    check_waves_end(audit)
    return f"{len(decided)} of {len(audit.segments)} segments"


def check_trace(audit: Audit) -> str:
    """The trace's outcome under the binding rule, and the paper's W against beta."""
    stated, params = audit.outcome, audit.params
    assert stated is not None
    outcomes = {leaf["segment"]: leaf for leaf in audit.by_type["segment.outcome"]}
    basis = [line["segment"] for line in audit.segments if line["basis"]] or [
        line["segment"] for line in audit.segments
    ]
    need(all(line["segment"] in outcomes for line in audit.segments), "a listed segment has no outcome")
    total = sum((rational(leaf["weight"]) for leaf in outcomes.values()), start=Fraction(0))
    passed = sum(
        (rational(leaf["weight"]) for leaf in outcomes.values() if leaf["paper_outcome"] == "pass"), start=Fraction(0)
    )
    required = rational(params["beta"]) * total
    paper = "undecided" if not outcomes else "pass" if passed >= required - Fraction(1, 10**9) else "fail"
    rested = [outcomes[key] for key in basis]
    posterior = trace_posterior(audit, rested)
    outcome, score = trace_rule(audit, rested, (posterior, paper, passed / total if total else Fraction(0)))
    if any(leaf["refuted"] for leaf in rested):
        outcome, posterior = "fail", Fraction(0)
    need(stated["rule"] == params["trace_rule"], "the rule is not the policy's")
    recomputed = (outcome, paper, rounded(posterior), rounded(score), rounded(passed), rounded(required))
    names = ("posterior", "score", "weight_passed", "weight_needed")
    claimed = (stated["outcome"], stated["paper_outcome"], *(rational(stated[name]) for name in names))
    need(recomputed == claimed, f"recomputed {describe(recomputed)}, stated {describe(claimed)}")
    return f"{outcome} at {float(posterior):.4f}; the paper's rule: {paper}"


def trace_posterior(audit: Audit, rested: list[Leaf]) -> Fraction:
    base, free = rational(audit.params["base_rate"]), rational(audit.params["trace_base_rate"])
    if not rested:
        return free
    spread = 1 - (1 - free) / len(rested)
    shift = spread / (1 - spread) / (base / (1 - base))
    need(all(leaf["segment"] in audit.posteriors for leaf in rested), "a segment was not recomputed")
    exact = [audit.posteriors[leaf["segment"]] for leaf in rested]
    if audit.params["trace_rule"] == "first_error":
        bounds = [rational(leaf["soundness"]) for leaf in rested if "soundness" in leaf]
        return first_error(audit, [decided_state(audit, leaf) for leaf in rested], min(bounds, default=Fraction(1)))
    moved = math.prod((p * shift / (p * shift + 1 - p) for p in exact), start=Fraction(1))
    return min([moved, *exact, *(rational(leaf["soundness"]) for leaf in rested if "soundness" in leaf)])


def trace_rule(audit: Audit, rested: list[Leaf], figures: tuple[Fraction, str, Fraction]) -> tuple[str, Fraction]:
    posterior, paper, share = figures
    rule, exact = audit.params["trace_rule"], [audit.posteriors[leaf["segment"]] for leaf in rested]
    if not rested:
        return "undecided", Fraction(0)
    if rule == "weighted":
        return paper, share
    if rule == "all_pass":
        words = {leaf["outcome"] for leaf in rested}
        passes = Fraction(sum(leaf["outcome"] == "pass" for leaf in rested), len(rested))
        return ("fail" if "fail" in words else "pass" if words == {"pass"} else "undecided"), passes
    if rule == "minimum":
        return by_thresholds(audit.params, min(exact)), min(exact)
    if rule == "first_error":
        return by_thresholds(audit.params, posterior), posterior
    need(rule == "noisy_and", f"unknown trace rule {rule}")
    return by_thresholds(audit.params, posterior), math.prod(exact, start=Fraction(1))


def by_thresholds(params: Leaf, probability: Fraction) -> str:
    passes, fails = thresholds(params)
    if probability >= passes:
        return "pass"
    return "fail" if probability <= fails else "undecided"


def thresholds(params: Leaf) -> tuple[Fraction, Fraction]:
    """At which P(right) a trace passes, and at which it fails."""
    costs = [params[f"cost_{name}"] for name in ("review", "miss", "false_alarm")]
    need(all(rational(cost) > 0 and "/" not in cost for cost in costs), "a cost is no positive decimal number")
    review, miss, alarm = map(Decimal, costs)
    return Fraction(1 - review / miss), Fraction(review / alarm)  # 28 digits, as the policy states its thresholds


# -- waves: whom the planner asks next, or what it decides -----------------------------------------------------------


@dataclass
class State:
    """A passage as the planner reads it. ratio: P(its evidence if wrong) / P(its evidence if right)."""

    segment: str
    ratio: Fraction
    seats: int = 0
    settled: str = ""  # proved or refuted by the checkers: nobody is asked
    rests: bool = True  # the answer rests on it
    spent: bool = False  # people were asked last, and nobody voted: no further seats
    heard: bool = False  # an adjudicator was asked: nobody is asked after one
    seen: bool = False  # a model said pass or fail


def is_planned(audit: Audit) -> bool:
    return audit.params.get("planner", False) is True


def waves_of(audit: Audit) -> list[list[Leaf]]:
    """The leaves of each plan: one of many passages takes several, which stand together."""
    waves: list[list[Leaf]] = []
    for leaf in audit.by_type["wave.plan"]:
        if waves and waves[-1][0]["wave"] == leaf["wave"]:
            waves[-1].append(leaf)
        else:
            waves.append([leaf])
    return waves


def plans_for(audit: Audit, segment: str, number: int) -> list[Leaf]:
    """The plans that ask for a round, once for each time that they do."""
    if not audit.asked:
        for leaf in audit.by_type["wave.plan"]:
            for entry in leaf["asked"]:
                audit.asked[entry["segment"], entry["round"]].append(leaf)
    return audit.asked.get((segment, number), [])


def final_plan(audit: Audit) -> Leaf | None:
    """The plan that decided the trace, or None."""
    plans = [leaf for leaf in audit.by_type["wave.plan"] if "outcome" in leaf]
    return plans[-1] if plans else None


def check_plan(audit: Audit, number: int, leaves: list[Leaf]) -> str:
    """What was decided after a wave follows from all tallies before it, and from nothing else."""
    first, last = leaves[0], leaves[-1]
    need(first["wave"] == number, f"plan {number} says it is number {first['wave']}")
    same = ("right", "reason", "outcome", "bound")
    need(all(leaf.get(name) == first.get(name) for leaf in leaves for name in same), "its leaves disagree")
    need(len(leaves) == 1 or all(leaf["asked"] for leaf in leaves), "a plan stands twice")
    need(
        "outcome" not in first or last is audit.by_type["wave.plan"][-1],
        "a plan follows the one that decided the trace",
    )
    tallied = [leaf["index"] for leaf in audit.by_type["outcome.preliminary"]]
    need(
        not any(first["index"] < index < last["index"] for index in tallied), "a round was tallied while it was written"
    )
    for leaf in audit.by_type["round.open"]:
        if leaf["index"] < first["index"]:
            end = audit.one("outcome.preliminary", leaf["segment"], leaf["round"])["index"]
            need(end < first["index"], f"it was made while {place_of(audit, leaf)} was open")
    asked = [entry for leaf in leaves for entry in leaf["asked"]]
    sampled = {entry["segment"] for entry in asked if entry.get("sampled")}
    states = [state_before(audit, line, first["index"]) for line in audit.segments]
    check_sampled(audit, sampled, first["index"])
    bound = rational(first.get("bound", "1"))
    need(0 <= bound <= 1, "the bound lies outside 0 to 1")
    if "bound" in first:
        audit.report.believe("values", f"wave {number}: no passage is sounder than {first['bound']}")
    for entry in [entry for leaf in waves_of(audit)[number - 2] for entry in leaf["asked"]] if number > 1 else []:
        check_withdrawn(audit, (entry["segment"], entry["round"]), waves_of(audit)[: number - 1], bound)
    (outcome, right, reason, seats), alone = planned(audit, states, sampled, bound)
    share = rounded(rational(audit.params.get("sample_share", "0")))
    wanted = [
        (
            state.segment,
            len(rounds_before(audit, state.segment, first["index"])),
            seats[state.segment],
            rounded(state.ratio),
            share if state.segment in alone else None,
        )
        for state in states
        if state.segment in seats
    ]
    stated = [
        (
            *(entry[name] for name in ("segment", "round", "seats")),
            *(rational(entry[name]) if name in entry else None for name in ("ratio", "inclusion")),
        )
        for entry in asked
    ]
    claimed = (first.get("outcome", "more seats"), rational(first["right"]), first["reason"])
    recomputed = (outcome or "more seats", rounded(right), reason.replace(" ", "-"))
    need(recomputed == claimed, f"recomputed {describe(recomputed)}, stated {describe(claimed)}")
    need(
        wanted == stated,
        f"it asks for {len(stated)} passages otherwise than the {len(wanted)} that its numbers ask for",
    )
    return f"{outcome} at {float(right):.4f}" if outcome else f"{sum(seats.values())} seats on {len(seats)} passages"


def check_withdrawn(audit: Audit, round_key: RoundKey, waves: list[list[Leaf]], bound: Fraction) -> None:
    """Unopened seats are taken back only once the rounds that were tallied by then decide the trace."""
    seats = [seat for seat in seats_of(audit, *round_key) if seat.reason == "withdrawn"]
    if not seats:
        return
    need(not any(seat.committed for seat in seats), "a seat was withdrawn, and its vote is sealed")
    need(audit.one("round.open", *round_key)["tier"] == "human", "seats of a machine were withdrawn")
    last, end = waves[-1][0], closings_of(audit, *round_key)[-1]["index"]
    sampled = {entry["segment"] for wave in waves for leaf in wave for entry in leaf["asked"] if entry.get("sampled")}
    tallied = [leaf["index"] for leaf in audit.by_type["outcome.preliminary"] if last["index"] < leaf["index"] < end]
    is_decided = any(
        planned(audit, [state_tallied(audit, line, index) for line in audit.segments], sampled, least)[0][0]
        in ("pass", "fail")
        for index in tallied
        for least in {bound, rational(last.get("bound", "1"))}
    )
    need(is_decided, "seats were withdrawn, and no tally before that decided the trace")


def state_tallied(audit: Audit, line: Leaf, index: int) -> State:
    """A passage by those of its rounds that were tallied up to `index`."""
    segment, tallied = line["segment"], audit.by_type["outcome.preliminary"]
    numbers = [leaf["round"] for leaf in tallied if leaf["segment"] == segment and leaf["index"] <= index]
    return state_of(audit, line, [audit.tallies[segment].get(number) for number in sorted(numbers)])


def check_sampled(audit: Audit, sampled: set[str], index: int) -> None:
    """Only what a model has seen can be said to speak to its auditors; that it does is the operator's word."""
    for segment in sampled:
        tiers = {audit.tallies[segment][number]["tier"] for number in rounds_before(audit, segment, index)}
        need("llm" in tiers, "people were asked about words that no model has seen")
        where = place_of(audit, {"segment": segment})
        audit.report.believe("machine", f"{where}: a model saw words that speak to auditors")


def rounds_before(audit: Audit, segment: str, index: int) -> list[int]:
    opened = [leaf for leaf in audit.by_type["round.open"] if leaf["segment"] == segment and leaf["index"] < index]
    numbers = [leaf["round"] for leaf in opened]
    need(numbers == list(range(len(numbers))) and numbers, "its rounds before the plan do not count from 0")
    return numbers


def state_before(audit: Audit, line: Leaf, index: int) -> State:
    numbers = rounds_before(audit, line["segment"], index)
    return state_of(audit, line, [audit.tallies[line["segment"]].get(number) for number in numbers])


def state_of(audit: Audit, line: Leaf, tallies: list[Leaf | None]) -> State:
    segment = line["segment"]
    need(tallies and all(tallies), "a round before the plan was not recomputed")
    counted = [tally for tally in tallies if tally]
    rests = line["basis"] or not any(entry["basis"] for entry in audit.segments)
    people = sum(tally["k"] - tally["withdrawn"] for tally in counted if tally["tier"] == "human")
    last, ratio = counted[-1], ratio_of(audit, combined(audit, counted))
    if last["judged"] and last["passes"] != last["fails"]:
        ratio = word_of(audit) if last["passes"] > last["fails"] else 1 / word_of(audit)
    # seats that were withdrawn say nothing of whether people are there
    votes = last["passes"] + last["fails"] + last["abstentions"] + last["withdrawn"]
    spent = last["tier"] == "human" and not last["judged"] and not votes
    seen = any(tally["tier"] == "llm" and tally["passes"] + tally["fails"] for tally in counted)
    return State(segment, ratio, people, settled_by(counted), rests, spent, last["judged"], seen)


def settled_by(tallies: list[Leaf]) -> str:
    last = tallies[-1]
    if is_refuted(tallies):
        return "refuted"
    return "proved" if last["tier"] == "computer" and last["outcome"] == "pass" else ""


def word_of(audit: Audit) -> Fraction:
    """The ratio of a passage that an adjudicator passed: the odds of an error of theirs."""
    error = rational(audit.params.get("adjudicator_error", "0.02"))
    return error / (1 - error)


def ratio_of(audit: Audit, posterior: Fraction) -> Fraction:
    base = rational(audit.params["base_rate"])
    return (1 - posterior) / posterior * base / (1 - base)


def decided_state(audit: Audit, leaf: Leaf) -> State:
    """A decided segment as the rule of the first error reads it."""
    proved = "proved" if leaf["tier"] == "computer" and leaf["outcome"] == "pass" else ""
    settled = "refuted" if leaf["refuted"] else proved
    posterior = audit.posteriors[leaf["segment"]]
    # An adjudicator's word is no evidence beside a prior: at even odds its ratio is that of its error.
    heard = leaf["adjudicated"] and leaf["outcome"] != "undecided"
    ratio = (1 - posterior) / posterior if heard else ratio_of(audit, posterior)
    return State(leaf["segment"], ratio, 0, settled)


def first_error(audit: Audit, states: list[State], bound: Fraction) -> Fraction:
    """P(no passage is wrong): the trace's prior, its first error in any passage alike; b / (b + (1 - b) mean ratio)."""
    base, rested = rational(audit.params["trace_base_rate"]), [state for state in states if state.rests]
    if any(state.settled == "refuted" for state in rested):
        return Fraction(0)
    if not rested:
        return min(base, bound)
    total = sum((state.ratio for state in rested if state.settled != "proved"), start=Fraction(0))
    return min(base / (base + (1 - base) * total / len(rested)), bound)


Planned = tuple[str, Fraction, str, dict[str, int]]  # outcome or "", P(right), reason, seats by segment


REFUTED = "a passage is refuted"
SAMPLE = "a random sample of what models settled"


def planned(audit: Audit, states: list[State], sampled: set[str], bound: Fraction) -> tuple[Planned, set[str]]:
    """The planner's decision, and what the random sample alone has people asked about: before anything is decided."""
    _, right, reason, seats = plan = planned_by_doubt(audit, states, sampled, bound)
    share = rational(audit.params.get("sample_share", "0"))
    settled = [state.segment for state in states if state.seen and not state.seats and not state.settled]
    alone = {segment for segment in settled if segment not in seats and is_in_sample(audit, segment, share)}
    if not alone or reason == REFUTED:  # which needs nobody's vote
        return plan, set()
    beside = seats if reason == "first wave" else {}
    most = min(audit.params.get("first_seats", 1), audit.params.get("cap", 13))
    return ("", right, reason if beside else SAMPLE, beside | dict.fromkeys(alone, most)), alone


def is_in_sample(audit: Audit, segment: str, share: Fraction) -> bool:
    """By the seed of the first list, unknown when audit.open fixed the segments; until it opens, as stated."""
    if audit.seeds:
        digest = sha(pad32("TRUST/sample/v1"), audit.seeds[0][1], segment.encode())
        return int.from_bytes(digest) < share * 2**256
    asked = [entry for leaf in audit.by_type["wave.plan"] for entry in leaf["asked"]]
    return any(entry["segment"] == segment and "inclusion" in entry for entry in asked)


def planned_by_doubt(audit: Audit, states: list[State], sampled: set[str], bound: Fraction) -> Planned:
    """A threshold is met, or no seat is worth its cost, or the seats of the next wave."""
    right, params = first_error(audit, states, bound), audit.params
    if any(state.settled == "refuted" and state.rests for state in states):
        return "fail", right, REFUTED, {}
    unseen = [state for state in states if state.segment in sampled and not state.seats and not state.settled]
    outcome = by_thresholds(params, right)
    if not unseen and outcome != "undecided":
        return outcome, right, f"sure enough to {outcome}", {}
    # 1. The sums of ratios at which the trace passes and fails, and the fewest passes that lead there.
    count, cap, base = max(1, sum(state.rests for state in states)), params.get("cap", 13), params["trace_base_rate"]
    passes, fails = (
        (rational(base) * (1 - theta) * count) / (theta * (1 - rational(base))) for theta in thresholds(params)
    )
    accuracy = (1 - rational(params["human"]["error"])) * (1 - rational(params["human"]["malicious"]))
    need(Fraction(1, 2) < accuracy < 1, "nobody can be planned with: reviewers are no better than chance")
    need(1 <= cap <= 101, f"the cap is {cap}")
    step, drift = (1 - accuracy) / accuracy, 2 * accuracy - 1
    live = [state for state in states if state.rests and not state.settled]
    free = [state for state in live if state.seats < cap and not state.spent and not state.heard]
    total = sum((state.ratio for state in live), start=Fraction(0))
    votes, reached = shortest(free, total, passes, (cap, step))
    # 2. Would the seats that are left decide it in the mean, either way?
    left = sum(cap - state.seats for state in free)
    can_pass = reached <= passes and bound >= thresholds(params)[0] and len(votes) <= left * drift
    can_fail = any(
        fails_needed(state.ratio, total - state.ratio, fails, (cap, step)) <= (cap - state.seats) * drift
        for state in free
    )
    if not unseen and not can_pass and not can_fail:
        return left_open(audit, right, (live, total, passes), "no further seat is worth its cost under the cap")
    # 3. First everything that is in doubt and was asked of nobody, then where the doubt is.
    doubted = [state for state in [*free, *(state for state in states if not state.rests and not state.settled)]]
    first = [*unseen, *(state for state in doubted if not state.seats and state.ratio > passes / count)]
    if first:
        most = min(params.get("first_seats", 1), cap)
        return "", right, "first wave", {state.segment: most for state in first}
    seats = dict(Counter(votes[: params.get("wave_seats", 3)]))
    if not seats:
        return left_open(audit, right, (live, total, passes), "every passage has as many seats as the cap allows")
    return "", right, "where the doubt is", seats


LEFT_OPEN = "an-adjudicator-decides-what-people-left-open"


def left_open(audit: Audit, right: Fraction, doubt: tuple[list[State], Fraction, Fraction], reason: str) -> Planned:
    """An adjudicator on the largest ratios that people saw, until the trace would pass; at last undecided."""
    live, total, passes = doubt
    seats: dict[str, int] = {}
    for state in sorted((state for state in live if not state.heard), key=lambda state: -state.ratio):
        if state.seats and total > passes:
            total += word_of(audit) - state.ratio
            seats[state.segment] = 1
    return ("", right, LEFT_OPEN, seats) if seats else ("undecided", right, reason, {})


def shortest(
    free: list[State], total: Fraction, passes: Fraction, limits: tuple[int, Fraction]
) -> tuple[list[str], Fraction]:
    """Passes in turn to the largest ratio, ties by the order of the list, until the sum is low enough."""
    cap, step = limits
    queue, votes = [(-state.ratio, number, cap - state.seats) for number, state in enumerate(free)], []
    heapq.heapify(queue)
    while queue and total > passes:
        negative, number, left = heapq.heappop(queue)
        total += negative * (1 - step)
        votes.append(free[number].segment)
        if left > 1:
            heapq.heappush(queue, (negative * step, number, left - 1))
    return votes, total


def fails_needed(ratio: Fraction, others: Fraction, fails: Fraction, limits: tuple[int, Fraction]) -> int:
    """How many more fails on a passage would fail the trace; one more than the cap at most."""
    (cap, step), votes = limits, 0
    while others + ratio < fails and votes <= cap:
        ratio, votes = ratio / step, votes + 1
    return votes


def planned_step(audit: Audit, segment: str, number: int, tallies: list[Leaf]) -> Step:
    """What follows a tally where waves are planned: machines decide what is certain, a model votes, then the plan."""
    settled, line = settled_by(tallies), audit.line(segment)
    if settled:
        return Step("pass" if settled == "proved" else "fail")
    waiting = [
        tier for tier in (line["tier"], *line["secondaries"]) if tier not in {tally["tier"] for tally in tallies}
    ]
    if waiting and waiting[0] == "llm" and tallies[-1]["tier"] == "computer":
        return Step(None, "llm", "hung")
    if plans_for(audit, segment, number + 1):
        return Step(None, "", "where its wave is planned")
    if not any(tally["passes"] + tally["fails"] for tally in tallies):
        return Step("undecided")
    posterior, params = combined(audit, tallies), audit.params
    if posterior >= rational(params["theta_pass"]):
        return Step("pass")
    return Step("fail" if posterior <= rational(params["theta_fail"]) else "undecided")


def check_follow_planned(audit: Audit, leaf: Leaf, outcome: Leaf | None, step: Step) -> str:
    """A tally is followed by nothing but a plan, unless the checkers were certain."""
    segment, number, plan = leaf["segment"], leaf["round"], final_plan(audit)
    need(not audit.of("escalation", segment, number), "it was escalated, and the policy plans waves")
    tallies = tallies_of(audit, segment, number)
    if settled_by(tallies) or tallies[-1]["judged"]:
        need(outcome, "the checkers are certain or an adjudicator was asked, and it was not decided")
        return f"decided: {step.outcome}"
    need(step.outcome or not outcome, "it is decided, although a plan asks for another round")
    if outcome:
        need(plan and plan["index"] < outcome["index"], "it is decided before a plan has decided the trace")
    return f"decided with the trace: {step.outcome}" if outcome else "the next plan"


def check_waves_end(audit: Audit) -> None:
    """The last plan is what the trace was decided by, and every round that a plan asked for was opened."""
    if not is_planned(audit):
        return
    for leaf in audit.by_type["wave.plan"]:
        for entry in leaf["asked"]:
            need(
                audit.of("round.open", entry["segment"], entry["round"]),
                "a plan asks for a round that was never opened",
            )
    plan, done = final_plan(audit), audit.outcome
    assert done is not None
    # Where the checkers settled every passage there was nothing to plan.
    certain = all(leaf["tier"] == "computer" or leaf["adjudicated"] for leaf in audit.by_type["segment.outcome"])
    need(plan or certain, "no plan decided the trace")
    if plan:
        need(plan["outcome"] == done["outcome"], f"the plan says {plan['outcome']}, the trace {done['outcome']}")
        need(rational(plan["right"]) == rational(done["posterior"]), "the plan and the trace differ in P(right)")


# -- settlement: gold, points, reputation ---------------------------------------------------------------------------


def check_gold(audit: Audit, leaf: Leaf) -> str:
    need(
        sum(entry["segment"] == leaf["segment"] for entry in audit.by_type["gold.reveal"]) == 1, "it is revealed twice"
    )
    message = pad32("TRUST/gold/v1") + uuid.UUID(leaf["segment"]).bytes + leaf["truth"].encode()
    digest = hmac.digest(unhex(leaf["salt"]), message, "sha256").hex()
    need(digest == audit.line(leaf["segment"])["gold"], "what was known beforehand is not what audit.open fixed")
    return str(leaf["truth"])


def check_overturn(audit: Audit, leaf: Leaf) -> str:
    """A dispute: what was revealed is not so. Who disputed and who decided is the operator's word."""
    again = [entry for entry in audit.by_type["gold.overturn"] if entry["segment"] == leaf["segment"]]
    need(len(again) == 1, "it is overturned twice")
    truth = audit.truth.get(leaf["segment"], "none")
    need(truth in ("pass", "fail"), "what is overturned was never revealed as gold")
    need(leaf["stands"] in {"pass", "fail", "none"} - {truth}, f"{truth} is overturned for {leaf['stands']}")
    audit.report.believe("gold", f"{place_of(audit, leaf)}: that {truth} was wrong")
    return f"{leaf['stands']} instead of {truth}: every vote on it is paid as right"


def is_overturned(audit: Audit, segment: str, index: int) -> bool:
    """Whether the gold of a segment had been overturned when leaf `index` was written."""
    return any(leaf["segment"] == segment and leaf["index"] < index for leaf in audit.by_type["gold.overturn"])


def is_correct(word: str, truth: str) -> bool | None:
    """True or False against `truth` (pass or fail), None for an abstention or without a truth."""
    return None if word == "abstain" or truth not in ("pass", "fail") else word == truth


def final_word(audit: Audit, segment: str, index: int) -> str:
    """The outcome that stood when leaf `index` was written: a successor audit may have taken the first one back."""
    later = [leaf for leaf in audit.by_type["outcome.rollback"] if leaf["segment"] == segment and leaf["index"] < index]
    if later:
        return str(later[-1].get("outcome", "none"))
    first = audit.outcome_of(segment)
    return str(first["outcome"]) if first else "none"


def check_rollback(audit: Audit, leaf: Leaf) -> str:
    need(audit.outcome and audit.outcome["index"] < leaf["index"], "an outcome was taken back before there was one")
    appeals = [entry for entry in audit.by_type["appeal"] if "successor" in entry and entry["index"] < leaf["index"]]
    need(appeals, "an outcome was taken back, and nobody had appealed")
    released = [entry for entry in audit.by_type["payout"] if not entry["held"] and entry["index"] < leaf["index"]]
    need(not released, "an outcome was taken back after its points were released")
    first = audit.outcome_of(leaf["segment"])
    need(first and leaf["round"] == first["rounds"] - 1, "it is not the round that decided the segment")
    need(leaf["reason"] == "successor", f"an outcome was taken back for {leaf['reason']}")
    stands, before = leaf.get("outcome", "nothing"), final_word(audit, leaf["segment"], leaf["index"])
    need(stands != before, f"{before} was taken back for {stands}")
    audit.report.believe("appeals", "what a successor audit found: its own file shows it")
    return f"{stands} stands instead of {before}, by a successor audit, whose own bundle shows it"


Amounts = dict[str, tuple[int, Fraction | None]]


def judged_seats(audit: Audit) -> list[tuple[RoundKey, Seat]]:
    """Every opened or silent seat of people and models, with its round."""
    keys = [(leaf["segment"], leaf["round"]) for leaf in audit.by_type["round.open"] if leaf["tier"] != "computer"]
    return [(key, seat) for key in keys for seat in seats_of(audit, *key) if seat.opening or seat.reason == "silent"]


JUDGED_BY = {
    "gold": {"gold", "start"},
    "gold_else_outcome": {"gold", "outcome", "start"},
    "outcome": {"outcome", "start"},
}


def check_reputation_basis(audit: Audit) -> str:
    """Slashing reads the reputation that the policy names; who was never judged stands at its first value."""
    lines, params = list(audit.eligible.values()), audit.params
    if audit.revision < 3:
        need(not any({"against", "agreement"} & line.keys() for line in lines), "a list of an older format says more")
        return ""
    allowed = JUDGED_BY.get(params.get("slashing", "gold"), set())
    for line in lines:
        name, basis = line["auditor"][:16], line.get("against")
        need(basis in allowed, f"the reputation of {name} is judged by {basis}, which the policy does not allow")
        first = Fraction(round(rational(params["initial_reputation"]) * 100), 100)
        need(
            basis != "start" or rational(line["reputation"]) == first, f"{name} was never judged, and starts elsewhere"
        )
        need("agreement" not in line or params["agreement_bonus"], f"the policy pays {name} no agreement")
        need("agreement" not in line or abs(rational(line["agreement"])) <= 1, f"{name} agrees more than always")
    if any("agreement" in line for line in lines):
        audit.report.believe("agreement")
    judged = Counter(line["against"] for line in lines)
    return ", ".join(f"{count} by {basis}" for basis, count in sorted(judged.items()))


def agreements_of(audit: Audit) -> dict[str, Fraction]:
    """Seat -> the agreement that it is paid for: as listed, or of revisions 1 and 2 with a peer."""
    if audit.revision < 3:
        return agreements_with_peers(audit)
    stated = {name: rational(line["agreement"]) for name, line in audit.eligible.items() if "agreement" in line}
    return {
        seat.seat: stated[seat.auditor]
        for key, seat in judged_seats(audit)
        if seat.opening and not audit.is_for_adjudicator(*key) and seat.auditor in stated
    }


def agreements_with_peers(audit: Audit) -> dict[str, Fraction]:
    """Seat -> correlated agreement with its peer: the next opened seat of its round, by pseudonym."""
    votes: dict[str, dict[RoundKey, str]] = defaultdict(dict)
    rounds: dict[RoundKey, list[Seat]] = defaultdict(list)
    for key, seat in judged_seats(audit):
        if seat.opening and not audit.is_for_adjudicator(*key):
            votes[seat.auditor][key] = seat.word
            rounds[key].append(seat)
    agreements = {}
    for sitting in rounds.values():
        ordered = sorted(sitting, key=lambda seat: seat.auditor)
        for seat, peer in zip(ordered, ordered[1:] + ordered[:1], strict=True):
            value = correlated(votes[seat.auditor], votes[peer.auditor])
            if seat is not peer and value is not None:
                agreements[seat.seat] = value
    return agreements


def correlated(mine: dict[RoundKey, str], peer: dict[RoundKey, str]) -> Fraction | None:
    """P(agree | same task) - P(agree | different tasks); None with fewer than two shared tasks."""
    left = {key: word for key, word in mine.items() if word != "abstain"}
    right = {key: word for key, word in peer.items() if word != "abstain"}
    shared = left.keys() & right.keys()
    pairs = len(left) * len(right) - len(shared)
    if len(shared) < 2 or not pairs:
        return None
    same = sum(left[key] == right[key] for key in shared)
    ours, theirs = Counter(left.values()), Counter(right.values())
    everywhere = sum(ours[word] * theirs[word] for word in ("pass", "fail"))
    return Fraction(same, len(shared)) - Fraction(everywhere - same, pairs)


def amounts_of(audit: Audit, seat: Seat, segment: str, index: int, agreement: Fraction | None) -> Amounts:
    """Posting -> (points, chance of a slash) of a seat, by what stood when leaf `index` was written."""
    params = audit.params
    if not seat.opening:
        fine = params["no_show_penalty"]
        return {"no_show": (-fine, None)} if fine else {}
    gold = audit.truth.get(segment, "none")
    correct = is_correct(seat.word, gold if gold != "none" else final_word(audit, segment, index))
    if is_overturned(audit, segment, index):
        correct = None if seat.word == "abstain" else True
    if correct is None:
        return {}
    amounts: Amounts = {}
    if correct and params["reward"]:
        amounts["reward"] = (params["reward"], None)
    if not correct:
        amounts["slash"] = slash_of(audit, seat, gold != "none")
    bonus = 0 if agreement is None else round(params["agreement_bonus"] * agreement)
    return amounts | ({"agreement": (bonus, None)} if bonus else {})


def slash_of(audit: Audit, seat: Seat, is_gold: bool) -> tuple[int, Fraction]:
    """Wrong on gold: for certain. Elsewhere with a probability; the seed decides, so nobody can choose the victims."""
    params = audit.params
    if is_gold:
        return -params["honeypot_multiplier"] * params["penalty"], Fraction(1)
    low, high = rational(params["slash_min"]), rational(params["slash_max"])
    share = low + (high - low) * (1 - rational(audit.eligible[seat.auditor]["reputation"]))
    assert audit.outcome is not None
    # The seed is the operator's secret while seats are named, so a name could be sought that spares a friend.
    if 0 < share < 1:
        audit.report.believe("names", "slashes were drawn")
    drawn = int.from_bytes(sha(pad32("TRUST/slash/v1"), unhex(audit.outcome["seed"]), uuid.UUID(seat.seat).bytes)[:8])
    return (-params["penalty"] if drawn < share * 2**64 // 1 else 0), share


class Books:
    """The postings of an audit in the order of the log: what each seat is held to have earned, and what is released."""

    def __init__(self, audit: Audit) -> None:
        self.audit = audit
        self.seats = {seat.seat: (key, seat) for key, seat in judged_seats(audit)}
        self.agreements = agreements_of(audit)
        self.standing: dict[str, dict[str, int]] = {}  # seat -> posting -> points
        self.stated: dict[str, Amounts] = {}  # seat -> what its last payout said
        self.released: dict[str, int] = {}  # seat -> the leaf that did it

    def due(self, seat: str, index: int) -> Amounts:
        (segment, _), held = self.seats[seat]
        return amounts_of(self.audit, held, segment, index, self.agreements.get(seat))

    def enter(self, leaf: Leaf) -> str:
        """One payout leaf. Postings are held, taken back, or released; never edited, and never paid twice."""
        need(leaf["pool"] + sum(line["points"] for line in leaf["lines"]) == 0, "the postings do not sum to zero")
        by_seat: dict[str, list[Leaf]] = defaultdict(list)
        for line in leaf["lines"]:
            need(line["seat"] in self.seats, f"auditor {line['auditor'][:16]} held no seat in this round")
            key, seat = self.seats[line["seat"]]
            need(key == (leaf["segment"], leaf["round"]), f"seat {seat.seat} sat in another round")
            need(seat.auditor == line["auditor"], f"the line of seat {seat.seat} names another auditor")
            need(self.audit.one("round.open", *key)["tier"] == "human", f"seat {seat.seat} is a machine's, and paid")
            by_seat[line["seat"]].append(line)
        need(by_seat, "a payout pays nobody")
        kinds = {line["posting"] for line in leaf["lines"]}
        for seat_id, lines in by_seat.items():
            if kinds == {"release"} and leaf["held"] is False:
                self.release(seat_id, lines, leaf["index"])
            elif kinds == {"reversal"} and leaf["held"] is True:
                self.reverse(seat_id, lines)
            else:
                need(leaf["held"] is True and not kinds & {"release", "reversal"}, "a payout mixes what it may not")
                self.hold(seat_id, lines, leaf["index"])
        return "" if kinds - {"release", "reversal"} else f"{len(leaf['lines'])} lines {kinds.pop()}"

    def hold(self, seat: str, lines: list[Leaf], index: int) -> None:
        wanted, stated = self.due(seat, index), {line["posting"]: line for line in lines}
        need(len(stated) == len(lines), f"seat {seat} is paid twice for one thing")
        need(not self.standing.get(seat) and seat not in self.released, f"seat {seat} is paid twice")
        again = seat in self.stated and nonzero(self.stated[seat]) == nonzero(wanted)
        need(not again, f"seat {seat} is paid twice")
        for posting, line in stated.items():
            points, chance = wanted.get(posting, (0, None))
            need(
                posting in wanted and line["points"] == points,
                f"seat {seat}: {posting} {line['points']} stated, {phrase(wanted)} recomputed",
            )
            p = rational(line["p"]) if "p" in line else None
            need(p == chance, f"seat {seat}: a slash at chance {line.get('p')}, recomputed {chance}")
        need(stated.keys() == wanted.keys(), f"seat {seat}: {phrase(wanted)} recomputed, a part is left out")
        self.stated[seat], self.standing[seat] = wanted, nonzero(wanted)

    def reverse(self, seat: str, lines: list[Leaf]) -> None:
        for line in lines:
            self.take(seat, line, -line["points"], "taken back")

    def release(self, seat: str, lines: list[Leaf], index: int) -> None:
        for line in lines:
            self.take(seat, line, line["points"], "released")
        self.released[seat] = index

    def take(self, seat: str, line: Leaf, points: int, what: str) -> None:
        need("p" not in line, f"seat {seat}: nothing is drawn when points are {what}")
        mine = self.standing.get(seat, {})
        posting = next((name for name, amount in mine.items() if amount == points), None)
        need(posting, f"seat {seat}: {points} points are {what} that were not held")
        mine.pop(str(posting))

    def close(self) -> str:
        """At the end of the log nothing is left out: every seat stands at what its vote earned, or is released."""
        people = {
            key: seat for key, seat in self.seats.items() if self.audit.one("round.open", *seat[0])["tier"] == "human"
        }
        paid = {seat.auditor for key, (_, seat) in people.items() if key in self.stated}
        marked = {name for name, line in self.audit.eligible.items() if line.get("simulated")}
        need(not paid & marked, "somebody was paid who is listed as simulated")
        unpaid, end = set(), min(self.released.values(), default=END)  # what is released is paid anew by nothing
        for key, (round_key, seat) in people.items():
            due, name = self.due(key, end), place_of(self.audit, {"segment": round_key[0], "round": round_key[1]})
            if seat.auditor not in paid:
                unpaid |= {seat.auditor} if due else set()
                # lists of revision 1 do not say who is simulated
                is_free = not due or seat.auditor in marked or self.audit.revision == 1
                need(is_free, f"{name}: seat {key} earned {phrase(due)}, and no payout says so")
                continue
            need(key in self.stated or not due, f"{name}: seat {key} earned {phrase(due)}, and no payout says so")
            need(
                nonzero(self.stated.get(key, {})) == nonzero(due), f"{name}: seat {key} stands at what no longer holds"
            )
            need(
                not self.standing.get(key) or not self.released, f"{name}: seat {key} was not released with the others"
            )
            settled = key in self.released or self.standing.get(key, {}) == nonzero(due)
            need(settled, f"{name}: seat {key} lost its postings")
        if unpaid:
            self.audit.report.believe("persons", f"{len(unpaid)} who voted and were never paid are simulated")
        if self.stated:  # no leaf says when a window ended
            self.audit.report.believe("clock", f"that one could appeal {'no longer' if self.released else 'still'}")
        return f"{len(self.stated)} seats paid, {'and released' if self.released else 'and held'}"


END = 1 << 62  # an index after every leaf


def nonzero(amounts: Amounts) -> dict[str, int]:
    """What is really posted: a slash that the draw spared moves no points."""
    return {posting: points for posting, (points, _) in amounts.items() if points}


def phrase(amounts: Amounts) -> str:
    return ", ".join(f"{posting} {points}" for posting, (points, _) in amounts.items()) or "nothing"


def steps_due(audit: Audit) -> Counter[tuple[Any, ...]]:
    """(segment, round, auditor, column, correct) of every step, against gold and against the outcome."""
    steps: Counter[tuple[Any, ...]] = Counter()
    for key, seat in judged_seats(audit):
        first = audit.outcome_of(key[0])
        truths = {"gold": audit.truth.get(key[0], "none"), "consensus": first["outcome"] if first else "none"}
        # an adjudicator's word is the outcome: comparing it with itself would teach nothing
        if audit.is_for_adjudicator(*key):
            truths.pop("consensus")
        for column, truth in truths.items():
            correct = is_correct(seat.word, truth)
            if truth in ("pass", "fail") and correct is not None:
                steps[*key, seat.auditor, column, correct] += 1
    return steps


def check_steps(audit: Audit) -> str:
    """Every judged vote has its steps, once; each chain goes on from where it was, as far as rounding lets one see."""
    leaves = audit.by_type["reputation.update"]
    names = ("segment", "round", "auditor", "column", "correct")
    stated = Counter(tuple(leaf[name] for name in names) for leaf in leaves)
    due = steps_due(audit)
    for extra in stated - due:
        raise CheckFailedError(f"a step that no vote explains: {place_of(audit, named(extra))}, auditor {extra[2][:8]}")
    for missing in due - stated:
        raise CheckFailedError(f"a step of reputation is left out: {place_of(audit, named(missing))}, {missing[2][:8]}")
    gamma, half = rational(audit.params["gamma"]), Fraction(1, 200)
    chains: dict[tuple[str, str], tuple[Fraction, Fraction]] = {}
    for leaf in leaves:
        chain, prior = (leaf["auditor"], leaf["column"]), rational(leaf["prior"])
        # What goes on is exact and what is published is rounded to .01: the exact value lies between these two.
        low, high = chains.get(chain, (prior - half, prior + half))
        low, high = max(low, prior - half), min(high, prior + half)
        need(low <= high, f"the chain of {chain[0][:8]} jumps to {leaf['prior']}")
        chains[chain] = (1 - gamma) * low + gamma * leaf["correct"], (1 - gamma) * high + gamma * leaf["correct"]
    return f"{len(leaves)} steps"


def named(step: tuple[Any, ...]) -> Leaf:
    return {"segment": step[0], "round": step[1]}


def check_reputation(audit: Audit, leaf: Leaf) -> None:
    """after = (1 - g) prior + g correct, exactly, prior rounded to .01 as published."""
    prior, gamma = rational(leaf["prior"]), rational(audit.params["gamma"])
    need((prior * 100).denominator == 1 and 0 <= prior <= 1, "the prior is not rounded to .01")
    seats = seats_of(audit, leaf["segment"], leaf["round"])
    words = [seat.word for seat in seats if seat.auditor == leaf["auditor"]]
    need(words, f"auditor {leaf['auditor'][:16]} held no seat in this round")
    gold = audit.truth.get(leaf["segment"], "none")
    first = audit.outcome_of(leaf["segment"])
    truth = gold if leaf["column"] == "gold" else first["outcome"] if first else "none"
    need(is_correct(words[0], truth) is leaf["correct"], f"the vote was {words[0]}, the truth {truth}")
    # exponential smoothing
    after = (1 - gamma) * prior + gamma * leaf["correct"]
    need(after == rational(leaf["after"]), f"the step leads to {float(after)}, stated {leaf['after']}")
    audit.report.believe("values")


# -- everything together --------------------------------------------------------------------------------------------


def verify(
    data: bytes,
    vkey: str | Sequence[str] | None = None,
    witnesses: Sequence[str] = (),
    report: Report | None = None,
    policy: str | None = None,
) -> Report:
    """The report on a bundle's bytes. Raises UnreadableError.

    vkey: one or two keys of the ledger that you have from elsewhere. policy: the text of your witness policy.
    """
    report = report or Report()
    bundle = read_bundle(data)
    # whatever a file holds, it is read or it is refused
    try:
        audit = Audit(bundle, report)
    except Exception as error:
        raise UnreadableError(f"its leaves or lists are no bundle's: {in_words(error)}"[:300]) from None
    theirs = (bundle["vkey"], bundle.get("vkey_ml_dsa"))
    for key in [vkey] if isinstance(vkey, str) else vkey or ():
        report.run("the key is the one that you gave", need, key in theirs, "it is another key")
    if policy is not None:
        report.run("your witness policy", check_policy_file, bundle["checkpoint"], policy)
    head = report.run("signature of the checkpoint", open_note, bundle["checkpoint"], bundle["vkey"])
    if head:
        check_head(report, bundle, head, witnesses)
    report.run("form of every leaf", check_forms, bundle, audit)
    check_audit(report, audit, head)
    return report


def check_audit(report: Report, audit: Audit, head: Head | None) -> None:
    """What the leaves say, each check under its own title; they have their form, and lie under `head`."""
    report.run("lists of segments and of eligible auditors", check_rosters, audit)
    report.run("order of the leaves", check_order, audit)
    report.run("constraints of the draw", check_draw_rules, audit)
    if audit.revision > 2 or any({"against", "agreement"} & line.keys() for line in audit.eligible.values()):
        report.run("what reputations were judged by", check_reputation_basis, audit)
    if audit.outcome and head:
        report.run("seed of the draw", check_seed, audit, head)
    try:
        check_story(report, audit)
    except Exception as error:
        report.lines.append((False, "the rest", f"a leaf is malformed: {in_words(error)}"[:300]))


def read_bundle(data: bytes) -> dict[str, Any]:
    """The file as it was read. Raises UnreadableError."""
    try:
        bundle = strict_json(data.decode("utf-8"))
        need(isinstance(bundle, dict), "it is no JSON object")
        need(bundle["format"] == FORMAT, f"its format is {bundle['format']!r}")
        lost = sorted(KEYS - bundle.keys())
        need(not lost, f"the key {''.join(lost[:1])!r} is missing")
    except Exception as error:
        raise UnreadableError(f"this is not a bundle of format {FORMAT}: {in_words(error)}"[:300]) from None
    return dict(bundle)


def check_head(report: Report, bundle: dict[str, Any], head: Head, witnesses: Sequence[str]) -> None:
    """Who cosigned the checkpoint, what lies under it, and that a later one continues it."""
    stated = bundle.get("witnesses", [])
    if not isinstance(stated, list) or not all(isinstance(key, str) for key in stated):
        report.lines.append((False, "witnesses", "the key witnesses holds no list of keys"))
        return
    named_keys = [*stated, *witnesses]
    of_log = [bundle["vkey"], *([bundle["vkey_ml_dsa"]] if "vkey_ml_dsa" in bundle else [])]
    if of_log[1:]:
        report.run("second signature", check_post_quantum, bundle["checkpoint"], *of_log)
    if named_keys or bundle["checkpoint"].rpartition("\n\n")[2].count("\n") > len(of_log):
        report.run("witnesses", check_witnesses, bundle["checkpoint"], of_log, named_keys, witnesses)
    report.run("inclusion of every leaf", check_inclusion, bundle, head)
    if "later" in bundle:
        report.run("a later checkpoint continues this one", check_later, bundle, head)


def check_later(bundle: dict[str, Any], head: Head) -> str:
    need(bundle["later"].keys() == {"checkpoint", "consistency"}, "the key later holds an unknown key")
    later = open_note(bundle["later"]["checkpoint"], bundle["vkey"])
    if "vkey_ml_dsa" in bundle:
        check_post_quantum(bundle["later"]["checkpoint"], bundle["vkey"], bundle["vkey_ml_dsa"])
    check_consistency(head, later, [b64(sibling) for sibling in bundle["later"]["consistency"]])
    return f"{head[0]} -> {later[0]} leaves"


def check_story(report: Report, audit: Audit) -> None:
    """Draws, rounds, segments, trace, gold, reputation, points, each under its own title."""
    for leaf in draws_of(audit) if audit.seeds else ():
        if not is_open(audit, leaf):
            report.run(f"{place_of(audit, leaf)}: draw {leaf['draw']}", check_draw, audit, leaf)
    for leaf in audit.by_type["round.open"]:
        check_round(report, audit, leaf)
    for number, plan in enumerate(waves_of(audit), 1):
        report.run(f"wave {number}: plan", check_plan, audit, number, plan)
    for leaf in audit.by_type["outcome.preliminary"]:
        report.run(f"{place_of(audit, leaf)}: what follows", check_follow, audit, leaf)
    for leaf in audit.by_type["segment.outcome"]:
        report.run(f"{place_of(audit, leaf)}: outcome", check_segment, audit, leaf)
    if audit.outcome:
        report.run("every segment has its outcome", check_complete, audit)
        report.run("outcome of the trace", check_trace, audit)
        check_settlement(report, audit)
    else:
        open_ones = len(audit.segments) - len(audit.by_type["segment.outcome"])
        left = f"{open_ones} of {len(audit.segments)} segments have no outcome yet"
        note = f"{left}; no draw was repeated, for the outcome of the trace opens their seed"
        report.lines.append((True, "unfinished", note))


def check_settlement(report: Report, audit: Audit) -> None:
    """Gold, what was taken back, points and reputation; an audit may be decided and not yet settled."""
    for leaf_type, title, check in (
        ("gold.reveal", "gold", check_gold),
        ("gold.overturn", "gold overturned", check_overturn),
        ("outcome.rollback", "outcome taken back", check_rollback),
    ):
        for leaf in audit.by_type[leaf_type]:
            report.run(f"{place_of(audit, leaf)}: {title}", check, audit, leaf)
    settled = [leaf for kind in ("gold.reveal", "payout", "reputation.update") for leaf in audit.by_type[kind]]
    if not settled:
        fined = bool(audit.params["no_show_penalty"]) and any(
            not (seat.opening or audit.eligible[seat.auditor].get("simulated"))
            and audit.one("round.open", *key)["tier"] == "human"
            for key, seat in judged_seats(audit)
        )
        due = bool(steps_due(audit)) or fined
        report.lines.append(
            (True, "settlement", "not settled yet: no points, no reputation" if due else "nothing to settle")
        )
        return
    books = report.run("books of points", Books, audit)
    for leaf in audit.by_type["payout"] if books else ():
        report.run(f"{place_of(audit, leaf)}: points", books.enter, leaf)
    if books:
        report.run("every seat has its postings", books.close)
    for leaf in audit.by_type["reputation.update"]:
        title = f"{place_of(audit, leaf)}: reputation step of auditor {leaf['auditor'][:8]}"
        report.run(title, check_reputation, audit, leaf)
    report.run("every judged vote has its steps of reputation", check_steps, audit)
    report.believe("gold", f"{len(audit.truth)} of {len(audit.segments)} segments")


def check_round(report: Report, audit: Audit, leaf: Leaf) -> None:
    segment, number, position = leaf["segment"], leaf["round"], place_of(audit, leaf)
    report.run(f"{position}: opening", check_opening, audit, leaf)
    if is_open(audit, leaf):
        report.lines.append((True, position, "still open: nothing to check yet"))
        return
    report.run(f"{position}: seats", check_seating, audit, segment, number)
    report.run(f"{position}: sealed votes", check_openings, audit, segment, number)
    if audit.revision > 1:
        report.run(f"{position}: weights", check_weights, audit, segment, number)
    report.run(f"{position}: tally", check_tally, audit, segment, number)


def is_open(audit: Audit, leaf: Leaf) -> bool:
    """Whether an unfinished audit still waits for this round's tally."""
    return not audit.outcome and not audit.of("outcome.preliminary", leaf["segment"], leaf["round"])


def place_of(audit: Audit, leaf: Leaf) -> str:
    """A segment as a person counts them."""
    number = audit.position.get(leaf["segment"])
    name = f"segment {str(leaf['segment'])[:8]}" if number is None else f"segment {number + 1}"
    return f"{name}, round {leaf['round']}" if "round" in leaf else name


# -- the whole ledger -----------------------------------------------------------------------------------------------


def read_published(source: str, path: str) -> bytes:
    """A published file of a ledger, from an address or from a directory."""
    if source.startswith(("http://", "https://")):
        try:
            with urllib.request.urlopen(f"{source.rstrip('/')}/{path}", timeout=30) as answer:  # noqa: S310
                return bytes(answer.read())
        except Exception as error:  # refused, silent, broken off, 404, or no HTTP at all
            reason = getattr(error, "reason", error)
            reason = getattr(reason, "strerror", None) or reason
            raise OSError(0, str(reason), f"{source.rstrip('/')}/{path}") from None
    return read_file(f"{source.rstrip('/')}/{path}")


def entries_of(source: str, size: int) -> list[bytes]:
    """Every entry below `size`, from the entry bundles (C2SP tlog-tiles: 256 entries, each behind its length)."""
    entries: list[bytes] = []
    for number in range(0, size, 256):
        width = min(256, size - number)
        digits = f"{number // 256:03}"
        # thousands stand in folders of their own: x001/234
        parts = [digits[max(0, end - 3) : end].zfill(3) for end in range(len(digits), 0, -3)][::-1]
        path = "/".join([f"x{piece}" for piece in parts[:-1]] + parts[-1:]) + (f".p/{width}" if width < 256 else "")
        data, at, count = read_published(source, f"tile/entries/{path}"), 0, 0
        while at < len(data) and count < width:
            length = int.from_bytes(data[at : at + 2])
            entries.append(data[at + 2 : at + 2 + length])
            at, count = at + 2 + length, count + 1
        need(count == width, f"the entries from {number} on are {count} of {width}")
    return entries


class Ledger:
    """All leaves of a log, by audit, and the hash of each."""

    def __init__(self, entries: list[bytes]) -> None:
        self.hashes = [leaf_hash(entry) for entry in entries]
        self.places = {digest: index for index, digest in enumerate(self.hashes)}
        self.leaves: list[Leaf] = [strict_json(entry.decode()) | {"index": at} for at, entry in enumerate(entries)]
        self.audits: dict[str, list[Leaf]] = defaultdict(list)
        self.believed: set[str] = set()  # of all audits, without their details
        self.policies: dict[int, Leaf] = {}
        self.followers: dict[str, list[str]] = defaultdict(list)  # audit -> those that name it as their predecessor
        self.left: Counter[str] = Counter()  # what was begun and has no end
        for leaf in self.leaves:
            if "audit" in leaf:
                self.audits[leaf["audit"]].append(leaf)
                if leaf["t"] == "audit.open" and "predecessor" in leaf:
                    self.followers[leaf["predecessor"]].append(leaf["audit"])
            elif leaf["t"] == "params.policy":
                self.policies.setdefault(leaf["policy"], leaf)

    def audit(self, key: str, report: Report) -> Audit:
        """The leaves of one audit without its lists, which no ledger holds."""
        return Audit({"vkey": "", "segments": [], "eligible": []}, report, self.audits[key])


Keys = tuple[Sequence[str], str | None]
Rule = tuple[str | None, Sequence[str]]  # the reader's own: the text of a witness policy, keys of witnesses
READS = {"find": "--receipt-key", "weights": "--receipt-key --json", "ledger": "--receipt-key --json --mine --design"}


def verify_ledger(
    source: str,
    keys: Keys,
    pile: Sequence[str],
    mine: bool,
    policy: str | None = None,
    designs: Sequence[str] = (),
    witnesses: Sequence[str] = (),
) -> Report:
    """Walk a whole ledger: its tree, its policies, what one audit's file cannot show, and receipts kept.

    keys: one or two of the ledger, and the one of its receipts, where you have them. designs: files of experiments.
    """
    report = Report(of="A walk of the ledger", elsewhere=["sources", "key", "witnesses"])
    ledger = walk_entries(report, source, keys, (policy, witnesses))
    if not ledger:
        return report
    report.run("policies", check_policies, ledger)
    report.run("anchored heads", check_anchors, ledger)
    report.run("designs of experiments", check_designs, ledger)
    for path in designs:
        report.run(f"design {path}", check_design, ledger, read_text(path))
    report.run("decisions about reviewers", check_conduct, ledger)
    report.run("revisions of audits", count_older, ledger)
    for audit in ledger.audits:
        report.run(f"audit {audit[:8]}", check_audit_in_ledger, ledger, audit)
    for key in ledger.believed:
        report.believe(key)
    left = ", ".join(f"{count} {what}" for what, count in sorted(ledger.left.items())) or "nothing"
    report.lines.append((True, "begun, and not ended", left))
    elsewhere = "not looked at here: the file of each audit shows them"
    report.lines.append((True, "lists, draws, seals and what follows each tally", elsewhere))
    promises = [(path, read_text(path)) for path in pile]
    for path, text in promises:
        report.run(f"receipt {path}", check_receipt, ledger, text, keys[1])
    if mine:
        for column in ("gold", "consensus"):
            report.run(f"my reputation against {column}", check_mine, ledger, [text for _, text in promises], column)
    return report


def walk_entries(report: Report, source: str, keys: Keys, rule: Rule) -> Ledger | None:
    """Every entry of a ledger under its signed head, each of a known form; None when one of these fails."""
    key, head = read_head(report, source, keys[0], rule)
    if not head:
        return None
    entries = report.run("every entry is there", entries_of, source, head[0])
    if entries is None:
        return None
    report.run("the tree of all entries", lambda: need(root_of_all(entries) == head[1], "it has another root"))
    ledger: Ledger | None = report.run("form of every leaf", read_ledger, entries)
    if ledger:
        report.run("keys handed over", check_rotations, ledger, key)
    return ledger


def read_head(report: Report, source: str, keys: Sequence[str], rule: Rule) -> tuple[str, Head | None]:
    """The ledger's Ed25519 key, and the head that it signed; with every other key given, and the reader's rule."""
    second = [key for key in keys if parse_key(key, 1, 6)[2][0] == 6]
    first = [key for key in keys if key not in second]
    key = first[0] if first else read_published(source, "vkey").decode().strip()
    note = read_published(source, "checkpoint").decode()
    head = report.run("signature of the checkpoint", open_note, note, key)
    for named in second:
        report.run("second signature", check_post_quantum, note, key, named)
    if rule[0] is not None:
        report.run("your witness policy", check_policy_file, note, rule[0])
    if rule[1]:
        report.run("witnesses", check_witnesses, note, [key, *second], rule[1], rule[1])
    return key, head


def root_of_all(entries: list[bytes]) -> bytes:
    return tree_root([leaf_hash(entry) for entry in entries])


def read_ledger(entries: list[bytes]) -> Ledger:
    """Every leaf is canonical, of a known kind and has exactly its fields."""
    for index, entry in enumerate(entries):
        leaf, name = strict_json(entry.decode()), f"leaf {index}"
        need(canonical(leaf) == entry and leaf["t"] in MATRIX, f"{name} is not canonical, or of no known kind")
        check_fields({key: value for key, value in leaf.items() if key not in ("v", "t")}, leaf["t"], "", name)
    return Ledger(entries)


def check_rotations(ledger: Ledger, key: str) -> str:
    """Each key hands over to the next one of its name under its own signature; the last one signed the checkpoint."""
    rotations = [leaf for leaf in ledger.leaves if leaf["t"] == "key.rotate"]
    names = [*(leaf["old"] for leaf in rotations[1:]), key]
    for leaf, following in zip(rotations, names, strict=False):
        name, _, old = parse_key(leaf["old"], 1)
        need(name == parse_key(leaf["new"], 1)[0] == leaf["origin"], f"leaf {leaf['index']} names another ledger")
        statement = f"TRUST/key-rotate/v1\n{leaf['origin']}\n{leaf['old']}\n{leaf['new']}\n".encode()
        need(is_signed(old, b64(leaf["signature"]), statement), f"leaf {leaf['index']} was not signed by the old key")
        need(leaf["new"] == following, "the ledger goes on under a key nobody named")
    return f"{len(rotations)} times"


def check_anchors(ledger: Ledger) -> str:
    """Each head that was written to a chain is an older head of this tree; that it stands there, the chain shows."""
    anchors = [leaf for leaf in ledger.leaves if leaf["t"] == "anchor"]
    for leaf in anchors:
        need(0 < leaf["size"] <= leaf["index"], f"leaf {leaf['index']} anchors a head that was not there yet")
    roots = roots_at(ledger.hashes, {leaf["size"] for leaf in anchors})
    for leaf in anchors:
        need(roots[leaf["size"]].hex() == leaf["root"], f"leaf {leaf['index']} anchors another tree")
    return f"{len(anchors)} times"


def check_designs(ledger: Ledger) -> str:
    """A design that was registered twice could be shown with either date."""
    digests = [leaf["digest"] for leaf in ledger.leaves if leaf["t"] == "experiment.register"]
    need(len(set(digests)) == len(digests), "one design is registered twice")
    return f"{len(digests)} registered"


def check_design(ledger: Ledger, text: str) -> str:
    """The design of a file was registered before anything of its audits, which are all that it asks for.

    text: registered.json: {"design": ..., "audits": {audit: {"arm": ..., "trace": ...}}}.
    """
    file = strict_json(text)
    design, named = file["design"], file["audits"]
    digest = sha(canonical(design)).hex()
    places = [
        leaf["index"] for leaf in ledger.leaves if leaf["t"] == "experiment.register" and leaf["digest"] == digest
    ]
    need(places, "this design is not registered")
    # One audit left out, or asked for twice, is a result that somebody chose.
    pairs = sorted((place["arm"], place["trace"]) for place in named.values())
    wanted = sorted((arm, trace) for arm in design["arms"] for trace in design["traces"])
    need(pairs == wanted, "its audits are not each trace of the design once in each arm")
    policies: dict[str, set[int]] = defaultdict(set)
    for audit, place in named.items():
        leaves = ledger.audits.get(audit) or []
        need(leaves, f"audit {audit[:36]} is not in this ledger")
        need(leaves[0]["index"] > places[0], f"audit {audit[:36]} began before the design was registered")
        policies[place["arm"]] |= {leaf["policy"] for leaf in leaves if leaf["t"] == "audit.open"}
    mixed = min((arm for arm, numbers in policies.items() if len(numbers) > 1), default="")
    need(not mixed, f"audits of the arm {mixed} ran under several policies")
    return f"leaf {places[0]}, before the first leaf of its {len(named)} audits"


def check_conduct(ledger: Ledger) -> str:
    """Each case is one decision, perhaps an appeal, and then one ruling; only what ends has an end, or a price."""
    cases: dict[str, list[Leaf]] = defaultdict(list)
    for leaf in ledger.leaves:
        if leaf["t"] == "conduct.decision":
            cases[leaf["case"]].append(leaf)
    for steps in cases.values():
        first, *later = (leaf["decision"] for leaf in steps)
        name = f"leaf {steps[0]['index']}"
        need(first in DECISIONS, f"{name} rules on a case that nobody opened")
        need(
            later in ([], ["appealed"], ["appealed", "stands"], ["appealed", "lifted"]), f"{name} goes on out of order"
        )
        # who was cleared has nothing to appeal against
        need(first != "cleared" or not later, f"{name} clears somebody, and goes on")
        need(("until" in steps[0]) == (first in ("gold-only", "suspended")), f"{name} has an end where it has none")
        need(("points" in steps[0]) == (first == "slashed"), f"{name} has a price where it has none")
        need(steps[0].get("points", 1) > 0, f"{name} takes nothing, or gives")
        for leaf in steps[1:]:
            need(leaf["evidence"] == steps[0]["evidence"], f"leaf {leaf['index']} is about other evidence")
            need(not {"until", "points"} & leaf.keys(), f"leaf {leaf['index']} decides anew")
    return f"{len(cases)} cases"


def roots_at(hashes: Sequence[bytes], sizes: set[int]) -> dict[int, bytes]:
    """The root of the first `size` leaves, for each of these sizes, in one walk."""
    peaks: list[tuple[int, bytes]] = []  # perfect subtrees, the largest first: (leaves, root)
    roots = {}
    for size, node in enumerate(hashes, 1):
        width = 1
        while peaks and peaks[-1][0] == width:
            node, width = sha(b"\1", peaks.pop()[1], node), 2 * width
        peaks.append((width, node))
        if size in sizes:
            root = peaks[-1][1]
            for _, left in peaks[-2::-1]:
                root = sha(b"\1", left, root)
            roots[size] = root
    return roots


def count_older(ledger: Ledger) -> str:
    """How many audits were opened in an older revision after a newer one: weights that came late could hide so."""
    newest, late = 1, 0
    for leaf in ledger.leaves:
        if leaf["t"] == "audit.open":
            revision = leaf.get("revision", 1)
            late += revision < newest
            newest = max(newest, revision)
    return f"{late} opened in an older one after a newer one" if late else f"none older after revision {newest}"


def check_audit_in_ledger(ledger: Ledger, key: str) -> str:
    """What one file cannot show: policy, predecessor, appeals; and tallies, outcomes, seats, postings, steps again."""
    report = Report()
    try:
        return walk_audit(ledger, ledger.audit(key, report))
    finally:
        ledger.believed |= report.believed.keys()


def walk_audit(ledger: Ledger, audit: Audit) -> str:
    opened = audit.by_type["audit.open"]
    if not opened:
        need(audit.by_type.keys() <= {"submission"}, "leaves of an audit that was never opened")
        return "handed in, not opened yet"
    need(len(opened) == 1 and len(audit.by_type["trace.outcome"]) <= 1, "it was opened or decided twice")
    check_order(audit)
    behind = check_policy_leaf(ledger, audit)
    check_chain(ledger, audit)
    behind += check_awaited(ledger, audit)
    for leaf in audit.by_type["round.open"]:
        if not is_open(audit, leaf):
            check_round_in_ledger(audit, leaf)
    if not audit.outcome:
        is_late = settled_later(ledger, audit.open["index"])
        overtaken = ", though an audit that was opened later has settled" if is_late else ""
        ledger.left[f"audits{overtaken}"] += 1
        return f"unfinished{overtaken}{behind}"
    segments = {leaf["segment"] for leaf in audit.by_type["segment.outcome"]}
    need(len(segments) == len(audit.by_type["segment.outcome"]), "a segment has two outcomes")
    need(len(segments) == audit.open["segments"], f"{len(segments)} outcomes of {audit.open['segments']} segments")
    if not audit.by_type["payout"] and not audit.by_type["reputation.update"]:
        check_overdue(ledger, audit)
        return f"decided; nobody was paid and no reputation moved{behind}"
    check_steps(audit)
    for leaf in audit.by_type["reputation.update"]:
        check_reputation(audit, leaf)
    check_amounts(audit)
    check_paid(audit)
    for word in ("persons", "gold", "machine"):
        audit.report.believe(word)
    return f"{len(segments)} segment{'s' * (len(segments) != 1)}, {len(audit.by_type['payout'])} payouts{behind}"


def check_overdue(ledger: Ledger, audit: Audit) -> None:
    """An audit settles soon after its outcome: when one that was opened later has settled, this one is overdue."""
    if not steps_due(audit):
        return
    assert audit.outcome is not None
    is_late = settled_later(ledger, audit.outcome["index"])
    need(not is_late, "its votes were judged and never settled, though an audit that was opened later is")


def has_settled(ledger: Ledger, audit: str) -> bool:
    return any(leaf["t"] == "reputation.update" for leaf in ledger.audits[audit])


def check_awaited(ledger: Ledger, audit: Audit) -> str:
    """An appeal's audit is told while it has no end; points are not given out before it has one.

    It may have none for ever: the successor of a trace that its provider took back never ends, and holds up nobody.
    """
    told, given = "", [leaf["index"] for leaf in audit.by_type["payout"] if not leaf["held"]]
    for name in sorted({leaf["successor"] for leaf in audit.by_type["appeal"] if "successor" in leaf}):
        kinds = {leaf["t"]: leaf["index"] for leaf in ledger.audits.get(name, [])}
        end = kinds.get("trace.outcome")
        need(end is None or not given or end < given[0], "its points were given out before its appeal was decided")
        if end is None:
            state = "has no outcome" if "audit.open" in kinds else "was not opened"
            ledger.left[f"appeals whose audit {state}"] += 1
            told += f"; its appeal asked for audit {name[:8]}, which {state}"
            told += ", and its points were given out" if given else ""
    return told


def settled_later(ledger: Ledger, index: int) -> bool:
    """Whether an audit that was opened after leaf `index` has settled."""
    opened = [leaf["audit"] for leaf in ledger.leaves[index + 1 :] if leaf["t"] == "audit.open"]
    return any(has_settled(ledger, audit) for audit in opened)


def check_round_in_ledger(audit: Audit, leaf: Leaf) -> None:
    """Every seat assigned ends once, and every sealed vote is opened or marked; the lists are not needed for it."""
    key = (leaf["segment"], leaf["round"])
    check_tally(audit, *key)
    tier, judged = leaf["tier"], leaf["round"] > 0 and audit.is_for_adjudicator(*key)
    usual = {audit.params[tier]["k"], *audit.params.get("route_seats", {}).get(tier, [])}
    usual |= {1} if judged or tier == "computer" else set()
    need(audit.revision == 1 or leaf["k"] in usual, f"a round of {leaf['k']} seats, which no policy names")
    seats, position = seats_of(audit, *key), f"segment {key[0][:8]}, round {key[1]}"
    for draw in audit.of("seat.assign", *key):
        count = sum(seat.draw == draw["draw"] for seat in seats)
        need(count == draw["seats"], f"{position}: {count} of {draw['seats']} seats have an end")
    need(not seats or draws_of(audit, *key), f"{position}: seats that no leaf assigned")
    commits = {entry["seat"] for entry in audit.of("vote.commit", *key)}
    need(commits == {seat.seat for seat in seats if seat.committed}, f"{position}: sealed and ended votes differ")
    escrowed = {entry["seat"] for entry in audit.of("vote.commit", *key) if "escrow" in entry}
    unopened = {entry["seat"] for entry in audit.of("vote.unopened", *key)}
    hidden = {seat.seat for seat in seats if seat.committed and not seat.opening} & escrowed - unopened
    need(not hidden, f"{position}: a vote that the revealer had was neither opened nor shown")


def check_amounts(audit: Audit) -> None:
    """Every posting has its amount; one reputation of each auditor explains the chances of all its slashes.

    The list that says the reputation is in the audit's file alone, so it is computed back from the chance.
    """
    for leaf in audit.by_type["gold.overturn"]:
        check_overturn(audit, leaf)
    low, high = rational(audit.params["slash_min"]), rational(audit.params["slash_max"])
    reputations: dict[str, Leaf] = defaultdict(lambda: {"reputation": "0"})
    for line in [line for leaf in audit.by_type["payout"] for line in leaf["lines"]]:
        segment = next((key[0] for key, seat in judged_seats(audit) if seat.seat == line["seat"]), "")
        if "p" in line and segment not in audit.truth and high > low:
            reputation = {"reputation": str(1 - (rational(line["p"]) - low) / (high - low))}
            before = reputations.setdefault(line["auditor"], reputation)
            need(before == reputation, f"auditor {line['auditor'][:8]} is slashed at two chances")
    audit.eligible = reputations
    books = Books(audit)
    for leaf in audit.by_type["payout"]:
        books.enter(leaf)


def check_paid(audit: Audit) -> None:
    """Whoever was paid once in an audit has postings for every judged vote."""
    held = [line for leaf in audit.by_type["payout"] if leaf["held"] for line in leaf["lines"]]
    paid = {line["auditor"] for line in held}
    has = {line["seat"] for line in held if line["posting"] != "reversal"}
    for key, seat in judged_seats(audit):
        gold = audit.truth.get(key[0], "none")
        truth = gold if gold != "none" else final_word(audit, key[0], END)
        judged = not seat.opening or is_correct(seat.word, truth) is not None
        is_human = audit.one("round.open", *key)["tier"] == "human"
        is_due = is_human and judged and seat.auditor in paid and seat.seat not in has
        need(not is_due or not (audit.params["reward"] and audit.params["penalty"]), f"seat {seat.seat} has no posting")


LONG_FIELDS = {"routes", "domains"}  # of a policy: they may not fit into a leaf


def check_policies(ledger: Ledger) -> str:
    """Each version was published once, and its digest is that of its parameters, where its leaf had room for them."""
    leaves = [leaf for leaf in ledger.leaves if leaf["t"] == "params.policy"]
    for leaf in leaves:
        first = ledger.policies[leaf["policy"]]
        need(first["digest"] == leaf["digest"], f"policy {leaf['policy']} was published twice, as two things")
        is_short = not LONG_FIELDS & leaf["params"].keys()
        digest = sha(canonical(leaf["params"])).hex()
        need(is_short or digest == leaf["digest"], f"policy {leaf['policy']} is not what its digest says")
    return f"{len(ledger.policies)} versions"


def check_policy_leaf(ledger: Ledger, audit: Audit) -> str:
    """The parameters of an audit are those of the policy published before it, with one of its domains' overrides."""
    policy = ledger.policies.get(audit.open["policy"])
    need(policy and policy["index"] < audit.open["index"], f"policy {audit.open['policy']} was not published before")
    assert policy is not None
    published, mine = flat(policy["params"]), flat(audit.params)
    # whatever is left out would have its default, and that is another policy
    absent = sorted(published.keys() - mine.keys() - LONG_FIELDS)
    need(not absent, f"policy {audit.open['policy']} says {(absent or [''])[0]}, and the audit leaves it out")
    # what a later version added has its default, and no published policy names it
    meant = UNSAID | published
    changed = {name: value for name, value in mine.items() if name in meant and not is_same(meant[name], value)}
    unknown = sorted(mine.keys() - meant.keys() - ROUTE_SEATS)
    behind = f"; its policy does not name {', '.join(unknown)}" if unknown else ""
    overrides = [dict(domain["changes"]) for domain in policy["params"].get("domains", [])]
    if seats := check_route_seats(policy, audit):
        behind += f"; {seats}"
        audit.report.believe("text")
    fits = not changed or any(
        all(name in changes and is_same(changes[name], value) for name, value in changed.items())
        for changes in overrides
    )
    # A policy too long for its leaf keeps its routes and domains behind its digest.
    is_short = "domains" not in policy["params"]
    need(fits or is_short, f"{min(changed, default='')} is not what policy {audit.open['policy']} says")
    if fits:
        return behind
    audit.report.believe("text")
    names = ", ".join(sorted(changed))
    return f"{behind}; {names} by a domain of policy {audit.open['policy']} that stands behind its digest"


# What a text of a policy leaves out where it says the usual: what the rules above read of it, and what that is.
UNSAID = {
    "consensus": "auto",
    "escalation": "hung",
    "adjudicator_error": "0.02",
    "openings": "choice",
    "neighbours": False,
    "planner": False,
    "first_seats": 1,
    "wave_seats": 3,
    "cap": 13,
    "sample_share": "0",
    "slashing": "gold",
    "routed_by": "rules",
}
ROUTE_SEATS = {"route_seats.computer", "route_seats.llm", "route_seats.human"}  # follow from the routes


def check_route_seats(policy: Leaf, audit: Audit) -> str:
    """The seats that routes name are those of the published table, where the leaf had room for it."""
    rows = policy["params"].get("routes", [])
    named = {(row["primary"], row["k"]) for row in rows if row.get("k") is not None}
    mine = {(tier, k) for tier, several in audit.params.get("route_seats", {}).items() for k in several}
    need("routes" not in policy["params"] or mine <= named, "a number of seats that no route of the policy names")
    # a table too long for its leaf stands behind the policy's digest
    hidden = sorted(f"{tier} x {k}" for tier, k in mine - named)
    return (
        f"{', '.join(hidden)} by routes of policy {audit.open['policy']} that stand behind its digest" if hidden else ""
    )


def is_same(left: Any, right: Any) -> bool:
    """Numbers by their value; `true` is no 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    try:
        return rational(left) == rational(right)
    except CheckFailedError:
        return bool(left == right)


def flat(values: Any, prefix: str = "") -> dict[str, Any]:
    """{"human.k": 3} of {"human": {"k": 3}}: an override names a field so."""
    if not isinstance(values, dict):
        return {prefix.rstrip("."): values}
    merged: dict[str, Any] = {}
    for name, value in values.items():
        merged |= flat(value, f"{prefix}{name}.")
    return merged


def check_chain(ledger: Ledger, audit: Audit) -> None:
    """A successor was asked for in the audit before it; what it took back is what it found."""
    key = audit.open["audit"]
    if "predecessor" in audit.open:
        before = ledger.audits.get(audit.open["predecessor"], [])
        need(before, "it follows an audit that is not in the ledger")
        asked = [leaf["index"] for leaf in before if leaf["t"] == "appeal" and leaf.get("successor") == key]
        need(asked or all(leaf["t"] != "trace.outcome" for leaf in before), "nobody appealed for this audit")
        # an appeal that is logged when its successor's end is known was no appeal
        need(not asked or min(asked) < audit.open["index"], "it was opened before anybody had appealed for it")
    for leaf in [leaf for leaf in audit.by_type["appeal"] if "successor" in leaf]:
        opened = [entry for entry in ledger.audits.get(leaf["successor"], []) if entry["t"] == "audit.open"]
        follows = all(entry.get("predecessor") == key for entry in opened)
        need(follows, f"an appeal names audit {leaf['successor'][:8]}, which does not follow this one")
    later = successors_of(ledger, key)
    for leaf in audit.by_type["outcome.rollback"]:
        words = [
            entry["outcome"]
            for name in later
            for entry in ledger.audits[name]
            if entry["t"] == "segment.outcome"
            and entry["segment"] == leaf["segment"]
            and entry["index"] < leaf["index"]
        ]
        need(leaf.get("outcome") in words, f"segment {leaf['segment'][:8]}: no successor found {leaf.get('outcome')}")
    if audit.outcome and later:
        check_taken_back(ledger, audit, later[0])


def successors_of(ledger: Ledger, key: str) -> list[str]:
    """The audits that follow this one, each the one before it; nobody chooses between two."""
    chain = [key]
    while names := ledger.followers.get(chain[-1], []):
        need(len(names) == 1, f"audit {chain[-1][:8]} has {len(names)} successors: one could be chosen afterwards")
        need(names[0] not in chain, "audits follow one another in a circle")
        chain.append(names[0])
    return chain[1:]


def check_taken_back(ledger: Ledger, audit: Audit, successor: str) -> None:
    """What a successor found otherwise is taken back when it settles: at the latest when a later audit has."""
    ends = [leaf["index"] for leaf in ledger.audits[successor] if leaf["t"] == "trace.outcome"]
    if not ends or not has_settled(ledger, successor) or not settled_later(ledger, ends[0]):
        return
    back = {leaf["segment"] for leaf in audit.by_type["outcome.rollback"]}
    for leaf in ledger.audits[successor]:
        if leaf["t"] == "segment.outcome" and leaf["outcome"] in ("pass", "fail") and leaf["segment"] not in back:
            first = audit.outcome_of(leaf["segment"])
            same = not first or first["outcome"] == leaf["outcome"]
            need(
                same,
                f"segment {leaf['segment'][:8]}: its successor found {leaf['outcome']}, and nothing was taken back",
            )


def check_receipt(ledger: Ledger, text: str, vkey: str | None) -> str:
    promise = read_receipt(text, vkey)
    position = ledger.places.get(unhex(promise["leaf"]))
    need(
        position is not None,
        "its leaf is missing: after its deadline this receipt proves that the operator broke its word",
    )
    check_kept(promise, ledger.leaves[position or 0])
    return f"kept: leaf {position}, {promise['kind']}{signed_note(vkey)}"


def check_kept(promise: dict[str, str], leaf: Leaf) -> None:
    """The leaf says what was promised: of this seat or trace, with this digest."""
    names = {"vote.commit": ("seat", "commitment"), "submission": ("audit", "digest")}[promise["kind"]]
    held = (leaf["t"], leaf.get(names[0]), leaf.get(names[1]))
    need(held == (promise["kind"], promise["subject"], promise["digest"]), "the promised leaf says another thing")


def check_mine(ledger: Ledger, receipts: list[str], column: str) -> str:
    """My own chain of reputation over all audits of my receipts: each prior is where the last step led."""
    seats = {promise["subject"] for promise in map(read_receipt, receipts) if promise["kind"] == "vote.commit"}
    ends = {"vote.reveal": "openings", "vote.noreveal": "seats"}
    mine = [(leaf["audit"], entry) for leaf in ledger.leaves for entry in leaf.get(ends.get(leaf["t"], ""), [])]
    names = {(audit, entry["auditor"]) for audit, entry in mine if entry["seat"] in seats}
    steps = [leaf for leaf in ledger.leaves if leaf["t"] == "reputation.update" and leaf["column"] == column]
    steps = [leaf for leaf in steps if (leaf["audit"], leaf["auditor"]) in names]
    overturned = [leaf for leaf in ledger.leaves if leaf["t"] == "gold.overturn" and column == "gold"]
    half, low, high = Fraction(1, 200), Fraction(0), Fraction(1)
    links: list[tuple[tuple[str, str], bool, Fraction]] = []  # of my chain: where, whether correct, gamma
    for number, leaf in enumerate(steps):
        params = next(entry["params"] for entry in ledger.audits[leaf["audit"]] if entry["t"] == "audit.open")
        prior, gamma = rational(leaf["prior"]), rational(params["gamma"])
        if number == 0:
            first = prior == rational(params["initial_reputation"])
            start = low, high = (prior, prior) if first else (Fraction(0), Fraction(1))
        gone = {(entry["audit"], entry["segment"]) for entry in overturned if entry["index"] < leaf["index"]}
        if any(index in gone for index, _, _ in links):
            # without the steps of overturned gold, from the beginning
            links, (low, high) = [link for link in links if link[0] not in gone], start
            for _, correct, rate in links:
                low, high = (1 - rate) * low + rate * correct, (1 - rate) * high + rate * correct
        # what is published is rounded to .01; the chain goes on from the exact value
        low, high = max(low, prior - half), min(high, prior + half)
        need(low <= high, f"leaf {leaf['index']} starts from {leaf['prior']}, where my chain does not stand")
        low, high = ((1 - gamma) * edge + gamma * leaf["correct"] for edge in (low, high))
        links.append(((leaf["audit"], leaf["segment"]), leaf["correct"], gamma))
    begun = "from its beginning" if steps and low == high else "from where my receipts begin"
    return f"{len(steps)} steps in {len({leaf['audit'] for leaf in steps})} audits, {begun}"


# -- the own weights ------------------------------------------------------------------------------------------------


def verify_weights(source: str, keys: Keys, file: str, pile: Sequence[str], rule: Rule = (None, ())) -> Report:
    """From what the own votes were weighed: a file of the site, with salts, against the log and one's receipts."""
    report = Report(of="A walk of the ledger", elsewhere=["key", "witnesses"])
    ledger = walk_entries(report, source, keys, rule)
    if not ledger:
        return report
    own = report.run(f"file of weights {file}", read_weights, read_text(file))
    receipts = [report.run(f"receipt {path}", read_receipt, read_text(path), keys[1]) for path in pile]
    promises: list[dict[str, str]] = [promise for promise in receipts if promise]
    if own is None or len(promises) < len(pile):
        return report
    mine = {promise["subject"] for promise in promises if promise["kind"] == "vote.commit"}
    mine |= {weight["seat"] for weight in own["weights"]}
    for weight in own["weights"]:
        title = f"weight of seat {str(weight['seat'])[:8]} in audit {str(weight['audit'])[:8]}"
        report.run(title, check_weight, ledger, weight, mine)
    listed = {weight["seat"] for weight in own["weights"]}
    unlisted = [promise["subject"][:8] for promise in promises if promise["subject"] not in listed]
    if unlisted:
        report.lines.append((True, "seats of receipts that the file does not list", ", ".join(unlisted)))
    return report


def read_weights(text: str) -> Leaf:
    own = strict_json(text)
    need(isinstance(own, dict) and own.get("format") == "trust-weights/v1", "it is no file of weights")
    return dict(own)


def check_weight(ledger: Ledger, own: Leaf, mine: set[str]) -> str:
    """The digest opens to the record, its leaves are older, nothing of mine is left out, and the values follow."""
    leaves, record = ledger.audits[own["audit"]], own["sources"]
    name = next((entry["auditor"] for entry, _ in ends_of(leaves) if entry["seat"] == own["seat"]), None)
    need(name, "this seat has no end in the log")
    position = (own["segment"], own["round"])
    skills = [leaf for leaf in leaves if leaf["t"] == "skills" and (leaf["segment"], leaf["round"]) == position]
    lines = [(leaf["index"], line) for leaf in skills for line in leaf["auditors"] if line["auditor"] == name]
    need(len(lines) == 1, f"it was weighed {len(lines)} times")
    index, line = lines[0]
    need("sources" in line, "its leaf names no sources")
    digest = sha(pad32("TRUST/weight-sources/v1"), unhex(own["salt"]), canonical(record)).hex()
    need(digest == line["sources"], "the file shows other sources than its leaf names")
    params = next(leaf["params"] for leaf in leaves if leaf["t"] == "audit.open")
    tier = next(
        leaf["tier"] for leaf in leaves if leaf["t"] == "round.open" and (leaf["segment"], leaf["round"]) == position
    )
    stated = (rational(line["sensitivity"]), rational(line["specificity"]))
    follows = record.get("follows", {})
    said = (follows.get("family"), rational(follows["following"]) if follows else None)
    own_line = (line.get("follows"), rational(line["following"]) if "following" in line else None)
    need(said == own_line, "whom I follow, and how far, is in the leaf not what the file names")
    for audit in follows.get("audits", []):
        ended = [leaf["index"] for leaf in ledger.audits[audit] if leaf["t"] == "trace.outcome"]
        need(ended and ended[0] < index, f"audit {audit[:8]}, in which I followed a model, is not older")
    if record["rule"] == "learned":
        for audit in record["audits"]:
            ended = [leaf["index"] for leaf in ledger.audits[audit] if leaf["t"] == "trace.outcome"]
            need(ended and ended[0] < index, f"audit {audit[:8]}, from which it was learned, is not older")
        return f"learned from {len(record['audits'])} older audits; what follows from them, ledger_fsck recomputes"
    if record["rule"] == "reputation":
        value = rational(record["reputation"])
        need(stated == (clipped(value), clipped(value)), "it is not the reputation that the file names")
        return f"the reputation {record['reputation']}, which the list of the eligible in the file of that audit shows"
    check_gold_votes(ledger, record, index, mine)
    values = skill_of_gold(record, params[tier])
    need(
        stated == values, f"its sources lead to {values[0]} and {values[1]}, its leaf says {stated[0]} and {stated[1]}"
    )
    answers = sum(row["count"] for row in record["calibration"])
    told = f", and {answers} answers in calibration, which you remember and no leaf shows" if answers else ""
    return f"{values[0]} and {values[1]} from {len(record['votes'])} older votes on gold{told}"


def ends_of(leaves: Iterable[Leaf]) -> Iterable[tuple[Leaf, Leaf]]:
    """Every opened or silent seat of some leaves, with its leaf."""
    names = {"vote.reveal": "openings", "vote.noreveal": "seats"}
    return [(entry, leaf) for leaf in leaves for entry in leaf.get(names.get(leaf["t"], ""), [])]


def check_gold_votes(ledger: Ledger, record: Leaf, index: int, mine: set[str]) -> None:
    """Each vote on gold was opened, and its truth revealed, before leaf `index`; none of mine is left out."""
    named = {}
    for vote in record["votes"]:
        votes = [
            (entry, leaf) for entry, leaf in ends_of(ledger.audits[vote["audit"]]) if entry["seat"] == vote["seat"]
        ]
        need(votes and "vote" in votes[0][0], f"seat {vote['seat'][:8]} was never opened")
        entry, leaf = votes[0]
        need((WORDS[entry["vote"]], leaf["segment"]) == (vote["vote"], vote["segment"]), "a vote on gold was another")
        truth = gold_of(ledger, vote["audit"], vote["segment"])
        need(
            not gone_before(ledger, vote["audit"], vote["segment"], index), "a vote on gold that was overturned counts"
        )
        need(truth and truth["truth"] == vote["truth"], "what was known of a segment is misstated")
        need(max(leaf["index"], truth["index"] if truth else 0) < index, "a vote on gold is not older than the weight")
        named[vote["seat"]] = vote
    for audit, leaves in ledger.audits.items():
        for entry, leaf in ends_of(leaves):
            if entry["seat"] in mine - named.keys() and WORDS[entry.get("vote", 2)] != "abstain":
                truth = gold_of(ledger, audit, leaf["segment"])
                late = truth is None or truth["index"] > index or gone_before(ledger, audit, leaf["segment"], index)
                need(late, f"my vote of seat {entry['seat'][:8]} was on gold, and is left out")


def gold_of(ledger: Ledger, audit: str, segment: str) -> Leaf | None:
    leaves = ledger.audits[audit]
    return next((leaf for leaf in leaves if leaf["t"] == "gold.reveal" and leaf["segment"] == segment), None)


def gone_before(ledger: Ledger, audit: str, segment: str, index: int) -> bool:
    """Whether gold had been overturned when leaf `index` was written."""
    leaves = [leaf for leaf in ledger.audits[audit] if leaf["t"] == "gold.overturn" and leaf["segment"] == segment]
    return any(leaf["index"] < index for leaf in leaves)


def skill_of_gold(record: Leaf, rules: Leaf) -> tuple[Fraction, Fraction]:
    """Sensitivity and specificity: the tier's Beta prior, then all gold, the domain's, the cell's, each once.

    Each level starts from the one above, weakened to at most ten votes (docs/formulas.md section 6).
    """
    start = rational(rules["prior_right"]), rational(rules["prior_wrong"])
    betas = {"pass": start, "fail": start}
    cell, rows = (record["domain"], record["level"]), [*record["votes"], *record["calibration"]]
    # how far down each row belongs: 0 to the auditor alone, 1 to the domain, 2 to the cell
    depths = [(row["domain"] == cell[0]) + ((row["domain"], row.get("level", "")) == cell) for row in rows]
    for depth in range(3):
        for truth, (right, wrong) in betas.items():
            own = [row for row, at in zip(rows, depths, strict=True) if at == depth and row["truth"] == truth]
            good = sum(row.get("count", 1) for row in own if row["vote"] == truth)
            shrink = min(Fraction(1), 10 / (right + wrong))
            betas[truth] = right * shrink + good, wrong * shrink + sum(row.get("count", 1) for row in own) - good
    return clipped(betas["pass"][0] / sum(betas["pass"])), clipped(betas["fail"][0] / sum(betas["fail"]))


def clipped(mean: Fraction) -> Fraction:
    """As skills are published: two places, never 0 or 1."""
    return min(max(Fraction(round(mean * 100), 100), Fraction(1, 100)), Fraction(99, 100))


# -- the command ----------------------------------------------------------------------------------------------------


def matrix_text() -> str:
    """The matrix as Markdown: what docs/verification.md is printed from."""
    lines = ["### What is checked", "", "| number | check |", "|---|---|"]
    lines += [f"| {number} | {sentence} |" for number, sentence in CHECKS.items()]
    lines += ["", "### What is believed", "", "| name | what |", "|---|---|"]
    lines += [f"| {key} | {sentence} |" for key, sentence in BELIEVED.items()]
    lines += [
        "",
        "### Leaf by leaf, field by field",
        "",
        "| leaf | field | checked by | bound elsewhere, or believed |",
        "|---|---|---|---|",
    ]
    for kind, rows in MATRIX.items():
        for name, codes in rows.items():
            numbers = [code for code in codes.split() if code.isdigit()]
            words = [code for code in codes.split() if not code.isdigit()]
            shown = (
                f"`{name.rstrip('?')}`" + (" (optional)" if name.endswith("?") else "") if name else "the leaf itself"
            )
            lines.append(f"| `{kind}` | {shown} | {', '.join(numbers)} | {', '.join(words)} |")
    return "\n".join(lines)


def read_receipt(text: str, vkey: str | None = None) -> dict[str, str]:
    """What a receipt promises: kind, subject, digest and leaf. vkey: the receipt key, where you have it."""
    need(not text.lstrip().startswith("<"), "it is a web page, saved perhaps while signed out")
    body, lines = signature_lines(text)
    if vkey:
        name, key_id, key = parse_key(vkey, 1)
        mine = [signature for signer, number, signature in lines if (signer, number) == (name, key_id)]
        need(
            mine and all(is_signed(key, leaf, body.encode()) for leaf in mine), "the receipt was not signed by this key"
        )
    origin, kind, *rows = body[:-1].split("\n")
    promise = dict(row.split(" ", 1) for row in rows) | {"kind": kind, "origin": origin}
    need(len(promise) == len(rows) + 2 and all(row.count(" ") == 1 for row in rows), "it is no receipt")
    need({"subject", "digest", "leaf"} <= promise.keys() and kind in ("vote.commit", "submission"), "it is no receipt")
    unhex(promise["leaf"])
    return promise


def signed_note(vkey: str | None) -> str:
    return "" if vkey else " (nobody gave the receipt's key, so its signature was not checked: --receipt-key)"


def find_promised(data: bytes, promise: dict[str, str]) -> str:
    """Where a promised leaf stands in an audit, and what became of the vote that it seals."""
    bundle = read_bundle(data)
    # <host>/ledger/v1 signs the log, <host>/receipt/v1 the promises
    hosts = {
        name.rpartition("/ledger/")[0] or name.rpartition("/receipt/")[0]
        for name in (promise["origin"], bundle["vkey"].split("+")[0])
    }
    need(len(hosts) == 1, "the receipt is of another ledger")
    audit = Audit(bundle)
    position = next(
        (entry for entry in bundle["leaves"] if leaf_hash(entry["entry"].encode()).hex() == promise["leaf"]), None
    )
    if position is None:
        raise CheckFailedError("the promised leaf is not in this audit")
    leaf = strict_json(position["entry"])
    check_kept(promise, leaf)
    if leaf["t"] != "vote.commit":
        return f"leaf {position['index']} says that the trace was handed in"
    where = f"leaf {position['index']} seals this vote ({place_of(audit, leaf)})"
    seats = [seat for seat in seats_of(audit, leaf["segment"], leaf["round"]) if seat.seat == leaf["seat"]]
    tally = audit.of("outcome.preliminary", leaf["segment"], leaf["round"])
    if not seats or not tally:
        return f"{where}; the round is not counted yet"
    counts = ", ".join(f"{tally[0][name]} {name}" for name in ("passes", "fails", "abstentions"))
    ended = f"opened as {seats[0].word} and counted" if seats[0].opening else "never opened, so it was not counted"
    return f"{where}; it was {ended}: {counts}, {tally[0]['outcome']}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description="Check an audit offline, trusting nobody.")
    parser.add_argument("what", help="the file of an audit; or one of the words find, ledger, weights, matrix")
    parser.add_argument("more", nargs="*", help="find: audit, receipt; ledger: address, receipts; weights: address")
    parser.add_argument("--mine", action="store_true", help="the receipts are mine: check my chain of reputation")
    parser.add_argument("--design", action="append", default=[], help="after ledger: registered.json; may be repeated")
    parser.add_argument("--vkey", action="append", default=[], help="a key of the ledger; of two, both must sign")
    parser.add_argument("--witness", action="append", default=[], help="its key must have cosigned; may be repeated")
    parser.add_argument("--policy", help="a file with your witness policy (C2SP tlog-policy)")
    parser.add_argument("--receipt-key", help="the key of receipts: checks the signature of each")
    parser.add_argument("--json", action="store_true", help="a report for machines")
    options = parser.parse_args(arguments)
    reads = READS.get(options.what if options.more else "", "--json")
    flags = [name for name in ("--receipt-key", "--json", "--mine", "--design") if name not in reads]
    unread = [name for name in flags if getattr(options, name[2:].replace("-", "_"))]
    unread += options.more[2:] if options.what == "find" else options.more if reads == "--json" else []
    if unread:  # it would look as if it had been checked
        parser.error(
            f"{unread[0]} is not read here; receipts are checked by: find BUNDLE RECEIPT, or ledger URL RECEIPT"
        )
    if len(options.more) < {"find": 2, "weights": 2, "ledger": 1}.get(options.what, 0):
        parser.error(f"{options.what} needs more: see --help")
    try:
        return run_command(options)
    # Whatever a file holds that breaks this program, the file is refused: a stranger's file is never trusted.
    except Exception as error:
        file = options.more[0] if options.what in READS else options.what
        named = "" if isinstance(error, OSError) else f"{file}: "
        print(plain(f"Refused: cannot read {named}{in_words(error)}")[:600], file=sys.stderr)
        return 2


def run_command(options: argparse.Namespace) -> int:
    if options.what == "matrix":
        print(matrix_text())
        return 0
    if options.what == "find":
        return find_command(options.more[0], options.more[1], options)
    policy = read_text(options.policy) if options.policy else None
    keys, witnesses = (options.vkey, options.receipt_key), options.witness
    if options.what == "weights":
        source, file, *pile = options.more
        report = verify_weights(source, keys, file, pile, (policy, witnesses))
    elif options.what == "ledger":
        pile = options.more[1:]
        report = verify_ledger(options.more[0], keys, pile, options.mine, policy, options.design, witnesses)
    else:
        report = verify(read_file(options.what), options.vkey, options.witness, policy=policy)
    print(json.dumps(as_json(report), indent=1) if options.json else report.text())
    return 0 if report.ok else 2


def find_command(bundle: str, receipt: str, options: argparse.Namespace) -> int:
    """The audit first: a leaf in an audit that does not hold says nothing."""
    data, text = read_file(bundle), read_text(receipt)
    policy = read_text(options.policy) if options.policy else None
    report = verify(data, options.vkey, options.witness, policy=policy)
    if not report.ok:
        print(f"Refused: {report.refusal}")
        return 2
    try:
        answer = find_promised(data, read_receipt(text, options.receipt_key))
    except Exception as error:  # the audit was read before: whatever breaks here, the receipt broke it
        print(plain(f"Refused: the receipt {receipt}: {in_words(error)}")[:600])
        return 2
    print(plain(f"{answer}{signed_note(options.receipt_key)}"))
    return 0


def read_file(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def read_text(path: str) -> str:
    return read_file(path).decode("utf-8", "replace")


def as_json(report: Report) -> dict[str, Any]:
    checks = [{"ok": good, "check": title, "note": note} for good, title, note in report.lines]
    believed = report.sentences() if report.ok else []
    return {
        "ok": report.ok,
        "refused": report.refusal,
        "checks": checks,
        "believed": believed,
        "not_checked": [ELSEWHERE[name] for name in report.elsewhere],
    }


if __name__ == "__main__":
    sys.exit(main())
