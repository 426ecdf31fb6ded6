"""Checker: values that are said to solve what stands before, and what becomes of it with values put in.

Each module of this room reads one form: systems, curves that meet, formulas with values put in, rates of exchange.
"""

from __future__ import annotations

from collections.abc import Iterator

from auditing.checker.checks.solved import curves, fillings, rates, systems
from auditing.checker.reading.passages import Placed, Script


def check(script: Script) -> Iterator[Placed]:
    """Every form, in whatever script has its words."""
    if script.is_modular:
        return
    for form in (systems, curves, fillings, rates):
        yield from form.check(script)
