"""The interface of an anchor chain, as services/ledger/anchoring.py uses it; ethereum.py implements it."""

from dataclasses import dataclass
from typing import Protocol


class ChainAwayError(Exception):
    """The chain cannot be reached at the moment."""


class ChainRefusedError(Exception):
    """The chain did not take the head."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A transaction as the chain knows it: mined under how many blocks (0: waiting), and whether it worked."""

    confirmations: int
    worked: bool


class Chain(Protocol):
    """One contract on one chain, written by one account."""

    name: str  # CAIP-2, for example eip155:1
    contract: str

    def size(self) -> int:
        """The largest anchored size. Raises ChainAwayError."""
        ...

    def root_at(self, size: int) -> bytes | None:
        """The root anchored for exactly this size, or None. Raises ChainAwayError."""
        ...

    def send(self, *, size: int, root: bytes, attempt: int) -> str:
        """Send a transaction that anchors a head, and return its id; a later attempt pays more for the same nonce.

        Raises ChainAwayError, ChainRefusedError.
        """
        ...

    def find(self, transaction: str) -> Sent | None:
        """A transaction that was sent; None when the chain has forgotten it. Raises ChainAwayError."""
        ...

    def transaction_of(self, size: int) -> str | None:
        """The transaction that anchored this size, from the contract's own events. Raises ChainAwayError."""
        ...
