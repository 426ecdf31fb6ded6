"""Storing and reading trace text: AES-256-GCM blocks under a key each, addressed by the CID of the ciphertext.

Reads and writes Block; where its bytes lie the block store decides (hdag/store/blocks). Keys are wrapped by the
master key from the environment (master_key.py); erasing a key erases the text, and every digest in the ledger stays
as it was.
A ciphertext over 256 KiB is split: the row that texts are reached by then holds a manifest of its parts.
"""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.db.models import QuerySet

from hdag.core import cid
from hdag.core.values import fields_of
from hdag.models import Block
from hdag.store import blocks as stores
from hdag.store import master_key
from hdag.store.master_key import NONCE, WrongMasterKeyError
from hdag.store.rows import fresh, insert

KEY_LABEL = b"TRUST/block-key/v1"


class ContentGoneError(Exception):
    """This text was erased at its provider's request; its digests remain in the ledger."""


class ContentDamagedError(Exception):
    """A stored block does not match its address: the storage is damaged. The audit is paused; tell an admin."""

    def __init__(self, block: str, why: str) -> None:
        """`block` is the CID by which the text is reached."""
        super().__init__(why)
        self.block = block


def store(texts: Sequence[str]) -> list[Block]:
    """One new block a text, in order, in one insert; the parts of long ones in another.

    Raises StoreAwayError, StoreRefusedError when the blocks lie elsewhere and that place fails: nothing is written
    then.
    """
    sealed = [_sealed(text.encode()) for text in texts]
    roots = [root for root, _ in sealed]
    parts = [block for _, blocks in sealed for block in blocks]
    # The bytes first, then the rows: a row without bytes would be damage, bytes without a row are only noise.
    stores.chosen().take(rows=[*roots, *parts])
    # Roots before parts, which refer to them.
    insert(roots)
    insert(parts)
    return roots


def store_one(text: str) -> Block:
    """One new block."""
    return store([text])[0]


def store_json(value: Any) -> Block:
    """One new block that holds a JSON value."""
    return store_one(as_json(value))


