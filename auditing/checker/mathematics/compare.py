"""Is a relation between two number expressions true, false, or not decided by what is written?

Three answers, because a checker that accuses must be sure. 2/3 = 0.67 holds (rounded), 2/3 = 0.66 is open (digits cut
off), 2/3 = 0.6 is open as well, 2/3 = 0.7 holds, and 2/3 = 0.5 fails.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from auditing.checker.mathematics.enclosure import IncalculableError, Range, Value, as_range
from auditing.checker.mathematics.evaluate import DEFAULT, Setting, evaluate
from auditing.checker.mathematics.exactly.approximations import is_near
from auditing.checker.mathematics.exactly.rounding import half_unit, written_number
from auditing.checker.mathematics.tree import Num, Sym, Tree, bare_number, literals, operations_in, walk

HOLDS, FAILS, OPEN = "holds", "fails", "open"
# significant digits that a double prints, and decimals from which the last one is more than people compute by hand
DOUBLE_DIGITS, FINE_DECIMALS = 16, 5
TRIGONOMETRY = frozenset(("sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan"))


class Judgement(NamedTuple):
    """What comparison found, with the two values and the tolerance used."""

    state: str
    rule: str
    left: Value | None = None
    right: Value | None = None
    tolerance: Fraction = Fraction(0)


def compare(*, left: Tree, right: Tree, relation: str, assumed: Setting = DEFAULT, log_open: bool = False) -> Judgement:
    """Judges `left relation right`; every way to read logarithms and angles must fail before it fails.

    A number literal stands for every value that rounds or truncates to it at its last written digit.

    >>> from auditing.checker.mathematics.tree import Node
    >>> two, three = Num(Fraction(2)), Num(Fraction(3))
    >>> compare(left=Node("+", (two, three)), right=Num(Fraction(6)), relation="=").state
    'fails'
    """
    failed: list[Judgement] = []
    # "log 8" has three usual bases, "sin 30" two units: the relation fails only when it fails under all of them
    for setting in _settings(left, right, log_open):
        try:
            verdict = _compare_once(left, right, relation, setting, assumed)
        except IncalculableError as reason:
            return _outside_domain(left, right, relation) or Judgement(OPEN, str(reason))
        if verdict.state != FAILS:
            return verdict
        failed.append(verdict)
    # and the reading that comes nearest is the one that is meant: a rounding in it leaves a doubt
    return min(failed, key=_gap) if len(failed) > 1 else failed[0]


def _gap(judgement: Judgement) -> Fraction:
    """How far apart the two sides are."""
    assert judgement.left is not None
    assert judgement.right is not None
    x, y = as_range(judgement.left), as_range(judgement.right)
    return max(x.low - y.high, y.low - x.high)


# reasons of IncalculableError (enclosure.py, operations.py) that mean "no real value", not "too hard to compute"
_UNDEFINED = frozenset(
    (
        "division by zero",
        "an even root of a negative number",
        "the logarithm of a number that is not positive",
    )
)


def _outside_domain(left: Tree, right: Tree, relation: str) -> Judgement | None:
    """5/0 = 0: an expression without a (real) value is no number."""
    number = bare_number(right)
    if number is None or relation != "=":
        return None
    try:
        evaluate(left)
    except IncalculableError as reason:
        return Judgement(FAILS, str(reason), None, number.value) if str(reason) in _UNDEFINED else None
    return None


def _settings(left: Tree, right: Tree, log_open: bool) -> list[Setting]:
    trig = not (TRIGONOMETRY.isdisjoint(operations_in(left)) and TRIGONOMETRY.isdisjoint(operations_in(right)))
    settings = [DEFAULT]
    if log_open:
        settings = [Setting(log_base=10), Setting(log_base=0), Setting(log_base=2)]
    if trig:
        # an argument with pi is in radians for certain
        units = (
            (False,) if any(subtree == Sym("pi") for tree in (left, right) for subtree in walk(tree)) else (False, True)
        )
        settings = [Setting(log_base=subtree.log_base, degrees=flag) for subtree in settings for flag in units]
    return settings


def _compare_once(left: Tree, right: Tree, relation: str, setting: Setting, assumed: Setting) -> Judgement:
    a, b = evaluate(left, setting), evaluate(right, setting)
    if relation in ("=", "≈"):
        # the same setting, but rounded decimals may stand for anything that rounds to them
        loose = Setting(setting.log_base, setting.degrees, True, assumed.rounded, assumed.exact)
        return _equal(left, right, a, b, relation, loose)
    return _ordered(a, b, relation)


def _ordered(a: Value, b: Value, relation: str) -> Judgement:
    x, y = as_range(a), as_range(b)
    if relation == "!=":
        apart = x.high < y.low or y.high < x.low
        same = isinstance(a, Fraction) and a == b
        return Judgement(HOLDS if apart else FAILS if same else OPEN, "not equal", a, b)
    if relation not in ("<", ">", "<=", ">="):
        return Judgement(OPEN, f"no rule for {relation}")
    if relation[0] == ">":
        x, y = y, x
    # With intervals there are three cases: wholly below, wholly above, and overlapping, which decides nothing.
    strict = len(relation) == 1
    if x.high < y.low or (not strict and x.high <= y.low):
        return Judgement(HOLDS, "order", a, b)
    if x.low > y.high or (strict and x.low >= y.high):
        return Judgement(FAILS, "order", a, b)
    return Judgement(OPEN, "too close to call", a, b)


def _equal(left: Tree, right: Tree, a: Value, b: Value, relation: str, loose: Setting) -> Judgement:
    # From strict to lenient, and the first rule that applies names itself in the evidence.
    same = _same_value(left, right, a, b)
    if same:
        return Judgement(HOLDS, same, a, b)
    # "2/3 = 0.67": a bare literal on one side may be the other side rounded
    for literal, value in ((written_number(right), a), (written_number(left), b)):
        if literal is not None:
            close = _rounds_to(literal, value, a, b)
            if close is not None:
                return close if relation == "≈" or not _is_rounded_whole(literal, value) else _left_open(close)
    # "0.33 * 600 = 200": false as written, true for the 1/3 that 0.33 was rounded from
    x, y = _loosened(left, a, loose), _loosened(right, b, loose)
    if _overlap(x, y):
        return Judgement(OPEN, "agrees within the rounding of its numbers", a, b)
    if _percent_open(left, right, x, y):
        return Judgement(OPEN, "equal up to a percent sign", a, b)
    if relation == "≈" and is_near(left, right, a, b):
        return Judgement(OPEN, "roughly equal", a, b)
    return Judgement(FAILS, "unequal", a, b, _tolerance(left, right))


def _loosened(tree: Tree, value: Value, loose: Setting) -> Value:
    """What a side may be once its decimals may be rounded: the same value where it has none."""
    return evaluate(tree, loose) if any(number.decimals for number in literals(tree)) else value


def _is_rounded_whole(literal: Num, value: Value) -> bool:
    """85/12 = 7: people round so, and whoever was off by one writes the same."""
    return literal.decimals == 0 and not literal.percent and isinstance(value, Fraction) and value != literal.value


def _left_open(judgement: Judgement) -> Judgement:
    return judgement._replace(state=OPEN, rule="rounded to a whole number")


def _same_value(left: Tree, right: Tree, a: Value, b: Value) -> str:
    """The rule by which two values are the same number, no rounding allowed; empty when none shows it."""
    if isinstance(a, Fraction) and a == b:
        return "equal"
    if not isinstance(a, Range) or not _overlap(a, b) or bare_number(right) is not None:
        return ""
    if any(number.decimals or number.cut for number in (*literals(left), *literals(right))):
        return ""
    # sqrt(12) = 2 * sqrt(3); sines and logarithms are enclosed less tightly than roots: cos 45° = sqrt(2) / 2
    x, y = as_range(a), as_range(b)
    width = max(x.high - x.low, y.high - y.low)
    if width < Fraction(1, 10**30) and not isinstance(b, Fraction):
        return "equal to thirty digits"
    return "equal to twenty digits" if width < Fraction(1, 10**20) else ""


def _tolerance(left: Tree, right: Tree) -> Fraction:
    number = bare_number(right) or bare_number(left)
    return half_unit(number) if number is not None and number.decimals else Fraction(0)


def _rounds_to(literal: Num, value: Value, a: Value, b: Value) -> Judgement | None:
    """Half a unit of the last digit, or the digits cut off, or an ellipsis after them."""
    half = half_unit(literal)
    x = as_range(value)
    is_near = literal.value - 2 * half <= x.low and x.high <= literal.value + 2 * half
    # "0.005555556...": the last digit before an ellipsis may be rounded as well as cut off
    if literal.cut:
        return Judgement(HOLDS, "the digits before the ellipsis agree", a, b, 2 * half) if is_near else None
    # An irrational value beside a whole number: sqrt(2) = 1 is no rounding. Only an interval too narrow to tell from
    # it counts, such as log_2(8) = 3.
    if literal.decimals == 0 and isinstance(value, Range):
        if value.low <= literal.value <= value.high and value.high - value.low < Fraction(1, 10**20):
            return Judgement(HOLDS, "equal to twenty digits", a, b, value.high - value.low)
        return None  # a root or a logarithm is no whole number
    if _is_double(literal, left_and_right=(a, b), x=x):
        return Judgement(HOLDS, "double precision", a, b, _double_step(a, b))
    # half a unit of the last place on either side, both ends included: 0.125 may be written 0.12 and 0.13
    if x.low >= literal.value - half and x.high <= literal.value + half:
        # 10400 = 1e4: one digit that counts is too few to call it a rounding
        has_one_digit = literal.decimals < 0 and abs(literal.value) < 20 * half
        return Judgement(OPEN if has_one_digit else HOLDS, "rounds to the last written digit", a, b, half)
    if _is_cut_off(literal, x, half):
        return Judgement(OPEN, "digits cut off instead of rounded", a, b, 2 * half)
    # 0.33333334: many digits, the last of them off by one, as single precision and hand calculators print it
    if literal.decimals >= FINE_DECIMALS and is_near:
        return Judgement(OPEN, "right to one unit of the last place", a, b, 2 * half)
    return None


def _is_cut_off(literal: Num, x: Range, half: Fraction) -> bool:
    """0.66 for 2/3 is not right and not worth an accusation."""
    low, high = sorted((literal.value, literal.value + (2 * half if literal.value >= 0 else -2 * half)))
    return low <= x.low and x.high < high and (literal.decimals > 0 or literal.percent or x.low.denominator > 1)


def _is_double(literal: Num, *, left_and_right: tuple[Value, Value], x: Range) -> bool:
    """0.30000000000000004 for 0.1 + 0.2: what a computation in double precision prints."""
    if literal.decimals < DOUBLE_DIGITS - 4 or len(str(abs(literal.value.numerator))) < DOUBLE_DIGITS - 2:
        return False
    step = _double_step(*left_and_right)
    return x.low - step <= literal.value <= x.high + step


def _double_step(a: Value, b: Value) -> Fraction:
    # a double holds 53 bits, and a few operations lose a few of them: 2^-46 of the larger side, or of 1
    return max(abs(as_range(a).high), abs(as_range(b).high), Fraction(1)) / 2**46


def _overlap(a: Value, b: Value) -> bool:
    x, y = as_range(a), as_range(b)
    return x.low <= y.high and y.low <= x.high


def _percent_open(left: Tree, right: Tree, a: Value, b: Value) -> bool:
    """25/100*100 = 25%: a percent sign used as a unit, or left out."""
    if not any(number.percent for tree in (left, right) for number in literals(tree)):
        return _hundredfold(left, right, a, b)
    x, y = as_range(a), as_range(b)
    number = bare_number(right) or bare_number(left)
    # the two sides differ by the factor 100 and by a rounded or cut digit, and by nothing else
    slack = half_unit(number) * (2 if number.decimals > 0 else 1) if number is not None else Fraction(0)
    return any(x.low * f - slack <= y.high and y.low <= x.high * f + slack for f in (100, Fraction(1, 100)))


def _hundredfold(left: Tree, right: Tree, a: Value, b: Value) -> bool:
    """0.25 = 25 written where a percentage is meant, or $0.50 = 50 cents."""
    x, y = as_range(a), as_range(b)
    return (
        bare_number(left) is not None
        and bare_number(right) is not None
        and (x.low * 100 == y.low or y.low * 100 == x.low)
    )


def shown(value: Value | None) -> str:
    """A value for people: exact when short, otherwise six digits."""
    if value is None:
        return ""
    if isinstance(value, Range):
        return _enclosed(value)
    if value.denominator == 1 and len(str(value.numerator)) < 30:
        return str(value.numerator)
    if len(str(value.denominator)) < 7 and len(str(value.numerator)) < 12:
        # a decimal only where it is exact, otherwise the fraction beside it
        decimal = format(float(value), ".10f").rstrip("0").rstrip(".")
        return (
            decimal if Fraction(decimal) == value else f"{value.numerator}/{value.denominator} = {float(value):.6g}..."
        )
    return _digits(value)[1]


def _enclosed(value: Range) -> str:
    if value.low <= 0 <= value.high:
        return "0"
    digits, dotted = _digits(value.low)
    # -cos(pi) is enclosed to thirty digits, and 1 lies between: no dots stand for digits that nobody knows of
    return digits if digits and value.low <= Fraction(digits) <= value.high else dotted


def _digits(value: Fraction) -> tuple[str, str]:
    """Six digits of a number, if a float holds it, and what is shown where more of them follow."""
    try:
        digits = f"{float(value):.6g}"
    except OverflowError:
        return "", "a number too long to show"
    return digits, f"{digits}..."
