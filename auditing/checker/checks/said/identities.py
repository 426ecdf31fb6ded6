"""Checker: expressions with symbols that words call the same: "x^2 - 9 factors as (x-3)(x+3)", "3x + 5x is 8x".

The words are read as a sign of equality, as in numbers/spoken.py. "f(x) is 2x" and "the slope is 3x" name a quantity,
and nothing in these words tells them from a rewriting that went wrong: they verify alone. "Can be written as" and "is
the same as" tell of another form of one expression; "factors as" and its like are judged by algebra/rewriting.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditing.checker.checks.said.judging import are_tied, is_open, is_rational, may_be_solved
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Side, read_page
from auditing.checker.mathematics.identity import is_identity
from auditing.checker.mathematics.tree import Node, latex, plain
from auditing.checker.proofs.formulas import of_identity
from auditing.checker.reading.passages import MAX_PASSAGE, Passage, Placed, Script, place
from hdag.core.text.cues import Cue

NAME = "said identities"
_SAID = Cue(
    r"(?:(?<=[\d)\]}$²³])|(?<=[^A-Za-z'’][A-Za-z]))(?:\s?\\[)\]])?(?=,?\s[a-z])(?P<words>(?:,?\s(?:which\s)?(?:further\s|then\s)?(?:factors|factorizes"
    r"|factorises|expands|simplifies|reduces|"
    r"evaluates|works out|multiplies out)\s(?:as|to|into)|,?\s(?:which\s)?(?:is equal to|equals|becomes"
    r"|is equivalent to|is the same as|is just|is|gives|yields)|"
    r",?\s(?:which\s)?can\s(?:also\s)?be\s(?:factored|written|rewritten|expressed|simplified|expanded)\s(?:as|into|to)|"
    r",?\swe\s(?:get|obtain|have))\s)(?=\\[(\[]|[-$(\d]|\\[dt]?frac|[a-z]\b|[a-z]\^|[a-z]\()",
    re.IGNORECASE,
)
# what may stand before an expression that is the whole of what is said to be the other
_ALONE = re.compile(
    r"(?:^|[.,;:!?\n]|\b(?:so|then|that|since|because|thus|hence|therefore|know|have|get|now|note|expression"
    r"|polynomial|"
    r"expand(?:ing)?|simplify(?:ing)?|factor(?:ing)?|rewrit(?:e|ing)|numerator|denominator|where|as)\b)[\s\\($\[{]*$",
    re.IGNORECASE,
)
_SENTENCE_ENDS = re.compile(r"[\s\\)$\]]*(?:$|[.;:\n](?!\d)|,\s(?:which|so|and|it|we|the|this|then|where)\b)")
# a letter alone near the words, on either side of them: without one there are no symbols
_LETTER, NEAR = re.compile(r"(?<![A-Za-z\\'’])[b-zB-HJ-Z](?![A-Za-z'’])"), 40
# words between two writings of one expression, which name no quantity
_TWO_FORMS = re.compile(
    r"\bcan\s(?:also\s)?be\s(?:re)?(?:written|expressed)\sas\b|\bis\sthe\ssame\sas\b", re.IGNORECASE
)
ANOTHER_FORM, NOT_EQUAL = "another form", r"\ne"


def check(script: Script) -> Iterator[Placed]:
    """Every pair of expressions that words set equal and that are."""
    if script.is_modular:
        return
    for passage in script.near(_SAID):
        text = passage.text[:MAX_PASSAGE]
        sayings = [match for match in _SAID.finditer(text) if _has_symbols(text, match)]
        if sayings:
            yield from _in_passage(script, passage, sayings)


def _has_symbols(text: str, words: re.Match[str]) -> bool:
    before, after = text[max(0, words.start() - NEAR) : words.start("words")], text[words.end() : words.end() + NEAR]
    return bool(_LETTER.search(before) and _LETTER.search(after))


def _in_passage(script: Script, passage: Passage, sayings: list[re.Match[str]]) -> Iterator[Placed]:
    characters = list(passage.text)
    for match in sayings:
        # as long as the words were, so that places in the reading are places in the text
        characters[match.start("words") : match.end("words")] = "=".center(len(match["words"]))
    places = [(match.start("words"), match.end("words")) for match in sayings]
    signed = "".join(characters)[:MAX_PASSAGE]
    for chain in read_page(signed, around=[start for start, _ in places]).chains:
        for left, right in zip(chain.sides, chain.sides[1:], strict=False):
            is_said = any(left.end <= end and start <= right.start and start >= left.start for start, end in places)
            if is_said and _is_whole(passage.text, left, right):
                yield from _judged(script, passage, left, right)


def _is_whole(text: str, left: Side, right: Side) -> bool:
    is_alone = _ALONE.search(text[max(0, left.start - 40) : left.start])
    return bool(is_alone and _SENTENCE_ENDS.match(text, right.end)) and not (left.doubts or right.doubts)


def _judged(script: Script, passage: Passage, left: Side, right: Side) -> Iterator[Placed]:
    if left.tree is None or right.tree is None or not isinstance(left.tree, Node) or left.tree == right.tree:
        return
    if not (is_rational(left.tree) and is_rational(right.tree)):
        return
    same = is_identity(left=left.tree, right=right.tree)
    if same or (same is False and _is_another_form(script, passage, left, right)):
        yield _placed(passage, left, right, is_same=bool(same))


def _is_another_form(script: Script, passage: Passage, left: Side, right: Side) -> bool:
    """Whether the words claim that one expression is written in two ways, and nothing leaves it open."""
    assert left.tree is not None
    assert right.tree is not None
    if not _TWO_FORMS.search(passage.text, left.end, right.start) or left.others or right.others:
        return False
    may_hold = may_be_solved(left.tree, right.tree, (left.tree,), is_deed=True)
    may_hold = may_hold or are_tied(script, passage, left.start, left.tree, right.tree)
    return not may_hold and not is_open(script, passage, left.start, right.end)


def _placed(passage: Passage, left: Side, right: Side, *, is_same: bool) -> Placed:
    assert left.tree is not None
    assert right.tree is not None
    text, rule = f"{plain(left.tree)} = {plain(right.tree)}", "identity" if is_same else ANOTHER_FORM
    return place(
        passage=passage,
        start=left.start,
        end=right.end,
        verdict=Verdict.VERIFIED if is_same else Verdict.REFUTED,
        checker=NAME,
        rule=rule,
        sentence=f"{text} {'holds for all values' if is_same else 'is no identity: the sides differ'}.",
        details={
            "normal_form": text,
            "rule": rule,
            "evidence_latex": f"{latex(left.tree)} {'=' if is_same else NOT_EQUAL} {latex(right.tree)}",
            **of_identity(left.tree, right.tree, is_same=is_same),
        },
        grade=Grade.LIKELY if is_same else Grade.CERTAIN,
    )
