"""Checker: computations whose result is said in words: "210 + 91 is 301", "= 30 * 0.98, which is about 29.4".

The words are read as a sign of equality, and the relation is judged as one that is written with a sign. It has to stand
alone: "the last digit of 7 * 3 is 1" and "half of 7 + 3 is 5" say something else of the same numbers.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import replace

from auditing.checker.checks.numbers.arithmetic import check_chain, rounded_values
from auditing.checker.findings import Grade, Verdict, lower_of
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.evaluate import Setting
from auditing.checker.mathematics.tree import Node, Num, bare_number
from auditing.checker.reading.certainty import is_below_one
from auditing.checker.reading.passages import Passage, Placed, Script
from hdag.core.text.cues import Cue

NAME = "spoken"
_SAID = Cue(
    r"(?<=[\d)\]}%$])(?P<before>\s?(?:\\[)\]])?)(?P<words>(?:,?\s(?:which\s)?"
    r"(?:is equal to|is (?P<nearly>approximately) equal to|is|equals|makes|gives|yields|comes to|results in|"
    r"(?:further\s|then\s)?(?:simplifies|reduces|evaluates|works out|comes out|amounts|is reduced) to|"
    r"(?:can be|is)\s(?:broken down|written|expressed|factored|rewritten|decomposed) (?:as|into))"
    r"(?P<rough>\s(?:about|approximately|roughly|around))?(?:\s(?:just|exactly|simply))?|,\s(?:or|i\.e\.,?))\s)"
    r"(?=\\[(\[]|[-$(\d]|\\[dt]?frac)"
)
# what may stand before a computation that is the whole of what is said
_ALONE = re.compile(
    r"(?:^|[.,;:!?\n=≈]|(?<!\d )\band|"  # "the product of 5 and 6 plus 2": this "and" joins two numbers
    r"\b(?:so|then|that|since|because|thus|hence|therefore|know|have|get|now|yes|also|as|where))[\s\\($\[{]*$",
    re.IGNORECASE,
)
# what stands before a computation of which ", or 12" says the value once more
_STATED = re.compile(r"(?:\b(?:is|equals|equal to|get|gives)|[=≈])[\s\\($\[{]*$", re.IGNORECASE)
_FACTORIZATION = re.compile(r"\bprime factori[sz]ation (?:of|for)(?: the number)?[\s\\($]*$", re.IGNORECASE)
_SENTENCE_ENDS = re.compile(r"[\s\\)$\]]*(?:$|[.;:\n](?!\d)|,\s(?:which|so|and|it|we|the|this|then|where)\b)")
_OR = re.compile(r",\s(?:or|i\.e\.)", re.IGNORECASE)
# what is simplified need not become a number alone
_SIMPLIFIED = re.compile(r"\b(?:simplifies|reduces|evaluates|works out|comes out|amounts|reduced) to\b", re.IGNORECASE)
_EQUALS = re.compile(r"\bwhich (?:is equal to|equals)\b", re.IGNORECASE)
_TAKEN_APART = re.compile(r"\b(?:broken down|written|expressed|factored|rewritten|decomposed)\b", re.IGNORECASE)
# what stands between the marks of a formula is the whole of it
_FORMULA_OPENS = re.compile(r"(?<![\d\w)}+*/=-])\s?(?:\$|\\\()\s?$")
_CHOSEN = Cue(r"\b(?:option|choice)(?=[ _]\(?[A-H]\)? is \$?\d)", re.IGNORECASE)
_WHICH = re.compile(r"\bwhich\b", re.IGNORECASE)
_NUMBER = re.compile(r"[\\(\[$\s-]*(?:\\d?frac\{[^{}]*\}\{[^{}]*\}|[\d,]*\.?\d+(?:/\d+)?)")
# what may not follow the number: it would be another number, or a comparison
_GOES_ON = re.compile(
    r"[\s\\)$\]]*(?:(?:more|less|fewer|greater|larger|smaller|higher|lower|longer|shorter|older|younger|times|percent|of|"
    r"or|to|and|plus|minus|mod|modulo|remainder|with|dozen|hundred|thousand|million|billion)\b|%|\^|!|[-+*/×÷]|[A-Za-z]\b)",
    re.IGNORECASE,
)


def check(script: Script) -> Iterator[Placed]:
    """Every computation that "is", "makes" or "gives" a number."""
    # "10 and 5 make 3" is right on a clock.
    if script.is_modular:
        return
    assumed: Setting | None = None
    for passage in script.near(_SAID):
        sayings = list(_SAID.finditer(passage.text))
        if not sayings:
            continue
        if assumed is None:
            exact = frozenset(number for number in script.given if number.denominator > 1)
            assumed = Setting(rounded=rounded_values(script), exact=exact)
        yield from _judged(passage, sayings, assumed)


def _judged(passage: Passage, sayings: list[re.Match[str]], assumed: Setting) -> Iterator[Placed]:
    characters = list(passage.text)
    for match in sayings:
        sign = "≈" if match["rough"] or match["nearly"] else "="
        # As long as the words were, so that places in the reading are places in the text.
        characters[match.start("words") : match.end("words")] = sign.center(len(match["words"]))
    # "Choice A is 300, which is 3 * 10^2" tries nothing of the number
    text = _CHOSEN.sub(lambda word: "number".center(len(word[0])), "".join(characters))
    signed = Passage(passage.source, passage.start, text, passage.step, passage.source_index)
    places = [(match.start("words"), match.end("words")) for match in sayings]
    starts = [start for start, _ in places]
    for chain in signed.page.chains:
        for at in _spoken_links(chain, places, starts):
            if not _is_alone(passage.text, chain, at):
                continue
            left, right = chain.sides[at : at + 2]
            # in "the prime factorization of 12" nothing is taken of a 12
            is_number = left.tree is not None and bare_number(left.tree) is not None
            left = replace(left, doubts=(), label="") if is_number else left
            link = Chain([left, right], chain.relations[at : at + 1], chain.start, chain.end)
            is_measured = _is_measured(passage.text, chain, at)
            for placed in check_chain(signed, link, assumed, None, itertools.count()):
                yield _as_said(placed, passage, is_measured=is_measured)


def _spoken_links(chain: Chain, places: list[tuple[int, int]], starts: list[int]) -> Iterator[int]:
    """The links of a chain whose sign was a word; places in their order, of which a link looks at its own."""
    for at, (left, right) in enumerate(zip(chain.sides, chain.sides[1:], strict=False)):
        own = places[bisect_left(starts, left.start) : bisect_right(starts, right.start)]
        if any(left.end <= end for _, end in own):
            yield at


def _is_alone(text: str, chain: Chain, at: int) -> bool:
    """Whether a whole computation is said to be one number, and nothing stands around it that changes either."""
    left, right = chain.sides[at], chain.sides[at + 1]
    if left.tree is None or right.tree is None:
        return False
    head, words = text[max(0, left.start - 60) : left.start], text[left.end : right.start]
    if bare_number(left.tree) is not None:
        return at == 0 and _is_taken_apart(text, head, words, right)
    if _OR.search(words) and not _STATED.search(head):
        return False
    if not _is_whole_result(text, words, right):
        return False
    # "= 4 * 5, which is 20" speaks of the last side; "the x with f(x) = 1/5 is 9" and "1/5 is 9" of something else
    is_share = is_below_one(left.tree) and not _SIMPLIFIED.search(words)
    if not _WHICH.search(words) and (at > 0 or is_share):
        return False
    is_stated = (_WHICH.search(words) and _STATED.search(head)) or (
        _SIMPLIFIED.search(words) and _FORMULA_OPENS.search(head)
    )
    return bool(_OR.search(words) or is_stated or _ALONE.search(head[-40:]))


def _is_whole_result(text: str, words: str, right: Side) -> bool:
    """A number that nothing goes on behind, or what is simplified to an expression that ends its sentence."""
    assert right.tree is not None
    if bare_number(right.tree) is None:
        is_rewritten = _SIMPLIFIED.search(words) or _EQUALS.search(words)
        return bool(is_rewritten and _SENTENCE_ENDS.match(text, right.end))
    number = _NUMBER.match(text, right.start)
    return number is not None and not _GOES_ON.match(text, number.end())


def _is_measured(text: str, chain: Chain, at: int) -> bool:
    """Whether labelled sets have measured this form of words: a computation that stands alone, and its number."""
    left, right = chain.sides[at], chain.sides[at + 1]
    head, words = text[max(0, left.start - 60) : left.start], text[left.end : right.start]
    if _SIMPLIFIED.search(words) or _TAKEN_APART.search(words):
        return False
    if bare_number_of(left) is not None:
        return True
    return bare_number_of(right) is not None and bool(_OR.search(words) or _ALONE.search(head[-40:]))


def _is_taken_apart(text: str, head: str, words: str, right: Side) -> bool:
    """ "the prime factorization of 12 is 2^2 * 3", "it is 12, which is 3 * 4": the number, then how it is made."""
    is_made = isinstance(right.tree, Node) and right.tree.op in ("*", "^") and _SENTENCE_ENDS.match(text, right.end)
    return bool(
        is_made
        and (
            _TAKEN_APART.search(words) or _FACTORIZATION.search(head) or (_WHICH.search(words) and _STATED.search(head))
        )
    )


def bare_number_of(side: Side) -> Num | None:
    """The number that a side is, if it is one."""
    return bare_number(side.tree) if side.tree is not None else None


def _as_said(placed: Placed, passage: Passage, *, is_measured: bool) -> Placed:
    finding, start = placed.finding, placed.start - passage.start
    rule = finding.evidence.rule
    if finding.verdict is Verdict.REFUTED:
        rule = "said and computed" if is_measured else "said and simplified"
        finding = finding if is_measured else replace(finding, grade=lower_of(grades=(finding.grade, Grade.LIKELY)))
    read = passage.text[start : placed.end - passage.start][:500]
    evidence = replace(finding.evidence, checker=NAME, rule=rule, read=read)
    return replace(placed, finding=replace(finding, evidence=evidence))
