"""The computer tier: speed, the adversarial list, and the engine beside math-verify and latex2sympy2_extended.

Run from the repository root: python -m benchmarks.checker [--equations N]. Times are CPU times of this process; the
public data lies in ../shared/data, and the figures that need it are left out without it.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from auditing.checker.answers import compare_answers
from auditing.checker.checks.algebra import derivation, rewriting
from auditing.checker.checks.numbers import arithmetic
from auditing.checker.mathematics.chains import read_page
from auditing.checker.mathematics.compare import FAILS, HOLDS, compare
from auditing.checker.mathematics.identity import is_identity
from auditing.checker.mathematics.tree import free_symbols
from auditing.checker.reading.passages import Passage, Script, script_of
from auditing.research.offline.one_trace import audit_line
from hdag.core.values import Source, Trace

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
_FORMULA = re.compile(r"\\\(([^()\\$\n](?:[^\n$]{0,160}?))\\\)|(?<!\$)\$([^$\n]{3,160})\$(?!\$)")
_TIMEOUT = 5


def traces(*names: str) -> Iterator[tuple[str, list[str]]]:
    """(problem, steps) of the public halves."""
    for name in names:
        for line in (DATA / name).open(encoding="utf-8"):
            record = json.loads(line)
            yield record["problem"], [str(step) for step in record.get("steps") or record["student_incorrect_solution"]]


def script(problem: str, steps: list[str]) -> Script:
    """A script of input steps."""
    passages = [Passage(Source.THINKING, 0, step, index) for index, step in enumerate(steps)]
    return Script(Trace(problem), script_of(Trace(problem)).problem, passages)


def steps_a_second() -> float:
    """Steps of word problems a second and core through the arithmetic checker, reading included."""
    sets = list(traces("processbench/gsm8k.jsonl", "stepverify/dataset.jsonl"))
    start = time.process_time()
    for problem, steps in sets:
        list(arithmetic.check(script(problem, steps)))
    return sum(len(steps) for _, steps in sets) / (time.process_time() - start)


def pipeline_steps_a_second() -> dict[str, float]:
    """Steps a second and core through the whole of `manage.py audit --tiers computer`: decomposition, every checker,
    routing, tally and the record, by kind of text."""
    kinds = {
        "word problems": ("processbench/gsm8k.jsonl", "stepverify/dataset.jsonl"),
        "competition mathematics": ("processbench/math.jsonl",),
    }
    found = {}
    for kind, names in kinds.items():
        sets = list(traces(*names))
        lines = [json.dumps({"id": "x", "problem": problem, "steps": steps}) for problem, steps in sets]
        start = time.process_time()
        for line in lines:
            audit_line(line=line, where="benchmark")
        found[kind] = sum(len(steps) for _, steps in sets) / (time.process_time() - start)
    return found


def symbolic_milliseconds() -> tuple[float, float]:
    """Median and 95th percentile of both symbolic checkers on one step of competition mathematics with an equation."""
    times = []
    for problem, steps in traces("processbench/math.jsonl"):
        for step in steps:
            one = script(problem, [step])
            if not any(
                side.tree and free_symbols(side.tree) for chain in one.passages[0].page.chains for side in chain.sides
            ):
                continue
            assert one.problem.page is not None
            start = time.process_time()
            list(derivation.check(one))
            list(rewriting.check(one))
            times.append((time.process_time() - start) * 1000)
    return statistics.median(times), statistics.quantiles(times, n=20)[-1]


def adversarial_seconds() -> tuple[float, str]:
    """The slowest adversarial text of the tests, in CPU seconds."""
    from tests.unit.checker.readings import findings
    from tests.unit.checker.test_safety import ADVERSARIAL

    slowest = (0.0, "")
    for name, text in ADVERSARIAL.items():
        start = time.process_time()
        findings(text)
        slowest = max(slowest, (time.process_time() - start, name))
    return slowest


def equations(limit: int) -> list[tuple[str, str]]:
    """Both sides of the formulas with exactly one equals sign in the public half of MATH, as written."""
    found: dict[tuple[str, str], None] = {}
    for _, steps in traces("processbench/math.jsonl"):
        for match in _FORMULA.finditer("\n".join(steps)):
            text = match[1] or match[2]
            if text.count("=") == 1 and not re.search(r"[<>,]|\\(?:le|ge|ne|approx|equiv|text|quad)", text):
                left, right = (part.strip() for part in text.split("="))
                if left and right and re.search(r"\d|[-+*/^]", left + right):
                    found[left, right] = None
    pairs = list(found)
    return pairs[:: max(1, len(pairs) // limit)][:limit]


def ours(left: str, right: str) -> bool | None:
    """Our engine: numbers are compared, expressions must be identical for all values."""
    chains = read_page(rf"\({left} = {right}\)").chains
    if len(chains) != 1 or len(chains[0].sides) != 2:
        return None
    one, other = chains[0].sides
    if one.tree is None or other.tree is None:
        return None
    if free_symbols(one.tree) | free_symbols(other.tree):
        return is_identity(left=one.tree, right=other.tree)
    return {HOLDS: True, FAILS: False}.get(compare(left=one.tree, right=other.tree, relation="=").state)


def answers(left: str, right: str) -> bool | None:
    """Our comparison of final answers."""
    match = compare_answers(first=left, second=right)
    return None if match.rule == "different text" else match.same


def math_verify(left: str, right: str) -> bool | None:
    """math-verify with its own timeouts (main thread only)."""
    from math_verify import parse, verify

    gold, answer = parse(f"${left}$"), parse(f"${right}$")
    return bool(verify(gold, answer, float_rounding=3)) if gold and answer else None


def latex2sympy(left: str, right: str) -> bool | None:
    """latex2sympy2_extended and SymPy's simplify."""
    import sympy
    from latex2sympy2_extended import latex2sympy as read

    return bool(sympy.simplify(read(left) - read(right)) == 0)


