"""The Merkle tree of the ledger: hashes, compact ranges, proofs and their verification.

Source: RFC 6962 section 2.1 (hashing), RFC 9162 sections 2.1.3 and 2.1.4 (proofs and verification).
A hash is 32 bytes. A tree of size n has leaves 0 .. n-1. "Perfect subtree (level, index)" covers the leaves
index * 2^level .. (index + 1) * 2^level - 1.

A tree of 7 leaves, with its perfect subtrees as (level, index); its compact range is (2,0), (1,2), (0,6):

                    root
                /          \\
            (2,0)            .
           /     \\         /   \\
       (1,0)   (1,1)   (1,2)  (0,6)
       /  \\    /  \\    /  \\     |
      0    1  2    3  4    5    6
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from typing import TypeAlias

HASH_BYTES = 32
EMPTY_ROOT = sha256(b"").digest()

NodeReader: TypeAlias = Callable[[int, int], bytes]
"""(level, index) -> hash of that perfect subtree."""


class ProofError(ValueError):
    """The proof does not hold."""


class MalformedProofError(ProofError):
    """The proof cannot belong to a tree of this size."""


class RootMismatchError(ProofError):
    """The proof leads to another root than the one that was signed."""


def leaf_hash(*, entry: bytes) -> bytes:
    """H(0x00 || entry). Source: RFC 6962 section 2.1.

    The prefixes 0x00 and 0x01 keep leaves and inner nodes apart: without them an entry of 64 bytes could be passed off
    as two hashes, and a proof could stop one level too early.

    >>> leaf_hash(entry=b"L123456").hex()[:8]
    '395aa064'
    """
    return sha256(b"\x00" + entry).digest()


def node_hash(*, left: bytes, right: bytes) -> bytes:
    """H(0x01 || left || right).

    >>> node_hash(left=b"N123", right=b"N456").hex()[:8]
    'aa217fe8'
    """
    return sha256(b"\x01" + left + right).digest()


@dataclass(frozen=True, slots=True)
class CompactRange:
    """All that is needed to go on appending: the perfect subtrees of a tree of `size` leaves, largest first.

    len(hashes) == number of one bits of size; about 32 * log2(size) bytes for any size.
    """

    size: int = 0
    hashes: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        """Raises: MalformedProofError when hashes do not fit size."""
        if self.size < 0 or len(self.hashes) != self.size.bit_count():
            raise MalformedProofError(f"{len(self.hashes)} subtrees cannot make a tree of {self.size} leaves")

    def append(self, *, leaf: bytes) -> "CompactRange":
        """The range with one more leaf hash."""
        return self.extend(leaves=(leaf,))

    def extend(self, *, leaves: Iterable[bytes]) -> "CompactRange":
        """The range with all leaf hashes appended in order; one hash a leaf on average."""
        size, hashes = self.size, list(self.hashes)
        for leaf in leaves:
            # Like adding 1 to a binary number: each one bit at the end of size is a subtree that is complete with this
            # leaf, and carries into one of the next level. From 3 leaves (11) to 4 (100), both subtrees merge.
            node = leaf
            for _ in range(trailing_ones(number=size)):
                node = sha256(b"\x01" + hashes.pop() + node).digest()
            hashes.append(node)
            size += 1
        return CompactRange(size, tuple(hashes))

    @property
    def root(self) -> bytes:
        """Root of the tree; the hash of nothing for the empty tree."""
        return _fold(self.hashes) if self.hashes else EMPTY_ROOT


def trailing_ones(*, number: int) -> int:
    """How many one bits stand at the low end of `number`.

    >>> trailing_ones(number=0b1011)
    2
    """
    # adding 1 turns the trailing ones to zeros and the next zero to a one; that single bit is what is kept
    return (~number & (number + 1)).bit_length() - 1


def root(*, leaves: Iterable[bytes]) -> bytes:
    """Root over leaf hashes.

    >>> root(leaves=()).hex()[:8]
    'e3b0c442'
    """
    return CompactRange().extend(leaves=leaves).root


def perfect_subtrees(*, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """(level, index) of the largest aligned subtrees that cover leaves start .. end-1, left to right.

    >>> perfect_subtrees(start=0, end=6)
    ((2, 0), (1, 2))
    """
    subtrees = []
    while start < end:
        # the largest subtree that fits into what is left, and that may begin at `start` (a multiple of its width)
        level = (end - start).bit_length() - 1
        if start:
            level = min(level, (start & -start).bit_length() - 1)
        subtrees.append((level, start >> level))
        start += 1 << level
    return tuple(subtrees)


def range_from(*, size: int, read: NodeReader) -> CompactRange:
    """The compact range of the first `size` leaves, read from stored nodes."""
    return CompactRange(size, tuple(read(level, index) for level, index in perfect_subtrees(start=0, end=size)))


def inclusion_proof(*, index: int, size: int, read: NodeReader) -> tuple[bytes, ...]:
    """Audit path of leaf `index` in the tree of `size` leaves, lowest sibling first.

    Source: RFC 9162 section 2.1.3.1. Reads O(log n) perfect subtrees.
    Raises: MalformedProofError unless 0 <= index < size.
    """
    if not 0 <= index < size:
        raise MalformedProofError(f"leaf {index} is not in a tree of {size} leaves")
    # From the root down to the leaf; at each branch the side that is left out is one hash of the path.
    path, start, end = [], 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append(_subtree(middle, end, read))
            end = middle
        else:
            path.append(_subtree(start, middle, read))
            start = middle
    return tuple(reversed(path))


def consistency_proof(*, size1: int, size2: int, read: NodeReader) -> tuple[bytes, ...]:
    """Proof that the tree of size1 leaves is a prefix of the tree of size2 leaves.

    Source: RFC 9162 section 2.1.4.1. Empty when size1 == size2.
    Raises: MalformedProofError unless 1 <= size1 <= size2.
    """
    if not 1 <= size1 <= size2:
        raise MalformedProofError(f"no consistency proof leads from size {size1} to size {size2}")
    # SUBPROOF of RFC 9162 section 2.1.4.1, as a loop: down to the node at which the old tree ends. `whole` stays true
    # while that node covers the old tree from its first leaf; then its hash is the old root, which the verifier knows
    # already.
    path, start, end, whole = [], 0, size2, True
    while size1 < end:
        middle = start + _split(end - start)
        if size1 <= middle:
            path.append(_subtree(middle, end, read))
            end = middle
        else:
            path.append(_subtree(start, middle, read))
            start, whole = middle, False
    if not whole:
        path.append(_subtree(start, end, read))
    return tuple(reversed(path))


def root_from_inclusion(*, leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> bytes:
    """The root that `proof` leads to. Source: RFC 9162 section 2.1.3.2.

    Raises: MalformedProofError when the path has the wrong length or hashes of the wrong length.
    """
    if not 0 <= index < size:
        raise MalformedProofError(f"leaf {index} is not in a tree of {size} leaves")
    _check_hashes(leaf, *proof)
    # The names of RFC 9162 section 2.1.3.2. fn: position of the node on the way up, sn: of the last node of its level.
    # The bits of fn say at each level whether the sibling stands on the left (1) or on the right (0).
    fn, sn, node = index, size - 1, leaf
    for sibling in proof:
        if sn == 0:
            raise MalformedProofError("the proof is too long for this tree")
        # a right child, or a last node that has moved up: its sibling stands on the left
        if fn & 1 or fn == sn:
            node = node_hash(left=sibling, right=node)
            # the last node of an uneven level has no sibling there: it moves up until it has one
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            node = node_hash(left=node, right=sibling)
        fn, sn = fn >> 1, sn >> 1
    if sn:
        raise MalformedProofError("the proof is too short for this tree")
    return node


def verify_inclusion(*, leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Check that `leaf` stands at `index` of the tree with this size and root. Raises: ProofError."""
    computed = root_from_inclusion(leaf=leaf, index=index, size=size, proof=proof)
    # constant time costs nothing here, and spares everybody the question whether it matters
    if not compare_digest(computed, root):
        raise RootMismatchError(f"leaf {index} leads to root {computed.hex()}, signed is {root.hex()}")


