"""Clauses of a token list: where one ends, which breaks stand inside a relation, and what around a side doubts it."""

from __future__ import annotations

from auditing.checker.mathematics.cursor import labels_the_value_before
from auditing.checker.mathematics.grammar import UnreadableError, parse_slice
from auditing.checker.mathematics.notation.delimiters import joins_operands
from auditing.checker.mathematics.notation.marks import begins_an_item, has_relation
from auditing.checker.mathematics.notation.surroundings import goes_on_in_words, is_an_article, is_whole_after
from auditing.checker.mathematics.tokens import Token
from auditing.checker.mathematics.vocabulary import CHANGES_THE_NUMBER, CITED, LEFT_DANGER, RIGHT_DANGER

_BOUNDARY_KINDS, _BOUNDARY_SIGNS = frozenset(("nl", "math", "stop")), frozenset(".;:?")
_BREAKS, _NOTHING = frozenset(("nl", "math")), Token("", "", 0, 0)


def is_boundary(token: Token) -> bool:
    """Whether no expression goes on beyond this token."""
    return token.kind in _BOUNDARY_KINDS or (token.kind == "sep" and token.text in _BOUNDARY_SIGNS)


def prepare(tokens: list[Token]) -> list[Token]:
    """Drops alignment marks and the line breaks and delimiters that stand inside one relation."""
    significant = _significant(tokens)
    # Drop the breaks and delimiters that a relation spans: "x =\n 5", "\( a \) = \( b \)".
    ahead = _next_significant(significant)
    prepared: list[Token] = []
    for index, token in enumerate(significant):
        kind = token.kind
        if kind in _BREAKS and _inside_relation(significant, index, ahead[index]):
            # "a &= b \\ -c &= d": goes the first line on, or begins a second equation? Not guessed.
            if _may_begin_a_relation(significant, index, ahead[index]):
                prepared.append(token._replace(kind="other"))
            continue
        is_inside = kind == "sep" and _ends_no_clause(significant, index)
        prepared.append(token._replace(kind="other") if is_inside else token)
    return prepared


def _significant(tokens: list[Token]) -> list[Token]:
    """The tokens without marks of alignment and breaks of the source; "= approximately" is one relation."""
    significant: list[Token] = []
    last, math = _NOTHING, 0
    for token in tokens:
        kind, text = token.kind, token.text
        if kind == "math":
            math = 1 if text in "([" or (text == "$$" and not math) else 0
        # Inside display mathematics a line break of the source means nothing, & only aligns, and the space that begins
        # a line separates nothing: \\ &\qquad + 5.
        elif text == "&" or (kind == "nl" and math and text[0] != "\\") or (text == ";" and last.text == "\\\\"):
            continue
        # 5/9 = approximately 0.56: the word makes the relation rough.
        elif kind == "word" and last.kind == "rel" and _is_rough(last, text):
            significant[-1] = last = last._replace(text="≈")
            continue
        significant.append(token)
        last = token
    return significant


def _ends_no_clause(tokens: list[Token], index: int) -> bool:
    r"""3:4 is a ratio, 3:15 a time, 1.\overline{7} a number: the mark ends no clause, and cannot be computed with."""
    if tokens[index].text == ":":
        return _between_numbers(tokens, index) or _is_ratio(tokens, index)
    return tokens[index].text == "." and _inside_number(tokens, index)


def _is_ratio(tokens: list[Token], index: int) -> bool:
    r"""\(\frac12 : \frac13 = \frac32\): a colon between operands of a formula; "(450 days): 2 * 360" begins anew."""
    before, token, after = tokens[index - 1], tokens[index], tokens[min(index + 1, len(tokens) - 1)]
    if index > 0 and not token.glued and after.kind != "word":  # 0.75 : x; a sentence has no blank there
        return before.kind in ("num", "sym", "close")
    is_operand = index > 0 and (before.kind in ("num", "close") or before.text == "}")
    return is_operand and after.kind in ("num", "open", "func") and after.glued and token.glued


_ROUGHLY = frozenset(("approximately", "about", "roughly", "around", "nearly", "almost"))


def _is_rough(relation: Token, word: str) -> bool:
    return relation.text in ("=", "≈") and word.lower() in _ROUGHLY


def _next_significant(tokens: list[Token]) -> dict[int, Token | None]:
    """For each line break and delimiter the next token that is neither."""
    following: dict[int, Token | None] = {len(tokens) - 1: None}
    for index in reversed([index for index, token in enumerate(tokens[:-1]) if token.kind in _BREAKS]):
        following[index] = following[index + 1] if tokens[index + 1].kind in _BREAKS else tokens[index + 1]
    return following


