"""Checker: the expression that a problem gives to simplify, expand or factor stays the same until the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditing.checker.checks.algebra.announced import is_a_piece
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.compare import FAILS, HOLDS, compare
from auditing.checker.mathematics.grammar import Reading, UnreadableError, parse_slice
from auditing.checker.mathematics.identity import agree_at_points, is_identity
from auditing.checker.mathematics.latex import closing_brace
from auditing.checker.mathematics.tokens import tokenize
from auditing.checker.mathematics.tree import (
    Node,
    Sym,
    Tree,
    bare_number,
    free_symbols,
    has_two_values,
    latex,
    literals,
    plain,
    walk,
)
from auditing.checker.proofs.formulas import of_identity, of_values
from auditing.checker.reading.passages import Passage, Placed, Script, place
from hdag.core.text.cues import Cue

NAME = "expressions"
MAX_SPAN = 600
_TASK = Cue(r"\b(?:simplify|expand|factor|multiply|combine|distribute|express)\b", re.IGNORECASE)
# beside these words the value need not stay what it is: an equation is solved, a form is asked for
_OTHER_TASK = re.compile(
    r"\b(?:solve|if|when|where|equation|modulo|remainder|complete the square|in the form|rationali[sz]e|integer|"
    r"derivative|in terms of|how many|sum of|value)\b|=",
    re.IGNORECASE,
)
_COMPUTE = re.compile(
    r"(?:(?:evaluate|compute|calculate|simplify|find|determine|what is|find the value of|what is the value of|"
    r"evaluate the expression|compute the value of)\s*(?:the\s+)?(?:following\s*)?(?:expressions?\s*)?[:,.?]?\s*)[.?]?",
    re.IGNORECASE,
)
_ROUNDED = re.compile(r"[.?]\s*(?:Express|Write|Give|Enter) your answer[^.]{0,80}\.?$", re.IGNORECASE)
_SPAN = Cue(
    rf"\\\[(.{{1,{MAX_SPAN}}}?)\\\]|\$\$(.{{1,{MAX_SPAN}}}?)\$\$|\\\((.{{1,{MAX_SPAN}}}?)\\\)"
    rf"|(?<!\$)\$([^$\n]{{1,{MAX_SPAN}}})\$(?!\$)",
    re.DOTALL,
)
_RELATION = re.compile(r"[=<>≈≠≤≥]|\\(?:l|g|n)eq?(?![a-z])|\\approx|\\equiv|\\to\b|\\text|\\ldots|\\dots")
_SAYS_WHOLE = re.compile(
    r"(?:\b(?:simplified|resulting|final|whole|entire|original|given|full|new)\s+)?\bexpression\s+"
    r"(?:now\s+)?(?:is|becomes|simplifies to|reduces to|can be (?:re)?written as|equals|expands to)\s*:?\s*$"
    r"|\b(?:final answer|answer|simplified form|simplified expression|final expression)\s*"
    r"(?:is|:)\s*:?\s*(?:\*\*)?\s*$",
    re.IGNORECASE,
)


# ... and these, unless they speak of a piece of it: "so rewrite the expression: 5x" of 3x + 2x + 4
_SAYS_REWRITTEN = re.compile(
    r"\b(?:(?:re)?writ(?:e|ing)\s(?:the|this)\s(?:whole\s|entire\s|original\s|given\s)?expression(?:\sas)?|"
    r"simplify(?:ing)?\sthe\s(?:whole\s|entire\s|original\s|given\s)?expression,?\s(?:we\s(?:get|have|obtain)|to(?:\sget)?|"
    r"gives|yields))\s?:?\s*$",
    re.IGNORECASE,
)


def check(script: Script) -> Iterator[Placed]:
    """What is boxed, or said to be the expression now, against the expression of the problem."""
    if not _SPAN.search(script.problem.text):
        return
    original = expression_of(script.problem.text)
    # its only formula: what the proof leans on stands in the problem
    formulas = tuple(next(filter(None, match.groups())) for match in _SPAN.finditer(script.problem.text))
    if original is None:
        return
    names = free_symbols(original)
    for passage in script.passages:
        for start, end, text in _claims(passage.text):
            if not names and not passage.text.startswith(r"\boxed", start):
                # on the way to a number, an expression in a step may stand for a part of the whole
                continue
            tree = read_expression(text)
            if tree is not None and free_symbols(tree) == names and _is_closed(tree):
                head = passage.text[max(0, start - 80) : start]
                if _SAYS_REWRITTEN.search(head) and is_a_piece(original, tree):
                    continue
                yield from _judged(passage, (start, end), original, tree, formulas)


def expression_of(problem: str) -> Tree | None:
    """The only formula of a problem that asks for its value, or for the same in another form."""
    return _given(problem) or _computed(problem)


def _given(problem: str) -> Tree | None:
    """The only expression with symbols that the problem shows, when its task keeps its value."""
    bare = _SPAN.sub(" ", problem)
    if not _TASK.search(bare) or _OTHER_TASK.search(bare):
        return None
    formulas = [read_expression(next(filter(None, match.groups()))) for match in _SPAN.finditer(problem)]
    trees = [tree for tree in formulas if tree is not None and free_symbols(tree)]
    # with two formulas in the problem nobody knows which one "the expression" is
    if len(trees) != 1 or len(formulas) != 1 or isinstance(trees[0], Sym) or not _is_closed(trees[0]):
        return None
    return trees[0]


def _computed(problem: str) -> Tree | None:
    """The only formula of a problem that asks for nothing but its value."""
    if not _COMPUTE.fullmatch(_ROUNDED.sub("", _SPAN.sub(" ", problem)).strip()):
        return None
    spans = [next(filter(None, match.groups())) for match in _SPAN.finditer(problem)]
    tree = read_expression(spans[0]) if len(spans) == 1 else None
    if tree is None or free_symbols(tree) or bare_number(tree) is not None:
        return None
    return tree if _is_closed(tree) else None


def _claims(text: str) -> Iterator[tuple[int, int, str]]:
    """Spans that state the whole expression: what is boxed, and displays after "the expression becomes"."""
    at = text.find(r"\boxed{")
    if at >= 0:
        # 6 and 7: the length of "\boxed" and of "\boxed{"
        end = closing_brace(text, at + 6, MAX_SPAN)
        if end > 0:
            yield at, end, text[at + 7 : end - 1]
    for match in _SPAN.finditer(text):
        head = text[max(0, match.start() - 80) : match.start()]
        if _SAYS_WHOLE.search(head) or _SAYS_REWRITTEN.search(head):
            yield match.start(), match.end(), next(filter(None, match.groups()))


def read_expression(text: str) -> Tree | None:
    """A formula without a relation as one tree, or None."""
    if _RELATION.search(text) or not text.strip():
        return None
    # read between delimiters, so that letters are symbols
    tokens = [token for token in tokenize(rf"\({text.strip().rstrip('.,')}\)") if token.kind not in ("math", "nl")]
    reading = Reading(open=set())
    try:
        tree, after = parse_slice(tokens=tokens, start=0, end=len(tokens), reading=reading)
    except UnreadableError:
        return None
    # log (z/25)^3 has two meanings, and nobody can say which one is kept
    return tree if after == len(tokens) and "raised" not in (reading.open or ()) else None


def _is_closed(tree: Tree) -> bool:
    if has_two_values(tree) or any(number.decimals or number.cut or number.unit for number in literals(tree)):
        return False
    return not any(
        (isinstance(subtree, Node) and subtree.op.startswith("dots"))
        or (isinstance(subtree, Sym) and "(" in subtree.name)
        for subtree in walk(tree)
    )


def _judged(
    passage: Passage, span: tuple[int, int], original: Tree, tree: Tree, formulas: tuple[str, ...]
) -> Iterator[Placed]:
    if not free_symbols(original):
        state = compare(left=original, right=tree, relation="=").state
        agrees = {HOLDS: True, FAILS: False}.get(state)
    else:
        agrees = is_identity(left=original, right=tree)
    is_proved = agrees is not None
    if not is_proved:
        # not proved everywhere (roots, angles), but equal wherever both could be computed: nothing to expand
        agrees = agree_at_points(left=original, right=tree) if free_symbols(original) else None
    # i^2 = -1 may make them the same
    if agrees is None or (agrees is False and "i" in free_symbols(original)):
        return
    verb = "the expression of the problem" if free_symbols(original) else "the value of the problem's formula"
    sentence = f"{plain(tree)} is {'' if agrees else 'not '}{verb}, {plain(original)}."
    details = {
        "normal_form": plain(tree),
        "against": plain(original),
        "rule": "the same expression",
        "evidence_latex": latex(tree),
        "against_latex": latex(original),
    }
    if free_symbols(original) and is_proved:
        details |= of_identity(original, tree, is_same=agrees, texts=formulas)
    elif is_proved:
        details |= of_values(original, tree, formulas)
    yield place(
        passage=passage,
        start=span[0],
        end=span[1],
        checker=NAME,
        rule="the same expression",
        verdict=Verdict.VERIFIED if agrees else Verdict.REFUTED,
        sentence=sentence,
        details=details,
        grade=Grade.CERTAIN if is_proved else Grade.LIKELY,
    )
