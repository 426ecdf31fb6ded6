"""Share of 5,000 distinct public formulas that render as mathematics, and the time beside the bare library.

Floor: 99.5 % rendered and not one exception. Peer: latex2mathml alone on the same formulas in the same run.
"""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from latex2mathml.converter import convert

from hdag.rendering.maths import render_formula
from tests.tools.formulas import distinct_formulas

MOST = 5_000
FLOOR = 0.995


def milliseconds(run: Callable[[str], object], formulas: list[str]) -> list[float]:
    """Time of each formula; what raises counts as well."""
    times = []
    for formula in formulas:
        start = time.process_time()
        try:
            run(formula)
        except Exception:
            times.append(1000 * (time.process_time() - start))
        else:
            times.append(1000 * (time.process_time() - start))
    return times


def main() -> int:
    """Print the figures; 1 when the floor is not reached."""
    formulas = distinct_formulas(most=MOST)
    ours = milliseconds(lambda source: render_formula(source=source), formulas)
    library = milliseconds(convert, formulas)
    failed = [(source, why) for source in formulas if (why := render_formula(source=source).why)]
    share = 1 - len(failed) / len(formulas)
    ratio = statistics.median(ours) / statistics.median(library)
    print(f"formulas            {len(formulas)}")
    print(f"rendered            {share:.2%}   floor {FLOOR:.1%}")
    print(f"median, ours        {statistics.median(ours):.3f} ms")
    print(f"median, library     {statistics.median(library):.3f} ms   ratio {ratio:.2f}")
    print(f"slowest, ours       {max(ours):.1f} ms")
    for source, why in failed:
        print(f"as written ({why}): {source[:100]!r}")
    return 0 if share >= FLOOR and len(formulas) == MOST else 1


if __name__ == "__main__":
    raise SystemExit(main())
