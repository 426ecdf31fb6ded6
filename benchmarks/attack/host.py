"""The bad inputs that no address reaches: the tests that docs/guides/security.md names for them are run."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = (31, 40, 41, 44, 46, 55, 58, 61, 63, 64)
_ROW = re.compile(r"^\| (\d+) \| (.+) \|$", re.MULTILINE)


def tests_of(number: int) -> list[str]:
    """Names of the tests that hold a numbered bad input, for pytest."""
    guide = (ROOT / "docs" / "guides" / "security.md").read_text(encoding="utf-8")
    rows = {int(row[1]): row[2] for row in _ROW.finditer(guide)}
    return [f"tests/{name}" for name in re.findall(r"`([^`]+::\w+)`", rows[number])]


if __name__ == "__main__":
    names = sorted({name for number in NUMBERS for name in tests_of(number)})
    sys.exit(subprocess.run([sys.executable, "-m", "pytest", "-v", *names], cwd=ROOT, check=False).returncode)
