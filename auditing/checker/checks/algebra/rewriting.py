"""Checker: a = b inside a chain of rewritings must hold for every value of its symbols.

The danger is to take an equation for a rewriting: "x^2 = 4" is false for most x and no error. So a difference is an
error only where the text rewrites (by its words, or because a chain goes on) and no equation before ties the symbols.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.checks.algebra.announced import HEADING, REWRITES, announced, is_expansion, is_headed
from auditing.checker.checks.algebra.comparable import is_closed, is_whole, names_of_reduced
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.division import quotient
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.identity import holds_somewhere, is_another_constant, is_identity
from auditing.checker.mathematics.polynomial import Polynomial, difference, folded, names_in
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree, free_symbols, latex, plain, walk
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.formulas import of_identity
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt
from auditing.checker.reading.ties import Tie, Ties
from hdag.core.text.cues import Cue

NAME = "rewriting"
# equations before an announced rewriting in its passage that are asked whether they tie its symbols
MOST_NEAR = 20
NO_IDENTITY, CALLED_SO, EXPANDED = "not an identity", "called an identity", "said to be expanded"
_REWRITE = any_of("expand* simplif* factor* rewrit* combin* distribut* multiply*_out complet*_the_square cancel*")
_DOUBTED = any_of("""
    set setting equat* intersect* solv* solution roots? satisf* if when where since because using substitut* given
    let approximat* derivative differentiat* integra* equations? plug* suppose assum* for at limit
