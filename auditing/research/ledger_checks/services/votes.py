"""I1, I2, I5: sealed votes in receipts, tables and leaves; opened votes against their commitments.

Reads Commitment, Vote, Audit, Leaf, PublicKey; writes nothing.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings

from auditing.core.ledger import leaves
from auditing.core.voting.commitment import Binding, MalformedOpeningError, commitment, log_id, parse_opening
from auditing.core.voting.unopened import escrow_digest
from auditing.models import Audit, Commitment, Leaf, Vote
from auditing.research.ledger_checks.services.survey import ROWS, Survey, read_leaves
from auditing.selectors.ledger.published import receipt_keys
from auditing.translog import receipt
from auditing.translog.merkle import leaf_hash
from auditing.translog.note import NoteError, VerifierKey

LATE = timedelta(seconds=2 * receipt.MAXIMUM_MERGE_DELAY)  # the promised delay, and as much for the check itself


def acknowledged(survey: Survey) -> Iterator[str]:
    """I1. Commitment = its leaf = its receipt; nothing waits for its index longer than was promised."""
    logged, keys = _commit_leaves(), receipt_keys()
    rows = Commitment.objects.order_by("pk").values_list(
        "seat", "digest", "receipt", "sealed", "seat__round__audit", "seat__round__segment", "seat__round__number"
    )
    for seat, digest, promised, sealed, audit, segment, number in rows.iterator(chunk_size=ROWS):
        leaf = leaves.VoteCommit(
            audit=audit, segment=segment, round=number, seat=seat, commitment=leaves.Digest(bytes(digest))
        )
        entry = leaves.encode(leaf=leaf)
        logged_hash, escrow = logged.pop(seat, (None, None))
        # Leaves of older votes do not name their seal; of an erased vote only its leaf still knows it.
        if escrow is not None:
            escrow = escrow if sealed is None else leaves.Digest(escrow_digest(sealed=bytes(sealed)))
            entry = leaves.encode(leaf=replace(leaf, escrow=escrow))
        if logged_hash is None:
            yield f"the commitment of seat {seat} has no leaf"
        elif logged_hash != leaf_hash(entry=entry):
            yield f"the leaf of seat {seat}'s commitment is not the one that the table says"
        yield from _check_promise(promised, (str(seat), bytes(digest), leaf_hash(entry=entry)), keys)
    # What is left in the log has no row.
    yield from (f"the ledger holds a commitment of seat {seat} that the table lost" for seat in logged)
    yield from _check_submissions(keys)
    late = Leaf.objects.filter(index__isnull=True, created__lt=survey.now - LATE)
    if count := late.count():
        yield f"{count} entries wait for their index longer than the promised {receipt.MAXIMUM_MERGE_DELAY} seconds"


def once(survey: Survey) -> Iterator[str]:
    """I2. The constraints say so; the leaves have to say so too."""
    commits = Counter(leaf["seat"] for _, leaf in read_leaves("vote.commit"))
    yield from (f"seat {seat} committed {count} times in the ledger" for seat, count in commits.items() if count > 1)
    openings = (opening for _, leaf in read_leaves("vote.reveal") for opening in leaf["openings"])
    opened = Counter(opening["seat"] for opening in openings)
    yield from (f"the vote of seat {seat} was opened {count} times" for seat, count in opened.items() if count > 1)
    yield from (f"seat {seat} has an opened vote and no commitment" for seat in opened if seat not in commits)


def opened(survey: Survey) -> Iterator[str]:
    """I5. From the leaves alone; then each row of an opened vote against its leaf."""
    log, texts, sealed, logged = log_id(origin=settings.LEDGER_ORIGIN), {}, {}, {}
    for audit, leaf in read_leaves("round.open", "vote.commit", "vote.reveal"):
        if leaf["t"] == "round.open":
            texts[audit, leaf["segment"], leaf["round"]] = bytes.fromhex(leaf["segment_digest"])
        elif leaf["t"] == "vote.commit":
            sealed[leaf["seat"]] = leaf["commitment"]
        else:
            for opening in leaf["openings"]:
                logged[UUID(opening["seat"])] = (opening["vote"], opening["confidence"], opening["nonce"])
                if _recomputed(log, leaf, opening, texts) != sealed.get(opening["seat"]):
                    yield f"the opened vote of seat {opening['seat']} is not the sealed one"
    rows = Vote.objects.filter(seat__round__stage="tallied").values_list("seat", "choice", "confidence", "nonce")
    for seat, choice, confidence, nonce in rows.iterator(chunk_size=ROWS):
        # docs/protocol.md: the byte of a choice; 65535 stands for no confidence.
        code = {"fail": 0, "pass": 1, "abstain": 2}[choice]
        if logged.get(seat) != (code, 0xFFFF if confidence is None else confidence, bytes(nonce).hex()):
            yield f"the stored vote of seat {seat} is not the one that the ledger opened"


def _commit_leaves() -> dict[UUID, tuple[bytes, leaves.Digest | None]]:
    """Seat -> hash of its vote.commit entry, and the digest of the seal that it names."""
    logged = {}
    rows = Leaf.objects.filter(kind="vote.commit").order_by("id").values_list("body", flat=True)
    for body in rows.iterator(chunk_size=ROWS):
        leaf = leaves.decode(entry=bytes(body))
        assert isinstance(leaf, leaves.VoteCommit)
        logged[leaf.seat] = (leaf_hash(entry=bytes(body)), leaf.escrow)
    return logged


def _check_submissions(keys: list[VerifierKey]) -> Iterator[str]:
    # Successors (appeals, another graph) may have no submission of their own.
    entries = dict(Leaf.objects.filter(kind="submission").values_list("audit", "body"))
    for audit, promised in Audit.objects.filter(follows__isnull=True).values_list("pk", "receipt").iterator():
        if audit not in entries:
            yield f"the submission of audit {audit} has no leaf"
            continue
        body = bytes(entries[audit])
        leaf = leaves.decode(entry=body)
        assert isinstance(leaf, leaves.Submission)
        yield from _check_promise(promised, (str(audit), leaf.digest, leaf_hash(entry=body)), keys)


def _check_promise(text: str, due: tuple[str, bytes, bytes], keys: list[VerifierKey]) -> Iterator[str]:
    if not text:  # a process without a receipt key promised nothing
        return
    why = ""
    # Keys change over time; one of them must fit.
    for key in keys:
        try:
            promise = receipt.open_receipt(data=text.encode(), key=key)
        except (NoteError, receipt.ReceiptError) as error:
            why = str(error)
            continue
        if (str(promise.subject), promise.digest, promise.leaf) != due:
            yield f"the receipt of {due[0]} promises another leaf than the one that stands"
        return
    yield f"the receipt of {due[0]} does not verify: {why or 'no receipt key is known'}"


def _recomputed(log: bytes, leaf: dict[str, Any], opening: dict[str, Any], texts: dict[Any, bytes]) -> str | None:
    digest = texts.get((UUID(leaf["audit"]), leaf["segment"], leaf["round"]))
    if digest is None:
        return "no text was fixed"
    binding = Binding(
        log_id=log,
        audit_id=UUID(leaf["audit"]),
        segment_id=UUID(leaf["segment"]),
        round=leaf["round"],
        seat_id=UUID(opening["seat"]),
        auditor_id=bytes.fromhex(opening["auditor"]),
        segment_digest=digest,
    )
    field_names = {"vote": "vote", "confidence_bp": "confidence", "rationale_digest": "rationale", "nonce": "nonce"}
    try:
        parsed = parse_opening(fields={ours: opening[theirs] for ours, theirs in field_names.items()})
    except MalformedOpeningError as error:
        return str(error)
    return commitment(binding=binding, opening=parsed).hex()
