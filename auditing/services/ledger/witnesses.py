"""Witnesses cosign checkpoints, and remember what was signed. Reads Witness and their servers; writes Witness.

A witness that is away, slow, confused or lying never stops the ledger: the checkpoint is published without it, and
the page says since when and why. Only a checkpoint signed by our own key, shown by a witness, can prove that this
database is an older copy; then signing is refused.
"""

import hashlib
import http.client
import logging
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from django.db.models.functions import Now

from auditing.models import Witness
from auditing.selectors.ledger.witnesses import key_of, keys_of
from auditing.translog import checkpoint as checkpoints
from auditing.translog import merkle, witnessing
from auditing.translog.merkle import NodeReader
from auditing.translog.note import (
    COSIGNATURE,
    ML_DSA,
    Note,
    NoteError,
    Signature,
    VerifierKey,
    parse_vkey,
    with_signatures,
)
from hdag.chat.outgoing import guarded_opener

log = logging.getLogger(__name__)

SECONDS = 2.0  # for one whole answer, however it drips
PAUSE = 30.0  # before a witness that failed is asked again
LARGEST_ANSWER = 64 * 1024  # bytes; a signature has 200
# The body of a 409 (C2SP tlog-witness): the size that the witness knows.
_SIZE = re.compile(r"(0|[1-9][0-9]{0,18})\n")


class WitnessTroubleError(Exception):
    """Why a witness did not cosign."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back over HTTP."""

    status: int
    kind: str
    text: str


@dataclass
class Witnesses:
    """The configured witnesses: "URL", whose keys are pinned at first contact, or "URL VKEY", or "URL VKEY VKEY".

    A second key is one of ML-DSA-44; its line is wanted as well, and the first one counts without it.
    """

    addresses: Sequence[str] = ()
    clock: Callable[[], float] = time.monotonic
    _again: dict[str, float] = field(default_factory=dict, repr=False)

    def begin(self) -> None:
        """Make the table say what is configured; a key that is named there replaces a pinned one."""
        Witness.objects.exclude(url__in=[address.split(" ")[0] for address in self.addresses]).delete()
        for address in self.addresses:
            url, *vkeys = address.split()
            if vkeys:
                defaults = {"vkey": vkeys[0], "second_vkey": "".join(vkeys[1:]), "is_pinned": False}
                for vkey in vkeys:
                    parse_vkey(text=vkey)
                Witness.objects.update_or_create(url=url, defaults=defaults)
            else:
                Witness.objects.get_or_create(url=url)

    def are_wanted(self, *, note: Note) -> bool:
        """Whether somebody should be asked about this checkpoint now."""
        return any(self._is_due(witness) and not _has_signed(witness, note) for witness in self._rows())

    def cosign(self, *, note: Note, key: VerifierKey, read: NodeReader) -> Note:
        """The checkpoint with the cosignatures that could be had; `read`: nodes of its tree."""
        # One after the other: each adds its signature to the note of the one before.
        for witness in self._rows():
            if not self._is_due(witness) or _has_signed(witness, note):
                continue
            try:
                note = with_signatures(note=note, more=self._ask(witness, note, key, read))
            except WitnessTroubleError as error:
                # The next witness is asked all the same; this one has its pause.
                self._again[witness.url] = self.clock() + PAUSE
                _write_trouble(witness, str(error))
        return note

    def check_memory(self, *, key: VerifierKey, newest: Callable[[], tuple[int, Callable[[int], bytes]]]) -> None:
        """Refuse to go on when a witness shows a newer checkpoint that our own key signed. Raises: ForkError.

        `newest` gives the size and the roots of our own tree; it is asked after the witness, so that what another
        sequencer signs meanwhile is known.
        """
        origin = hashlib.sha256(key.name.encode()).hexdigest()
        for witness in self._rows():
            try:
                answer = _fetch(f"{witness.url}/{origin}/checkpoint")
                head = checkpoints.open_checkpoint(data=answer.text.encode(), key=key)
            except (WitnessTroubleError, NoteError, checkpoints.CheckpointError):
                continue  # it shows nothing that we ever signed
            size, root_at = newest()
            checkpoints.check_head(last=head, size=size, root_at=root_at)

    def _rows(self) -> list[Witness]:
        if not self.addresses:
            return []
        return list(
            Witness.objects.filter(url__in=[address.split(" ")[0] for address in self.addresses]).order_by("pk")
        )

    def _is_due(self, witness: Witness) -> bool:
        return self.clock() >= self._again.get(witness.url, 0.0)

    def _ask(self, witness: Witness, note: Note, key: VerifierKey, read: NodeReader) -> list[Signature]:
        head = checkpoints.parse_body(text=note.text)
        if not witness.vkey:
            _pin(witness)
        # The proof leads from the size that it cosigned last, as far as we know. 0 needs no proof.
        old = witness.size if witness.size <= head.size else 0
        answer = _add_checkpoint(witness, note, (old, head.size), read)
        if answer.status == http.client.CONFLICT:  # it knows another size: once more, from there
            answer = _add_checkpoint(witness, note, (_known_size(answer, head.size), head.size), read)
        if answer.status != http.client.OK:
            raise WitnessTroubleError(f"it answered {answer.status}: {answer.text.strip()[:150]}")
        first, *second = keys_of(witness)
        try:
            signatures = [witnessing.read_answer(text=answer.text, note=note, key=first)]
        except witnessing.NoCosignatureError as error:
            raise WitnessTroubleError(str(error)) from None
        Witness.objects.filter(pk=witness.pk).update(size=head.size, cosigned_at=Now(), trouble="", trouble_since=None)
        for rival in second:
            try:
                signatures.append(witnessing.read_answer(text=answer.text, note=note, key=rival))
            except witnessing.NoCosignatureError as error:
                _write_trouble(witness, f"ML-DSA-44: {error}")
        return signatures


