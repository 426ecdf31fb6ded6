"""Values that are said to solve equations: "Solving the system, we find x = 1 and y = 2", "Solving for x, x = 3".

The equations are those that the words speak of, in whatever case they stand: what solves them has to fit them there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from auditing.checker.checks.algebra.solving import exact_value
from auditing.checker.checks.solved.equations_before import Told, Value, equations_before, values_told
from auditing.checker.checks.solved.placing import MOST, is_open, refuted
from auditing.checker.mathematics.compare import FAILS, compare
from auditing.checker.mathematics.tree import Num, Tree, substitute
from auditing.checker.reading.passages import Passage, Placed, Script
from hdag.core.text.cues import Cue

RULE = "values of a system"
_SOLVED = Cue(
    r"\bsolving\s(?:the|this|these|both)\s(?:two\s|linear\s|resulting\s)?(?:system|equations|simultaneous)\b"
    r"[^.;\n=]{0,80}?,?\s(?:we\s(?:find|get|obtain|have)|gives|yields|leads\sto)\b",
    re.IGNORECASE,
)
_BEHIND = 240
_SENTENCE = re.compile(r"[.;]\s(?=[A-Z])|\n\s*\n")


def check(script: Script) -> Iterator[Placed]:
    """Two and more values that do not fit the equations which they are said to solve."""
    for number, passage in enumerate(script.near(_SOLVED)):
        for match in islice(_SOLVED.finditer(passage.text), MOST):
            yield from _judged(script, passage, number, match)


def _judged(script: Script, passage: Passage, number: int, match: re.Match[str]) -> Iterator[Placed]:
    ends = _SENTENCE.search(passage.text, match.end())
    values = values_told(passage, match.end(), min(match.end() + _BEHIND, ends.start() if ends else len(passage.text)))
    names = {value.name for value in values}
    if len(names) < 2 or is_open(passage, match.start(), values[-1].end):
        return
    told = list(islice((line for line in equations_before(script, number, match.start()) if line.names == names), 2))
    # one equation alone may be meant to be solved by more than these values
    for line in told if len(told) == 2 else ():
        sides = _filled(line, values)
        if sides is not None and compare(left=sides[0], right=sides[1], relation="=").state == FAILS:
            yield refuted(passage, (match.start(), values[-1].end), RULE, sides, _sentence(line, values), (line.text,))
            return


def _filled(line: Told, values: list[Value]) -> tuple[Tree, Tree] | None:
    filling: dict[str, Tree] = {}
    for value in values:
        exact = exact_value(value.tree)
        if exact is None:
            return None
        filling[value.name] = Num(exact)
    return substitute(line.left, filling), substitute(line.right, filling)


def _sentence(line: Told, values: list[Value]) -> str:
    text = " ".join(line.text.split())
    return f"{', '.join(value.name for value in values)} as they are said to be do not fit {text}."
