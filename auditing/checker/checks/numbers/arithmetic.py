"""Checker: numeric equalities, inequalities and chains of them.

The only checker whose verified findings may pass a segment (see registry.py). It refutes only where every reading of
the two sides fails and nothing around them gives a reason to doubt that they are claimed.
"""

from __future__ import annotations

import itertools
import re
import string
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.compare import FAILS, HOLDS, Judgement, compare, shown
from auditing.checker.mathematics.enclosure import as_range
from auditing.checker.mathematics.evaluate import Setting
from auditing.checker.mathematics.tree import (
    Node,
    Num,
    Sym,
    Tree,
    bare_number,
    free_symbols,
    latex,
    literals,
    plain,
    repeats,
)
from auditing.checker.proofs.formulas import of_numbers
from auditing.checker.reading.certainty import uncertainty
from auditing.checker.reading.conversions import (
    are_bare,
    hides_a_factor,
    is_no_conversion,
    is_said_in_percent,
    prefixes_may_differ,
)
from auditing.checker.reading.links import Link
from auditing.checker.reading.lost_marks import repair
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.redefinitions import redefined_signs, uses_one_of
from auditing.checker.reading.residues import Residues, read_residues
from auditing.checker.reading.second_readings import second_reading
from auditing.checker.reading.suppressions import (
    ROUGH,
    adds_two_sizes,
    context_doubt,
    counts_unlike_things,
    units_differ,
)
from hdag.core.text.cues import Cue

NAME = "arithmetic"
# false links of one passage that are looked at: with so many it fails whatever the others are
MOST_FALSE = 400
# "Thus 84 = 2^2 * 3 * 5", "We can write 84 = ...": words that join sentences name nothing
_JOINING = re.compile(
    r"(?:(?:so|thus|then|hence|therefore|since|because|as|and|but|now|also|indeed|clearly|here|that|"
    r"we|i|you|can|may|could|note|notice|observe|recall|remember|know|see|have|get|find|obtain|write|rewrite|express|factor|"
    r"factori[sz]e|writing|factoring|let['’]s|let us|also|again|similarly|means|which)[\s,:]*){1,6}",
    re.IGNORECASE,
)

# "epoch 3/10 loss=0.412 acc=0.873": a word that touches its sign and its value is a key, no unit of what stands before
_KEYED = re.compile(r"(?:\s|^)[A-Za-z_][\w.]{0,30}=$")
_KEYS = re.compile(r"(?:^|[\s,;(\[{])[A-Za-z_][\w.]{0,30}=(?=[^\s=])")
_COUNTED = re.compile(r"\d{1,6}/\d{1,6}(?:\s?[A-Za-z%]{1,3})?")
# characters: of a line around a key; of a key with its sign
_LINE, SHORTEST_KEY = 200, 3


def check(script: Script) -> Iterator[Placed]:
    """Every link of every chain whose two sides are numbers."""
    # a decimal that the problem gives is exact, however many digits it has
    exact = frozenset(number for number in script.given if number.denominator > 1)
    assumed = Setting(rounded=script.once(rounded_values), exact=exact)
    residues: Residues | None = None
    redefined = redefined_signs(script)
    if script.problem.is_modular:
        residues = read_residues(script)
    for passage in script.passages:
        # read once, and only when needed: from the first passage that speaks of remainders or bases on
        if residues is None and passage.is_modular:
            residues = read_residues(script)
        false = itertools.count()
        for chain in passage.page.chains:
            if not uses_one_of(redefined, passage.text[chain.start : chain.end]):
                yield from check_chain(passage, chain, assumed, residues, false)


def check_chain(
    passage: Passage, chain: Chain, assumed: Setting, residues: Residues | None, false: Iterator[int]
) -> Iterator[Placed]:
    """Judges neighbouring sides of one chain; with residues or bases about, only what is false in each of them.

    false: numbers the false links of a passage; behind so many that it can only fail nothing more is said of them.
    """
    for index, relation in enumerate(chain.relations):
        left, right = chain.sides[index], chain.sides[index + 1]
        if left.tree is None or right.tree is None or free_symbols(left.tree) or free_symbols(right.tree):
            continue
        judgement = judge(left, right, relation, assumed)
        if judgement.state == HOLDS:
            yield _placed(passage, chain, index, judgement, Verdict.VERIFIED, assumed)
        elif judgement.state == FAILS and next(false) < MOST_FALSE and not _doubt(passage, chain, index, judgement):
            # 17 = 2 is false, and true modulo 5
            if residues is not None and residues.may_hold(judgement, passage.text[left.start : right.end]):
                continue
            # what holds under another reading of the text is not false
            if second_reading(passage=passage, chain=chain, index=index, judgement=judgement, assumed=assumed):
                continue
            yield _placed(passage, chain, index, judgement, Verdict.REFUTED, assumed)


