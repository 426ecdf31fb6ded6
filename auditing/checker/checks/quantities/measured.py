"""Checker: computations with units: "6 ft 2 in = 74 in", "250 ml × 4 = 1 L", "60 mph for 2.5 h is 150 miles".

Both sides are brought to one unit by exact factors. It speaks only where a conversion is part of the claim: what has
the same unit on both sides is arithmetic, and read there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from auditing.checker.checks.quantities.amounts import (
    Amount,
    converts_by_a_number,
    counts_days,
    has_two_sizes,
    in_base_units,
    is_between_systems,
    known,
    one_of,
    read_amount,
    with_primes,
    without_latex,
)
from auditing.checker.checks.quantities.unit_sentences import factors_told, has_own_units, tellers_near
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.enclosure import IncalculableError, Range, as_range
from auditing.checker.mathematics.evaluate import Setting, evaluate
from auditing.checker.mathematics.exactly.rounding import half_unit
from auditing.checker.mathematics.tree import Node, Sym, literals, number_text, walk
from auditing.checker.mathematics.vocabulary import LEFT_DANGER, any_of, words
from auditing.checker.proofs.formulas import formula, literal, packed
from auditing.checker.reading.certainty import about_the_text
from auditing.checker.reading.passages import MAX_PASSAGE, Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt
from hdag.core.text.cues import Cue

NAME = "units"
# between systems factors are rounded: a pound is .45 kg or .4536 kg
_BETWEEN = Fraction(1, 50)
# a whole number of the larger unit that loses more than this share of what was computed is told as a doubt
_WHOLE = Fraction(1, 20)
# the digit first, so that the search runs from digit to digit
_MAY_HOLD = re.compile(r"\d(?<![\d.,]\d)[\d.,]{0,20}(?:\s?(?:\\[,;: ]\s?)?\\[a-z]+\s?\{|\s|\\,)?\s{0,3}[A-Za-z°$¢µ'’′]")
_START = re.compile(r"(?<![\w.,$^*/×÷(-])(?<![-+*/×÷^·(]\s)(?<![-+*/×÷^·(])(?=\$?\s?\d)")
_EQUALS = Cue(r"\s{0,12}(?:=|\b(?:is equal to|equals|is the same as|is|makes|gives|comes to)\b)\s{0,12}(?=\$?\s?\d)")
# "3 hours (180 minutes)", "180 minutes, or 3 hours": another quantity may stand there, so only what holds is said
_BESIDE = Cue(r"\s{0,3}(?:,?\s(?:or|i\.e\.,?|that is,?)\s|,\swhich (?:is|equals)\s|\()\s{0,3}(?=\$?\s?\d)")
_WORD_BEFORE = re.compile(r"([A-Za-z]+|\d)[\s:,]*$")
_GOES_ON = re.compile(
    r"\s{0,12}(?:[-+*/×÷^·−(<>≈%]|=\s*[A-Za-z(\\]|and\s+(?:a\s|\d|half)|(?:per|plus|minus|times|more|less|fewer|or"
    r"|to|each|every|"
    r"apart|ago|older|younger|longer|shorter|taller|away|off|if|when|for|squared|cubed)\b|\d|[A-Za-z°%]*\d)"
)
_MARK = re.compile(r"[′″]")
_OF = re.compile(r"\s+(?:of|on|in|worth)\b")
_MORE = LEFT_DANGER | words("another more less fewer only just and or plus minus ratio only scale x")
# 2 hours = 90 minutes: slips stay within this factor, and a scale may be any
_SLIP = Fraction(200)
# a plan, a price or a rule says what one unit stands for
_SCALE = any_of("scale* map* model* blueprint* drawing* plan represents? stands_for corresponds? exchange* counts_as")
_ROUGH = any_of("about approximate* roughly nearly almost around approx round*")


def check(script: Script) -> Iterator[Placed]:
    """Every link between two sides with units of which one has to be converted."""
    tellers = tellers_near(script)
    is_scaled = has_own_units(script.problem) or any(
        _SCALE.search(passage.text) for passage in script.anywhere_near(_SCALE)
    )
    for passage in script.passages:
        if _MAY_HOLD.search(passage.text):
            text = with_primes(without_latex(passage.text[:MAX_PASSAGE]))
            yield from _in_text(passage, text, script.given, is_scaled=is_scaled)
            yield from _beside(passage, text, script.given)
            yield from factors_told(passage, tellers, is_scaled=is_scaled)
        # "the number of minutes in an hour is 50": no unit behind the number
        elif "number of" in passage.text:
            yield from factors_told(passage, tellers, is_scaled=is_scaled)


def _in_text(passage: Passage, text: str, given: frozenset[Fraction], *, is_scaled: bool) -> Iterator[Placed]:
    behind = 0
    for sign in _EQUALS.finditer(text):
        # the right side first, for it is read once; the left one ends at the sign, and its start is looked for
        right = read_amount(text, sign.end())
        left = _left_of(text, sign.start(), behind) if right is not None and right.is_plain else None
        behind = sign.end()
        if left is None or right is None or not (_is_converted(left, right) or _is_primed(text, left, right)):
            continue
        if is_scaled and left.is_plain and right.is_plain:
            continue
        yield from _judged(passage, text, left, right, given)


def _beside(passage: Passage, text: str, given: frozenset[Fraction]) -> Iterator[Placed]:
    """One quantity in two units, the second in brackets or behind "or"; new, and so likely at most."""
    behind = 0
    for sign in _BESIDE.finditer(text):
        right = read_amount(text, sign.end())
        left = _left_of(text, sign.start(), behind) if right is not None else None
        behind = sign.end()
        if left is None or right is None or not left.is_plain or not _is_converted(left, right):
            continue
        for placed in _judged(passage, text, left, right, given):
            if placed.finding.verdict is Verdict.VERIFIED:
                yield replace(placed, finding=replace(placed.finding, grade=Grade.LIKELY))


def _left_of(text: str, end: int, behind: int) -> Amount | None:
    """The longest side that ends at `end`."""
    for start in _START.finditer(text, max(behind, end - 120), end):
        amount = read_amount(text, start.start())
        if amount is not None and amount.end == end:
            return amount
    return None


def _is_converted(left: Amount, right: Amount) -> bool:
    """Whether something has to be converted: two units of one dimension, or a rate that is carried on."""
    if not right.is_plain or not left.units or not right.units:
        return False
    kinds: dict[str, set[Fraction]] = {}
    for unit in (*left.units, *right.units):
        dimension, factor = known(unit) or ("", Fraction(0))
        kinds.setdefault(dimension, set()).add(factor)
    # 60 miles an hour for 2 hours: the hours cancel
    has_rate = any(
        isinstance(tree, Node) and tree.op == "/" and isinstance(tree.args[1], Sym) for tree in walk(left.tree)
    )
    is_rate = has_rate and len(left.units) > len({known(unit) for unit in left.units})
    if converts_by_a_number(frozenset((*left.units, *right.units)), left.bare):
        return False
    return is_rate or any(len(factors) > 1 for factors in kinds.values())


def _is_primed(text: str, left: Amount, right: Amount) -> bool:
    """5' + 2' = 7': no other check reads the marks of feet."""
    return right.is_plain and not left.is_plain and bool(_MARK.search(text, left.start, right.end))


