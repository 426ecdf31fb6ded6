"""Checker: a sentence that takes up the expression before it: "we get 20 - 6 + 4. This is equal to 18."

The words are read as a sign of equality behind the formula that the sentence before ends with, also from step to step.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from auditing.checker.checks.algebra.announced import (
    HEADED,
    INTO,
    LAST_FORMULA,
    SIDE,
    STATED,
    TAKEN_UP,
    Reference,
    is_a_piece,
    shares_terms,
    sides_stated,
    stated,
)
from auditing.checker.checks.algebra.rewriting import ties_of
from auditing.checker.checks.numbers.arithmetic import judge
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Chain, Side, read_page
from auditing.checker.mathematics.compare import FAILS, HOLDS, compare, shown
from auditing.checker.mathematics.evaluate import DEFAULT
from auditing.checker.mathematics.identity import is_identity
from auditing.checker.mathematics.tree import Node, Tree, bare_number, free_symbols, latex, literals, plain, walk
from auditing.checker.proofs.formulas import of_identity, of_values
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt
from auditing.checker.reading.ties import Ties
from hdag.core.text.cues import Cue

NAME = "references"
# each form of words has its own rule, for each earns its own grade (alarms.py)
RULES = {
    TAKEN_UP: "taken up",
    HEADED: "below a heading",
    INTO: "one made into another",
    SIDE: "a side multiplied out",
}
_IDENTITY = {True: Verdict.VERIFIED, False: Verdict.REFUTED, None: Verdict.NOT_APPLICABLE}
_STATES = {HOLDS: Verdict.VERIFIED, FAILS: Verdict.REFUTED}
_WAY = r"(?:(?:now|then|can|further|be|just|also|which|in turn)\s+){0,3}"
_PRONOUN = (
    rf"(?:this|that|which)\s+{_WAY}(?:is equal to|equals|is|simplif(?:ies|ied) to|reduce[sd] to|evaluates to|"
    r"comes (?:out )?to|becomes|works out to|can be (?:re)?written as)|"
    r"(?:we|you|one) can (?:now |further |also )?(?:simplify|reduce|rewrite|write) (?:this|that|it) (?:to|as)"
)
_GERUND = (
    r"(?:simplifying|expanding|evaluating|computing|calculating|reducing|multiplying out|combining like terms)"
    r"(?:\s(?:this|that|it|further|out|again|the (?:expression|fraction|sum|product)))?,?\s+"
    r"(?:we (?:get|have|obtain|find)|gives|yields)(?:\sus)?:?"
)
_TAKES_UP = Cue(
    r"(?:^\W{0,4}(?:step \d{1,3}:?\s+)?|(?<=[.:!\n$])\s*)(?:(?:and|so|now|then|right|ok|yes|thus)[,.]?\s+){0,2}"
    rf"(?:{_PRONOUN}|{_GERUND})\s+(?:just\s+|simply\s+)?(?=[\\$(\[\d-])",
    re.IGNORECASE,
)
_FIRST_FORMULA = re.compile(
    r"(?:\$\$?(?P<dollars>[^$\n]{1,400})\$\$?|\\\((?P<round>(?:(?!\\\)|\\\(|\n).){1,400})\\\)|"
    r"\\\[(?P<square>(?:(?!\\\]|\\\[).){1,400})\\\]|(?P<bare>[-\d(][-\d\s.,+*/^()×÷]{0,200}))",
    re.DOTALL,
)
# behind the formula: the sentence ends, or says where the value comes from
_ENDS = re.compile(r"\s*(?:$|[.,;:!\n]|\b(?:and|so|since|because|which|as|instead|or)\b)", re.IGNORECASE)
_RELATION = re.compile(r"[=<>≈≡≤≥≠≅∼~]|\\(?:leq?|geq?|neq?|approx|equiv|sim|to|Rightarrow|implies|text|pmod|quad|,)\b")
NEAREST = 400
_BARE_LINE = re.compile(r"(?P<line>(?:(?![A-Za-z]{3})[^$\\:=<>\n]){3,300})(?=\n|$)")
# letters that stand for no numbers, and signs that have a rule of their own
OTHER_ALGEBRA = Cue(
    r"\b(?:digits?|boolean|logic|truth table|gates?|"
    # a set, and nothing that we set
    r"(?<!\bwe\s)(?<!\bto\s)(?<!\bus\s)sets?(?!\s(?:up|to|equal|the|this|each|it|both|them|our)\b)|vectors?|matri(?:x|ces)|tropical|xor|operation|operator|"
    r"concatenat\w*|noncommutative|quaternions?|clock)\b|\\(?:star|oplus|circ|cup|cap|mathbf|vec)\b",
    re.IGNORECASE,
)
MOST_PIECES = 40


def check(script: Script) -> Iterator[Placed]:
    """Every sentence that begins so, with the formula before it in its own passage or in the one before."""
    if script.is_modular or not any(map(script.near, (_TAKES_UP, *STATED))):
        return
    for before, passage in itertools.pairwise((script.problem, *script.passages)):
        earlier = before.text if before.source is passage.source else ""
        for reference in itertools.chain(
            _references(passage.text, earlier),
            stated(passage.text, earlier, _formula_at),
            sides_stated(passage, before, _formula_at),
        ):
            yield from _judged(script, passage, reference)


def _formula_at(text: str, start: int) -> tuple[str, int, int] | None:
    cited = _FIRST_FORMULA.match(text, start)
    if cited is None or cited["bare"]:
        cited = _BARE_LINE.match(text, start) or cited
    if cited is None or _RELATION.search(_inner(cited)) or not _inner(cited).strip(" .,"):
        return None
    return _inner(cited), cited.start(), cited.end()


def _references(text: str, earlier: str) -> Iterator[Reference]:
    for match in _TAKES_UP.finditer(text):
        head = text[max(0, match.start() - NEAREST) : match.start()]
        # the words stand at the beginning of the passage: they take up the end of the one before
        formula = LAST_FORMULA.search(head if head.strip() else earlier[-NEAREST:])
        cited = _FIRST_FORMULA.match(text, match.end())
        if formula is None or cited is None or not _ENDS.match(text, cited.end()):
            continue
        before, after = _inner(formula), _inner(cited)
        if _RELATION.search(after) or not after.strip(" .,"):
            continue
        yield Reference(before.rsplit("=", 1)[-1], after, cited.start(), cited.end())


def _inner(match: re.Match[str]) -> str:
    return next(text for text in match.groups() if text is not None)


def _judged(script: Script, passage: Passage, reference: Reference) -> Iterator[Placed]:
    if _RELATION.search(reference.before):
        return
    link = _link(reference)
    if link is None:
        return
    left, right = link.sides
    assert left.tree is not None
    assert right.tree is not None
    names = free_symbols(left.tree)
    if names != free_symbols(right.tree) or not (_is_exact(left.tree) and _is_exact(right.tree)):
        return
    if names:
        verdict, value = _IDENTITY[is_identity(left=left.tree, right=right.tree)], "is not the same expression"
    else:
        judgement = judge(left, right, "=", DEFAULT)
        verdict = _STATES.get(judgement.state, Verdict.NOT_APPLICABLE)
        value = f"is {shown(judgement.left)}, not {shown(judgement.right)}"
    # "the area is 12. This is 3 more than ..." says nothing of 12
    is_open = bare_number(left.tree) is None and not _is_suspended(passage, reference)
    if verdict is Verdict.REFUTED and reference.form != TAKEN_UP:
        is_open = is_open and not _says_other(script, passage, reference, (left.tree, right.tree))
    if verdict is Verdict.VERIFIED or (verdict is Verdict.REFUTED and is_open):
        yield _placed(passage, reference, (left.tree, right.tree), verdict, value)


def _says_other(script: Script, passage: Passage, reference: Reference, trees: tuple[Tree, Tree]) -> bool:
    """Whether an announced formula may be another thing than the one before it rewritten: a piece, a value put in."""
    left, right = trees
    texts = (script.problem.text, *(earlier.text for earlier in script.passages))
    if any(OTHER_ALGEBRA.search(text) for text in texts):
        return True
    if not free_symbols(left):
        return reference.form == HEADED and _is_another_number(left, right)
    if not all(map(_is_rational, trees)) or (reference.form == HEADED and is_a_piece(left, right)):
        return True
    return not shares_terms(left, right) if reference.form == SIDE else _is_tied(script, passage, trees)


def _is_tied(script: Script, passage: Passage, trees: tuple[Tree, Tree]) -> bool:
    """Whether an equation ties the symbols, by which both may be equal all the same."""
    ties = Ties()
    for earlier in (script.problem, *script.passages):
        for tie in (tie for chain in earlier.page.chains for tie in ties_of(chain)):
            ties.add(tie)
        if earlier is passage:
            break
    return ties.may_excuse(free_symbols(trees[0]), None)


def _is_rational(tree: Tree) -> bool:
    """Sums, products, quotients and whole powers alone."""
    nodes = [subtree for subtree in walk(tree) if isinstance(subtree, Node)]
    powers = [bare_number(node.args[1]) for node in nodes if node.op == "^"]
    return all(node.op in ("+", "-", "*", "/", "^", "neg") for node in nodes) and None not in powers


def _is_another_number(left: Tree, right: Tree) -> bool:
    """Whether a computation is not made of the numbers of the one before it, or is a piece of it."""
    before, after = ({number.value for number in literals(tree)} for tree in (left, right))
    common = before & after
    if bare_number(right) is not None or len(common) < 2 or 2 * len(common) < len(after):
        return True
    pieces = [subtree for subtree in walk(left) if isinstance(subtree, Node)][:MOST_PIECES]
    return any(compare(left=subtree, right=right, relation="=").state != FAILS for subtree in pieces)


def _link(reference: Reference) -> Chain | None:
    """The two formulas as one equality, where each is read whole and without a doubt."""
    chains = read_page(f"\\({reference.before} = {reference.after}\\)").chains
    if len(chains) != 1 or len(chains[0].sides) != 2:
        return None
    for side, text in zip(chains[0].sides, (reference.before, reference.after), strict=True):
        is_whole = side.end - side.start >= len(text.strip(" .,\n")) - 2
        if side.tree is None or side.doubts or side.others or side.log_open or not is_whole:
            return None
    return chains[0]


def _is_exact(tree: Tree) -> bool:
    """No rounded decimals, units, unknown functions or dots."""
    if any(number.decimals > 1 or number.cut or number.unit or number.percent for number in literals(tree)):
        return False
    if any("(" in name or name in ("e", "d", "i") for name in free_symbols(tree)):
        return False
    return not any(isinstance(subtree, Node) and subtree.op.startswith("dots") for subtree in walk(tree))


def _is_suspended(passage: Passage, reference: Reference) -> bool:
    side = Side(None, reference.start, reference.end)
    return bool(context_doubt(passage.text, Chain([side, side], ["="], reference.start, reference.end), 0))


def _placed(passage: Passage, reference: Reference, trees: tuple[Tree, Tree], verdict: Verdict, value: str) -> Placed:
    left, right = trees
    taken_up = f"{plain(right)} takes up {plain(left)}"
    texts = (reference.before.strip(),)
    proof = of_values(left, right, texts)
    if free_symbols(left):
        proof = of_identity(left, right, is_same=verdict is Verdict.VERIFIED, texts=texts)
    return place(
        passage=passage,
        start=reference.start,
        end=reference.end,
        checker=NAME,
        rule=RULES[reference.form],
        verdict=verdict,
        sentence=f"{taken_up} and is equal to it." if verdict is Verdict.VERIFIED else f"{taken_up}, which {value}.",
        details={
            "normal_form": f"{plain(left)} = {plain(right)}",
            "rule": RULES[reference.form],
            **proof,
            "evidence_latex": f"{latex(left)} = {latex(right)}",
        },
    )
