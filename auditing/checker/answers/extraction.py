"""The final answer inside a longer text: boxed, after ####, after "the answer is", or the last line."""

from __future__ import annotations

import re

from auditing.checker.mathematics.latex import closing_brace

MAX_TEXT = 20_000
_SAYS = re.compile(
    r"(?:final answer|correct answer|answer|correct option|correct choice)\s*(?:\*\*)?\s*"
    r"(?:is|:|=|must be|has to be|comes out to be)\s*:?\s*(?:\*\*\s*)?",
    re.IGNORECASE,
)
_WRAPPERS = (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]"), ("**", "**"), ("`", "`"), ('"', '"'))
_DECORATION = re.compile(r"\\(?:left|right|displaystyle|,|;|!|quad|qquad)(?![A-Za-z])")


def final_answer(*, text: str) -> str:
    r"""The part of `text` that states its answer; the text itself when nothing marks one.

    >>> final_answer(text=r"So we get \(x = 4\). The answer is \boxed{4}.")
    '4'
    """
    # an answer stands at the end
    text = text[-MAX_TEXT:].strip()
    # From the surest mark to the weakest: \boxed{}, the #### of GSM8K, the words "the answer is". The last of each
    # counts, for a solution may state an answer and take it back.
    boxed = _last_boxed(text)
    if boxed is not None:
        return clean(boxed)
    if "####" in text:
        return clean(text.rsplit("####", 1)[1])
    statements = list(_SAYS.finditer(text))
    if statements:
        return clean(_first_sentence(text[statements[-1].end() :]))
    return clean(text)


def clean(text: str) -> str:
    """Without delimiters, decoration and closing marks."""
    text = _DECORATION.sub(" ", text.strip()).strip()
    # delimiters may nest ("**$4$**."): peeled off until nothing changes
    while True:
        bare = text.strip().rstrip(".,;:").strip()
        for opening, closing in _WRAPPERS:
            inner = bare[len(opening) : len(bare) - len(closing)]
            if len(bare) > 2 and bare.startswith(opening) and bare.endswith(closing) and opening not in inner:
                bare = inner.strip()
        if bare == text:
            return text
        text = bare


def _last_boxed(text: str) -> str | None:
    start = max(text.rfind(r"\boxed{"), text.rfind(r"\fbox{"))
    if start < 0:
        return None
    opening = text.index("{", start)
    end = closing_brace(text, opening, 2000)
    return text[opening + 1 : end - 1] if end > 0 else None


def _first_sentence(text: str) -> str:
    line = text.split("\n", 1)[0]
    return re.split(r"(?<=[^\d])\.\s|\.\s+(?=[A-Z])", line, maxsplit=1)[0]
