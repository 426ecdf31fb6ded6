"""Content addresses (CIDv1, raw, SHA-256), the manifest that joins the parts of a long block, and CAR v1 export.

Source: multiformats CID, IPLD CAR v1. Only ciphertext is addressed: the CID of a short plain text could be guessed.
"""

import re
from base64 import b32encode
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from typing import TypeAlias

from hdag.core import canonical

LARGEST_BLOCK = 256 * 1024
LARGEST_CONTENT = 256 * 1024 * 1024
# version 1, codec "raw" (0x55), hash SHA-256 (0x12) of 32 bytes (0x20)
_PREFIX = bytes((0x01, 0x55, 0x12, 0x20))
# "b" (base32, lower case, no padding) and 58 letters: ceil(36 bytes * 8 / 5)
_CID = re.compile(r"b[a-z2-7]{58}")
# base32's letters as the digits that int() reads: reads check addresses, base64.b32decode takes six times as long
_DIGITS = str.maketrans("abcdefghijklmnopqrstuvwxyz234567", "0123456789abcdefghijklmnopqrstuv")

Blocks: TypeAlias = list[tuple[str, bytes]]


class BlockError(ValueError):
    """The block store answered with something other than what was stored."""


class CidError(ValueError):
    """This is not a CIDv1 of raw content under SHA-256, written in lower-case base32."""


class CorruptBlockError(BlockError):
    """The stored bytes are not the bytes of their address."""


class ManifestError(BlockError):
    """The list of parts is not well formed."""


def of(*, data: bytes) -> str:
    """The CIDv1 of `data`: "b" + base32(01 55 12 20 || SHA-256(data)).

    >>> of(data=b"hello world")
    'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e'
    """
    return _text(sha256(data).digest())


def parse(*, text: str) -> bytes:
    """The SHA-256 digest inside a CID. Raises: CidError (CIDv0, upper case, other codec, other hash, trailing text)."""
    if not _CID.fullmatch(text):
        raise CidError(CidError.__doc__)
    number = int(text[1:].translate(_DIGITS), 32)
    # 36 bytes fill 57.6 letters, so the last letter has two unused bits: only the spelling that leaves them 0 passes.
    if number & 0b11:
        raise CidError(CidError.__doc__)
    raw = (number >> 2).to_bytes(36, "big")
    if raw[:4] != _PREFIX:
        raise CidError(CidError.__doc__)
    return raw[4:]


def check(*, cid: str, data: bytes) -> None:
    """Accept `data` as the content of `cid`. Raises: CidError, CorruptBlockError."""
    if sha256(data).digest() != parse(text=cid):
        raise CorruptBlockError(f"the block stored as {cid} hashes to {of(data=data)}")


def split(*, data: bytes) -> Blocks:
    """Blocks of at most 256 KiB, the root first: `data` itself when it fits, else a manifest and its parts.

    Raises: BlockError beyond 256 MiB.
    """
    if len(data) <= LARGEST_BLOCK:
        return [(of(data=data), data)]
    if len(data) > LARGEST_CONTENT:
        raise BlockError(f"{len(data)} bytes are more than the {LARGEST_CONTENT} that one content may have")
    parts = [data[start : start + LARGEST_BLOCK] for start in range(0, len(data), LARGEST_BLOCK)]
    blocks = [(of(data=chunk), chunk) for chunk in parts]
    # The manifest is canonical JSON, so equal content always has an equal root address.
    manifest = canonical.encode(value={"v": 1, "t": "manifest", "size": len(data), "parts": [cid for cid, _ in blocks]})
    return [(of(data=manifest), manifest), *blocks]


def parts_of(*, manifest: bytes) -> tuple[int, tuple[str, ...]]:
    """(size in bytes, CIDs of the parts) of a manifest block. Raises: ManifestError."""
    try:
        value = canonical.decode_canonical(data=manifest)
    except canonical.NotCanonicalError as error:
        raise ManifestError(f"the manifest is {error}") from None
    if not isinstance(value, dict) or value.keys() != {"v", "t", "size", "parts"}:
        raise ManifestError("a manifest has exactly the keys v, t, size and parts")
    # type, not isinstance: True would pass for a size of 1.
    if (value["v"], value["t"]) != (1, "manifest") or type(value["size"]) is not int:
        raise ManifestError("not a manifest of version 1")
    if not isinstance(value["parts"], list) or not all(isinstance(name, str) for name in value["parts"]):
        raise ManifestError("the parts of a manifest are CIDs")
    for name in value["parts"]:
        parse(text=name)
    return value["size"], tuple(value["parts"])


def join(*, manifest: bytes, read: Callable[[str], bytes]) -> bytes:
    """The content that `manifest` describes, each part checked against its CID.

    Raises: ManifestError, CidError, CorruptBlockError.
    """
    size, parts = parts_of(manifest=manifest)
    chunks = []
    for name in parts:
        data = read(name)
        check(cid=name, data=data)
        chunks.append(data)
    if sum(map(len, chunks)) != size:
        raise ManifestError(f"the parts hold {sum(map(len, chunks))} bytes, the manifest says {size}")
    return b"".join(chunks)


def car(*, root: str, blocks: Iterable[tuple[str, bytes]]) -> Iterator[bytes]:
    """The CAR v1 file with one root, chunk by chunk: a header, then (length, CID, data) of each block.

    Raises: CidError, CorruptBlockError: a block that does not hash to its CID is never exported.
    """
    # The DAG-CBOR of {"roots": [CID link], "version": 1}: tag 42, 37 bytes that begin with a zero byte.
    header = b"\xa2eroots\x81\xd8*X%\x00" + _PREFIX + parse(text=root) + b"gversion\x01"
    yield _varint(len(header)) + header
    for cid, data in blocks:
        check(cid=cid, data=data)
        address = _PREFIX + parse(text=cid)
        yield _varint(len(address) + len(data)) + address + data


def _text(digest: bytes) -> str:
    return "b" + b32encode(_PREFIX + digest).decode("ascii").rstrip("=").lower()


def _varint(number: int) -> bytes:
    """Unsigned LEB128, the length prefix of CAR v1: 300 = 0b10_0101100 is written ac 02."""
    out = bytearray()
    while number >= 0x80:
        # seven bits a byte, lowest first; the high bit says that more follow
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)
