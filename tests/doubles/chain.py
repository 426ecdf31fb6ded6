"""A chain in memory, with the faults that a real one shows: it follows auditing.research.anchoring.chain.Chain."""

from dataclasses import dataclass, field

from auditing.research.anchoring.chain import ChainAwayError, ChainRefusedError, Sent


@dataclass
class MemoryChain:
    """Heads by size; `pool` holds what was sent and is not mined. `faults`: down, out of gas, nonce gap, silent."""

    name: str = "eip155:1337"
    contract: str = "0x00000000000000000000000000000000000000A1"
    heads: dict[int, tuple[bytes, str, int]] = field(default_factory=dict)  # size -> root, transaction, block
    pool: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    faults: set[str] = field(default_factory=set)
    block: int = 100
    sent: int = 0

    def size(self) -> int:
        """The largest anchored size."""
        self._answer()
        return max(self.heads, default=0)

    def root_at(self, size: int) -> bytes | None:
        """The root of this size."""
        self._answer()
        return self.heads[size][0] if size in self.heads else None

    def send(self, *, size: int, root: bytes, attempt: int) -> str:
        """Into the pool, or refused."""
        self._answer()
        for fault in ("out of gas", "nonce gap"):
            if fault in self.faults:
                raise ChainRefusedError(f"The chain did not take it ({fault}).")
        self.sent += 1
        name = f"0x{self.sent:064x}"
        self.pool = {name: (size, root)}  # the same nonce: it replaces
        if "dies after sending" in self.faults:
            raise ChainAwayError("The connection broke off.")
        return name

    def find(self, transaction: str) -> Sent | None:
        """Mined, waiting or forgotten."""
        self._answer()
        for _, name, block in self.heads.values():
            if name == transaction:
                return Sent(self.block - block + 1, True)
        return Sent(0, True) if transaction in self.pool else None

    def transaction_of(self, size: int) -> str | None:
        """From the heads."""
        self._answer()
        return self.heads[size][1] if size in self.heads else None

    def mine(self, blocks: int = 1) -> None:
        """The pool goes into the next block, and more blocks follow."""
        self.block += 1
        for name, (size, root) in self.pool.items():
            if size > max(self.heads, default=0):
                self.heads[size] = (root, name, self.block)
        self.pool = {}
        self.block += blocks - 1

    def reorganise(self) -> None:
        """The last head falls out of the chain, and its transaction is forgotten."""
        self.heads.pop(max(self.heads))

    def _answer(self) -> None:
        if "down" in self.faults:
            raise ChainAwayError("The chain cannot be read (ConnectionError).")
