"""Facts of whole numbers in words: common multiples, their sums, divisors counted, inverses, primes in factorials."""

from __future__ import annotations

import itertools
import math
import re

from auditing.checker.checks.facts.fact_pieces import CLOSE, OPEN, STOP, WHOLE, Answer
from auditing.checker.checks.facts.plain_forms import PlainForm, plain_form
from auditing.checker.checks.numbers.elementary import divisor_count, is_prime
from auditing.checker.checks.numbers.remarks import read_whole
from auditing.checker.mathematics.evaluate import value_of

# behind a number that is claimed: it is no part of another one
_FREE = r"(?<![\w.,/^*×÷+-])"
# 360, 450 and 540; $3, 4,$ and $5$
_LIST = rf"(?P<items>(?:\\\(|\$)?{WHOLE}(?:(?:\\\)|\$|,){{0,3}}\s(?:and\s)?(?:\\\(|\$)?{WHOLE}){{1,8}})"
_IS = r"(?:\\\)|\$|,){0,2}\s(?:is|equals|=|would be|must be)\s(?:also\s|just\s|simply\s|therefore\s|indeed\s)?"
_COMMON = r"(?P<kind>least|lowest|smallest|greatest|highest|largest)\scommon\s(?P<what>multiple|factor|divisor)"
LARGEST, MOST_DIVIDED, MOST_LISTED = 10**7, 10**6, 5_000
_LEASTS = {
    ("least", "prime"): 2, ("least", "odd prime"): 3, ("greatest", "even prime"): 2, ("least", "composite"): 4,
    ("least", "even prime"): 2, ("least", "two-digit prime"): 11, ("greatest", "two-digit prime"): 97,
    ("greatest", "one-digit prime"): 7, ("greatest", "single-digit prime"): 7, ("least", "positive integer"): 1,
    ("least", "natural"): 1, ("least", "three-digit prime"): 101,
}  # fmt: skip


def _n(name: str, what: str = WHOLE) -> str:
    return rf"{OPEN}(?P<{name}>{what}){CLOSE}"


def whole(text: str) -> int:
    """A whole number as it is written: 1,200."""
    return int(text.replace(",", ""))


def _wholes(text: str) -> list[int]:
    return [whole(digits) for digits in re.findall(WHOLE, text)]


def _is(truth: int, claimed: int) -> Answer:
    return truth == claimed, f"it is {truth}."


def _common(match: re.Match[str]) -> Answer:
    numbers = _wholes(match["items"])
    if not all(0 < number <= LARGEST for number in numbers) or len(numbers) < 2:
        return None
    is_least = match["kind"].lower() in ("least", "lowest", "smallest")
    if is_least is (match["what"].lower() != "multiple"):
        return None
    return _is(math.lcm(*numbers) if is_least else math.gcd(*numbers), whole(match["r"]))


def _is_common(match: re.Match[str]) -> Answer:
    """900 is a common multiple of 360 and 450."""
    numbers, number = _wholes(match["items"]), whole(match["r"])
    if not all(0 < value <= LARGEST for value in (*numbers, number)):
        return None
    truth = math.lcm(*numbers)
    if match["least"]:
        return (number == truth) is (match["no"] is None), f"the least common multiple is {truth}."
    return (number % truth == 0) is (match["no"] is None), f"their common multiples are those of {truth}."


