"""Verification of a file that somebody kept (receipt, bundle, proof or checkpoint) against this ledger, in steps.

Reads Leaf, PublicKey and the published files. Nothing of what is handed in is trusted: whatever is expensive is done
only for leaves that were proved to be ours.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from auditing.models import Leaf, Seat
from auditing.research.ledger_checks.selectors.bundle_files import NotVerifiableError, read_bundle
from auditing.selectors.ledger.published import (
    LedgerDamagedError,
    NotPublishedYetError,
    ledger_keys,
    prove,
    published,
    receipt_keys,
)
from auditing.translog import checkpoint, merkle, receipt
from auditing.translog.note import NoteError
from auditing.verifier import verify_audit

LARGEST = 4 * 1024 * 1024  # bytes
BROKEN_WORD = (
    "The ledger does not hold it, and the promised time is over. This receipt proves that the operator broke its word: "
    "keep it, and show it to others."
)


class Kind(StrEnum):
    """What was handed in."""

    BUNDLE = "bundle of an audit"
    RECEIPT = "receipt"
    PROOF = "proof of one leaf"
    CHECKPOINT = "checkpoint"


@dataclass(frozen=True, slots=True)
class Step:
    """One check: what was looked at, whether it holds (None: cannot be said yet), and what was found."""

    title: str
    holds: bool | None
    says: str = ""


@dataclass
class Examined:
    """All steps in order; not_shown: what no such file can show."""

    kind: Kind
    steps: list[Step] = field(default_factory=list)
    not_shown: Sequence[str] = ()
    index: int | None = None  # of the leaf that a receipt or proof is about

    @property
    def holds(self) -> bool | None:
        """False when a step fails, None when one cannot be said yet."""
        if any(step.holds is False for step in self.steps):
            return False
        return None if any(step.holds is None for step in self.steps) else True

    def say(self, title: str, holds: bool | None, says: str = "") -> bool:
        """Add a step; whether it holds."""
        self.steps.append(Step(title, holds, says))
        return bool(holds)


def examine(*, data: bytes, now: datetime) -> Examined:
    """Recognise and check it. Raises NotVerifiableError, saying what is wrong and what would be right."""
    if len(data) > LARGEST:
        raise NotVerifiableError("The file is larger than 4 MiB: run the verifier on your own machine.")
    text = data.lstrip(b"\xef\xbb\xbf \r\n\t")  # editors add a byte order mark, mail programs blank lines
    if not text:
        raise NotVerifiableError("The file is empty.")
    if text.startswith(b"{"):
        return _bundle(text)
    if text.startswith(b"c2sp.org/tlog-proof@v1\n"):
        return _proof(text)
    lines = text.split(b"\n")
    if len(lines) > 3 and lines[1] in (b"vote.commit", b"submission"):
        return _receipt(text, now)
    if len(lines) > 3 and lines[1].isdigit():
        return _checkpoint(text)
    raise NotVerifiableError(
        "This is neither a bundle (it begins with {), nor a receipt, a proof (c2sp.org/tlog-proof@v1) or a checkpoint."
    )


def find_promised(*, kind: str, subject: UUID) -> Leaf | None:
    """The leaf of the sealed vote of seat `subject`, or of the submission of audit `subject`."""
    if kind == receipt.Kind.SUBMISSION:
        return Leaf.objects.filter(audit=subject, kind=kind).first()
    seat = Seat.objects.select_related("round").filter(pk=subject).first()
    if seat is None:
        return None
    # Entries are canonical JSON without blanks, so that a search for bytes finds the field.
    mark = f'"seat":"{subject}"'.encode()
    mine = Leaf.objects.filter(audit=seat.round.audit_id, kind=receipt.Kind.COMMIT)
    return next((leaf for leaf in mine.iterator() if mark in bytes(leaf.body)), None)


def _receipt(data: bytes, now: datetime) -> Examined:
    examined = Examined(Kind.RECEIPT, not_shown=("what the vote or the trace was: only its seal stands here",))
    promise, why = None, "no receipt key was announced yet"
    # Keys change: an old receipt is still a promise, made under the key of its day.
    for key in receipt_keys():
        try:
            promise = receipt.open_receipt(data=data, key=key)
            break
        except (NoteError, receipt.ReceiptError) as error:
            why = str(error)
    if promise is None:
        examined.say("Signed by our receipt key", False, f"{why}. It was changed, or it is not ours.")
        return examined
    subject = "the sealed vote of seat" if promise.kind is receipt.Kind.COMMIT else "the submission of audit"
    examined.say(
        "Signed by our receipt key", True, f"It promises that {subject} {promise.subject} stands in the ledger."
    )
    leaf = find_promised(kind=promise.kind, subject=promise.subject)
    if leaf is None or merkle.leaf_hash(entry=bytes(leaf.body)) != promise.leaf:
        instead = "another one than was promised stands there" if leaf else "nothing stands there"
        examined.say("The promised entry exists", False, f"{instead}. {BROKEN_WORD}")
        return examined
    examined.say("The promised entry exists", True, f"Its hash is {promise.leaf.hex()}, as promised.")
    until = datetime.fromtimestamp(promise.deadline, UTC)
    if leaf.index is None:
        # Before the deadline an entry that is not there yet breaks nothing, so the answer is open and not "no".
        late = now >= until
        words = BROKEN_WORD if late else f"Not yet; promised by {until:%Y-%m-%d %H:%M:%S} UTC. Look again then."
        examined.say("The ledger holds it", False if late else None, words)
        return examined
    _say_inclusion(examined, leaf)
    return examined


def _proof(data: bytes) -> Examined:
    examined = Examined(
        Kind.PROOF, not_shown=("which entry it is about, unless you compare the entry below with yours",)
    )
    try:
        index, path, signed = checkpoint.parse_proof(data=data)
    except checkpoint.CheckpointError as error:
        raise NotVerifiableError(f"The proof cannot be read: {error}.") from None
    examined.index = index
    head = _say_signature(examined, signed)
    if head is None:
        return examined
    leaf = Leaf.objects.filter(index=index).first()
    if leaf is None:
        examined.say("The leaf exists", False, f"There is no leaf {index} in this ledger.")
        return examined
    try:
        merkle.verify_inclusion(
            leaf=merkle.leaf_hash(entry=bytes(leaf.body)), index=index, size=head.size, proof=path, root=head.root
        )
    except merkle.ProofError as error:
        examined.say("The path leads from the leaf to the signed root", False, f"{error}.")
        return examined
    examined.say(
        "The path leads from the leaf to the signed root", True, f"Leaf {index} of {head.size}, a {leaf.kind}."
    )
    _say_continues(examined, head)
    return examined


def _checkpoint(data: bytes) -> Examined:
    examined = Examined(Kind.CHECKPOINT, not_shown=[verify_audit.ELSEWHERE["witnesses"]])
    head = _say_signature(examined, data)
    if head is not None:
        _say_continues(examined, head)
    return examined


def _bundle(data: bytes) -> Examined:
    examined = Examined(Kind.BUNDLE, not_shown=[*verify_audit.ELSEWHERE.values()])
    bundle = read_bundle(data=data)
    leaves, vkey, signed = bundle["leaves"], bundle["vkey"], bundle["checkpoint"]
    if vkey not in [key.vkey for key in ledger_keys()]:
        examined.say(
            "The key in it is a key of this ledger", False, "It is a bundle of another ledger, or of a forger."
        )
        return examined
    examined.say("The key in it is a key of this ledger", True)
    head = _say_signature(examined, signed.encode())
    if head is None or not _say_leaves(examined, leaves, head):
        return examined
    audit = _say_lists(examined, bundle)
    if audit is None:
        return examined
    # Only now the expensive part: the file's leaves are ours, so its size is bounded by what we wrote.
    report = verify_audit.verify(data)
    examined.not_shown = [*verify_audit.ELSEWHERE.values(), *(f"believed: {line}" for line in report.sentences())]
    checked_before = {
        "signature of the checkpoint",
        "inclusion of every leaf",
        "lists of segments and of eligible auditors",
    }
    examined.steps += [
        Step(_sentence(title), good, words) for good, title, words in report.lines if title not in checked_before
    ]
    return examined


def _say_leaves(examined: Examined, leaves: list[dict[str, object]], head: checkpoint.Checkpoint) -> bool:
    for line in leaves:
        try:
            index, proof = line["index"], line["proof"]
            # A tree of 2^63 leaves has paths of 63 nodes; a longer one is an attempt to keep us busy.
            if not isinstance(index, int) or not isinstance(proof, list) or len(proof) > 63:
                raise ValueError("it has no index or no path")
            path = [verify_audit.b64(node) for node in proof]
            leaf = merkle.leaf_hash(entry=str(line["entry"]).encode())
            merkle.verify_inclusion(leaf=leaf, index=index, size=head.size, proof=path, root=head.root)
        except (ValueError, KeyError, TypeError, verify_audit.CheckFailedError) as error:
            number = line.get("index") if isinstance(line, dict) else "?"
            examined.say("Every leaf is in the ledger", False, f"Leaf {str(number)[:20]} is not: {error}"[:300])
            return False
    return examined.say("Every leaf is in the ledger", True, f"{len(leaves)} leaves under {head.size}.")


def _say_lists(examined: Examined, bundle: dict[str, Any]) -> object | None:
    """The lists are the committed ones: only then is what leans on them worth the work."""
    title = "The lists of segments and auditors are the committed ones"
    try:
        audit = verify_audit.Audit(bundle)
        examined.say(title, True, verify_audit.check_rosters(audit))
    except (verify_audit.CheckFailedError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        examined.say(title, False, str(error)[:300])
        return None
    return audit


def _say_signature(examined: Examined, data: bytes) -> checkpoint.Checkpoint | None:
    """The head in a checkpoint that one of our keys signed."""
    why = "no key was announced yet"
    for key in ledger_keys():
        try:
            head = checkpoint.open_checkpoint(data=data, key=key)
        except (NoteError, checkpoint.CheckpointError) as error:
            # A bad signature by a known key says more than "no signature by this key".
            why = why if why.startswith("A signature") else str(error)
            continue
        examined.say("The checkpoint is signed by this ledger", True, f"{head.size} leaves, by {key.vkey}.")
        return head
    examined.say("The checkpoint is signed by this ledger", False, why)
    return None


def _say_inclusion(examined: Examined, leaf: Leaf) -> None:
    try:
        proof = prove(leaf=leaf)
    except (NotPublishedYetError, LedgerDamagedError) as error:
        examined.say("The ledger holds it", None if isinstance(error, NotPublishedYetError) else False, str(error))
        return
    examined.index = proof.index
    words = f"It is leaf {proof.index} of {proof.published.head.size}; the path leads to the signed root."
    examined.say("The ledger holds it", True, words)


def _say_continues(examined: Examined, head: checkpoint.Checkpoint) -> None:
    """That today's ledger continues the one in the file (consistency proof, RFC 9162 section 2.1.4)."""
    title = "Today's ledger continues that one"
    try:
        now = published()
        if head.size > now.head.size:
            examined.say(
                title, False, f"It has {head.size} leaves, today's only {now.head.size}: something was taken back."
            )
            return
        if head.size:
            proof = merkle.consistency_proof(size1=head.size, size2=now.head.size, read=now.read)
            merkle.verify_consistency(
                size1=head.size, size2=now.head.size, root1=head.root, root2=now.head.root, proof=proof
            )
    except (NotPublishedYetError, LedgerDamagedError, merkle.ProofError, OSError, ValueError) as error:
        examined.say(title, False, f"{error}"[:300])
        return
    examined.say(title, True, f"From {head.size} to {now.head.size} leaves, nothing was changed or taken back.")


def _sentence(title: str) -> str:
    return title[:1].upper() + title[1:]
