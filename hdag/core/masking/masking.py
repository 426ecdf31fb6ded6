"""Hide who speaks in trace text: self-identification, names, links, addresses, numbers, chat tokens, keys.

Each find becomes a neutral word in brackets, so that the sentence can still be judged. Ordinary names of people in a
problem stay: "Claude buys 3 apples" is mathematics. What counts as a sign stands in signs.py; letters in disguise are
read as what they look like.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from hdag.core.masking.disguise import plain
from hdag.core.masking.hints import may_hold_signs
from hdag.core.masking.signs import FINDS, OTHER_SCRIPTS

LINK, ADDRESS, TOKEN, MODEL, NAME, AUTHOR = "[link]", "[address]", "[token]", "[model]", "[name]", "[about the author]"
PHONE, HANDLE, SECRET = "[number]", "[handle]", "[key]"
# The named group of signs.py that found a sign, and the neutral word that covers it.
WORDS = {
    "link": LINK,
    "address": ADDRESS,
    "token": TOKEN,
    "author": AUTHOR,
    "model": MODEL,
    "maker": NAME,
    "said": MODEL,
    "as": MODEL,
    "made": NAME,
    "signed": NAME,
    "undersigned": NAME,
    "phone": PHONE,
    "handle": HANDLE,
    "secret": SECRET,
    "declared": NAME,
}
# a short word in lower case ("model", "local") is no telling name
_PLAIN = re.compile(r"[a-z]{1,7}")
# a name cut into runs of letters, of digits and of other marks: "Acme-Solver-9B" -> Acme, Solver, 9, B
_CHUNK = re.compile(r"[A-Za-z]+|\d+|[^\sA-Za-z\d_.-]+")
SHORTEST_NAME = 3
Find = tuple[str, tuple[int, int], str]


def mask(*, text: str, names: Iterable[str] = ()) -> str:
    """`text` with every sign of its author hidden; `names`: the trace's declared model and its provider's names.

    >>> mask(text="As an AI, see https://a.example/x: GPT-4 says Claude has 3 apples.")
    '[about the author], see [link]: [model] says Claude has 3 apples.'
    """
    written, done = [], 0
    for group, (start, end), _ in finds(text, names=names):
        written += [text[done:start], WORDS[group]]
        done = end
    return "".join([*written, text[done:]])


def finds(text: str, names: Iterable[str] = ()) -> list[Find]:
    """(kind, (start, end), what is covered) in order, none overlapping another; the declared names go first."""
    # ASCII text is its own plain form: most traces skip the mapping.
    plain_text, positions = (text, None) if text.isascii() else plain(text=text)
    signs = list(_spans(FINDS, plain_text)) if may_hold_signs(plain_text) else []
    if (own := _declared(tuple(names))) is not None:
        signs = [*_spans(own, plain_text), *signs]
    # Back to positions of the original; an unseen character inside a sign is covered with it.
    if positions is not None:
        signs = [(group, (positions[start], positions[end - 1] + 1)) for group, (start, end) in signs]
        signs += _spans(OTHER_SCRIPTS, text)
    return [(group, span, text[span[0] : span[1]]) for group, span in _apart(signs)]


def _spans(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    for match in pattern.finditer(text):
        group = match.lastgroup or ""
        yield group, match.span(group)


def _apart(signs: list[tuple[str, tuple[int, int]]]) -> list[tuple[str, tuple[int, int]]]:
    """In order; signs that overlap become one under the word of the first, of two that start together the longer."""
    disjoint: list[tuple[str, tuple[int, int]]] = []
    for group, span in sorted(signs, key=lambda sign: (sign[1][0], -sign[1][1])):
        if not disjoint or span[0] >= disjoint[-1][1][1]:
            disjoint.append((group, span))
        # The first of the two keeps its word and grows to the end of the second: nothing stays half covered.
        elif span[1] > disjoint[-1][1][1]:
            disjoint[-1] = (disjoint[-1][0], (disjoint[-1][1][0], span[1]))
    return disjoint


@lru_cache(maxsize=64)  # the texts of a trace are masked one by one, by the same names
def _declared(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """The declared names as whole words, longest first, however their parts are joined.

    Everyday words such as "model" are no names.
    """
    # "acme/solver-9b" is hidden whole and by its two parts; an e-mail address only whole.
    words = {word.strip() for name in names for word in (name, *(name.split("/") if "@" not in name else ()))}
    telling = sorted((word for word in words if len(word) >= SHORTEST_NAME and not _PLAIN.fullmatch(word)), key=len)
    if not telling:
        return None
    listed = "|".join(_loosely(plain(text=word)[0]) for word in reversed(telling))
    return re.compile(rf"(?<![A-Za-z0-9])(?P<declared>{listed})(?![A-Za-z0-9])", re.IGNORECASE)


def _loosely(name: str) -> str:
    """A name however it is joined: Acme-Solver-9B, Acme Solver-9B, AcmeSolver9B; but no blank before a number."""
    pattern = ""
    for chunk in _CHUNK.findall(name):
        joint = r"[-_.]?" if chunk.isdigit() else r"[\s_.-]{0,2}"
        pattern += joint + re.escape(chunk) if pattern else re.escape(chunk)
    return pattern or re.escape(name)
