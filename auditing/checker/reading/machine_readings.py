"""Second readings of what machines compute: numbers that wrap around at their width, and the sign of exclusive or.

"127 + 1 = -128" is true in eight bits, "2 ^ 3 = 1" in most programming languages. As in second_readings.py only what
holds under such a reading is let go.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from auditing.checker.mathematics.tree import Node, bare_number
from auditing.checker.reading.links import Link

_LANGUAGES = re.compile(r"\bin (?:C|C\+\+|C#|Java|JavaScript|Python|Go|Rust|Ruby)(?![\w+#])")
_WIDTHS = (8, 16, 32, 64)


def _wraps_around(link: Link) -> bool:
    """127 + 1 = -128: a sum of positive numbers is negative, by one turn of a register."""
    value, number = link.judgement.left, bare_number(link.right)
    if not isinstance(value, Fraction) or number is None or number.unit or number.money or number.decimals:
        return False
    is_signed = number.value < 0 <= value
    return is_signed and value - number.value in {2**width for width in _WIDTHS}


def _is_exclusive_or(link: Link) -> bool:
    """2 ^ 3 = 1, where the text names the language."""
    near = link.passage.text[max(0, link.left_side.start - 60) : link.right_side.end + 40]
    if not (isinstance(link.left, Node) and link.left.op == "^" and _LANGUAGES.search(near)):
        return False
    numbers = [bare_number(tree) for tree in (*link.left.args, link.right)]
    values = [number.value for number in numbers if number is not None and number.value >= 0]
    if len(values) != len(numbers) or any(value.denominator > 1 for value in values):
        return False
    return int(values[0]) ^ int(values[1]) == values[2]


MACHINE_READINGS: dict[str, Callable[[Link], bool]] = {
    "a number that wraps around": _wraps_around,
    "exclusive or": _is_exclusive_or,
}
