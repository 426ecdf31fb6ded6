"""The summary of a passage: a sentence of its text, the one that concludes."""

import re

from hdag.core.passages.formulas import find_closed, is_inside
from hdag.core.passages.phrases import phrases

LONGEST = 240  # characters
READ = 2_000  # characters at the end of a passage that are looked at
LEAST = 12  # letters and digits of a sentence that says something
_STOP = re.compile(r"[.!?][\"')\]*]{0,3}\s+|[。！？]|\n[ \t]*\n|\n(?=[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t])")
_CONCLUDES = phrases(
    r"""
    \W*(?:so|thus|hence|therefore|overall|finally|daher|somit|folglich)\b
    \W*(?:in conclusion|in summary|the answer|final answer)\b
    \W*(?:this (?:means|gives|shows)|we (?:get|conclude|obtain))\b
    \W*(?:所以|因此)
    """
)


def concluding_sentence(*, text: str, longest: int = LONGEST) -> str:
    """The last sentence of `text` that opens as a conclusion, else its last sentence; never a list of words.

    A longer sentence is cut at a word, with "…" in front of its end or behind its beginning.

    >>> concluding_sentence(text="Bread is 40 * 2 = 80. So the shop earns 80 a day. Now the week.")
    'So the shop earns 80 a day.'
    """
    sentences = [s for s in _sentences(text.strip()[-READ:]) if sum(map(str.isalnum, s)) >= LEAST]
    if not sentences:
        return _shortened(" ".join(text.split()), longest)
    concluding = [sentence for sentence in sentences[-4:] if _CONCLUDES.match(sentence)]
    return _shortened(" ".join((concluding or sentences)[-1].split()), longest)


def _sentences(text: str) -> list[str]:
    closed, sentences, start = find_closed(text=text), [], 0
    for match in _STOP.finditer(text):
        if not is_inside(closed, match.start()):
            sentences.append(text[start : match.end()].strip())
            start = match.end()
    return [*sentences, text[start:].strip()]


def _shortened(sentence: str, longest: int) -> str:
    if len(sentence) <= longest:
        return sentence
    head = sentence[: longest - 1]
    # At a word where there is one near the end, and never inside a formula that the cut would leave open.
    cut = head.rfind(" ", longest * 2 // 3)
    end = cut if cut > 0 else len(head)
    for span in find_closed(text=sentence):
        if span.start < end < span.end:
            end = span.start
    return (sentence[:end].rstrip() or head) + "…"
