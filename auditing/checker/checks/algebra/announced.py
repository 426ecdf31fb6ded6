"""Rewritings that words announce: "expand (x + 1)^2 to get x^2 + 2x + 1", and "Combine like terms:" over a line.

Those between two formulas that are read apart (`stated`) may speak of a piece of what stands before, and then claim
nothing of the whole: "Combine like terms: 5x" of 3x + 2x + 4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from auditing.checker.mathematics.chains import Chain, read_page
from auditing.checker.mathematics.division import proportional
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.polynomial import Polynomial, difference
from auditing.checker.mathematics.tree import Node, Num, Tree, free_symbols, walk
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.reading.passages import MAX_PASSAGE, Passage
from hdag.core.text.cues import Cue

# the words that stand for a sign of equality between what is rewritten and what it becomes
_BECOMES = Cue(
    r"(?<=[\w)}\]$])(?:\s?\\[)\]])?(?P<words>,?\s(?:(?:to|which|and)\s)?(?:get|obtain|gives?|yields?|becomes|"
    r"simplifies to|expands to|factors (?:as|into)|reduces to)(?:\sus)?\s|"
    r"(?:,\s?\\[)\]])?,?\swe\s(?:get|have|obtain)\s|"
    r"\s(?:can|may)\s(?:also\s|then\s)?be\s(?:factored|factorized|factorised|simplified|expanded)\s(?:as|into|to)\s|"
    r",?\s(?:which\s)?(?:is|are)\s(?:also\s)?equivalent to\s|,?\s(?:or,?\s)?equivalently,?\s)(?=\\[(\[]|[-$(\w])"
)
# ... where one of these stands before it: what they do leaves the value as it is
REWRITES = any_of(
    "expand* simplif* multiply*_out distribut* combin* equivalent_to equivalently factoring factori[sz]ing "
    "factors_as factors_into factored_as factored_into"
)
# ... and none of these, by which it changes or is an equation
_OTHERWISE = any_of("""
    equations? sides? out_of inequalit* solv* substitut* plug* let if when where divid* subtract* add adding square
    squaring derivative* differentiat* integra* modulo mod numerator denominator by
""")
# "expanding A, we get B" says it of A alone where the verb stands before it: "in the expanded form of A, we get B"
_WE_GET = re.compile(r"\bwe\s(?:get|have|obtain)\s$")
_DONE_TO = re.compile(
    r"\b(?:expanding|simplifying|factoring|factori[sz]ing|multiplying\sout|distributing)(?:\s(?:the|this)\s(?:expression|product|"
    r"polynomial|quadratic|cubic|square|binomial|trinomial|fraction|sum|difference\sof\s(?:two\s)?squares))?[\s$\\(\[]*$",
    re.IGNORECASE,
)
_FACTORS, _EXPANDS = re.compile(r"\bfactor", re.IGNORECASE), re.compile(r"\bexpand", re.IGNORECASE)
# of several formulas that are combined, the last is not the one that becomes another
_LISTED = re.compile(r"(?:,|\b(?:and|or|from|to|with))[\s$\\(\[]*$")
_ENDS = re.compile(r"[\s\\)$\]}]*(?:$|[.;:\n](?!\d)|,?\s(?:so|which|then|and (?:then|so|we))\b)")
_SENTENCE = re.compile(r"[.!?]\s|\n")
HEADING = 160
NEAREST = 400
_NUMBERED = r"^\W{0,4}(?:step \d{1,3}[:.)]?\s+)?\W{0,3}(?:(?:so|and|now|then|next|finally)[,.]?\s+){0,2}"
_VERB = (
    r"(?:simplif(?:y|ying)|distribut(?:e|ing)|expand(?:ing)?|multiply(?:ing)? out|collect(?:ing)?(?: the)? like terms|"
    r"combin(?:e|ing)(?: the)? like terms)"
)
_THINGS = r"(?:\s(?:it|this|that|further|again|(?:the|this)\s(?:whole\s|entire\s|resulting\s)?expression))?"
# "Step 6: Distribute and simplify:" over a formula, or before it
_HEADED = Cue(
    rf"{_NUMBERED}{_VERB}{_THINGS}(?:,?\sand\s{_VERB}{_THINGS})?\s?:[\s*]{{0,8}}(?=[\\$(\[\d\w-])", re.IGNORECASE
)
_OF_A_SIDE = Cue(
    rf"(?:{_NUMBERED}|(?<=[.:!\n])\s*){_VERB}\s(?:on\s)?the\s(?P<side>left|right)(?:[- ]hand)?[- ]side"
    r"(?:\sof\s(?:the|this)\sequation)?(?:,?\swe\s(?:get|have|obtain)|\s(?:gives|yields)(?:\sus)?|)\s?:?\s+(?=[\\$(\[])",
    re.IGNORECASE,
)
_INTO = Cue(
    r"\b(?:simplif|rewrit|expand|factor)(?:y|ying|ies|e|es|ing|s)?\s(?:(?:the|this)\s(?:expression|fraction|sum|product)\s)?"
    r"(?:\$(?P<dollars>[^$\n=<>]{3,300})\$|\\\((?P<round>[^$\n=<>]{3,300}?)\\\))\s(?:to|as|into)\s(?=\$|\\\()",
    re.IGNORECASE,
)
# the formula that a text ends with: nothing but marks behind it
LAST_FORMULA = re.compile(
    r"(?:\$\$?(?P<dollars>[^$\n]{3,400})\$\$?|\\\((?P<round>(?:(?!\\\)|\\\(|\n).){3,400})\\\)|"
    r"\\\[(?P<square>(?:(?!\\\]|\\\[).){3,400})\\\])[\s.,:]*$",
    re.DOTALL,
)
# terms in which both sides have to agree before one that differs is a slip
SHARED = 3
_MARKS = re.compile(r"\\\(|\\\[|\$\$?[^$]{1,400}\$\$?")
_NOT = re.compile(r"\b(?:not|never|cannot|don['’]t|can['’]t|avoid|without|to)\s+(?:\w+\s+)?$", re.IGNORECASE)
# what is done to a formula in the next line, or which piece it is
_OPERATES = any_of("""
    derivative* differentiat* integra* antiderivative* limit numerator denominator inside radicand exponent* inverse
    reciprocal multipl* divid* subtract* conjugate second other each both respectively