def verify_consistency(*, size1: int, size2: int, root1: bytes, root2: bytes, proof: Sequence[bytes]) -> None:
    """Check that the tree (size2, root2) only appended to the tree (size1, root1).

    Source: RFC 9162 section 2.1.4.2. size1 = 0 is refused: the empty tree is a prefix of every tree and proves nothing.
    Raises: MalformedProofError, RootMismatchError.
    """
    if not 1 <= size1 <= size2:
        raise MalformedProofError(f"no consistency proof leads from size {size1} to size {size2}")
    if size1 == size2:
        if proof:
            raise MalformedProofError("a proof between equal sizes is empty")
        _check_roots(root1, root2, size1)
        return
    _check_hashes(root1, root2, *proof)
    first, second = _roots_from_consistency(size1, size2, root1, proof)
    _check_roots(first, root1, size1)
    _check_roots(second, root2, size2)


def _roots_from_consistency(size1: int, size2: int, root1: bytes, proof: Sequence[bytes]) -> tuple[bytes, bytes]:
    nodes = list(proof)
    if not nodes:
        raise MalformedProofError("the proof is empty")
    # Step 2 of RFC 9162 section 2.1.4.2: when size1 is a power of two, the old tree is one perfect subtree, whose hash
    # the prover leaves out because the verifier holds it.
    if size1 & (size1 - 1) == 0:
        nodes.insert(0, root1)
    fn, sn = size1 - 1, size2 - 1
    # Steps 3 and 4: up to the level at which the old tree's last subtree begins
    shift = trailing_ones(number=fn)
    fn, sn = fn >> shift, sn >> shift
    # Steps 5 and 6: the same path makes both roots. A sibling on the left belongs to the old tree and to the new one;
    # one on the right was appended later, and belongs to the new one alone.
    first = second = nodes[0]
    for node in nodes[1:]:
        if sn == 0:
            raise MalformedProofError("the proof is too long for these trees")
        if fn & 1 or fn == sn:
            first, second = node_hash(left=node, right=first), node_hash(left=node, right=second)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            second = node_hash(left=second, right=node)
        fn, sn = fn >> 1, sn >> 1
    if sn:
        raise MalformedProofError("the proof is too short for these trees")
    return first, second


def _check_roots(computed: bytes, signed: bytes, size: int) -> None:
    if not compare_digest(computed, signed):
        raise RootMismatchError(f"at size {size} the proof leads to root {computed.hex()}, signed is {signed.hex()}")


def _check_hashes(*hashes: bytes) -> None:
    for digest in hashes:
        if len(digest) != HASH_BYTES:
            raise MalformedProofError(f"a hash of {len(digest)} bytes; {HASH_BYTES} are needed")


def _split(size: int) -> int:
    """Largest power of two smaller than size."""
    return 1 << ((size - 1).bit_length() - 1)


def _subtree(start: int, end: int, read: NodeReader) -> bytes:
    return _fold([read(level, index) for level, index in perfect_subtrees(start=start, end=end)])


def _fold(hashes: Sequence[bytes]) -> bytes:
    node = hashes[-1]
    for left in reversed(hashes[:-1]):
        node = node_hash(left=left, right=node)
    return node
