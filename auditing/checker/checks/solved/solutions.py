"""Checker: values that are said to solve what stands before, and what becomes of it with values put in.

Each module of this room reads one form: systems, formulas with values put in, rates of
exchange, letters that are given a rounded value.
"""

from __future__ import annotations

from collections.abc import Iterator

from auditing.checker.checks.solved import (
    denials,
    fillings,
    intervals,
    middles,
    rates,
    rounded,
    systems,
)
from auditing.checker.reading.passages import Placed, Script

FORMS = systems, fillings, rates, rounded, denials, middles, intervals


def check(script: Script) -> Iterator[Placed]:
    """Every form, in whatever script has its words."""
    if script.is_modular:
        return
    for form in FORMS:
        yield from form.check(script)
