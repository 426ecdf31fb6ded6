"""Checker: computations whose result is said in words: "210 + 91 is 301", "= 30 * 0.98, which is about 29.4".

The words are read as a sign of equality, and the relation is judged as one that is written with a sign. It has to stand
alone: "the last digit of 7 * 3 is 1" and "half of 7 + 3 is 5" say something else of the same numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from auditing.checker.checks.numbers.arithmetic import check_chain, rounded_values
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.evaluate import Setting
from auditing.checker.mathematics.tree import Node, bare_number
from auditing.checker.reading.certainty import is_below_one
from auditing.checker.reading.passages import Passage, Placed, Script

NAME = "spoken"
_SAID = re.compile(
    r"(?<=[\d)\]}%$])(?P<before>\s?(?:\\[)\]])?)(?P<words>(?:,?\s(?:which\s)?"
    r"(?:is equal to|is (?P<nearly>approximately) equal to|is|equals|makes|gives|yields|comes to|results in)"
    r"(?P<rough>\s(?:about|approximately|roughly|around))?(?:\s(?:just|exactly|simply))?|,\s(?:or|i\.e\.,?))\s)"
    r"(?=\\[(\[]|[-$(\d])"
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
_SENTENCE_ENDS = re.compile(r"[\s\\)$\]]*(?:$|[.;:\n](?!\d)|,\s(?:which|so|and|it|we)\b)")
_OR = re.compile(r",\s(?:or|i\.e\.)", re.IGNORECASE)
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
    if script.problem.is_modular or any(passage.is_modular for passage in script.passages):
        return
    assumed: Setting | None = None
    for passage in script.passages:
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
    signed = Passage(passage.source, passage.start, "".join(characters), passage.step, passage.source_index)
    places = [(match.start("words"), match.end("words")) for match in sayings]
    for chain in signed.page.chains:
        for at in _spoken_links(chain, places):
            if not _is_alone(passage.text, chain, at):
                continue
            left, right = chain.sides[at : at + 2]
            # in "the prime factorization of 12" nothing is taken of a 12
            is_number = left.tree is not None and bare_number(left.tree) is not None
            left = replace(left, doubts=(), label="") if is_number else left
            link = Chain([left, right], chain.relations[at : at + 1], chain.start, chain.end)
            for placed in check_chain(signed, link, assumed, None):
                yield _as_said(placed, passage)


def _spoken_links(chain: Chain, places: list[tuple[int, int]]) -> Iterator[int]:
    """The links of a chain whose sign was a word."""
    for at, (left, right) in enumerate(zip(chain.sides, chain.sides[1:], strict=False)):
        if any(left.end <= end and start <= right.start and start >= left.start for start, end in places):
            yield at


def _is_alone(text: str, chain: Chain, at: int) -> bool:
    """Whether a whole computation is said to be one number, and nothing stands around it that changes either."""
    left, right = chain.sides[at], chain.sides[at + 1]
    if left.tree is None or right.tree is None:
        return False
    head, words = text[max(0, left.start - 60) : left.start], text[left.end : right.start]
    if bare_number(left.tree) is not None:
        return at == 0 and _is_taken_apart(text, head, words, right)
    if bare_number(right.tree) is None or (_OR.search(words) and not _STATED.search(head)):
        return False
    number = _NUMBER.match(text, right.start)
    if number is None or _GOES_ON.match(text, number.end()):
        return False
    # "= 4 * 5, which is 20" speaks of the last side; "the x with f(x) = 1/5 is 9" and "1/5 is 9" of something else
    if not _WHICH.search(words) and (at > 0 or is_below_one(left.tree)):
        return False
    return bool(_OR.search(words) or _ALONE.search(head[-40:]))


def _is_taken_apart(text: str, head: str, words: str, right: Side) -> bool:
    """ "the prime factorization of 12 is 2^2 * 3", "it is 12, which is 3 * 4": the number, then how it is made."""
    is_made = isinstance(right.tree, Node) and right.tree.op in ("*", "^") and _SENTENCE_ENDS.match(text, right.end)
    return bool(is_made and (_FACTORIZATION.search(head) or (_WHICH.search(words) and _STATED.search(head))))


def _as_said(placed: Placed, passage: Passage) -> Placed:
    finding, start = placed.finding, placed.start - passage.start
    rule = "said and computed" if finding.verdict is Verdict.REFUTED else finding.evidence.rule
    read = passage.text[start : placed.end - passage.start][:500]
    evidence = replace(finding.evidence, checker=NAME, rule=rule, read=read)
    return replace(placed, finding=replace(finding, evidence=evidence))
