"""Blocks in IPFS, through the RPC API of a kubo node: block/put, block/get, block/stat.

Source: docs.ipfs.tech/reference/kubo/rpc. The node is asked for raw blocks under SHA-256, so that its CID must be ours;
it is compared with ours on every put. The address comes from the environment alone (IPFS_API_URL).
"""

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import httpx

from hdag.core.cid import LARGEST_BLOCK
from hdag.models import Block
from hdag.store.blocks.protocol import StoreAwayError, StoreRefusedError

Work = TypeVar("Work")
Result = TypeVar("Result")

AT_ONCE = 8
SECONDS = 20.0
_PUT = {"cid-codec": "raw", "mhtype": "sha2-256", "mhlen": "32", "pin": "true"}


class KuboStore:
    """One kubo node; blocks are pinned there, and read without asking its peers."""

    def __init__(self, address: str) -> None:
        limits = httpx.Limits(max_connections=AT_ONCE)
        base = f"{address.rstrip('/')}/api/v0/"
        self._client = httpx.Client(
            base_url=base, timeout=SECONDS, limits=limits, follow_redirects=False, trust_env=False
        )

    def take(self, *, rows: Sequence[Block]) -> None:
        """Put each block and compare the address that the node gives it. Raises StoreAwayError, StoreRefusedError."""
        mine = [row for row in rows if row.ciphertext is not None]
        _together(lambda row: self._put(row.cid, bytes(row.ciphertext or b"")), mine)
        for row in mine:
            row.ciphertext = None

    def find(self, *, cids: Collection[str]) -> dict[str, bytes]:
        """Get each block that the node has. Raises StoreAwayError."""
        wanted = list(cids)
        return {cid: data for cid, data in zip(wanted, _together(self._get, wanted), strict=True) if data is not None}

    def size(self, *, cid: str) -> int | None:
        """Bytes of a block as the node has it, or None. Raises StoreAwayError."""
        answer = self._ask("block/stat", {"arg": cid, "offline": "true"})
        return int(answer.json()["Size"]) if answer.status_code == httpx.codes.OK else None

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _put(self, cid: str, data: bytes) -> None:
        """Pin one block. Raises StoreRefusedError when the node keeps it under another address than ours."""
        answer = self._ask("block/put", _PUT, files={"data": ("block", data, "application/octet-stream")})
        if answer.status_code != httpx.codes.OK:
            raise StoreRefusedError(f"The IPFS node did not keep block {cid} (status {answer.status_code}).")
        try:
            address = str(answer.json()["Key"])
        except (ValueError, KeyError, TypeError) as error:
            raise StoreRefusedError(
                f"The IPFS node answered block {cid} with something else than an address."
            ) from error
        if address != cid:
            raise StoreRefusedError(
                f"The IPFS node keeps block {cid} as {address[:80]}: its bytes were changed on the way."
            )

    def _get(self, cid: str) -> bytes | None:
        answer = self._ask("block/get", {"arg": cid, "offline": "true"})
        if answer.status_code == httpx.codes.OK:
            # One byte more than a block may have: a longer answer is cut there and fails its hash.
            return answer.content[: LARGEST_BLOCK + 1]
        # Kubo answers 500 both for a block that it lacks and for real faults; only the words tell them apart.
        if answer.status_code == httpx.codes.INTERNAL_SERVER_ERROR and "not found" in answer.text[:1000]:
            return None
        raise StoreAwayError(f"The IPFS node answered block/get with status {answer.status_code}.")

    def _ask(self, verb: str, params: dict[str, str], **body: Any) -> httpx.Response:
        try:
            return self._client.post(verb, params=params, **body)
        except httpx.HTTPError as error:
            raise StoreAwayError(f"The IPFS node cannot be reached ({type(error).__name__}).") from error


def _together(work: Callable[[Work], Result], entries: Sequence[Work]) -> list[Result]:
    """The work on every entry, a few at once; the first error is raised after all have ended."""
    if len(entries) < 2:
        return [work(entry) for entry in entries]
    with ThreadPoolExecutor(min(AT_ONCE, len(entries))) as pool:
        return list(pool.map(work, entries))
