"""Checker: what is told of a number's neighbours and of how it is written: the largest prime below it, digits, bases.

"The largest power of 5 less than 99 is 125": the numbers are computed again, and a claim is refuted by a relation that
it needs and that does not hold (125 < 99).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.checks.numbers.beginnings import begins_before
from auditing.checker.checks.numbers.elementary import is_prime
from auditing.checker.checks.numbers.facts import is_doubtful
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.claims import of_claim, of_said
from auditing.checker.proofs.formulas import Formula
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import is_taken_back
from hdag.core.text.cues import Cue

NAME = "number facts"
# numbers above it are neither taken apart nor counted on from
LARGEST = 10**6
_SMALL = "zero one two three four five six seven eight nine ten".split()
_COUNT = rf"(?P<count>\d{{1,2}}|{'|'.join(_SMALL[1:])})"
_OPEN, _CLOSE = r"\\?[($]?\s?", r"\s?\\?[)$]?"
_INTEGER = r"(?:\d{1,3}(?:,\d{3})+|\d{1,7})"
# a number of its own: no sign, letter or digit touches it
_SUBJECT = rf"(?<![\w.,^/*+\-−–\\{{}}()=!%]){_OPEN}(?P<number>[1-9](?:\d{{0,2}}(?:,\d{{3}})+|\d{{0,11}})){_CLOSE}"
# behind the number that is claimed: it would be another one
_ENDS = (
    r"(?![\d.,]*\d|\s?\\?[)$]?\s?[-+*/×÷^%!·_]|\s?\\(?:cdot|times|frac|%)|[a-z]|\(\d|\s?\\?[)$]?\s(?:more|less|times|percent|"
    r"hundred|thousand|million|billion|dozen|digits?|steps?|or|in base)\b)"
)
_NEAREST = Cue(
    r"\bthe\s+(?P<end>largest|greatest|highest|biggest|smallest|least|lowest|next)\s+(?:positive\s+)?"
    r"(?P<sort>primes?(?:\s+number)?|perfect\s+square|perfect\s+cube|even\s+(?:number|integer)|odd\s+(?:number|integer)|"
    rf"integer|whole\s+number|(?:multiple|power)\s+of\s+{_OPEN}(?P<base>\d{{1,6}}){_CLOSE})\s+(?:that\s+is\s+|which\s+is\s+)?"
    r"(?:strictly\s+)?(?P<side>(?:less|smaller|greater|larger|bigger)\s+than(?:\s+or\s+equal\s+to)?|at\s+most|at\s+least|"
    r"not\s+exceeding|below|under|above|exceeding|up\s+to|after)\s+"
    rf"{_OPEN}(?P<limit>-?{_INTEGER}(?:\.\d{{1,6}})?){_CLOSE},?\s+is\s+(?:just\s+|simply\s+)?{_OPEN}(?P<claimed>-?{_INTEGER})"
    + _ENDS,
    re.IGNORECASE,
)
_LENGTH = Cue(
    rf"{_SUBJECT}\s+is\s+(?:also\s+|only\s+)?an?\s+{_COUNT}[- ]digit\s(?:\w+\s)?(?:number|integer|prime)\b", re.I
)
_BASED = Cue(
    rf"\bin base[ -]\$?(?P<base>[2-9]|10)\$?,?\s+(?:the number\s+)?{_OPEN}(?P<number>[1-9]\d{{0,11}}){_CLOSE}\s+"
    rf"(?:can be|is)\s+(?:written|expressed|represented)\s+as\s+{_OPEN}(?P<claimed>\d{{1,15}})"
    r"(?![\d.,]*\d|\s?[-+*/×÷^·])",
    re.I,
)
_PRIMES = Cue(
    rf"{_SUBJECT}(?:\s?=\s?[\d\s^*×·x(){{}}=\\a-z]{{2,120}}?{_CLOSE}[.;,]\s+(?:so\s)?(?:It|This\snumber|which))?\s+has\s+"
    rf"(?:only\s+|exactly\s+)?{_COUNT}\s+(?:distinct|different|unique)\s+prime\s+(?:factors?|divisors?)\b(?!\s?\()",
    re.I,
)
_DOUBT = any_of("""
    among list set these those table remaining left option* row column our available would could might whether says
    think thought guess* perhaps not no impossible complement signed every all each up_to
