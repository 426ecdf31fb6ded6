"""Rewritings that words announce: "expand (x + 1)^2 to get x^2 + 2x + 1", and "Combine like terms:" over a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.division import proportional
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.polynomial import Polynomial, difference
from auditing.checker.mathematics.tree import Node, Num, Tree, free_symbols, walk
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.reading.passages import Passage
from hdag.core.text.cues import Cue

# the words that stand for a sign of equality between what is rewritten and what it becomes
_BECOMES = Cue(
    r"(?<=[\w)}\]$])(?:\s?\\[)\]])?(?P<words>,?\s(?:(?:to|which|and)\s)?(?:get|obtain|gives?|yields?|becomes|"
    r"simplifies to|expands to|factors as)(?:\sus)?\s|"
    r",?\s(?:which\s)?(?:is|are)\s(?:also\s)?equivalent to\s|,?\s(?:or,?\s)?equivalently,?\s)(?=\\[(\[]|[-$(\w])"
)
# ... where one of these stands before it: what they do leaves the value as it is
_REWRITES = any_of("expand* simplif* multiply*_out distribut* combin* equivalent_to equivalently")
# ... and none of these, by which it changes or is an equation
_OTHERWISE = any_of("""
    equations? sides? out_of inequalit* solv* substitut* plug* let if when where divid* subtract* add adding square
    squaring derivative* differentiat* integra* modulo mod numerator denominator by
""")
_ENDS = re.compile(r"[\s\\)$\]}]*(?:$|[.;:\n](?!\d)|,?\s(?:so|which|then|and (?:then|so|we))\b)")
_SENTENCE = re.compile(r"[.!?]\s|\n")
HEADING = 160
# terms in which both sides have to agree before one that differs is a slip
SHARED = 3


def announced(passage: Passage) -> Iterator[Chain]:
    """Chains of two sides whose sign is a word."""
    if not _REWRITES.search(passage.text):
        return
    characters, places = list(passage.text), []
    for match in _BECOMES.finditer(passage.text):
        # as long as the words were, so that places in the reading are places in the text
        characters[match.start("words") : match.end("words")] = "=".center(len(match["words"]))
        places.append((match.start("words"), match.end("words")))
    signed = Passage(passage.source, passage.start, "".join(characters), passage.step, passage.source_index)
    for chain in signed.page.chains if places else ():
        if len(chain.sides) != 2 or not _ENDS.match(passage.text, chain.end):
            continue
        is_word = any(chain.sides[0].end <= end and start <= chain.sides[1].start for start, end in places)
        head = _SENTENCE.split(passage.text[max(0, chain.start - HEADING) : chain.start])[-1]
        said = head + passage.text[chain.sides[0].end : chain.sides[1].start]
        if is_word and _REWRITES.search(said) and not _OTHERWISE.search(said):
            yield chain


def is_headed(passage: Passage, chain: Chain, heading: str) -> bool:
    """Whether a line is nothing but a formula below a heading that announces it rewritten: "Combine like terms:"."""
    above = heading.rstrip()
    if passage.text[: chain.start].strip(" \\([$") or not above.endswith(":"):
        return False
    words = _SENTENCE.split(above.rstrip(":"))[-1]
    return bool(_REWRITES.search(words)) and not _OTHERWISE.search(words)


def is_expansion(left: Tree, right: Tree) -> bool:
    """(x^2 + 5x + 6)^2 = x^4 + 10x^3 + 31x^2 + 60x + 36: a product multiplied out, with a slip in one term alone.

    Nobody asks for which x two polynomials are equal that agree in all their terms but one.
    """
    has_products = [_has_product_of_sums(tree) for tree in (left, right)]
    product, sum_of_terms = (_polynomial(tree) for tree in (left, right)) if any(has_products) else (None, None)
    if product is None or sum_of_terms is None:
        return False
    terms = product.keys() | sum_of_terms.keys()
    # 23x^3 - 46x^2 + 69x - 92 = 46(x^3 - 2x^2 + 3x - 4): a number was taken out and is another one
    if proportional(product, sum_of_terms) and len(terms) > SHARED:
        return True
    if has_products != [True, False]:
        return False
    differing = [term for term in terms if product.get(term) != sum_of_terms.get(term)]
    return len(differing) == 1 and len(terms) > SHARED


def _has_product_of_sums(tree: Tree) -> bool:
    """Whether something is multiplied with a sum of terms with symbols, or a sum is raised to a power."""
    products = (part for part in walk(tree) if isinstance(part, Node) and part.op in ("*", "^"))
    return any(
        isinstance(arg, Node) and arg.op in ("+", "-") and free_symbols(arg) for part in products for arg in part.args
    )


def _polynomial(tree: Tree) -> Polynomial | None:
    try:
        return difference(tree, Num(Fraction(0)))
    except IncalculableError:
        return None