def _has_signed(witness: Witness, note: Note) -> bool:
    key = key_of(witness)
    return key is not None and bool(witnessing.cosigners_of(note=note, keys=(key,)))


def _pin(witness: Witness) -> None:
    """Learn the keys at the first contact; from then on no other ones are believed."""
    text, *more = _fetch(f"{witness.url}/").text.split("\n")[:2]
    try:
        key = parse_vkey(text=text)
    except NoteError as error:
        raise WitnessTroubleError(f"it names no key: {error}") from None
    if key.kind != COSIGNATURE:
        raise WitnessTroubleError("its key is not of the cosignature type")
    # Trust on first use; only where no key is known yet, whatever another process learned meanwhile.
    witness.vkey, witness.second_vkey, witness.is_pinned = key.vkey, _second_of(key, more), True
    Witness.objects.filter(pk=witness.pk, vkey="").update(
        vkey=key.vkey, second_vkey=witness.second_vkey, is_pinned=True
    )


def _second_of(key: VerifierKey, lines: Sequence[str]) -> str:
    """The ML-DSA-44 key that a witness shows on its second line; "" where another thing stands there."""
    try:
        second = parse_vkey(text="".join(lines))
    except NoteError:
        return ""
    return second.vkey if second.kind == ML_DSA and second.name == key.name else ""


def _add_checkpoint(witness: Witness, note: Note, sizes: tuple[int, int], read: NodeReader) -> Answer:
    old, size = sizes
    try:
        proof = merkle.consistency_proof(size1=old, size2=size, read=read) if old else ()
    except (OSError, ValueError) as error:
        raise WitnessTroubleError(f"our own tiles give no proof from size {old}: {error}") from None
    body = witnessing.request_text(old=old, proof=proof, note=note)
    return _fetch(f"{witness.url}/add-checkpoint", body.encode())


def _known_size(answer: Answer, ours: int) -> int:
    match = _SIZE.fullmatch(answer.text)
    if not match or not answer.kind.startswith("text/x.tlog.size"):
        raise WitnessTroubleError("it answered 409 without the size it knows")
    if int(match[1]) > ours:
        raise WitnessTroubleError(
            f"it says that it cosigned {match[1]} leaves, there are {ours}: it lies, or this database is an old copy"
        )
    return int(match[1])


def _write_trouble(witness: Witness, why: str) -> None:
    log.warning("the witness %s did not cosign: %s", witness, why)
    Witness.objects.filter(pk=witness.pk).update(trouble=why[:300])
    Witness.objects.filter(pk=witness.pk, trouble_since__isnull=True).update(trouble_since=Now())


_OPENER = guarded_opener()


def _fetch(url: str, body: bytes | None = None) -> Answer:
    """One request with one deadline for all of it. Raises: WitnessTroubleError."""
    if urlsplit(url).scheme not in ("http", "https"):
        raise WitnessTroubleError("its address is no http address")
    # A thread, because a socket timeout begins anew with every byte that drips in.
    answers: list[Answer | str] = []
    asking = threading.Thread(target=lambda: answers.append(_request(url, body)), daemon=True)
    asking.start()
    asking.join(SECONDS)
    if not answers:
        raise WitnessTroubleError(f"it did not answer within {SECONDS:g} s")
    if isinstance(answers[0], str):
        raise WitnessTroubleError(answers[0])
    return answers[0]


def _request(url: str, body: bytes | None) -> Answer | str:
    request = urllib.request.Request(url, body)  # noqa: S310  http or https, from the environment alone
    try:
        with _OPENER.open(request, timeout=SECONDS + 1) as answer:
            return _read(answer.status, answer.headers.get("Content-Type", ""), answer)
    except urllib.error.HTTPError as error:
        with error:
            return _read(error.code, error.headers.get("Content-Type", ""), error)
    except (OSError, http.client.HTTPException) as error:
        return f"it cannot be reached: {getattr(error, 'reason', error)}"


def _read(status: int, content_type: str, stream: object) -> Answer | str:
    try:
        data = stream.read(LARGEST_ANSWER + 1)  # type: ignore[attr-defined]
    except (OSError, http.client.HTTPException) as error:
        return f"its answer broke off: {error}"
    if len(data) > LARGEST_ANSWER:
        return "its answer is longer than 64 KiB"
    return Answer(status, content_type, data.decode("utf-8", "replace"))
