"""Lists of phrases as one pattern, a phrase a line: long patterns that can be read."""

import re


def phrases(text: str) -> re.Pattern[str]:
    r"""The pattern that matches any line of `text`, apostrophes in either form, capitals or not, over lines.

    >>> bool(phrases("let's see \n it'?s \\d").fullmatch("Let’s see"))
    True
    """
    lines = [line.strip() for line in text.strip().split("\n")]
    return re.compile(f"(?:{'|'.join(lines)})".replace("'", "['’]"), re.IGNORECASE | re.DOTALL)
