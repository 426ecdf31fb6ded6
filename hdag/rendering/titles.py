"""Titles and tags as they stand in lists: one line, one spelling (Unicode normal form C, UAX 15)."""

import unicodedata


def one_line(*, text: str) -> str:
    """The text without outer blanks and line breaks, composed; "" where nothing of it can be seen.

    >>> one_line(text=" e\\u0301tude\\n no. 1 "), one_line(text="\\u3000\\u200b")
    ('étude no. 1', '')
    """
    words = " ".join(unicodedata.normalize("NFC", text).split())
    return words if any(sign.isprintable() and sign != " " for sign in words) else ""


def spellings(*, text: str) -> tuple[str, ...]:
    """The text as it is typed, composed and decomposed, each once: what was stored earlier has any of the three.

    >>> spellings(text="abc"), len(spellings(text="\\u00e9"))
    (('abc',), 2)
    """
    return tuple(dict.fromkeys((text, *(unicodedata.normalize(form, text) for form in ("NFC", "NFD")))))