def _inside_relation(tokens: list[Token], index: int, after: Token | None) -> bool:
    before = tokens[index - 1] if index else None
    if before and before.kind == "rel":
        return True
    if tokens[index].kind == "math" and joins_operands(tokens, index):
        return True
    if after is None:
        return False
    if after.kind == "rel":
        return True
    # "a = b \\ + c": a display that is broken before a sign goes on with it
    return tokens[index].kind == "nl" and tokens[index].text[0] == "\\" and after.kind == "op" and after.text in "+-*/"


def _may_begin_a_relation(tokens: list[Token], index: int, after: Token | None) -> bool:
    """Whether the line behind this break begins with a sign and holds a relation of its own."""
    if tokens[index].kind != "nl" or after is None or after.kind != "op":
        return False
    at = index + 1
    while at < len(tokens) and tokens[at].kind not in ("nl", "math"):
        if tokens[at].kind == "rel":
            return True
        at += 1
    return False


def _inside_number(tokens: list[Token], index: int) -> bool:
    r"""1.\overline{7} and 6 . 70: the point belongs to a number that is not read."""
    if not 0 < index < len(tokens) - 1:
        return False
    before, point, after = tokens[index - 1 : index + 2]
    is_spaced = after.kind == "num" and before.end < point.start and point.end < after.start
    is_glued = after.kind in ("other", "prefix") and before.end == point.start == after.start - 1
    return before.kind == "num" and (is_spaced or is_glued)


def _between_numbers(tokens: list[Token], index: int) -> bool:
    is_inside = 0 < index < len(tokens) - 1 and tokens[index + 1].start == tokens[index].end
    return is_inside and tokens[index - 1].kind == tokens[index + 1].kind == "num"


# "= 0.004, or about 1 in 256": the same number once more
_SAID_AGAIN = _ROUGHLY | {"equivalently", "simply", "just"}
# tokens around a side that may show what a word like "points" counts
MAX_CLAUSE = 30
# directly before a side, each of these shows that the expression began earlier than it could be read
_GOES_ON = frozenset(("num", "close", "sym", "func", "other", "big", "dots", "rel", "bar", "text", "prefix"))


def left_doubts(tokens: list[Token], position: int, start: int) -> tuple[str, ...]:
    """Why the expression that starts at `position` may have begun earlier than it was read."""
    if position == 0 or (before := tokens[position - 1]).kind == "rel":
        return ()
    if before.kind == "math":
        return _doubt_across_a_border(tokens, position)
    if before.kind == "op":
        return ("an operator before it",)
    if (before.kind in _GOES_ON or before.text in ("}", "_")) and not is_an_article(tokens, position):
        return (f"{before.text} before it",) if before.kind != "text" else _text_doubt(tokens, position)
    # "eq. 3 + 4": the point belongs to the word before it, and 3 is the number of an equation.
    if before.text == "." and position > 1 and tokens[position - 2].text.lower() in CITED:
        return (f"the word {tokens[position - 2].text} before it",)
    is_danger = before.text.lower() in LEFT_DANGER and not is_whole_after(tokens, position)
    if before.kind == "word" and (is_danger or goes_on_in_words(tokens, position)):
        return (f"the word {before.text} before it",)
    return ()


def _doubt_across_a_border(tokens: list[Token], position: int) -> tuple[str, ...]:
    r"""90 + 2 $(15/5)$ = 96: the formula begins where the expression goes on, as behind a point: .$5 = 1/2$."""
    at, first = position - 1, tokens[position]
    while at and tokens[at].kind == "math":
        at -= 1
    before, earlier = tokens[at], tokens[max(0, at - 1)]
    is_item = begins_an_item(tokens, at) and has_relation(tokens, position, 1)
    if before.kind == "op" and before.text in "+-*/" and not is_item:
        return ("an operator before it",)
    if before.text == "." and not before.glued and before.end == first.start - 1:
        return (". before it",)
    # GPP $-R_A = 20 - 9$
    if first.text in ("-", "+") and before.kind == "word" and before.text.isupper():
        return ("a name before it",)
    if first.kind not in ("open", "func") and first.text != "-":
        return ()
    is_bracket = before.kind == "close" and earlier.kind in ("num", "sym", "close")
    # "Step 5 \( (3 + 4) = 7 \)": the number of a step multiplies nothing
    goes_on = (before.kind == "num" and earlier.text.lower() not in LEFT_DANGER) or before.text == "}" or is_bracket
    return (f"{before.text} before it",) if goes_on else ()


