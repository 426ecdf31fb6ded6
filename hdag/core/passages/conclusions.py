"""The summary of a passage: a sentence of its text, the one that concludes."""

import re
from itertools import pairwise

from hdag.core.passages.formulas import find_closed, is_inside
from hdag.core.passages.phrases import phrases
from hdag.core.passages.sentences import find_sentences
from hdag.core.spans import Span

LONGEST = 240  # characters
READ = 2_000  # characters at the end of a passage that are looked at
LEAST = 12  # letters and digits of a sentence that says something
# Paragraphs and list items: no sentence runs over their ends.
_BREAK = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t])")
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
    closed = find_closed(text=text)
    # A formula over blank lines holds together too.
    breaks = [match.start() for match in _BREAK.finditer(text) if not is_inside(closed, match.start())]
    pieces = [Span(start, end) for start, end in pairwise([0, *breaks, len(text)])]
    return [s.slice(text) for piece in pieces for s in find_sentences(text=text, span=piece, closed=closed)]


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