def as_json(value: Any) -> str:
    """A JSON value, or a dataclass as an object, as the text of a block."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=fields_of)


def fetch(blocks: Iterable[Block]) -> None:
    """Bring the bytes that lie elsewhere, for all `blocks` at once: call it before reading many in a loop.

    Blocks that lie in their rows cost nothing. Raises StoreAwayError.
    """
    # An erased block (no key) is not fetched: nobody could read it.
    away = {block.cid: block for block in blocks if block.ciphertext is None and block.wrapped_key is not None}
    for name, data in _find(away).items():
        away[name].ciphertext = data


def read(block: Block) -> str:
    """The text of a block.

    Raises ContentGoneError after erasure, ContentDamagedError when a bit has flipped, StoreAwayError.
    """
    if block.wrapped_key is None:
        raise ContentGoneError("This text was erased.")
    ciphertext = sealed_bytes(block)
    try:
        # A key of its own for each text, so that erasing one text means deleting one key.
        key = master_key.unwrap(wrapped=bytes(block.wrapped_key), label=KEY_LABEL)
        return AESGCM(key).decrypt(ciphertext[:NONCE], ciphertext[NONCE:], None).decode()
    except WrongMasterKeyError as error:
        raise ContentDamagedError(
            block.cid, f"The key of block {block.cid} does not open with this master key."
        ) from error
    except InvalidTag as error:
        raise ContentDamagedError(block.cid, f"Block {block.cid} does not open with its key.") from error


def read_json(block: Block) -> Any:
    """The JSON value of a block."""
    return json.loads(read(block))


def block_bytes(block: Block) -> bytes:
    """The bytes of one block as addressed, a manifest for a long text. Raises ContentDamagedError, StoreAwayError."""
    if block.ciphertext is None:
        block.ciphertext = _find([block.cid]).get(block.cid)
    if block.ciphertext is None:
        raise ContentDamagedError(block.cid, f"Block {block.cid} is not in the store.")
    data = bytes(block.ciphertext)
    try:
        cid.check(cid=block.cid, data=data)
    except cid.BlockError as error:
        raise ContentDamagedError(block.cid, f"Block {block.cid} does not hash to its address.") from error
    return data


def parts_of(block: Block) -> list[tuple[str, bytes]]:
    """(CID, bytes) of each part of a long text, in order; nothing for a short one.

    Raises ContentDamagedError for a manifest that cannot be read and a part that is lost or damaged, StoreAwayError.
    """
    if not block.is_manifest:
        return []
    try:
        _, names = cid.parts_of(manifest=block_bytes(block))
    except (cid.BlockError, cid.CidError) as error:
        raise ContentDamagedError(block.cid, f"The manifest {block.cid} cannot be read.") from error
    by_cid = _find(names)
    for name in names:
        if name not in by_cid:
            raise ContentDamagedError(block.cid, f"Part {name} of block {block.cid} is not in the store.")
        # Hashed on every read: a store of others is trusted with bytes, never with what they say.
        if cid.of(data=by_cid[name]) != name:
            raise ContentDamagedError(block.cid, f"Part {name} of block {block.cid} does not hash to its address.")
    return [(name, by_cid[name]) for name in names]


def sealed_bytes(block: Block) -> bytes:
    """The whole ciphertext of a block, its parts joined, each checked. Raises ContentDamagedError, StoreAwayError."""
    data = block_bytes(block)
    if not block.is_manifest:
        return data
    by_cid = dict(parts_of(block))
    try:
        return cid.join(manifest=data, read=by_cid.__getitem__)
    except (cid.BlockError, cid.CidError) as error:
        raise ContentDamagedError(block.cid, f"The parts of block {block.cid} do not make a whole.") from error


def faults(blocks: Sequence[Block]) -> Iterator[str]:
    """What is wrong with the stored bytes of `blocks`, one sentence each; the store is asked once.

    Raises StoreAwayError.
    """
    by_cid = _find(block.cid for block in blocks if block.ciphertext is None)
    for block in blocks:
        data = by_cid.get(block.cid) if block.ciphertext is None else bytes(block.ciphertext)
        if data is None:
            yield f"block {block.cid} is not in the store"
        elif cid.of(data=data) != block.cid:
            yield f"block {block.cid} does not hash to its address"


def erase(blocks: Iterable[Block]) -> int:
    """Forget the keys of `blocks`; returns how many were forgotten now."""
    return erase_named([block.cid for block in blocks])


def erase_named(names: Iterable[str] | QuerySet[Any, str]) -> int:
    """Forget the keys of the blocks with these CIDs, given or found by a query; returns how many."""
    return Block.objects.filter(cid__in=names, wrapped_key__isnull=False).update(wrapped_key=None)


def keyed_digests(text: str) -> list[bytes]:
    """HMAC-SHA-256 of a text under the master key, then under those before it: finds equal texts, tells nothing."""
    return master_key.keyed_digests(text=text, label=b"TRUST/same-trace/v1")


def _find(cids: Iterable[str]) -> dict[str, bytes]:
    """The bytes of blocks, in the chosen store first, then in those of the time before it was chosen."""
    missing = list(cids)
    by_cid: dict[str, bytes] = {}
    for store in [stores.chosen(), *stores.earlier()] if missing else []:
        by_cid |= store.find(cids=missing)
        missing = [missing_cid for missing_cid in missing if missing_cid not in by_cid]
        if not missing:
            break
    return by_cid


def _sealed(body: bytes) -> tuple[Block, list[Block]]:
    """A new block with a key of its own, and its parts when it is long."""
    # A fresh key encrypts exactly one text, so a nonce can never repeat under it.
    key, nonce = AESGCM.generate_key(256), os.urandom(NONCE)
    ciphertext = nonce + AESGCM(key).encrypt(nonce, body, None)
    (name, data), *later = cid.split(data=ciphertext)
    wrapped = master_key.wrap(data=key, label=KEY_LABEL)
    root = fresh(Block, cid=name, ciphertext=data, wrapped_key=wrapped, is_manifest=bool(later))
    return root, [fresh(Block, cid=part_cid, ciphertext=piece, part_of=root) for part_cid, piece in later]