def _text_doubt(tokens: list[Token], position: int) -> tuple[str, ...]:
    word, first = tokens[position - 1].text.lower(), tokens[position]
    # arc cos x; and 2 m (1 - 0.9) goes on from the unit
    if first.kind == "func" and word == "arc":
        return ("arc before it",)
    counted = tokens[position - 2] if position > 1 else None
    if first.kind in ("open", "func") and counted and (counted.kind in ("num", "close") or counted.text == "}"):
        return ("a unit before it",)
    # \\text{half of } before a side doubts it by its last word
    last = word.split()[-1:] or [""]
    return (f"the word {last[0]} before it",) if last[0] in LEFT_DANGER else ()


def right_doubts(tokens: list[Token], after: int, stop: int, end: int) -> tuple[str, ...]:
    """Why the expression that ends before `after` may go on in what was not read."""
    token = tokens[after] if after < len(tokens) else None
    if token is None or after >= end:
        return _doubt_behind(tokens, after) if token is not None else ()
    if token.kind == "word":
        # "= 12 apples" is fine, "= 12 dozen" and "= 12 more" say another number than 12
        harmless = token.text.lower() not in RIGHT_DANGER or _is_harmless_here(tokens, after, end)
        harmless |= token.text.lower() == "or" and after + 1 < end and tokens[after + 1].text.lower() in _SAID_AGAIN
        return () if harmless else (f"the word {token.text} after it",)
    if token.kind == "text":
        first = token.text.lower().strip("( ").split()[:1]
        return (f"the word {first[0]} after it",) if first and first[0] in RIGHT_DANGER else ()
    if token.text == "," or labels_the_value_before(tokens, after, end):
        return _comma_doubt(tokens, after + 1, end) if token.text == "," else ()
    if token.kind == "close" or token.text == "}" or _only_counts(tokens, after, end):
        return ()
    if token.kind == "open" and not token.glued:
        # "= 12 (since ...)" is a remark; "= 12 (3 + 4)" may be a product whose second factor was not read
        inner = tokens[after + 1] if after + 1 < end else None
        is_remark = inner and inner.kind in ("word", "text") and inner.text.lower() not in RIGHT_DANGER
        return () if is_remark else ("a bracket after it",)
    if token.kind == "arrow" and _is_equation_next(tokens, after + 1, end):
        return ()
    return (f"{token.text} after it",)


def _doubt_behind(tokens: list[Token], after: int) -> tuple[str, ...]:
    r"""= \(10\) raised to: the words behind a formula go on with its last number."""
    following = tokens[after + 1] if after + 1 < len(tokens) and tokens[after].kind == "math" else None
    if following is not None and following.text.lower() in CHANGES_THE_NUMBER:
        return (f"the word {following.text} after it",)
    return ("a question",) if tokens[after].text == "?" else ()


def _only_counts(tokens: list[Token], after: int, end: int) -> bool:
    """= 55 times, and = 2000$: behind these stands no factor and no amount."""
    token, is_last = tokens[after], after + 1 >= end
    is_times = token.text == "*" and token.end - token.start == len("times")
    return (is_times or (token.kind == "dollar" and token.glued)) and (is_last or tokens[after + 1].kind == "word")


def _is_equation_next(tokens: list[Token], position: int, end: int) -> bool:
    """3x = 27 → x = 9 says two equations; in 5 → 8 the 5 becomes something, and in 2 = 5 → +3 = 8 it is computed on."""
    try:
        _tree, after = parse_slice(tokens=tokens, start=position, end=end)
    except UnreadableError:
        return False
    return tokens[position].kind != "op" and after < end and tokens[after].text == "="


def _is_harmless_here(tokens: list[Token], after: int, end: int) -> bool:
    """17 apples to teachers, 110 out-of-town friends: these words begin something else."""
    following = tokens[after + 1] if after + 1 < end else None
    if following and following.text == "-" and following.glued:
        return True
    # 105 points of a game; percentage points need a percentage about them
    if tokens[after].text.lower() == "points":
        clause = tokens[max(0, after - MAX_CLAUSE) : after + MAX_CLAUSE]
        return not any(token.text == "%" or token.text.lower().startswith("percent") for token in clause)
    return tokens[after].text.lower() in ("to", "by") and (following is None or following.kind != "num")


def _comma_doubt(tokens: list[Token], position: int, end: int) -> tuple[str, ...]:
    """5 = 5, 6, 7 is a list; 5 = 5, 2 + 2 = 4 is two equations."""
    token = tokens[position] if position < end else None
    if token is None or token.kind in ("word", "text"):
        return ("less behind it",) if token is not None and token.text.lower() == "less" else ()
    try:
        _tree, after = parse_slice(tokens=tokens, start=position, end=end)
    except UnreadableError:
        return ("a list",)
    return () if after < end and tokens[after].kind == "rel" else ("a list",)