def measured(tool: Callable[[str, str], bool | None], pairs: list[tuple[str, str]]) -> dict[str, object]:
    """Answers, milliseconds and crashes of one tool over all pairs."""
    import signal

    said: list[bool | None] = []
    times, crashes = [], 0
    for left, right in pairs:
        start = time.process_time()
        signal.alarm(_TIMEOUT)
        try:
            said.append(tool(left, right))
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            crashes += 1
            said.append(None)
        finally:
            signal.alarm(0)
        times.append((time.process_time() - start) * 1000)
    return {"said": said, "median": statistics.median(times), "slowest": max(times), "crashes": crashes}


def side_by_side(limit: int) -> Iterator[str]:
    """A Markdown table: coverage, agreement with the others where both answer, time, crashes."""
    import logging
    import signal

    def on_alarm(_number: int, _frame: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, on_alarm)
    logging.disable(logging.CRITICAL)
    pairs = equations(limit)
    tools = {
        "this engine": ours,
        "this engine, answers": answers,
        "math-verify": math_verify,
        "latex2sympy2_extended": latex2sympy,
    }
    results = {name: measured(tool, pairs) for name, tool in tools.items()}
    yield f"{len(pairs)} equations."
    yield "| tool | answers | agrees with this engine | median ms | slowest ms | crashes and timeouts |"
    yield "|---|---|---|---|---|---|"
    mine = results["this engine"]["said"]
    assert isinstance(mine, list)
    for name, result in results.items():
        said = result["said"]
        assert isinstance(said, list)
        both = [(a, b) for a, b in zip(said, mine, strict=True) if a is not None and b is not None]
        agree = sum(a == b for a, b in both)
        covered = sum(item is not None for item in said)
        yield (
            f"| {name} | {covered} ({covered / len(pairs):.0%}) | {agree}/{len(both)} | {result['median']:.2f} | "
            f"{result['slowest']:.0f} | {result['crashes']} |"
        )
    peers = [results[name]["said"] for name in ("math-verify", "latex2sympy2_extended")]
    for (left, right), a, b, c in zip(pairs, mine, *peers, strict=True):  # type: ignore[call-overload]
        if a is not None and ((b is not None and a != b) or (c is not None and a != c)):
            yield f"- differs: `{left} = {right}`: this engine {a}, math-verify {b}, latex2sympy2_extended {c}"


def main() -> None:
    """Prints every figure beside its floor or peer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--equations", type=int, default=300)
    options = parser.parse_args()
    slowest, name = adversarial_seconds()
    print(f"slowest adversarial text: {slowest:.2f} s CPU ({name}; floor: 5 s)")
    if not DATA.exists():
        print("../shared/data is absent: no further figures")
        return
    print(f"arithmetic: {steps_a_second():.0f} steps/s on one core (floor: 2000)")
    for kind, rate in pipeline_steps_a_second().items():
        print(f"whole pipeline, {kind}: {rate:.0f} steps/s on one core")
    median, high = symbolic_milliseconds()
    print(f"symbolic: median {median:.2f} ms, 95 % below {high:.2f} ms a step (floor: 20 ms median)")
    for line in side_by_side(options.equations):
        print(line)


if __name__ == "__main__":
    main()
