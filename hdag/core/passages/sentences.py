"""Where sentences end: full stops that are no abbreviation, no initial, and lie in no formula or bracket. Linear.

"See Art. 5 of Brown v. Board. It held x^{2. Y}." has two sentences.
"""

import bisect
import re
from collections.abc import Iterator, Sequence

from hdag.core.spans import Span, trim

SHORT = 14  # a shorter sentence ("Okay.") belongs to the next one
# A mark, what closes a formula, closing quotes or brackets, a blank, and something that may begin a sentence: "3.5" and
# "x. y" do not end. What closes a formula belongs to the sentence that ends in it and begins none. Chinese and Japanese
# marks end a sentence without a blank behind them.
STOP = re.compile(
    r"[.!?…](?:\s{0,9}\\[\])])?[\"')\]*”’»]{0,3}\s+(?=[^\W_a-zß-öø-ÿα-ωа-я]|[\"'(\[$\\*„“«¿¡])(?!\\end\b|\\[\])])"
    r"|[。！？][”’」』）]{0,2}(?=[^\s”’」』）。！？])"
)
# Abbreviations that no sentence ends in, and those that may: "in the U.S. The court ..." ends before a word of _BEGINS.
_NEVER_LAST = """
e.g. i.e. vs. dr. mr. mrs. ms. cf. approx. viz. resp. prof. ca. incl. excl. bzw. vgl. ggf. evtl. inkl. sog. z.b. d.h.
hon. hr.
"""
NEVER_LAST = frozenset(_NEVER_LAST.split())
_MAY_BE_LAST = """
etc. st. al. sr. jr. inc. ltd. corp. co. dept. ave. seq. sci. univ. assn. supp. cir. gen. col. sgt. rev. esq. fr.
mind. max. min. std. b.i.d. t.i.d. q.d. q.i.d. p.o. i.v. u.a. z.t. i.d.r. a.m. p.m. u.s. u.k.
"""
MAY_BE_LAST = frozenset(_MAY_BE_LAST.split())
# These are words too: "the answer is no. 5 is" is rarer than "No. 5".
_BEFORE_NUMBER = """
no. nos. fig. figs. art. arts. sec. secs. sect. eq. eqs. ch. chap. vol. p. pp. para. paras. par. cl. ex. thm. prop.
lem. def. ref. refs. app. tab. pt. ln. abs. nr. nrn. s. rn. bd. kap. ziff. aufl. jan. feb. mar. apr. jun. jul. aug.
sep. sept. oct. nov. dec. op.
"""
BEFORE_NUMBER = frozenset(_BEFORE_NUMBER.split())
_NUMBER = re.compile(r"[\"'(\[$§]{0,2}(?:\d|[IVXLC]{1,6}\b)")
# Words that begin sentences and follow no initial: "Option C. The patient" ends, "John F. Kennedy" does not.
_OPENERS = """
The This That These Those It He She We They I You So Then Thus Therefore Hence In On At If As A An But And Or Now
Since Because Let For First Next Finally However Option Answer Wait Given Also There To By From With When While Not No
Der Die Das Es Er Sie Wir Ein Eine
"""
_BEGINS = re.compile(rf"[\"'(\[*]{{0,2}}(?:{'|'.join(_OPENERS.split())})\b")
# "Brown v. Board": a name stands before it.
_PARTY = re.compile(r"[A-Z][\w.,'’&-]*\sv\.$")
_INITIAL = re.compile(r"(?:^|[\s.(])([A-Z])\.$")
_NAME_BEFORE = re.compile(r"(?:\b[A-Z][a-z]+|\b[A-Z]\.)\s$|^$")


def find_sentences(*, text: str, span: Span, closed: Sequence[Span]) -> Iterator[Span]:
    """The sentences of a paragraph, trimmed; `closed` are disjoint spans in order that none may end in."""
    start = span.start
    for match in STOP.finditer(text, span.start, span.end):
        cut = match.end()
        # "Okay. So ..." stays one unit: SHORT characters are too few to judge on their own.
        too_short = _width(text, start, cut) < SHORT or span.end - cut < 2
        if too_short or _is_closed(closed, match.start(), cut) or _goes_on(text, match.start(), cut):
            continue
        bare = trim(text=text, span=Span(start, cut))
        if len(bare):
            yield bare
        start = cut
    remainder = trim(text=text, span=Span(start, span.end))
    if len(remainder):
        yield remainder


def _width(text: str, start: int, end: int) -> int:
    """Characters of a sentence; one of Chinese or Japanese says as much as three letters."""
    if end - start >= SHORT:
        return end - start
    return sum(3 if character > "\u2e80" else 1 for character in text[start:end])


def _is_closed(closed: Sequence[Span], stop: int, cut: int) -> bool:
    """Whether a formula or bracket holds the mark at `stop` and goes on behind the `cut`."""
    at = bisect.bisect_right(closed, Span(stop, len(closed) and closed[-1].end)) - 1
    return at >= 0 and closed[at].start <= stop and cut <= closed[at].end


def _goes_on(text: str, dot: int, cut: int) -> bool:
    """Whether the mark at `dot` ends an abbreviation or an initial, and no sentence."""
    if text[dot] != ".":
        return False
    before = text[max(0, dot - 12) : dot + 1]
    word = (before.split() or [""])[-1].lstrip("(\"'[*")
    low = word.lower()
    if low in NEVER_LAST or (low == "v." and _PARTY.search(text[max(0, dot - 24) : dot + 1])):
        return True
    # "etc." ends a sentence as often as not: what follows decides.
    if low in MAY_BE_LAST:
        return _BEGINS.match(text, cut) is None
    if low in BEFORE_NUMBER:
        return _NUMBER.match(text, cut) is not None
    return _is_initial(text, dot, cut, before)


def _is_initial(text: str, dot: int, cut: int, before: str) -> bool:
    """Whether the letter before `dot` is an initial of a name: a name stands before it, and none of _BEGINS behind."""
    if not _INITIAL.search(before) or _BEGINS.match(text, cut):
        return False
    return _NAME_BEFORE.search(text[max(0, dot - 20) : dot - 1]) is not None
