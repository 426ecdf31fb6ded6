"""Would the tests notice? A seeded sample of one-line faults, each tried against the tests that run its line.

Run: python -m tests.tools.mutants --count 200 --seed 1 [--only auditing/core] [--tests tests/unit] (`make mutants`).
Which test runs which line comes from coverage.py with one context a test, measured once over --tests, of the sampled
files alone. Survivors that change nothing anybody can see stand in equivalent.txt with the reason, and are counted
apart. A run that was interrupted goes on where its output is given as --resume; the code must be the same.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from coverage import CoverageData

from tests.tools.mutants.faults import ROOT, Mutant, sample
from tests.tools.mutants.trying import Trier, copy_files

SETTINGS = "[run]\ndynamic_context = test_function\ndata_file = {data}\ninclude =\n{files}\n"
EQUIVALENT = Path(__file__).with_name("equivalent.txt")


def measure(data: Path, tests: list[str], files: set[str]) -> None:
    """Run the tests once, and write down which of them runs which line of these files."""
    with tempfile.NamedTemporaryFile("w", suffix=".ini") as settings:
        settings.write(SETTINGS.format(data=data, files="\n".join(f"    {ROOT / file}" for file in sorted(files))))
        settings.flush()
        command = ["-m", "coverage", "run", f"--rcfile={settings.name}", "-m", "pytest", "-q", *tests]
        subprocess.run([sys.executable, *command], cwd=ROOT, check=False)


def equivalents() -> dict[str, str]:
    """Faults that no test can notice, as they are printed, each with the reason."""
    lines = (line.split("  # ") for line in EQUIVALENT.read_text().splitlines() if not line.startswith("#"))
    return {fault.strip(): reason for fault, reason in lines}


def tried_in(output: str) -> set[str]:
    """The faults that a run came to an end with, as its lines name them.

    >>> tried_in("noticed  a.py:3+90  '<' -> '<=' (4 tests)\\nNOT TRIED a.py:9+200  '+' -> '-' because")
    {"a.py:3+90  '<' -> '<='"}
    """
    lines = [line for line in output.splitlines() if line.startswith(("noticed ", "SURVIVED "))]
    return {line.split(" ", 1)[1].strip().rsplit(" (", 1)[0] for line in lines}


def without_line(fault: Mutant) -> str:
    """As equivalent.txt names a fault: lines move, the text of a line stays."""
    text = (ROOT / fault.file).read_text().splitlines()[fault.line - 1].strip()
    return f"{fault.file}  {fault.was!r} -> {fault.text!r}  in  {text}"


def main() -> int:
    """Try the faults and print those that no test noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=[""], help="the beginnings of the paths to try")
    parser.add_argument("--tests", nargs="*", default=["tests/unit", "tests/rooms", "tests/api", "tests/race"])
    parser.add_argument("--coverage", type=Path, default=ROOT / ".run" / "mutants.coverage", help="measured if missing")
    parser.add_argument("--resume", type=Path, help="the output of an earlier run: what it tried is not tried again")
    options = parser.parse_args()
    faults = sample(options.count, options.seed, tuple(options.only))
    if options.resume:
        faults = [fault for fault in faults if str(fault) not in tried_in(options.resume.read_text())]
    if not options.coverage.exists():
        options.coverage.parent.mkdir(exist_ok=True)
        measure(options.coverage, options.tests, {fault.file for fault in faults})
    data = CoverageData(str(options.coverage))
    data.read()
    with tempfile.TemporaryDirectory() as directory:
        copy_files(Path(directory))
        trier = Trier(faults, data, Path(directory))
        # The tests' own plugins start what they need once; each fork goes on from there.
        pytest.main(["-q", "-p", "no:cacheprovider", "--capture=no", *options.tests], plugins=[trier])
    known = equivalents()
    explained = [fault for fault in trier.survivors if without_line(fault) in known]
    left = [fault for fault in trier.survivors if fault not in explained]
    tried = trier.noticed + len(trier.survivors)
    print(f"{trier.noticed} of {tried} noticed (seed {options.seed}), {len(explained)} change nothing,", end=" ")
    print(f"{len(faults) - tried} of {len(faults)} were not tried; not noticed:")
    for fault in left:
        print(f"  {fault.line}: {without_line(fault)}")
    return int(bool(left) or tried < len(faults))


if __name__ == "__main__":
    sys.exit(main())