""")
_CLAUSE = re.compile(r"[.!?;]\s|\n")


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a claim holds, what is true, and the proof."""

    holds: bool
    truth: str
    proof: dict[str, str]


def check(script: Script) -> Iterator[Placed]:
    """Every claim of the forms in every passage; of other bases only where a base is named."""
    forms = [form for form in _FORMS if form[0].may_match(script.text)]
    for passage in script.passages if forms else ():
        for pattern, judge, rule in forms:
            if rule != _BASE_RULE and passage.is_modular:
                continue
            for match in pattern.finditer(passage.text):
                answer = judge(match)
                if answer is not None and (answer.holds or not _is_open(passage.text, match)):
                    yield _placed(passage, match, answer, rule)


def _is_open(text: str, match: re.Match[str]) -> bool:
    head = _CLAUSE.split(text[max(0, match.start() - 160) : match.start()])[-1]
    is_part = begins_before(head) or is_doubtful(text, match)
    return bool(_DOUBT.search(head)) or is_part or is_taken_back(text, match.end())


def _placed(passage: Passage, match: re.Match[str], answer: Answer, rule: str) -> Placed:
    claim = " ".join(match.group().split())[:160]
    return place(
        passage=passage,
        start=match.start(),
        end=match.end(),
        checker=NAME,
        rule=rule,
        verdict=Verdict.VERIFIED if answer.holds else Verdict.REFUTED,
        sentence=f"{claim}: {answer.truth}.",
        details={"read": match.group()[:300], "rule": rule, "evidence_latex": rf"\text{{{rule}}}", **answer.proof},
    )


def _whole(text: str) -> int:
    return _SMALL.index(text.lower()) if text.lower() in _SMALL else int(text.replace(",", ""))


def _length(match: re.Match[str]) -> Answer:
    """13 is a one-digit number."""
    number, count = _whole(match["number"]), _whole(match["count"])
    digits = len(str(number))
    proof = of_said([["length", str(number)]], [str(count)])
    return Answer(digits == count, f"it has {digits} digits", proof)


def _based(match: re.Match[str]) -> Answer | None:
    """In base 3, 87 can be written as 10000."""
    # digits may be filled up with zeros: 0101
    number, base, claimed = int(match["number"]), int(match["base"]), match["claimed"].lstrip("0")
    if any(int(digit) >= base for digit in claimed):
        return None
    written, left = "", number
    while left:
        left, digit = divmod(left, base)
        written = f"{digit}{written}"
    proof = of_said([["in base", str(number), str(base)]], [match["claimed"]])
    return Answer(written == claimed, f"in base {base} it is {written}", proof)


def _primes(match: re.Match[str]) -> Answer | None:
    """666 = 2 * 3^2 * 37. It has 2 different prime factors."""
    number, count = _whole(match["number"]), _whole(match["count"])
    if not 1 < number <= LARGEST:
        return None
    primes, rest, factor = [], number, 2
    while rest > 1:
        factor = factor if factor * factor <= rest else rest
        if rest % factor == 0:
            primes.append(factor)
        while rest % factor == 0:
            rest //= factor
        factor += 1
    proof = of_said([["prime divisors", str(number)]], [str(count)])
    return Answer(len(primes) == count, f"its prime factors are {', '.join(map(str, primes))}", proof)


