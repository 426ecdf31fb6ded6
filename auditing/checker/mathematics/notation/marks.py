"""Marks that compute nothing: points of units, signs of inches, currencies behind a number, dashes of a list."""

from __future__ import annotations

from auditing.checker.mathematics.tokens import Token
from auditing.checker.mathematics.vocabulary import words

# units whose point, and signs behind which a line, end nothing
_ABBREVIATED = words("sq cu in ft yd mi lb lbs oz gal qt pt min mins sec secs hr hrs wk wks yr yrs mo mos kg km cm mm")
_POWERS = ("sq", "cu")
_SIGNS, _INCHES = frozenset("+-*/^"), frozenset('"”″')
_MARKS = _INCHES | {"."}


def without_marks(tokens: list[Token]) -> list[Token]:
    """The tokens without points of abbreviated units and currencies behind their number, where the line goes on.

    >>> from auditing.checker.mathematics.tokens import tokenize
    >>> [token.text for token in without_marks(tokenize("12 ft. + 6 ft. = 18 ft."))]
    ['12', 'ft', '+', '6', 'ft', '=', '18', 'ft', '.']
    """
    kept = [
        token
        for index, token in enumerate(tokens)
        if not ((token.kind == "dollar" or token.text in _MARKS) and _ends_nothing(tokens, index))
    ]
    return [
        token._replace(text="inches") if token.text == "in" and _are_inches(kept, index) else token
        for index, token in enumerate(kept)
    ]


def _are_inches(tokens: list[Token], index: int) -> bool:
    """18 in / 3, and no place: what one is in would stand behind the word."""
    if not 0 < index < len(tokens) - 1:
        return False
    return tokens[index - 1].kind == "num" and _goes_on(tokens[index + 1])


def _ends_nothing(tokens: list[Token], index: int) -> bool:
    token = tokens[index]
    # 256" (bottom) + 320" = 576"
    if token.text in _INCHES and token.glued and index and tokens[index - 1].kind == "num":
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        return following is None or _goes_on(following) or following.kind in ("open", "sep", "nl")
    is_mark = token.kind == "dollar" or (token.kind == "sep" and token.text == "." and token.glued)
    if not is_mark or not 0 < index < len(tokens) - 1:
        return False
    before, following = tokens[index - 1], tokens[index + 1]
    # 4 sq. ft. + 2 sq. ft.
    is_power = before.text.lower() in _POWERS and following.kind == "word" and following.text.lower() in _ABBREVIATED
    if not is_power and not _goes_on(following):
        return False
    if token.kind == "dollar":
        return before.kind == "num"
    is_unit = before.kind == "word" and before.text.lower() in _ABBREVIATED
    return is_unit and index > 1 and (tokens[index - 2].kind == "num" or _is_power_of(tokens, index - 2))


def _is_power_of(tokens: list[Token], index: int) -> bool:
    """Whether "sq" or "cu", with a point or without, ends here behind a number."""
    at = index - 1 if tokens[index].text == "." else index
    return at > 0 and tokens[at].text.lower() in _POWERS and tokens[at - 1].kind == "num"


def begins_an_item(tokens: list[Token], at: int) -> bool:
    r"""Whether a dash or a star begins a line and stands apart from the formula behind it.

    >>> from auditing.checker.mathematics.tokens import tokenize
    >>> [begins_an_item(tokenize(text), 0) for text in ("- \\( 3 + 4 = 8 \\)", "-\\( 3 \\)")]
    [True, False]
    """
    begins_a_line = at == 0 or tokens[at - 1].kind == "nl"
    return begins_a_line and tokens[at].text in "-*" and not tokens[at + 1].glued


def has_relation(tokens: list[Token], at: int, step: int) -> bool:
    """Whether a relation stands between here and the next delimiter."""
    while 0 <= at < len(tokens) and tokens[at].kind not in ("math", "nl"):
        if tokens[at].kind == "rel":
            return True
        at += step
    return False


def _goes_on(token: Token) -> bool:
    # a bullet or a sign that touches the number behind it begins something new: "It weighs 3 lb. -5 is less"
    return token.kind == "rel" or (token.kind == "op" and token.text in _SIGNS)
