"""The bad inputs that no address reaches, and those that take two people, a clock or another program to try.

The tests that docs/guides/security.md names for them are run; with those of `make attack` they are all 64.
"""

import re
import subprocess
import sys
from pathlib import Path

from benchmarks.attack import members, strangers

ROOT = Path(__file__).resolve().parents[2]
ALL = frozenset(range(1, 65))
_ROW = re.compile(r"^\| (\d+) \| (.+) \|$", re.MULTILINE)
_TITLE = re.compile(r"(\d+)(?: (to|and) (\d+))?:")


def by_address() -> frozenset[int]:
    """The numbers that `make attack` tries, as the titles of its attacks name them."""
    numbers: set[int] = set()
    for attack in [
        *strangers.ATTACKS.values(),
        *strangers.LAST.values(),
        *members.ATTACKS.values(),
        *members.LAST.values(),
    ]:
        title = _TITLE.match(attack.__doc__ or "")
        if title is None:
            raise ValueError(f"{attack.__name__} names no number of docs/threats.md")
        first, last = int(title[1]), int(title[3] or title[1])
        numbers |= set(range(first, last + 1)) if title[2] == "to" else {first, last}
    return frozenset(numbers)


def tests_of(number: int) -> list[str]:
    """Names of the tests that hold a numbered bad input, for pytest."""
    guide = (ROOT / "docs" / "guides" / "security.md").read_text(encoding="utf-8")
    rows = {int(row[1]): row[2] for row in _ROW.finditer(guide)}
    return [f"tests/{name}" for name in re.findall(r"`([^`]+::\w+)`", rows[number])]


def main() -> int:
    """Run them, and say of each number whether all of its tests passed."""
    numbers = sorted(ALL - by_address())
    names = sorted({name for number in numbers for name in tests_of(number)})
    command = [sys.executable, "-m", "pytest", "-n", "0", "-v", "-rA", *names]
    run = subprocess.run(command, cwd=ROOT, check=False, text=True, stdout=subprocess.PIPE)
    print(run.stdout)
    passed = {line.split()[1].split("[")[0] for line in run.stdout.splitlines() if line.startswith("PASSED ")}
    failed = {
        line.split()[1].split("[")[0] for line in run.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))
    }
    held = [number for number in numbers if set(tests_of(number)) <= passed - failed]
    for number in numbers:
        print(f"{'holds' if number in held else 'FALLS':<8} {number}")
    print(f"{len(held)} of {len(numbers)} hold; `make attack` tries the other {len(ALL) - len(numbers)}.")
    return int(held != numbers or run.returncode != 0)


if __name__ == "__main__":
    sys.exit(main())
