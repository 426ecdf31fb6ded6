"""A trace that breaks off (a limit on its length): its last words are no sentence yet, and claim nothing yet.

    "... convert it to the base currency ("     "d = (1 + f(1,"     "Therefore, the answer is:"    and nothing follows

What was said before the open bracket counts: "3 x 5 = 16 (where 5 is" claims a product.
"""

import re

from hdag.core.passages.asking import announces

_PAIRS = {")": "(", "]": "[", "}": "{"}
_FINISHED = re.compile(r"[.!?。！？]\W*$")
# A relation between two sides that each hold a number, exponents and indices apart.
_COMPUTES = re.compile(r"(?<![\w^.])\d[^=≈<>]*[=≈<>]\D{0,40}(?<![\w^.])\d")


def breaks_off(*, text: str) -> bool:
    """Whether `text`, the last words of a trace, ends in what is not finished.

    >>> breaks_off(text="The call is C = 85 * N("), breaks_off(text="So 3 * 5 = 16 (where 5 is")
    (True, False)
    """
    if announces(text=text):
        return True
    opened = _first_open(text)
    return opened is not None and not _FINISHED.search(text) and not _COMPUTES.search(text[:opened])


def _first_open(text: str) -> int | None:
    """Where the outermost bracket that nothing closes stands; strays that close nothing are passed over."""
    stack: list[tuple[str, int]] = []
    for at, sign in enumerate(text):
        if sign in "([{":
            stack.append((sign, at))
        elif sign in _PAIRS and stack and stack[-1][0] == _PAIRS[sign]:
            stack.pop()
    return stack[0][1] if stack else None
