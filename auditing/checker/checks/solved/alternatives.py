"""Alternatives: equations that stand beside each other, so that the later one need not agree with the earlier.

Items of a list ("1. a - b = 1 and a + b = 75, 2. a - b = 3 and a + b = 25"), cases, a letter that was solved and is set
up again under the next heading, and what a text corrects or takes without its sign. Such equations exclude each other
and are both right. Asked only where a contradiction is about to be told: whether an equation is one of several is hard
to tell, so it is a doubt then.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from auditing.checker.checks.algebra.equations import Equation, EquationSystem, assigned_symbol
from auditing.checker.mathematics.tree import Node, Tree, free_symbols
from auditing.checker.reading.passages import Passage
from hdag.core.values import Source

# nobody looks further back for the list, or the case, that an equation belongs to
LONGEST = 12_000
_MARKER = r"(?:[-*•+–]|\(?\d{1,2}[.):]|\((?:[ivx]{1,4}|[a-h])\)|[ivx]{1,4}\)|[a-h]\))"
# the marker of an item, and what may stand between it and a formula that is the item
_ITEM = re.compile(
    rf"(?:^|\n)[ \t]*(?P<marker>{_MARKER})[ \t]+(?:\*\*)?(?:(?:sub)?case \w{{1,3}}|if|for|when|either|or)?"
    r"[\s:,.*$\\(\[{]*$",
    re.IGNORECASE,
)
_ITEM_LINE = re.compile(rf"[ \t]*{_MARKER}[ \t]")
_TOLD = re.compile(r"\b(?:cases?|either|or|possib\w+|one of|options?|alternativ\w+|each)\b[^\n]*:\W*$", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
# a case begins a line, an item or a heading: "For c = 13", "If n is odd", "### Case 2"; "for all x" begins none
_OPENS = re.compile(
    rf"(?:^|\n|[.!?]\s)[\s*#>]*(?:{_MARKER}[\s*#]+)?(?:(?:sub-?)?(?:cases?|scenarios?|options?|possibilit(?:y|ies)|colou?r|"
    r"condition|(?:sub)?(?:question|problem)|attempt|trial|test(?:ing)?|try(?:ing)?|check(?:ing)?|consider)\b|"
    r"(?:for|if|when|suppose|assum\w+)\b[\s\\($|]{0,6}\S{1,12}\s?(?:[=<>≤≥≠]|\\[lgn]eq?\b)|"
    r"(?:for|if|when|suppose|assum\w+)\b[^.!?\n=]{0,40}\b(?:even|odd|positive|negative|zero|equal)\b|"
    r"(?:similarly|likewise|alternatively|otherwise|now consider|next,? (?:consider|case)|on the other hand)\b)",
    re.IGNORECASE,
)
# a line that is a heading, or the item of a list
_SECTION = re.compile(rf"\n[ \t]*(?:#{{1,6}} |\*\*[^*\n]{{3,80}}\*\*:?[ \t]*(?:\n|$)|{_MARKER}[ \t]+\S)")
# words by which a text leaves what stands before them, or the sign of it
_LEAVES = re.compile(
    r"\babsolute values?\b|\bmagnitudes?\b|\bignor\w+ the (?:negative |minus )?sign\b|"
    r"\bcorrect(?:ed|ing|ion)?,? (?:this|that|the|it|set-?up|interpretation|approach|equation|form|value|relation)\b|"
    r"\boverlook\w*|\bmisinterpret\w*|\bmisread\w*|\bmistake\w*|\badjust\w*|\binstead\b|"
    r"\bre-?(?:check|evaluat|examin|consider|interpret|visit)\w*",
    re.IGNORECASE,
)
# a text may set up what cannot hold, to show that it cannot
_IMPOSSIBLE = re.compile(
    r"\bno (?:real |integer |positive |such |valid )*(?:solutions?|roots?|values?)\b|\bcontradict\w*|\bimpossible\b|"
    r"\bnever\b|\bnot (?:true|possible|valid)\b|\bcannot\b|\binconsistent\b",
    re.IGNORECASE,
)
NEAR = 240
# ax^2 + bx + c, and what follows from it: the letters of the general form, whatever a, b and c are in the problem
_FORM = re.compile(
    r"\ba\s?x\s?\^\s?\{?\d\}?\s?\+\s?b\s?x|-\s?b\s?(?:\\pm|±)|\\frac\{-?\s?[bcd]\}\{a\}|[bcd]\s?/\s?a\b|"
    r"b\s?\^\s?\{?2\}?\s?-\s?4\s?a\s?c"
)
_LETTERS, TWO = frozenset("abcd"), 2


def stand_apart(equation: Equation, contradicted: Sequence[Equation], system: EquationSystem) -> bool:
    """Whether an equation may be one of several that hold each for itself, beside those that it contradicts."""
    if (
        _has_several_values(contradicted)
        or _leaves(equation)
        or _is_listed(equation)
        or _is_of_a_form(equation, contradicted, system.read)
    ):
        return True
    own = [earlier for earlier in contradicted if earlier.passage.source is not Source.PROBLEM]
    return any(_is_beside(equation, earlier, system.read) for earlier in own) or _is_set_up_anew(equation, own, system)


def _is_beside(equation: Equation, earlier: Equation, passages: Sequence[Passage]) -> bool:
    """Another item of its list, or another case."""
    if _are_items(equation, earlier):
        return True
    return bool(_OPENS.search(_between(earlier, equation, passages)))


def _are_items(equation: Equation, earlier: Equation) -> bool:
    """1. 5x - 1 = x + 3, 2. 5x - 1 = -(x + 3): each begins its item, and one side is the same in both.

    "* x^2 = 1152, * x = 32" goes on from item to item.
    """
    if not set(earlier.sides) & set(equation.sides):
        return False
    heads = [line.passage.text[max(0, line.left.start - 60) : line.left.start] for line in (earlier, equation)]
    first, second = map(_ITEM.search, heads)
    if first is None or second is None:
        return False
    return _DIGITS.sub("1", first["marker"]) == _DIGITS.sub("1", second["marker"])


def _has_several_values(contradicted: Sequence[Equation]) -> bool:
    """w = 1; w = e^(2 pi i/3); or h = c; h = -c: what stands before gives one name two values already."""
    return any(
        first.left.tree == second.left.tree and _are_values(first.right.tree, second.right.tree)
        for first, second in itertools.combinations(contradicted[:6], 2)
    )


def _are_values(first: Tree | None, second: Tree | None) -> bool:
    if first is None or second is None or first == second:
        return False
    if not (free_symbols(first) | free_symbols(second)) - {"i", "e", "pi"}:
        return True
    return any(isinstance(a, Node) and a.op == "neg" and a.args[0] == b for a, b in ((first, second), (second, first)))


def _leaves(equation: Equation) -> bool:
    """ "We take the absolute value", "the correct form is": what follows need not agree with what stands before."""
    passage = equation.passage
    # a formula alone belongs to the sentence above it
    before = f"{passage.before}\n{passage.text[: equation.left.start]}"[-NEAR:]
    behind = f"{passage.text[equation.right.end :][:NEAR]}\n{passage.behind}"[:NEAR]
    return bool(_LEAVES.search(before) or _IMPOSSIBLE.search(behind))


def _is_listed(equation: Equation) -> bool:
    """ "This holds if either", "the possible values are": the line above the list of which an equation is an item."""
    passage = equation.passage
    before = f"{passage.before}\n{passage.text[: equation.left.start]}"
    if not _ITEM.search(before[-60:]):
        return False
    lines = [line for line in before.split("\n")[:-1] if line.strip() and not _ITEM_LINE.match(line)]
    return bool(lines) and bool(_TOLD.search(lines[-1]))


def _is_of_a_form(equation: Equation, contradicted: Sequence[Equation], passages: Sequence[Passage]) -> bool:
    """a = 5, b = -6 as the coefficients of ax^3 + bx^2 + cx + d, where the problem calls the roots a and b."""
    names = {assigned_symbol(line.left, line.right) for line in (equation, *contradicted)} & _LETTERS
    problem, *steps = passages
    if len(names) < TWO or _FORM.search(problem.text):
        return False
    is_named = any(re.search(rf"(?<![A-Za-z\\]){name}(?![A-Za-z])", problem.text) for name in names - {"a"})
    return is_named and any(_FORM.search(passage.text) for passage in steps)


def _is_set_up_anew(equation: Equation, own: Sequence[Equation], system: EquationSystem) -> bool:
    """n = 50 under one heading, 96 = 6 + 6 (n - 1) under the next: a letter that was solved is another number."""
    if not own or assigned_symbol(equation.left, equation.right) or any(len(earlier.symbols) > 1 for earlier in own):
        return False
    solved = {assigned_symbol(line.left, line.right) for line in system.equations}
    return equation.symbols <= solved and bool(_SECTION.search(_between(own[-1], equation, system.read)))


def _between(earlier: Equation, equation: Equation, passages: Sequence[Passage]) -> str:
    """The text from the end of an earlier equation to this one."""
    if earlier.passage is equation.passage:
        return equation.passage.text[earlier.right.end : equation.left.start][-LONGEST:]
    ends = (id(earlier.passage), id(equation.passage))
    indexes = [index for index, passage in enumerate(passages) if id(passage) in ends]
    inside = passages[indexes[0] + 1 : indexes[-1]] if indexes else ()
    texts = [earlier.passage.text[earlier.right.end :], *(passage.text for passage in inside)]
    return "\n".join((*texts, equation.passage.text[: equation.left.start]))[-LONGEST:]
