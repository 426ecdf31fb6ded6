"""Finds the equations and inequalities that stand in prose or LaTeX, as chains of sides.

"So 3 * 4 = 12 apples, and 12 / 2 = 6." holds two chains. A text is cut into clauses, a clause at its relations; the
right side of a relation is the longest expression that starts behind it, the left side the longest that ends before
it. What stands directly around a side may show that it is only a fragment of what was meant ("half of 5 = ..."): these
doubts are kept with the side, and no false relation with a doubt is held against the author.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from auditing.checker.mathematics.clauses import is_boundary, left_doubts, prepare, right_doubts
from auditing.checker.mathematics.cursor import COUNTED_ON
from auditing.checker.mathematics.evaluate import value_of
from auditing.checker.mathematics.grammar import Reading, UnreadableError, parse_slice
from auditing.checker.mathematics.notation.decorations import undecorated
from auditing.checker.mathematics.notation.marks import without_marks
from auditing.checker.mathematics.notation.periods import with_periods
from auditing.checker.mathematics.notation.typesetting import typeset
from auditing.checker.mathematics.tokens import Token, tokenize
from auditing.checker.mathematics.tree import Node, Tree
from auditing.checker.mathematics.vocabulary import STOP_WORDS, WHOLES, may_relate

# tokens that one side may have: keeps reading linear in the text
MAX_RUN = 400
# question of notation -> its other answer
_OTHERS = {
    "tight": Reading(tight=False),
    "wide": Reading(wide=True),
    "mixed": Reading(mixed=False),
    "inverse": Reading(inverse=False),
    "lost": Reading(lost=False),
    "angle": Reading(angle=False),
    "period": Reading(period=True),
    "raised": Reading(raised=True),
}
_END = Token("stop", "", 0, 0)
# kinds of tokens that an expression can start with
_STARTERS = frozenset(("num", "sym", "func", "open", "dollar", "bar", "prefix", "big"))


class Side(NamedTuple):
    """One side of a relation. tree is None when it cannot be read; doubts say why it cannot be leaned on."""

    tree: Tree | None
    start: int
    end: int
    label: str = ""
    doubts: tuple[str, ...] = ()
    others: tuple[Tree, ...] = ()  # the same text under its other readings
    log_open: bool = False


@dataclass(slots=True)
class Chain:
    """side relation side relation ... as written, spans in code points of the text."""

    sides: list[Side]
    relations: list[str]
    start: int = 0
    end: int = 0
    _values: dict[int, Fraction | None] = field(default_factory=dict, repr=False, compare=False)
    _answers: dict[Callable[[Chain], bool], bool] = field(default_factory=dict, repr=False, compare=False)

    def value(self, index: int) -> Fraction | None:
        """The exact value of a side, computed once; None where it has none."""
        tree = self.sides[index].tree
        if index not in self._values:
            self._values[index] = value_of(tree) if tree is not None else None
        return self._values[index]

    def once(self, ask: Callable[[Chain], bool]) -> bool:
        """What a function says of this chain, asked at the first question: several checks ask the same."""
        if ask not in self._answers:
            self._answers[ask] = ask(self)
        return self._answers[ask]


@dataclass(slots=True)
class Page:
    """A text with its tokens and chains."""

    text: str
    tokens: list[Token]
    chains: list[Chain] = field(default_factory=list)


def read_page(text: str, around: Sequence[int] | None = None) -> Page:
    """Tokenizes `text` and finds every chain in it; text without a relation is not tokenized.

    around: places in order, where only the clauses are asked for in which one of them stands.
    """
    if not may_relate(text):
        return Page(text, [])
    # what sets a line off is no part of it
    plain = typeset(undecorated(text))
    tokens = prepare(without_marks(with_periods(tokenize(plain), plain)))
    page = Page(text, tokens)
    start, relations = 0, list[int]()
    # the end of the text ends the last clause
    for position, token in enumerate((*tokens, _END)):
        if token.kind == "rel":
            relations.append(position)
        elif is_boundary(token):
            if relations and (around is None or _holds_one(around, tokens[start : position + 1])):
                page.chains.extend(_clause_chains(tokens, start, position, relations))
            start, relations = position + 1, []
    return page


def _holds_one(places: Sequence[int], clause: Sequence[Token]) -> bool:
    first = bisect_left(places, clause[0].start)
    return first < len(places) and places[first] <= clause[-1].end


def _clause_chains(tokens: list[Token], start: int, end: int, relations: list[int]) -> list[Chain]:
    """The chains of one clause (no sentence boundary inside)."""
    chains: list[Chain] = []
    # "a = b = c" is one chain with three sides. When the right side ends before the next relation ("a = b, so c = d"),
    # the rest of that stretch belongs to the left side of a new chain.
    left = _left_side(tokens, start, relations[0])
    chain = Chain([left], [])
    for order, relation in enumerate(relations):
        stop = relations[order + 1] if order + 1 < len(relations) else end
        last = order + 1 == len(relations)
        right, after = _right_side(tokens, relation + 1, stop, end, last)
        inner = _in_a_bracket(tokens, relation + 1, stop) if right.tree is None and not last else None
        chain.sides.append(right)
        chain.relations.append(tokens[relation].text)
        if last or after < stop or inner is not None:
            chains.append(chain)
            if inner is not None:
                chain = Chain([inner], [])
            elif not last:
                chain = Chain([_left_side(tokens, after, stop)], [])
    for finished in chains:
        finished.start, finished.end = finished.sides[0].start, finished.sides[-1].end
    return chains


def _in_a_bracket(tokens: list[Token], start: int, end: int) -> Side | None:
    """r = outer radius (2.25 in + 0.75 in = 3 in): what begins in a bracket of its own and ends before the sign."""
    opens = max((at for at in range(start, min(end, start + MAX_RUN)) if tokens[at].kind == "open"), default=start)
    return _side_from(tokens, opens + 1, start, end) if tokens[opens].kind == "open" else None


def _left_side(tokens: list[Token], start: int, end: int) -> Side:
    """The longest expression that ends just before token `end`."""
    # The longest reading first: start at every token that can begin an expression, left to right, and take the first
    # whose expression ends exactly at the relation. Six failures are enough to call the side unreadable.
    run = _run_start(tokens, start, end)
    tries = 0
    for position in range(run, end):
        token = tokens[position]
        if token.kind not in _STARTERS and token.text not in ("-", "{"):
            continue
        side = _side_from(tokens, position, start, end)
        if side is not None:
            return side
        tries += 1
        if tries >= 6:
            break
    return Side(
        None,
        tokens[run].start if run < end else tokens[end].start,
        tokens[end].start,
        _words(tokens, run, end),
        ("unread",),
    )


def _side_from(tokens: list[Token], position: int, start: int, end: int) -> Side | None:
    reading = Reading(open=set())
    try:
        tree, after = parse_slice(tokens=tokens, start=position, end=end, reading=reading)
    except UnreadableError:
        return None
    if after != end:
        return None
    alternatives = _other_readings(tokens, position, end, reading, tree)
    doubts = left_doubts(tokens, position, start)
    # "- 5 + 3 = 8" at the start of a line is a bullet, most likely; with the minus it stays as a second reading
    bullet = tokens[position].text == "-" and _is_bullet(tokens, position)
    if bullet and isinstance(tree, Node):
        unsigned = _side_from(tokens, position + 1, start, end)
        if unsigned is not None:
            doubts_left = tuple(doubt for doubt in unsigned.doubts if doubt != "an operator before it")
            return Side(
                unsigned.tree,
                unsigned.start,
                unsigned.end,
                unsigned.label,
                doubts_left,
                (*unsigned.others, tree),
                unsigned.log_open,
            )
    label = _words(tokens, max(start, position - 12), position)
    return Side(
        tree, tokens[position].start, tokens[end - 1].end, label, doubts, alternatives, "log" in (reading.open or ())
    )


def _is_bullet(tokens: list[Token], position: int) -> bool:
    at_line_start = position == 0 or tokens[position - 1].kind == "nl" or tokens[position - 1].text in (":", ".")
    following = tokens[position + 1] if position + 1 < len(tokens) else None
    return at_line_start and following is not None and not following.glued


def _other_readings(tokens: list[Token], start: int, end: int, reading: Reading, first: Tree) -> tuple[Tree, ...]:
    questions = reading.open
    # most sides can be read in one way
    readings = [other for question, other in _OTHERS.items() if question in questions] if questions else []
    trees = []
    for alternative in readings:
        try:
            tree, after = parse_slice(tokens=tokens, start=start, end=end, reading=alternative)
        except UnreadableError:
            continue
        # a/(b*c) is the same in every reading
        if after == end and tree != first:
            trees.append(tree)
    return tuple(trees)


def _run_start(tokens: list[Token], start: int, end: int) -> int:
    """Walks left from `end` over everything that can belong to one expression and its label."""
    # walks left from the relation until a word, a comma or an unmatched bracket shows that the expression cannot reach
    # further
    depth, position = 0, end
    while position > max(start, end - MAX_RUN):
        token = tokens[position - 1]
        if token.kind == "close" or token.text == "}":
            depth += 1
        elif token.kind == "open" or token.text == "{":
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and (token.text == "," or _stops(tokens, position - 1, end)):
            break
        position -= 1
    return position


def _stops(tokens: list[Token], position: int, end: int) -> bool:
    """Whether an expression cannot reach over this word; "24 hours in a day - 9 hours" it can."""
    if tokens[position].kind != "word":
        return False
    lower = [token.text.lower() for token in tokens[position : min(end, position + 3)]]
    # 44 divided by 4 = 11
    if lower[:1] == ["by"] and position and tokens[position - 1].text.lower() in ("divided", "multiplied"):
        return False
    if lower[:2] in (["in", "each"], ["in", "every"]) or (lower[0] in COUNTED_ON and _counts(tokens, position)):
        return False
    counts_in_one = lower[:1] == ["in"] and len(lower) == 3 and lower[1] in ("a", "an", "one", "each")
    return lower[0] in STOP_WORDS and not (counts_in_one and lower[2] in WHOLES)


def _counts(tokens: list[Token], position: int) -> bool:
    """Whether a number with a few words of what is counted stands before a word: 12 hens that."""
    at = position - 1
    while at > max(0, position - 5) and tokens[at].kind == "word":
        at -= 1
    return at >= 0 and tokens[at].kind == "num"


def _words(tokens: list[Token], start: int, end: int) -> str:
    """The words just before token `end`, back to the last sentence mark: a label."""
    parts: list[str] = []
    for position in range(end - 1, start - 1, -1):
        token = tokens[position]
        if is_boundary(token) or token.text == ",":
            break
        parts.append(token.text)
    return " ".join(reversed(parts))


def _right_side(tokens: list[Token], start: int, stop: int, end: int, last: bool) -> tuple[Side, int]:
    """The expression after a relation; index of the first token that it does not take."""
    reading = Reading(open=set())
    try:
        tree, after = parse_slice(tokens=tokens, start=start, end=stop, reading=reading)
    except UnreadableError as reason:
        span_start = tokens[start].start if start < len(tokens) else tokens[-1].end
        last_token = stop if stop < len(tokens) else len(tokens)
        span_end = tokens[last_token - 1].end if last_token > start else span_start
        return Side(None, span_start, span_end, _words(tokens, start, last_token), (str(reason),)), stop
    alternatives = _other_readings(tokens, start, after, reading, tree)
    # a side between two relations ends where the next relation starts: nothing can follow it
    doubts = () if after == stop and not last else right_doubts(tokens, after, stop, end)
    side = Side(
        tree, tokens[start].start, tokens[after - 1].end, "", doubts, alternatives, "log" in (reading.open or ())
    )
    return side, after
