"""The one way to and from trace text: AES-256-GCM blocks under a key each, addressed by the CID of the ciphertext.

Reads and writes Block. Keys are wrapped by the master key from the environment (settings.CONTENT_MASTER_KEY, 32
bytes); erasing a key erases the text, and every digest in the ledger stays as it was.
"""

import hashlib
import hmac
import json
import os
from collections.abc import Iterable, Sequence
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

from hdag.core import cid
from hdag.models import Block

NONCE = 12


class ContentGone(Exception):
    """This text was erased at its provider's request; its digests remain in the ledger."""


class ContentDamaged(Exception):
    """A stored block does not match its address: the storage is damaged. The audit is paused; tell an admin."""


def store(texts: Sequence[str]) -> list[Block]:
    """One new block a text, in order, in one insert."""
    return Block.objects.bulk_create([_sealed(text.encode()) for text in texts])


def store_one(text: str) -> Block:
    """One new block."""
    return store([text])[0]


def store_json(value: Any) -> Block:
    """One new block that holds a JSON value."""
    return store_one(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def read(block: Block) -> str:
    """The text of a block. Raises ContentGone after erasure, ContentDamaged when a bit has flipped."""
    ciphertext = bytes(block.ciphertext)
    if cid.of(data=ciphertext) != block.cid:
        raise ContentDamaged(f"Block {block.cid} does not hash to its address.")
    if block.wrapped_key is None:
        raise ContentGone("This text was erased.")
    key = _unwrap(bytes(block.wrapped_key))
    try:
        return AESGCM(key).decrypt(ciphertext[:NONCE], ciphertext[NONCE:], None).decode()
    except InvalidTag as error:
        raise ContentDamaged(f"Block {block.cid} does not open with its key.") from error


def read_json(block: Block) -> Any:
    """The JSON value of a block."""
    return json.loads(read(block))


def erase(blocks: Iterable[Block]) -> int:
    """Forget the keys of `blocks`; returns how many were forgotten now."""
    return Block.objects.filter(cid__in=[block.cid for block in blocks], wrapped_key__isnull=False).update(
        wrapped_key=None
    )


def keyed_digest(text: str) -> bytes:
    """HMAC-SHA-256 of a text under the master key: finds equal texts, tells a stranger nothing."""
    return hmac.new(_master(), b"TRUST/same-trace/v1" + text.encode(), hashlib.sha256).digest()


def _master() -> bytes:
    return bytes(settings.CONTENT_MASTER_KEY)


def _sealed(body: bytes) -> Block:
    key, nonce = AESGCM.generate_key(256), os.urandom(NONCE)
    ciphertext = nonce + AESGCM(key).encrypt(nonce, body, None)
    return Block(cid=cid.of(data=ciphertext), ciphertext=ciphertext, wrapped_key=_wrap(key))


def _wrap(key: bytes) -> bytes:
    nonce = os.urandom(NONCE)
    return nonce + AESGCM(_master()).encrypt(nonce, key, b"TRUST/block-key/v1")


def _unwrap(wrapped: bytes) -> bytes:
    try:
        return AESGCM(_master()).decrypt(wrapped[:NONCE], wrapped[NONCE:], b"TRUST/block-key/v1")
    except InvalidTag as error:
        raise ContentDamaged("A block's key does not open with this master key.") from error