def _judged(passage: Passage, text: str, left: Amount, right: Amount, given: frozenset[Fraction]) -> Iterator[Placed]:
    units = frozenset((*left.units, *right.units))
    # a decimal that the problem does not give may have been rounded before
    loose = frozenset(number.value for number in literals(left.tree) if number.decimals and number.value not in given)
    sizes = (False, True) if has_two_sizes(units) else (False,)
    answers = {_answer(left, right, loose, units, binary=binary) for binary in sizes}
    if len(answers) != 1 or answers <= {"open", "unread"}:
        return
    holds = answers == {"holds"}
    if not holds and not _is_claimed(passage, text, left, right):
        return
    doubt = "" if holds else _doubt(passage, left, right, units)
    if answers == {"rounded"}:
        doubt = "rounded to a whole unit"
    yield _placed(passage, left, right, loose, holds=holds, doubt=doubt)


def _answer(left: Amount, right: Amount, loose: frozenset[Fraction], units: frozenset[str], *, binary: bool) -> str:
    try:
        a = evaluate(in_base_units(left.tree, binary=binary), Setting(loose=True, rounded=loose))
        b = evaluate(in_base_units(right.tree, binary=binary))
        scaled = [evaluate(in_base_units(side.tree, scaled=True, binary=binary)) for side in (left, right)]
        exact = evaluate(in_base_units(left.tree, binary=binary))
        unit = evaluate(in_base_units(one_of(right.tree), binary=binary))
    except IncalculableError:
        return "unread"
    if not all(isinstance(value, Fraction) and value for value in (b, exact, unit, *scaled)):
        return "unread"
    assert isinstance(b, Fraction)
    assert isinstance(unit, Fraction)
    assert isinstance(exact, Fraction)
    # 5 miles and 2 hours measure different things
    if scaled[0] * b != scaled[1] * exact:  # type: ignore[operator]
        return "unread"
    digit = 2 * half_unit(right.last[0]) * unit
    is_exact = not loose and (exact / digit).denominator == 1
    if exact == b or (abs(exact - b) <= digit / 2 and right.last[0].decimals and not is_exact):
        return "holds"
    x = as_range(a)
    gap = max(x.low - b, b - x.high, Fraction(0))
    # what has no more digits than are written was not rounded: 250 ml × 4 is 1 L
    slack = Fraction(0) if is_exact else digit
    slack = max(slack, _BETWEEN * abs(exact)) if is_between_systems(units) else slack
    if gap > slack:
        return "fails"
    return "rounded" if not loose and right.last[0].decimals == 0 and gap > _WHOLE * abs(exact) else "open"