""")
# "let's multiply" lets nothing be, and what "is given by" a formula is what follows
_LETS = re.compile(r"\blet['’]s\s(?=(?:multipl|expand|simplif|comput|calculat))|\bgiven by\b", re.IGNORECASE)
_EQUATION = any_of("equations? sides? inequalit*")
# "Simplify 2x + 4 = 10x": the equation is what is to be simplified, and nothing that it has become
_OBJECT = re.compile(r"\b(?:expand|simplify|factor|rewrite|combine|distribute)(?:\sthe\s\w+)?[\s\\($\[]*$", re.I)
# "the nth term n/2^n = ...", "the original expression becomes: ..."
_CALLED = re.compile(
    r"\b(?:expression|(?:n|k|nth|kth|general|first|last)(?:-th)?[$\s]{1,2}term|fraction|numerator|denominator|polynomial)"
    r"(?:\s(?:becomes|is|simplifies to))?[\s:,$\\(\[]{1,12}$",
    re.IGNORECASE,
)
_IDENTITY = Cue(
    r"\b(?:use|using|uses|apply|applying|recall|by|have|know|from)\s(?:the\s|that\s)?(?:[a-z-]+\s){0,2}identity(?:\sthat)?"
    r"[\s:,$\\(\[]{1,12}$",
    re.IGNORECASE,
)
_EXPANDS = re.compile(r"\bexpand(?:ing)?\s(?:out\s)?(?:the\s(?:expression|product|power)\s)?(?:\\[(\[])?", re.I)
_MARKS = re.compile(r"[\s$\\]|(?:left|right)(?=[()\[\]])")
_CONDITION = any_of("if when for since because where as given with provided holds whenever condition zero matrix mod")
# what would be written by mistake
_WOULD_BE = any_of("would_(?:get|give|be|have) (?:we|you|they|one)['’]d_(?:get|have) forg[eo]t* fallac* careless*")
_IMPOSSIBLE = any_of("never impossible contradict* no_solution*")
_SENTENCE = re.compile(r"[.!?](?:\s|\\\]|\$)|\n\s*\n")


def check(script: Script) -> Iterator[Placed]:
    """Links between two expressions with the same symbols, while no equation ties these symbols."""
    announces = bool(script.near(REWRITES))
    if not (announces or script.has_symbols) or script.problem.is_modular:
        return
    # Sets of symbols that some equation ties: after "x + y = 5" x and y are no longer free, so 2x + y = x + 5 may
    # hold.
    ties = Ties()
    heading = ""
    for passage in (script.problem, *script.passages):
        for chain in announced(passage) if announces and passage is not script.problem else ():
            yield from _check_announced(passage, chain, ties)
        for chain in passage.page.chains:
            for index in range(len(chain.relations)):
                if passage is not script.problem:
                    # judged before the ties of its own chain are added: a chain does not excuse itself
                    yield from _check_link(passage, chain, index, ties, heading)
            for tie in ties_of(chain):
                ties.add(tie)
        heading = passage.text[-HEADING:] if passage is not script.problem else ""


def ties_of(chain: Chain) -> Iterator[Tie]:
    """The links of a chain that are no identities: equations that tie their symbols."""
    for index, relation in enumerate(chain.relations):
        left, right = chain.sides[index].tree, chain.sides[index + 1].tree
        if relation != "=" or left is None or right is None:
            continue
        names = free_symbols(left) | free_symbols(right)
        gap = _gap(left, right) if names else {}
        if gap is None or gap:
            # with log_x 10 or sin x in it, it may be an identity that no polynomial shows
            is_plain = gap is not None and names_in(gap) <= names
            yield Tie(names, gap) if is_plain else Tie(names, None, (left, right))


def _gap(left: Tree, right: Tree) -> Polynomial | None:
    """The polynomial that is zero where both sides are equal."""
    try:
        return difference(left, right)
    except IncalculableError:
        return None


def _check_announced(passage: Passage, chain: Chain, ties: Ties) -> Iterator[Placed]:
    """Expand 2(x + 1) to get 2x + 1: the words claim that both are the same."""
    left, right = chain.sides
    if not _may_be_rewriting(left, right) or context_doubt(passage.text, chain, 0):
        return
    assert left.tree is not None
    assert right.tree is not None
    names = free_symbols(left.tree)
    is_open = "i" in names or _is_excused(left.tree, right.tree, ties)
    if not is_open and is_identity(left=left.tree, right=right.tree) is False and not _is_tied(passage, chain):
        yield _refuted(passage, left, right, NO_IDENTITY)


def _is_tied(passage: Passage, chain: Chain) -> bool:
    """Since x^2 = 5, expanding (x + 1)^2 gives 6 + 2x: an equation of the same passage, before what is announced."""
    ties, (left, right) = Ties(), chain.sides
    for earlier in [earlier for earlier in passage.page.chains if earlier.end <= chain.start][-MOST_NEAR:]:
        for tie in ties_of(earlier):
            ties.add(tie)
    return left.tree is None or right.tree is None or _is_excused(left.tree, right.tree, ties)


def _is_excused(left: Tree, right: Tree, ties: Ties) -> bool:
    """Whether an equation before may make both sides equal; not where no value solves both it and this one."""
    return ties.may_excuse(free_symbols(left), _gap(left, right))


def _check_link(passage: Passage, chain: Chain, index: int, ties: Ties, heading: str) -> Iterator[Placed]:
    left, right = chain.sides[index], chain.sides[index + 1]
    if chain.relations[index] != "=" or not _may_be_rewriting(left, right):
        return
    assert left.tree is not None
    assert right.tree is not None
    same = is_identity(left=left.tree, right=right.tree)
    # x/x = 1 loses the value 0: only what is defined everywhere is called verified
    if same and left.tree != right.tree and is_whole(left.tree) and is_whole(right.tree):
        yield _verified(passage, left, right)
    if same is False and _is_accusable(passage, chain, index, ties, heading):
        is_called = _is_called_identity(passage, chain, left.tree, right.tree)
        is_expanded = _is_said_to_be_expanded(passage, chain, index, heading)
        yield _refuted(passage, left, right, CALLED_SO if is_called else EXPANDED if is_expanded else NO_IDENTITY)


def _is_accusable(passage: Passage, chain: Chain, index: int, ties: Ties, heading: str) -> bool:
    """Whether a difference is an error: the text claims a rewriting, and no equation ties the symbols."""
    left, right = chain.sides[index].tree, chain.sides[index + 1].tree
    assert left is not None
    assert right is not None
    names = free_symbols(left)
    is_called = _is_called_identity(passage, chain, left, right)
    if is_called or _is_said_to_be_expanded(passage, chain, index, heading):
        return not context_doubt(passage.text, chain, index)
    if _is_excused(left, right, ties):
        return False
    is_claimed = _is_factored(left, right, ties)
    is_claimed |= index == 0 and is_headed(passage, chain, heading)
    is_claimed &= not context_doubt(passage.text, chain, index)
    if not is_claimed and not _is_claimed(passage, chain, index):
        return False
    # i may be the imaginary unit, by which i^2 + 1 = 0 holds
    if _is_excused_by_its_kind(left, right) or _IMPOSSIBLE.search(passage.text[chain.end : chain.end + 80]):
        return False
    return "i" not in names or (index > 0 and _differs_with_i(left, right))


def _is_called_identity(passage: Passage, chain: Chain, left: Tree, right: Tree) -> bool:
    """Use the identity a^3 + b^3 + c^3 = ...: it holds for all values, whatever is given of them here.

    One that holds on a condition says so, or is a product with the sum that is zero: a^3 + b^3 + c^3 = 3abc.
    """
    before = passage.text[max(0, chain.start - 80) : chain.start]
    if len(chain.sides) > 2 or not _IDENTITY.search(before):
        return False
    names, gap = free_symbols(left), _gap(left, right)
    around = before + passage.text[chain.end : chain.end + 80]
    if not gap or len(names) < 2 or any(not name.islower() for name in names) or _CONDITION.search(around):
        return False
    total: Polynomial = {((name, 1),): Fraction(1) for name in names}
    # who writes a + b + c does not suppose that it is zero
    parts = (subtree for side in (left, right) for subtree in walk(side))
    return quotient(gap, total) is None or any(_gap(subtree, Num(Fraction(0))) == total for subtree in parts)


def _is_said_to_be_expanded(passage: Passage, chain: Chain, index: int, heading: str) -> bool:
    """Whether the words before a chain expand its first side, a product or a power."""
    first = chain.sides[0]
    if index or not isinstance(first.tree, Node) or first.tree.op not in "*^" or len(chain.sides) > 2:
        return False
    head = heading + passage.text[: chain.start]
    is_bound = _CONDITION.search(passage.text[max(0, chain.start - 80) : chain.start] + passage.text[chain.end :][:80])
    words = [] if is_bound else list(_EXPANDS.finditer(head))[-1:]
    written = _MARKS.sub("", passage.text[first.start : first.end])
    return any(_MARKS.sub("", head[word.end() :]).startswith(written) for word in words)


def _is_excused_by_its_kind(left: Tree, right: Tree) -> bool:
    """Whether sides that differ may be the same in what they are about."""
    names = free_symbols(left)
    # ln|x/2| + C = ln|x| + C, 5(x + C) = 5x + C: the constant of integration takes numbers in
    if "C" in names and all(isinstance(tree, Node) and tree.op in ("+", "-", "*") for tree in (left, right)):
        return is_another_constant(left=left, right=right)
    # cos(90° - A): the symbol counts degrees, too
    if any(isinstance(tree, Node) and tree.op == "deg" for side in (left, right) for tree in walk(side)):
        return True
    # AC^2 beside a product of A and C: a side of a triangle whose letters were read apart
    if any(len(name) > 1 and name.isupper() and set(name) & names for name in names):
        return True
    # sqrt(x^2) = x, as one writes where x is positive: it holds at some points
    has_roots = any(isinstance(tree, Node) and tree.op in ("sqrt", "root", "abs") for tree in walk(left))
    return has_roots and holds_somewhere(left=left, right=right)


def _is_factored(left: Tree, right: Tree, ties: Ties) -> bool:
    """x^3 - 4x^2 - 7x + 6 = (x - 1)(x^2 - 3x - 6), where the left side was set to zero before: it is taken apart."""
    is_product = isinstance(right, Node) and right.op == "*" and all(map(free_symbols, right.args))
    if not is_product or not (isinstance(left, Node) and left.op in ("+", "-")):
        return False
    polynomial = _gap(left, Num(Fraction(0)))
    return polynomial is not None and bool(polynomial) and ties.sets_to_zero(polynomial)


def _differs_with_i(left: Tree, right: Tree) -> bool:
    """Whether two sides differ for a plain symbol i and for the imaginary unit alike."""
    try:
        gap = difference(left, right)
    except IncalculableError:
        return False
    return names_in(gap) <= {"i"} and bool(folded(gap))


def _may_be_rewriting(left: Side, right: Side) -> bool:
    if left.tree is None or right.tree is None or left.doubts or right.doubts or left.others or right.others:
        return False
    names, others = free_symbols(left.tree), free_symbols(right.tree)
    if (
        not others
        # letters that cancel may be lost, all or some of them
        or (others != names and not names_of_reduced(left.tree) <= others < names)
        or isinstance(left.tree, Sym)
        or isinstance(right.tree, Sym)
    ):
        return False
    return all(is_closed(tree) for tree in (left.tree, right.tree)) and not left.log_open and not right.log_open


def _is_claimed(passage: Passage, chain: Chain, index: int) -> bool:
    head = passage.text[max(0, chain.start - 200) : chain.start]
    sentence = _LETS.sub(" ", _SENTENCE.split(head)[-1])
    if context_doubt(passage.text, chain, index) or _WOULD_BE.search(sentence):
        return False
    left, right = chain.sides[index].tree, chain.sides[index + 1].tree
    if left is not None and right is not None and is_expansion(left, right) and not _DOUBTED.search(sentence):
        return True
    if index == 0 and _OBJECT.search(sentence):
        return False
    if _REWRITE.search(sentence) and not _EQUATION.search(sentence):
        return True
    # "simplify the equation by canceling: a = b = c" rewrites one side of it
    doubted = _DOUBTED.search(_EQUATION.sub(" ", sentence) if _REWRITE.search(sentence) else sentence)
    # inside "a = b = c" the second link goes on rewriting; a first link alone may be an equation to solve, but not of
    # what the words before it call an expression
    return not doubted and (index > 0 or bool(_CALLED.search(sentence)))


def _verified(passage: Passage, left: Side, right: Side) -> Placed:
    claim = "are the same for every value of their symbols."
    return _placed(passage, (left, right), Verdict.VERIFIED, "identity", claim)


def _refuted(passage: Passage, left: Side, right: Side, rule: str) -> Placed:
    claim = "are not the same expression: they differ at rational points."
    return _placed(passage, (left, right), Verdict.REFUTED, rule, claim)


def _placed(passage: Passage, sides: tuple[Side, Side], verdict: Verdict, rule: str, claim: str) -> Placed:
    left, right = sides
    assert left.tree is not None
    assert right.tree is not None
    details = {
        "normal_form": f"{plain(left.tree)} = {plain(right.tree)}",
        "rule": rule,
        "evidence_latex": f"{latex(left.tree)} = {latex(right.tree)}",
        **of_identity(left.tree, right.tree, is_same=verdict is Verdict.VERIFIED),
    }
    return place(
        passage=passage,
        start=left.start,
        end=right.end,
        verdict=verdict,
        checker=NAME,
        rule=rule,
        sentence=f"{plain(left.tree)} and {plain(right.tree)} {claim}",
        details=details,
    )
