"""Pieces of the patterns of facts: numbers as they are written, what stands around them, what a fact comes to."""

# whether it holds, and what is true; None where nothing can be said
Answer = tuple[bool, str] | None
WHOLE = r"(?:\d{1,3}(?:,\d{3}){1,3}(?!\d)|\d{1,9})"
DECIMAL = rf"{WHOLE}(?:\.\d{{1,9}})?"
OPEN, CLOSE = r"(?:\\\(|\$)?\s?(?:\\boxed\{)?", r"\}?\s?(?:\\\)|\$)?"
FREE = r"(?<![\w.,/^*×÷+$-])"
STOP = r"(?![\d.,]*\d|\s?[-+*/×÷·^=%!<>≤≥]|\s?\\(?![)\]])|[A-Za-z]|\s(?:or|more|less|times|of|plus|minus|to)\b)"


def numeral(name: str, what: str = DECIMAL) -> str:
    """A group for a number, with a formula that opens before it and closes behind it."""
    return rf"{OPEN}(?P<{name}>{what}){CLOSE}"