def _sum_of_multiples(match: re.Match[str]) -> Answer:
    step, low, high = (whole(match[name]) for name in ("k", "low", "high"))
    if not step or high < low:
        return None
    first, last = -(-low // step), high // step
    total = step * (first + last) * (last - first + 1) // 2
    # "between" counts the ends or leaves them out
    open_total = total - sum(bound for bound in (low, high) if bound % step == 0)
    return whole(match["r"]) in (total, open_total), f"it is {total}."


def _divisors(match: re.Match[str]) -> Answer:
    numbers = [whole(match[name]) for name in ("a", "b") if match.groupdict().get(name)]
    number = math.gcd(*numbers)
    if not 0 < number < MOST_DIVIDED:
        return None
    # negative ones may be counted as well
    truth = divisor_count(number)
    tree = read_whole(match["r"])
    claimed = value_of(tree) if tree is not None else None
    return None if claimed is None else (claimed in (truth, 2 * truth), f"there are {truth}.")


def _inverse(match: re.Match[str]) -> Answer:
    number, modulus, claimed = (whole(match[name]) for name in ("a", "m", "r"))
    if modulus < 2 or math.gcd(number, modulus) > 1:
        return None
    truth = pow(number, -1, modulus)
    return claimed % modulus == truth, f"it is {truth}."


def _in_factorial(match: re.Match[str]) -> Answer:
    number, prime = whole(match["n"]), int(match["p"] or match["q"] or 5)
    if not is_prime(prime) or number > LARGEST:
        return None
    powers = itertools.takewhile(lambda power: power <= number, (prime**k for k in itertools.count(1)))
    truth = sum(number // power for power in powers)
    is_right = whole(match["k"]) == truth
    # "at least 3 factors of 5" and "how many" claim another number
    return is_right, f"{number}! has {truth}."


def _superlative(match: re.Match[str]) -> Answer:
    end = "greatest" if match["end"].lower() in ("greatest", "largest", "highest", "biggest") else "least"
    truth = _LEASTS.get((end, " ".join(match["kind"].lower().split())))
    return None if truth is None else _is(truth, whole(match["r"]))


def _signed_divisors(match: re.Match[str]) -> Answer:
    r"""The negative factors of 12 are -1, ..., -12; the divisors of 4 are \pm 1, \pm 2, \pm 4."""
    number, members = whole(match["n"]), [int(digits) for digits in re.findall(r"\d+", match["items"])]
    if not 0 < number <= MOST_LISTED:
        return None
    truth = [divisor for divisor in range(1, number + 1) if number % divisor == 0]
    stranger = next((member for member in members if number % member), None) if all(members) else 0
    missing = next((divisor for divisor in truth if divisor not in members), None)
    if stranger is None and missing is None:
        return True, "listed rightly."
    return False, f"{stranger} is none." if stranger is not None else f"{missing} is missing."


def _shared(match: re.Match[str]) -> Answer:
    """The factors that are common to both 120 and 40 are ..."""
    numbers, members = [whole(match[name]) for name in ("a", "b")], _wholes(match["items"])
    divisor = math.gcd(*numbers)
    if not 0 < divisor <= MOST_LISTED:
        return None
    truth = [d for d in range(1, divisor + 1) if divisor % d == 0]
    return sorted(set(members)) == truth, f"they are {', '.join(map(str, truth[:40]))}."


def _quotient(match: re.Match[str]) -> Answer:
    number, divisor, remainder = (whole(match[name]) for name in ("a", "b", "r"))
    if not divisor:
        return None
    holds = number % divisor == remainder and (match["q"] is None or number // divisor == whole(match["q"]))
    return holds, f"{number} divided by {divisor} is {number // divisor} with the remainder {number % divisor}."


def _congruent(match: re.Match[str]) -> Answer:
    number, residue, modulus = (whole(match[name]) for name in ("a", "r", "m"))
    if modulus < 2:
        return None
    return ((number - residue) % modulus == 0) is (match["no"] is None), f"{number} leaves {number % modulus}."


def _units_digit(match: re.Match[str]) -> Answer:
    digit = 1
    for base, exponent in re.findall(r"(\d{1,9})(?:\^\{?(\d{1,6})\}?)?", match["product"]):
        digit = digit * pow(int(base), int(exponent or 1), 10) % 10
    return _is(digit, int(match["r"]))


def _in_lowest_terms(match: re.Match[str]) -> Answer:
    above, below = (whole(digits) for digits in re.findall(WHOLE, match["fraction"]))
    divisor = math.gcd(above, below)
    return (divisor == 1) is (match["no"] is None), f"both are divisible by {divisor}."


_PRODUCT = r"(?P<product>\d{1,9}\^\{?\d{1,6}\}?(?:\s?(?:\\times|\\cdot|×|\*|·)\s?\d{1,9}(?:\^\{?\d{1,6}\}?)?){1,8})"
_DIVIDED = rf"{_n('a')}\s?(?:÷|/|\\div|divided by|by)\s?{_n('b')}"
WHOLES: tuple[PlainForm, ...] = (
    plain_form(
        "a common multiple",
        " common ",
        rf"\b{_COMMON}(?:\s\(\w+\))?\sfor\s{_LIST}{_IS}{_n('r')}{STOP}",
        _common,
    ),
    plain_form(
        "a common multiple",
        "common multiple",
        rf"{_FREE}{_n('r')}(?:\s[a-z]{{2,9}})?\sis\s(?P<no>not\s)?(?:simply\s|just\s|also\s|indeed\s)?(?:the|a)\s"
        r"(?P<least>(?:least|lowest|smallest)\s)?common multiple(?:\s\(LCM\))?\sof\s"
        rf"(?:the\s[a-z'’ ]{{3,40}}\s\()?{_LIST}{STOP}",
        _is_common,
    ),
    plain_form(
        "a sum of multiples",
        "multiples of",
        rf"\bsum of (?:all )?(?:of )?(?:the )?multiples of {_n('k')} (?:between|from) {_n('low')} (?:and|to)"
        rf" {_n('high')}"
        rf"(?:,? inclusive,?)? (?:is|equals|=) (?:\*\*)?{_n('r')}{STOP}",
        _sum_of_multiples,
    ),
    plain_form(
        "a count of divisors",
        "factors|divisors",
        rf"\b(?:there are|we have) (?P<r>\d{{1,4}}) (?:positive )?(?:integer )?(?:common )?(?:factors|divisors) "
        r"(?:of|shared by) "
        rf"(?:both )?{_n('a')}(?: and {_n('b')}| that are (?:also )?factors of (?P<c>{WHOLE}))?{STOP}(?! that|"
        r" which| and)",
        lambda match: None if match["c"] else _divisors(match),
    ),
    plain_form(
        "a count of divisors",
        "factors of|divisors of",
        rf"\bnumber of (?:positive )?(?:integer )?(?:factors|divisors) of {_n('a')} is (?:\\\(|\$)?"
        rf"(?P<r>[\d+*() ·×]{{1,40}}[\d)])"
        rf"{CLOSE}{STOP}",
        _divisors,
    ),
    plain_form(
        "an inverse modulo",
        "inverse of",
        rf"\binverse of {_n('a')} (?:mod|modulo) {_n('m')} is {_n('r')}{STOP}",
        _inverse,
    ),
    plain_form(
        "a power in a factorial",
        "! has ",
        rf"{_FREE}(?:\$|\\\()?(?P<n>\d{{1,6}})!(?:\$|\\\))? has (?:exactly )?(?P<k>\d{{1,6}}) "
        r"(?:(?P<p>[2357])s\b|factors? of (?P<q>[2357])\b|(?:trailing )?zeros?\b)",
        _in_factorial,
    ),
    plain_form(
        "the least of its kind",
        "prime|composite|positive integer|natural",
        r"(?<!and )(?<!of )(?<!by )(?<!times )(?<!plus )\bthe "
        r"(?P<end>least|smallest|lowest|greatest|largest|highest) (?P<kind>(?:(?:odd|even|two-digit|one-digit|"
        rf"single-digit|three-digit) )?prime|composite|positive integer|natural)(?: number)? is {_n('r')}{STOP}",
        _superlative,
    ),
    plain_form(
        "a list of divisors",
        "factors of|divisors of",
        rf"\b(?:(?:negative|all|possible) )?(?:integer )?(?:factors|divisors) of {_n('n')} are:? "
        r"(?P<items>(?:(?:\\\(|\$)?(?:\\pm|±|-)\s?\d{1,6}(?:\\\)|\$)?(?:,\s(?:and\s)?|\sand\s)?){1,40})(?=\s?"
        r"(?:\.(?!\d)|[;)]|$|\n|(?<=,\s)[a-z]))",
        _signed_divisors,
    ),
    plain_form(
        "a list of divisors",
        "common to",
        rf"\bfactors (?:that are )?common to (?:both )?{_n('a')} and {_n('b')} are:? (?P<items>{WHOLE}(?:,\s"
        rf"(?:and\s)?{WHOLE}|\sand\s{WHOLE}){{0,40}}){STOP}",
        _shared,
    ),
    plain_form(
        "a quotient with its remainder",
        "quotient of",
        rf"\bdivid(?:e|ing|ed) {_n('a')} by {_n('b')}(?:,? to get|,? gives(?: me| us)?|,? we get|,? getting|,? I"
        r" get|,? results in)"
        rf" a quotient of {_n('q')} (?:and|with) (?:a )?remainder (?:of )?{_n('r')}{STOP}",
        _quotient,
    ),
    plain_form(
        "a quotient with its remainder",
        "remainder",
        rf"{_FREE}{_n('a')}\s?(?:÷|\\div|divided by)\s?{_n('b')},?\s(?:which )?(?:gives|leaves|has|yields)(?P<q>"
        r"(?!))? (?:a |the )?"
        rf"remainder (?:of )?{_n('r')}{STOP}",
        _quotient,
    ),
    plain_form(
        "a congruence",
        "congruent to",
        rf"\({_n('a')}\),?\s(?:it |this )?is (?P<no>not )?congruent to {_n('r')} (?:modulo|mod) {_n('m')}{STOP}",
        _congruent,
    ),
    plain_form(
        "a units digit",
        "digit of",
        rf"\b(?:units?|ones|last) digit of {OPEN}{_PRODUCT}{CLOSE} is {_n('r', '[0-9]')}{STOP}",
        _units_digit,
    ),
    plain_form(
        "lowest terms",
        "form|terms",
        rf"{_FREE}{OPEN}(?P<fraction>{WHOLE}/{WHOLE}|\\[dt]?frac\{{{WHOLE}\}}\{{{WHOLE}\}}){CLOSE} is (?P<no>not )?"
        r"(?:already |now )?(?:in )?"
        r"(?:its |the )?(?:simplest|lowest|most reduced) (?:form|terms)\b",
        _in_lowest_terms,
    ),
)