""")
TAKEN_UP, HEADED, INTO, SIDE = "this is", "a heading", "one into another", "a side of an equation"
# terms of which every sum is tried
MOST_TERMS = 8
_BARE = re.compile(
    r"(?:^|:\s?)\W{0,2}(?:\$\$?|\\\(|\\\[)?(?P<formula>(?:(?![A-Za-z]{3}|\$|\\[()\[\]])[^:=<>\n\\]|"
    r"\\(?:d?frac|sqrt|left|right|cdot|times)(?![A-Za-z])){3,400}?)(?:\$\$?|\\\)|\\\])?[\s.,]*$"
)
# a formula that begins at a place of a text: as it is written, and where it stands
FormulaAt = Callable[[str, int], tuple[str, int, int] | None]


def announced(passage: Passage) -> Iterator[Chain]:
    """Chains of two sides whose sign is a word."""
    if not REWRITES.search(passage.text):
        return
    characters, places = list(passage.text), []
    for match in _BECOMES.finditer(passage.text):
        # as long as the words were, so that places in the reading are places in the text
        characters[match.start("words") : match.end("words")] = "=".center(len(match["words"]))
        places.append((match.start("words"), match.end("words")))
    signed = "".join(characters)[:MAX_PASSAGE] if places else ""
    for chain in read_page(signed, around=[start for start, _ in places]).chains:
        if len(chain.sides) != 2 or not _ENDS.match(passage.text, chain.end):
            continue
        is_word = any(chain.sides[0].end <= end and start <= chain.sides[1].start for start, end in places)
        head = _SENTENCE.split(passage.text[max(0, chain.start - HEADING) : chain.start])[-1]
        between = passage.text[chain.sides[0].end : chain.sides[1].start]
        words = head + between
        if _LISTED.search(head) or (_WE_GET.search(between.rstrip("\\([$ ") + " ") and not _DONE_TO.search(head)):
            continue
        if _is_another_task(words, chain):
            continue
        if is_word and REWRITES.search(words) and not _OTHERWISE.search(words):
            yield chain


def _is_another_task(words: str, chain: Chain) -> bool:
    """Whether a factor may be named instead of taken out, or the first terms of a series are."""
    left, right = chain.sides[0].tree, chain.sides[1].tree
    if left is None or right is None:
        return True
    if _FACTORS.search(words) and not (isinstance(left, Node) and left.op in ("+", "-", "/", "neg")):
        return True
    return bool(_EXPANDS.search(words)) and _is_polynomial(right) and not _is_polynomial(left)


def _is_polynomial(tree: Tree) -> bool:
    """Sums and products of symbols, and whole powers: nothing that has a series without an end."""
    nodes = [subtree for subtree in walk(tree) if isinstance(subtree, Node) and free_symbols(subtree)]
    return all(
        node.op in ("+", "-", "*", "neg")
        or (node.op == "/" and not free_symbols(node.args[1]))
        or (node.op == "^" and isinstance(node.args[1], Num) and node.args[1].value.denominator == 1)
        for node in nodes
    )


def is_headed(passage: Passage, chain: Chain, heading: str) -> bool:
    """Whether a line is nothing but a formula below a heading that announces it rewritten: "Combine like terms:"."""
    above = heading.rstrip()
    if passage.text[: chain.start].strip(" \\([$") or not above.endswith(":"):
        return False
    words = _SENTENCE.split(above.rstrip(":"))[-1]
    return bool(REWRITES.search(words)) and not _OTHERWISE.search(words)


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


@dataclass(frozen=True, slots=True)
class Reference:
    """What a sentence takes up, what it says of it, where that stands in the passage, and in which form of words."""

    before: str
    after: str
    start: int
    end: int
    form: str = TAKEN_UP


# what is said of a formula (stated, sides_stated)
STATED = (_HEADED, _INTO, _OF_A_SIDE)


def stated(text: str, earlier: str, formula_at: FormulaAt) -> Iterator[Reference]:
    """Formulas that a heading or a verb says to be another one, rewritten."""
    match = _HEADED.match(text)
    source = ""
    if match is not None and not _OPERATES.search(_SENTENCE.split(earlier.strip()[-HEADING:])[-1]):
        source = _last_formula(earlier)
    if match is not None and source:
        cited = formula_at(text, match.end())
        if cited is not None and not text[cited[2] :].strip(" .\n"):
            yield Reference(source, cited[0], cited[1], cited[2], HEADED)
    for match in _INTO.finditer(text):
        cited = formula_at(text, match.end())
        if _NOT.search(text, max(0, match.start() - 30), match.start()):
            continue
        if cited is not None and _ENDS.match(text, cited[2]):
            yield Reference(match["dollars"] or match["round"], cited[0], cited[1], cited[2], INTO)


def sides_stated(passage: Passage, earlier: Passage, formula_at: FormulaAt) -> Iterator[Reference]:
    """Expanding the left-hand side, we get: a formula that is the side of the last equation, multiplied out."""
    for match in _OF_A_SIDE.finditer(passage.text):
        own = [chain for chain in passage.page.chains if chain.end <= match.start()]
        chains = own or earlier.page.chains
        cited = formula_at(passage.text, match.end())
        if cited is None or not chains or chains[-1].relations != ["="]:
            continue
        side = chains[-1].sides[0 if match["side"].lower() == "left" else 1]
        line = passage.text if own else earlier.text
        yield Reference(line[side.start : side.end], cited[0], cited[1], cited[2], SIDE)


def _last_formula(text: str) -> str:
    """The last line, where it is nothing but a formula behind its heading; or what stands between the last marks."""
    marked = LAST_FORMULA.search(text[-NEAREST:])
    # "the revenue is 20x and the cost 5x + 100": of two formulas nobody knows which one is simplified, or both
    if len(_MARKS.findall(text)) > 1:
        return ""
    if marked is not None:
        return next(formula for formula in marked.groups() if formula is not None)
    bare = _BARE.search(text.strip().rpartition("\n")[2][-NEAREST:])
    return bare["formula"] if bare is not None else ""


def is_a_piece(whole: Tree, piece: Tree) -> bool:
    """Whether something is a factor, a term, or some terms of an expression, and so says nothing of the whole.

    >>> from auditing.checker.mathematics.tree import Sym
    >>> is_a_piece(Node("+", (Node("+", (Sym("x"), Sym("x"))), Sym("y"))), Node("*", (Num(Fraction(2)), Sym("x"))))
    True
    """
    target = _polynomial(piece)
    inner = (subtree for subtree in walk(whole) if subtree != whole)
    if target is None or any(subtree == piece or _polynomial(subtree) == target for subtree in inner):
        return True
    terms = list(_terms(whole, Fraction(1)))[:MOST_TERMS]
    sums = (chosen for size in range(1, len(terms)) for chosen in combinations(terms, size))
    return any(_added(chosen) == target for chosen in sums)


def shares_terms(left: Tree, right: Tree) -> bool:
    """Whether two polynomials have a term in common: what is multiplied out wrongly is rarely wrong in all of them."""
    both = [_polynomial(tree) for tree in (left, right)]
    return all(both) and any((both[1] or {}).get(monomial) == factor for monomial, factor in (both[0] or {}).items())


def _terms(tree: Tree, sign: Fraction) -> Iterator[tuple[Fraction, Tree]]:
    if isinstance(tree, Node) and tree.op in ("+", "-", "neg"):
        signs = (-sign,) if tree.op == "neg" else (sign, sign if tree.op == "+" else -sign)
        for arg, own in zip(tree.args, signs, strict=False):
            yield from _terms(arg, own)
    else:
        yield sign, tree


def _added(terms: tuple[tuple[Fraction, Tree], ...]) -> Polynomial | None:
    total: Polynomial = {}
    for sign, tree in terms:
        polynomial = _polynomial(tree)
        if polynomial is None:
            return None
        for monomial, factor in polynomial.items():
            total[monomial] = total.get(monomial, Fraction(0)) + sign * factor
    return {monomial: factor for monomial, factor in total.items() if factor}