def _nearest(match: re.Match[str]) -> Answer | None:
    """The largest multiple of 7 less than 50 is 42."""
    limit, claimed = Fraction(match["limit"].replace(",", "")), _whole(match["claimed"])
    sort, side = " ".join(match["sort"].lower().split()), " ".join(match["side"].lower().split())
    is_below = match["end"].lower() in ("largest", "greatest", "highest", "biggest")
    if is_below is not side.startswith(("less", "smaller", "at most", "not exceeding", "below", "under", "up to")):
        return None
    base = int(match["base"] or 0)
    belongs = _belonging(sort, base)
    if abs(limit) > LARGEST or base == 1 or (match["base"] and not base) or (limit < 1 and "integer" not in sort):
        return None
    ends_in_it = "equal" in side or side in ("at most", "at least", "not exceeding", "up to")
    truth = _count_on(limit, is_below, ends_in_it, belongs)
    # "the highest power of 2 less than 50 is 5" may name the exponent
    if truth is None or ("power" in sort and 0 <= claimed < 40 and base**claimed == truth):
        return None
    sign = ("<" if is_below else ">") + ("=" if ends_in_it else "")
    proof = _refutation(sort, base, claimed, limit, sign, belongs(claimed)) if claimed != truth else {}
    return Answer(claimed == truth, f"it is {truth}", proof or of_said([str(claimed)], [_text(limit)], sign))


def _belonging(sort: str, base: int) -> Callable[[int], bool]:
    if sort.startswith("multiple"):
        return lambda n: n % base == 0
    if sort.startswith("power"):
        return lambda n: n > 0 and base > 1 and base ** round(math.log(n, base)) == n
    tests: dict[str, Callable[[int], bool]] = {
        "prime": lambda n: n > 1 and is_prime(n),
        "perfect square": lambda n: n >= 0 and math.isqrt(n) ** 2 == n,
        "perfect cube": lambda n: n >= 0 and round(n ** (1 / 3)) ** 3 == n,
        "even": lambda n: n % 2 == 0,
        "odd": lambda n: n % 2 == 1,
    }
    return next((test for name, test in tests.items() if sort.startswith(name)), lambda n: True)


def _count_on(limit: Fraction, is_below: bool, ends_in_it: bool, belongs: Callable[[int], bool]) -> int | None:
    """The first number of its sort from the limit on; None where there is none near it."""
    start = math.floor(limit) if is_below else math.ceil(limit)
    step = -1 if is_below else 1
    if start == limit and not ends_in_it:
        start += step
    return next((n for n in range(start, start + step * 5_000, step) if belongs(n)), None)


def _refutation(sort: str, base: int, claimed: int, limit: Fraction, sign: str, belongs: bool) -> dict[str, str]:
    """A relation that the claim needs and that does not hold: it lies on its side, is of its sort, the next is not."""
    is_inside = {"<": claimed < limit, "<=": claimed <= limit, ">": claimed > limit, ">=": claimed >= limit}[sign]
    number = str(claimed)
    if not is_inside:
        return of_said([number], [_text(limit)], sign)
    names = ("prime", "perfect square", "perfect cube", "even", "odd")
    name = next((name for name in names if sort.startswith(name)), "")
    if not belongs:
        is_multiple = sort.startswith("multiple")
        if is_multiple:
            return of_said([["mod", number, str(base)]], ["0"])
        return of_claim(name, (claimed,), is_denied=False) if name else {}
    further = "-" if sign.startswith(">") else "+"
    one = {"even": "2", "odd": "2"}.get(name, str(base) if sort.startswith("multiple") else "1")
    following: Formula = [further, number, one]
    if sort.startswith("power"):
        following = ["*" if further == "+" else "/", number, str(base)]
    elif name == "perfect square":
        following = ["^", [further, ["sqrt", number], "1"], "2"]
    elif name in ("prime", "perfect cube"):
        return {}
    # the next one on this side still lies inside: that it does not is what the claim needs
    return of_said([following], [_text(limit)], {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}[sign])


def _text(limit: Fraction) -> str:
    return str(limit) if limit.denominator == 1 else str(float(limit))


_BASE_RULE = "a number in a base"
_FORMS: tuple[tuple[Cue, Callable[[re.Match[str]], Answer | None], str], ...] = (
    (_NEAREST, _nearest, "the nearest number of a sort"),
    (_LENGTH, _length, "a number of digits"),
    (_BASED, _based, _BASE_RULE),
    (_PRIMES, _primes, "different prime factors"),
)