def judge(left: Side, right: Side, relation: str, assumed: Setting) -> Judgement:
    """Compares two sides under every reading; it fails only when all readings fail."""
    assert left.tree is not None
    assert right.tree is not None
    judged = _judged_readings(left, right, relation, assumed)
    first, _, _ = next(judged)
    if first.state != FAILS:
        return first
    return next((judgement for judgement, _, _ in judged if judgement.state != FAILS), first)


def _judged_readings(
    left: Side, right: Side, relation: str, assumed: Setting
) -> Iterator[tuple[Judgement, Tree, Tree]]:
    """Each pair of readings; 1/2x and 2 3/4 have two, and a relation is false only when no pair makes it true."""
    log_open = left.log_open or right.log_open
    for a, b in itertools.product((left.tree, *left.others), (right.tree, *right.others)):
        if a is not None and b is not None:
            yield compare(left=a, right=b, relation=relation, assumed=assumed, log_open=log_open), a, b


def _doubt(passage: Passage, chain: Chain, index: int, judgement: Judgement) -> str:
    """Why a false relation is no accusation: the first reason, or nothing."""
    left, right = chain.sides[index], chain.sides[index + 1]
    assert left.tree is not None
    assert right.tree is not None
    doubts = (*left.doubts, *right.doubts)
    if doubts:
        return doubts[0]
    if _is_a_value_of_a_key(passage.text, left, right):
        return "a value of a key"
    # "12 = 15" computes nothing: most likely a label, a date or a line number that was read as a side
    if are_bare(left.tree, right.tree) and not is_said_in_percent(left.tree, right.tree):
        return "two bare numbers"
    # "Step 3 = 2 + 5", "6 apples = 3 + 4"
    has_units = any(number.unit or number.money for number in literals(right.tree))
    is_labelled = left.label and (has_units or not _JOINING.fullmatch(left.label.strip()))
    if index == 0 and bare_number(left.tree) is not None and (is_labelled or literals(left.tree)[0].unit):
        return "a label, not a quantity"
    if left.tree == Sym("pi") and judgement.right is not None and not 3 <= as_range(judgement.right).low <= 4:
        return "a letter with another meaning"
    if _may_be_converted(left.tree, right.tree, judgement) or hides_a_factor(left.tree, right.tree):
        return "units of different size"
    if isinstance(left.tree, Node) and left.tree.op in "+-" and counts_unlike_things(left.tree, right.tree):
        return "unlike things"
    doubt = context_doubt(passage.text, chain, index)
    return "" if doubt == ROUGH and _is_far_off(judgement) else doubt


def _is_a_value_of_a_key(text: str, left: Side, right: Side) -> bool:
    """Whether the right side is the value of a key in a log, and the left one what stands before this key."""
    before = text[left.start : right.start]
    key = _KEYED.search(before)
    if key is None:
        return False
    line = (
        text[max(0, left.start - _LINE) : left.start].rpartition("\n")[2]
        + text[left.start : right.end + _LINE].partition("\n")[0]
    )
    # "3/10 kg=0.4" has a unit there
    is_named = len(key[0].strip()) > SHORTEST_KEY and _COUNTED.fullmatch(before[: key.start()])
    return bool(is_named) or len(_KEYS.findall(line)) > 1


def _is_far_off(judgement: Judgement) -> bool:
    """(1/4)^4 = 0.00006, or approximately 1 in 16,000: nothing is rounded to a number twice as large."""
    if judgement.left is None or judgement.right is None:
        return False
    x, y = as_range(judgement.left), as_range(judgement.right)
    return x.low > 0 and y.low > 0 and (x.low > 2 * y.high or y.low > 2 * x.high)


def _may_be_converted(left: Tree, right: Tree, judgement: Judgement) -> bool:
    if adds_two_sizes(left) or adds_two_sizes(right) or prefixes_may_differ(left=left, right=right):
        return True
    return units_differ(left, right) and not is_no_conversion(left=left, right=right, judgement=judgement)


def rounded_values(script: Script) -> frozenset[Fraction]:
    """Decimals that the trace itself calls or shows to be rounded."""
    decimals: set[Fraction] = set()
    for passage in script.anywhere_near(_ROUGH_NUMBER):
        for match in _ROUGH_NUMBER.finditer(passage.text):
            decimals.add(Fraction(match[1].replace(",", "")))
    for passage in script.everything:
        for chain in passage.page.chains:
            decimals.update(_rounded_in(chain))
    return frozenset(decimals)


