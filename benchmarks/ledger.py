"""Figures of the ledger's pure part beside pymerkle in the same run: python -m benchmarks.ledger [tree size]."""

import random
import statistics
import sys
from hashlib import sha256
from time import perf_counter, process_time

import pymerkle

from auditing.core.ledger import leaves
from auditing.translog import checkpoint, merkle, note, sequencing, tiles
from tests.unit.ledger.examples import EXAMPLES

KEY = note.signing_key(name="trust.example/ledger/v1", seed=b"k" * 32)
ENTRY = leaves.encode(leaf=EXAMPLES["vote.commit"])
LEAVES, BATCH, FLOOR = 50_000, 1_000, 5_000


def ours(entries: list[bytes]) -> float:
    """Leaves a second: hashed, tiled, bundled, a signed checkpoint a batch."""
    started, frontier = perf_counter(), sequencing.Frontier()
    for start in range(0, len(entries), BATCH):
        batch = sequencing.advance(frontier=frontier, entries=entries[start : start + BATCH], origin=KEY.name)
        checkpoint.sign(checkpoint=batch.checkpoint, key=KEY)
        frontier = batch.frontier
    return len(entries) / (perf_counter() - started)


def theirs(entries: list[bytes]) -> tuple[float, pymerkle.InmemoryTree]:
    """Leaves a second: appended, a root a batch; no tiles, no signature."""
    started, tree = perf_counter(), pymerkle.InmemoryTree(algorithm="sha256")
    for start in range(0, len(entries), BATCH):
        for entry in entries[start : start + BATCH]:
            tree.append_entry(entry)
        tree.get_root()
    return len(entries) / (perf_counter() - started), tree


def big_tree(size: int) -> tiles.FileReader:
    """Tiles of `size` made-up leaf hashes, held in memory."""
    rows, row = [], b"".join(sha256(number.to_bytes(8)).digest() for number in range(size))
    while row:
        rows.append(row)
        whole = len(row) // 8192 * 8192
        row = b"".join(tiles.hash_tile(data=row[at : at + 8192]) for at in range(0, whole, 8192))

    def read(path: str) -> bytes:
        level, index, width = tiles.parse_path(path=path)
        assert level is not None
        return rows[level][index * 8192 : index * 8192 + width * 32]

    return read


def proof_times(size: int, read: tiles.FileReader) -> dict[str, list[float]]:
    """Milliseconds of processor time a proof of a random leaf: one reader kept, as a server does, or a fresh one."""
    rng, kept = random.Random(1), tiles.node_reader(size=size, read=read)
    root = merkle.range_from(size=size, read=kept).root
    found: dict[str, list[float]] = {"kept": [], "again": [], "fresh": []}
    for turn in range(1_500):
        index = rng.randrange(size)
        timed = ("kept",) if turn < 1_300 else ("kept", "again", "fresh")
        for name in timed:
            started = process_time()
            reader = tiles.node_reader(size=size, read=read) if name == "fresh" else kept
            proof = merkle.inclusion_proof(index=index, size=size, read=reader)
            found[name].append((process_time() - started) * 1e3)
        leaf = sha256(index.to_bytes(8)).digest()
        merkle.verify_inclusion(leaf=leaf, index=index, size=size, proof=proof, root=root)
    return found


def main() -> None:
    """Print every figure beside its floor or peer."""
    entries = [ENTRY + number.to_bytes(4) for number in range(LEAVES)]
    mine, (peer, tree) = ours(entries), theirs(entries)
    print(f"sequenced and signed in batches of {BATCH}: {mine:,.0f} leaves/s (floor {FLOOR:,}); ", end="")
    print(f"pymerkle append and root: {peer:,.0f} leaves/s; ratio {mine / peer:.2f}")
    started = process_time()
    for index in range(1, LEAVES, LEAVES // 200):
        tree.prove_inclusion(index, LEAVES)
    peer_ms = (process_time() - started) / 200 * 1e3
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    found = proof_times(size, big_tree(size))
    kept, again, fresh = (statistics.median(found[name]) for name in ("kept", "again", "fresh"))
    late = statistics.quantiles(found["kept"], n=20)[-1]
    print(
        f"inclusion proof of a random leaf from tiles at {size:,} leaves: median {kept:.3f} ms, 95th {late:.3f} ms "
        f"(ceiling 1 ms); asked again {again:.3f} ms; by a reader that has read nothing yet {fresh:.3f} ms; "
        f"pymerkle at {LEAVES:,} leaves in memory: {peer_ms:.3f} ms"
    )
    if mine < FLOOR or kept > 1:
        raise SystemExit("a floor or ceiling is missed")


if __name__ == "__main__":
    main()