def _may_be_a_scale(left: Amount, right: Amount) -> bool:
    """1 inch = 20 miles: a map or a model says what one length stands for."""
    is_length = all((known(unit) or ("",))[0] == "length" for unit in (*left.units, *right.units))
    return left.is_plain and right.is_plain and is_length and left.last[0].value == 1


def _is_slip(left: Amount, right: Amount) -> bool:
    """Whether both sides are of one size, as they are where somebody took a wrong factor."""
    a, b = (evaluate(in_base_units(side.tree)) for side in (left, right))
    assert isinstance(a, Fraction)
    assert isinstance(b, Fraction)
    return _SLIP > a / b > 1 / _SLIP


def _is_claimed(passage: Passage, text: str, left: Amount, right: Amount) -> bool:
    """Whether nothing around the two sides makes them a part of something else, or a supposition."""
    word = _WORD_BEFORE.search(text[max(0, left.start - 40) : left.start])
    before = word[1].lower() if word else ""
    if before in _MORE or before.isdigit() or (len(before) == 1 and before not in "ai"):
        return False
    if _GOES_ON.match(text, right.end) or (left.is_plain and _OF.match(text, right.end)):
        return False
    if _ROUGH.search(text[max(0, left.start - 60) : right.end + 30]) or (left.is_plain and not _is_slip(left, right)):
        return False
    chain = Chain([Side(None, left.start, left.end), Side(None, right.start, right.end)], ["="], left.start, right.end)
    return not context_doubt(passage.text, chain, 0)


def _doubt(passage: Passage, left: Amount, right: Amount, units: frozenset[str]) -> str:
    """Why what is claimed and fails is likely false at most."""
    if _MARK.search(with_primes(passage.text[left.start : right.end])):
        return "minutes and seconds may be meant"
    if _may_be_a_scale(left, right):
        return "a scale may be meant"
    if is_between_systems(units):
        return "factors between systems of units are rounded"
    if counts_days(units):
        return "a day or a week may be one of work"
    return about_the_text(passage, left.start, right.end)


def _placed(
    passage: Passage, left: Amount, right: Amount, loose: frozenset[Fraction], *, holds: bool, doubt: str
) -> Placed:
    start, end = left.start, right.end
    text = without_latex(passage.text)
    given, said = (" ".join(text[side.start : side.end].split()) for side in (left, right))
    value = _in_unit_of(left, right)
    sentence = f"{given} is {value}{'' if holds else f', not {said}'}."
    rounded = sorted({literal(number) for number in literals(left.tree) if number.value in loose})
    proof = {"kind": "measures", "left": formula(left.tree), "right": formula(right.tree), "rounded": rounded}
    return place(
        passage=passage,
        start=start,
        end=end,
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        checker=NAME,
        rule="conversion",
        sentence=sentence,
        details={
            "read": passage.text[start:end],
            "left": value,
            "right": said,
            "rule": "conversion",
            "evidence_latex": rf"\text{{{value}}}",
            **({"doubt": doubt} if doubt else {}),
            **packed(proof),
        },
        grade=Grade.LIKELY if doubt else Grade.CERTAIN,
    )


def _in_unit_of(left: Amount, right: Amount) -> str:
    """The left side in the last unit of the right one: 74 in."""
    unit = evaluate(in_base_units(one_of(right.tree)))
    total = evaluate(in_base_units(left.tree))
    assert not isinstance(unit, Range)
    assert not isinstance(total, Range)
    number = total / unit
    written = number_text(number) if number.denominator < 10_000 and "/" not in number_text(number) else ""
    name = right.last[1]
    return f"{written or f'{float(number):.6g}'} {name}" if name else f"${float(number):.2f}"
