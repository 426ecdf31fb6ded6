"""Bits flipped anywhere in the files of audits: every one is refused with a sentence, and none breaks the verifier.

Run: python -m benchmarks.flips [how many, 6000] [seed]. A flip that changes nothing that is read is named; there is
none in these files. Beside the flips, bytes are dropped, doubled and exchanged.
"""

import gzip
import random
import sys
from collections import Counter

from auditing.verifier import verify_audit as verifier
from benchmarks.liar import NEWER, OLDER


def damaged(data: bytes, rng: random.Random) -> bytes:
    """One flipped bit; in one of eight a byte dropped, doubled or replaced."""
    at = rng.randrange(len(data))
    kind = rng.randrange(8)
    if kind:
        return data[:at] + bytes((data[at] ^ 1 << rng.randrange(8),)) + data[at + 1 :]
    return data[:at] + [b"", data[at : at + 1] * 2, rng.randbytes(1)][rng.randrange(3)] + data[at + 1 :]


def fate(data: bytes) -> str:
    try:
        report = verifier.verify(data)
    except verifier.UnreadableError:
        return "unreadable"
    return "accepted" if report.ok else "refused"


def main() -> int:
    told = [int(text) for text in sys.argv[1:3]]
    count, seed = (told + [6000, 0][len(told) :])[:2]
    rng = random.Random(seed)
    files = [(path.name, gzip.decompress(path.read_bytes())) for path in sorted([*OLDER.iterdir(), *NEWER.iterdir()])]
    fates: Counter[str] = Counter()
    for number in range(count):
        name, data = files[number % len(files)]
        bad = damaged(data, rng)
        what = fate(bad) if bad != data else "the same byte"
        fates[what] += 1
        if what == "accepted":
            print(f"accepted: {name}, damage {number}")
    print(f"{count} damages over {len(files)} files: {dict(fates)}")
    return int(fates["accepted"] > 0)


if __name__ == "__main__":
    sys.exit(main())
