"""Clauses of a token list: where one ends, and which line breaks and delimiters stand inside a single relation."""

from __future__ import annotations

from auditing.checker.mathematics.tokens import Token

_BOUNDARY_KINDS = frozenset(("nl", "math", "stop"))
_OPERAND_ENDS = frozenset(("num", "sym", "close", "math"))
_BOUNDARY_SIGNS = frozenset(".;:?")


def is_boundary(token: Token) -> bool:
    """Whether no expression goes on beyond this token."""
    return token.kind in _BOUNDARY_KINDS or (token.kind == "sep" and token.text in _BOUNDARY_SIGNS)


def prepare(tokens: list[Token]) -> list[Token]:
    """Drops alignment marks and the line breaks and delimiters that stand inside one relation."""
    significant: list[Token] = []
    # 1. Inside display mathematics a line break of the source means nothing, and & only aligns.
    math = 0
    for token in tokens:
        if token.kind == "math":
            math = 1 if token.text in "([" or (token.text == "$$" and not math) else 0
        if token.text == "&" or (token.kind == "nl" and math and token.text[0] != "\\"):
            continue
        significant.append(token)
    # 2. "= approximately" is one relation.
    significant = _rough_relations(significant)
    # 3. Drop the breaks and delimiters that a relation spans: "x =\n 5", "\( a \) = \( b \)".
    ahead = _next_significant(significant)
    prepared: list[Token] = []
    for index, token in enumerate(significant):
        if token.kind in ("nl", "math") and _inside_relation(significant, index, ahead[index]):
            # "a &= b \\ -c &= d": goes the first line on, or begins a second equation? Not guessed.
            if _may_begin_a_relation(significant, index, ahead[index]):
                prepared.append(token._replace(kind="other"))
            continue
        prepared.append(token._replace(kind="other") if _ends_no_clause(significant, index) else token)
    return prepared


def _ends_no_clause(tokens: list[Token], index: int) -> bool:
    r"""3:4 is a ratio, 3:15 a time, 1.\overline{7} a number: the mark ends no clause, and cannot be computed with."""
    token = tokens[index]
    if token.kind != "sep":
        return False
    return (token.text == ":" and _between_numbers(tokens, index)) or (
        token.text == "." and _inside_number(tokens, index)
    )


_ROUGHLY = frozenset(("approximately", "about", "roughly", "around", "nearly", "almost"))


def _rough_relations(tokens: list[Token]) -> list[Token]:
    """5/9 = approximately 0.56: the word makes the relation rough."""
    joined: list[Token] = []
    for token in tokens:
        rough = token.kind == "word" and token.text.lower() in _ROUGHLY
        if rough and joined and joined[-1].kind == "rel" and joined[-1].text in ("=", "≈"):
            joined[-1] = joined[-1]._replace(text="≈")
        else:
            joined.append(token)
    return joined


def _next_significant(tokens: list[Token]) -> list[Token | None]:
    """For each token the next one that is neither a line break nor a delimiter."""
    following: list[Token | None] = [None] * len(tokens)
    upcoming: Token | None = None
    for index in range(len(tokens) - 1, -1, -1):
        following[index] = upcoming
        if tokens[index].kind not in ("nl", "math"):
            upcoming = tokens[index]
    return following


def _inside_relation(tokens: list[Token], index: int, after: Token | None) -> bool:
    before = tokens[index - 1] if index else None
    if before and before.kind == "rel":
        return True
    if tokens[index].kind == "math" and _joins_operands(tokens, index):
        return True
    if after is None:
        return False
    if after.kind == "rel":
        return True
    # "a = b \\ + c": a display that is broken before a sign goes on with it
    return tokens[index].kind == "nl" and tokens[index].text[0] == "\\" and after.kind == "op" and after.text in "+-*/"


def _joins_operands(tokens: list[Token], index: int) -> bool:
    r"""5 + \( x \) + 3: the delimiter stands between a sign and its operand."""
    before, after = tokens[index - 1] if index else None, tokens[index + 1] if index + 1 < len(tokens) else None
    if before is None or after is None:
        return False
    if _is_dash_between_relations(tokens, index):
        return False
    if before.kind == "op" and before.text in "+-*/":
        return index > 1 and tokens[index - 2].kind in _OPERAND_ENDS
    closes = after.kind == "op" and after.text in "+-*/" and before.kind in _OPERAND_ENDS and index + 2 < len(tokens)
    return closes and tokens[index + 2].kind in ("num", "math", "open")


def _is_dash_between_relations(tokens: list[Token], index: int) -> bool:
    r"""\(a = b\) - \(c = d\): the dash is a bullet, for a relation stands on either side of it."""
    # lists of equations use dashes as bullets; read as a minus, two true equations would become a false one
    dash = index + 1 if tokens[index + 1].text == "-" else index - 1
    if tokens[dash].text != "-" or not 0 < dash < len(tokens) - 1:
        return False
    if tokens[dash - 1].kind != "math" or tokens[dash + 1].kind != "math":
        return False
    return _has_relation(tokens, dash - 2, -1) and _has_relation(tokens, dash + 2, 1)


def _has_relation(tokens: list[Token], at: int, step: int) -> bool:
    """Whether a relation stands between here and the next delimiter."""
    while 0 <= at < len(tokens) and tokens[at].kind not in ("math", "nl"):
        if tokens[at].kind == "rel":
            return True
        at += step
    return False


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
    r"""1.\overline{7}: the point belongs to a number that is not read."""
    if not 0 < index < len(tokens) - 1:
        return False
    before, after = tokens[index - 1], tokens[index + 1]
    return (
        before.kind == "num"
        and after.kind in ("other", "prefix")
        and before.end == tokens[index].start == after.start - 1
    )


def _between_numbers(tokens: list[Token], index: int) -> bool:
    if not 0 < index < len(tokens) - 1 or tokens[index + 1].start != tokens[index].end:
        return False
    return tokens[index - 1].kind == "num" and tokens[index + 1].kind == "num"