def _rounded_in(chain: Chain) -> Iterator[Fraction]:
    for left, right in itertools.pairwise(chain.sides):
        number = _first_number(right.tree) if right.tree is not None else None
        if number is not None and number.decimals and left.tree is not None and not free_symbols(left.tree):
            is_below = isinstance(right.tree, Node) and right.tree.op == "neg"
            judgement = compare(left=left.tree, right=Node("neg", (number,)) if is_below else number, relation="=")
            # 2/3 ≈ 0.67 stands in the trace itself: from now on 0.67 may mean 2/3 anywhere in it
            if judgement.state != FAILS and judgement.rule != "equal":
                yield number.value


def _first_number(tree: Tree) -> Num | None:
    """The number that a tree is or starts with: 120/7 = 17.14 * 2 rounds 120/7 to 17.14 and goes on."""
    while isinstance(tree, Node) and (tree.op == "neg" or (tree.op in "+-*/" and len(tree.args) == 2)):
        tree = tree.args[0]
    return bare_number(tree)


def _placed(
    passage: Passage, chain: Chain, index: int, judgement: Judgement, verdict: Verdict, assumed: Setting
) -> Placed:
    left, right, relation = chain.sides[index], chain.sides[index + 1], chain.relations[index]
    assert left.tree is not None
    assert right.tree is not None
    trees = (left.tree, right.tree)
    # what holds is told as it was read: 0.1(6) = 1/6 as no product
    if verdict is Verdict.VERIFIED and (left.others or right.others):
        judged = _judged_readings(left, right, relation, assumed)
        trees = next(((a, b) for reading, a, b in judged if reading.state == HOLDS), trees)
    text = f"{plain(trees[0])} {relation} {plain(trees[1])}"
    if verdict is Verdict.VERIFIED:
        sentence = f"{text} holds ({judgement.rule})."
    else:
        sentence = f"{plain(left.tree)} is {shown(judgement.left)}, not {shown(judgement.right)}."
        # 5/0 = 0
        if judgement.left is None:
            sentence = f"{plain(left.tree)} has no value ({judgement.rule}), so it is not {shown(judgement.right)}."
        if relation not in ("=", "≈"):
            sentence = f"{text} is false: {shown(judgement.left)} against {shown(judgement.right)}."
    formulas = latex(trees[0]), latex(trees[1])
    details = {
        "normal_form": text,
        "left": shown(judgement.left),
        "right": shown(judgement.right),
        "relation": relation,
        "tolerance": shown(judgement.tolerance),
        "rule": judgement.rule,
        "evidence_latex": f"{formulas[0]} {_LATEX_RELATION.get(relation, relation)} {formulas[1]}",
        "left_latex": formulas[0],
        "right_latex": formulas[1],
    }
    if verdict is Verdict.VERIFIED and (left.others or right.others):
        left, right = left._replace(tree=trees[0], others=()), right._replace(tree=trees[1], others=())
    details |= of_numbers(left, right, relation, assumed)
    # decimals that repeat carry no proof, and what carries none passes no segment
    grade = Grade.LIKELY if any(map(repeats, (*trees, *left.others, *right.others))) else Grade.CERTAIN
    if verdict is Verdict.REFUTED:
        doubt = uncertainty(passage=passage, chain=chain, index=index, judgement=judgement)
        doubt = doubt or _about_operands(*trees, relation, assumed)
        doubt = doubt or repair(Link(passage, chain, index, judgement, assumed))
        grade = Grade.LIKELY if doubt else grade
        details |= {"doubt": doubt} if doubt else {}
    # the span ends before the unit of the last number: "= 12 apples" is verified up to the 12
    return place(
        passage=passage,
        start=left.start,
        end=left.start + len(passage.text[left.start : right.end].rstrip(_UNIT_LETTERS)),
        verdict=verdict,
        checker=NAME,
        rule=judgement.rule,
        sentence=sentence,
        details=details,
        grade=grade,
    )


def _about_operands(left: Tree, right: Tree, relation: str, assumed: Setting) -> str:
    """1.25 / (1.25 + 2.78) = 0.311: decimals that the problem does not give may have been rounded unseen."""
    # 0.02 is written as it is meant; what was rounded keeps two digits and more
    numbers = [number for number in literals(left) if number.decimals > 0 and not number.money]
    decimals = {number.value for number in numbers if abs(number.value) * 10**number.decimals >= 10}
    unseen = Setting(rounded=assumed.rounded | (decimals - assumed.exact), exact=assumed.exact)
    if not decimals or compare(left=left, right=right, relation=relation, assumed=unseen).state == FAILS:
        return ""
    return "within a rounding of its operands"


_ROUGH_NUMBER = Cue(
    r"(?:≈|\\approx|approximately|about|roughly|around|nearly|almost|approx\.?)[\s$\\(]{0,6}(\d[\d,]{0,20}\.\d{1,20})"
)
_UNIT_LETTERS = string.ascii_letters + " /-"
_LATEX_RELATION = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne", "≈": r"\approx", "≡": r"\equiv"}
