"""Checker: explicit lists of factors, multiples and primes: everything that is listed belongs, nothing is left out."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from auditing.checker.checks.numbers.elementary import is_prime
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.claims import of_claim, of_member
from auditing.checker.reading.passages import Passage, Placed, Script, place

NAME = "listings"
MAX_NUMBER = 10**6
_NUMBER = r"\\?[($]?\s?\$?(\d{1,3}(?:,\d{3}){1,2}(?!\d)|\d{1,9})\$?\s?\\?[)$]?"
_JOIN = r"[\s$\\()]{0,4}(?:,|\band\b|&)[\s$\\()]{0,4}(?:and\b[\s$\\()]{0,4})?"
_ITEMS = rf"(\\?[($]?\s?\d{{1,9}}(?:{_JOIN}\d{{1,9}}){{1,60}})"
_KIND = (
    r"(?P<adjectives>(?:(?:common|positive|distinct|whole|integer|prime|only|all|the)\s){0,4})"
    r"(?P<kind>factors|divisors|multiples)"
)
_OF = rf"\s(?:of|for|to|between)\s(?:both\s)?{_NUMBER}(?:(?:,\s(?:and\s)?|\sand\s){_NUMBER})?(?:,?\sand\s{_NUMBER})?"
# "the factors of 252 are ..., the factors of 96 are ...", then "the common factors from both lists are"
_BOTH_LISTS = (
    r"\s(?:from|in|on|of|to|that appear in|shared by)\s(?:both|the two|these two)(?:\s(?:lists?|numbers))?"
    r"(?=\s(?:are|include))"
)
_TOLD = re.compile(rf"(?<!common )(?<!prime )\b(?:factors|divisors)\sof\s{_NUMBER}\s(?:are|include)", re.IGNORECASE)
_SAYS = r"\s?(?P<verb>are|include|:|=|\((?=\d))\s?(?:the following|all|therefore|thus|also|then|just|only)?\s?:?\s*"
_LIST = re.compile(
    rf"\b{_KIND}(?:(?P<of>{_OF})|{_BOTH_LISTS})?{_SAYS}{_ITEMS}(?=(?P<end>.{{0,12}}))", re.IGNORECASE | re.DOTALL
)
_THEY = re.compile(
    rf"\b{_KIND}{_OF}\.\s(?:They|These)\s(?P<verb>are|include)\s{_ITEMS}(?=(?P<end>.{{0,12}}))", re.IGNORECASE
)
_BOTH = re.compile(
    rf"\b(?:common (?:to|between)|of|both)\s(?:both\s)?{_NUMBER}\sand\s(?:of\s)?{_NUMBER}", re.IGNORECASE
)
# more is said about the list than what it lists: then it need not be complete
_PARTIAL = any_of("""
    other_than except besides greater less larger smaller between even odd single digit some few first next consecutive
    example proper not remaining larger than at_least at_most exclud* such whose that which perfect square cube
    nontrivial relevant possible also if let suppose
""")
# behind the list: "..." or a sign that makes its last number part of something else
_GOES_ON = re.compile(
    r"^\s?\\?[)$]?\s?(?:,?\s?(?:\.\.\.|…|\\[lcd]*dots|etc|and so)|[-+*/^×:.]\d|\^|\\times|\\cdot|\\?%|[-+*/×^=])"
)
_SUBJECT = re.compile(r"\s?\\?[)$]?\s?(?:is|are|divides?)\b")
# a longer range is not enumerated
MAX_RANGE = 2_000
_KINDS: dict[str, Callable[[int], bool]] = {
    "odd numbers": lambda n: n % 2 == 1,
    "even numbers": lambda n: n % 2 == 0,
    "odd integers": lambda n: n % 2 == 1,
    "even integers": lambda n: n % 2 == 0,
    "prime numbers": is_prime,
    "primes": is_prime,
    "perfect squares": lambda n: math.isqrt(n) ** 2 == n,
    "perfect cubes": lambda n: round(n ** (1 / 3)) ** 3 == n,
}
_RANGE = re.compile(
    rf"\b(?P<kind>{'|'.join(_KINDS)})\s(?P<word>from|between|less than|below|under|up to)\s"
    rf"(?:\\?[($]?\s?(?P<low>\d{{1,4}})\s?\\?[)$]?\s(?:to|and|through)\s)?\\?[($]?\s?(?P<high>\d{{1,4}})\s?\\?[)$]?"
    rf"(?:,? inclusive,?)?\s(?:are|include)\s?:?\s(?P<items>{_ITEMS})(?=(?P<end>.{{0,12}}))",
    re.IGNORECASE | re.DOTALL,
)
_RULE_OF_KINDS = "numbers of a kind"
_OF_KINDS = re.compile(
    rf"\b(?P<kinds>(?:(?:even|odd|prime)\s){{1,2}})(?:numbers?|integers)\sare\s?:?\s(?:only\s)?"
    rf"(?P<items>\d{{1,9}}(?:{_JOIN}\d{{1,9}}){{1,60}})(?=(?P<end>.{{0,12}}))",
    re.IGNORECASE | re.DOTALL,
)
# "there are 3 odd numbers: of these ..."
_PARTIAL_KIND = any_of("if let suppose of assume when whose many how question wrong incorrect* mistake* says said")
_TWO = re.compile(r"\b(?:both|the two|these two)\b", re.IGNORECASE)
# "the remainders of the multiples of 7 are ...": what is listed is taken of them
_TAKEN_OF_THEM = re.compile(
    r"\b(?:remainders?|digits?|residues?|sums?|squares?|values?|number|reciprocals?)\s(?:of|for|when)\b", re.I
)
_DENIED = re.compile(r"\b(?:not|no|never|without|neither|isn['’]t|aren['’]t)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[.!?;]\s|\n")


class _Fault(NamedTuple):
    """A member that is wrong or left out, and what it is: none of its kind, not prime, missing."""

    member: int
    what: str

    def __str__(self) -> str:
        return f"{self.member} is {self.what}"


def check(script: Script) -> Iterator[Placed]:
    """Factors of 12 are 1, 2, 3, 4, 6, 12: each divides, and each divisor is there."""
    # numbers whose factors were listed before
    told: set[int] = set()
    for passage in script.passages:
        lower = passage.lower
        # Words first: a pattern over every passage would cost more than all other checks together.
        if " are" in lower and ("numbers" in lower or "squares" in lower or "primes" in lower or "cubes" in lower):
            yield from _ranges(passage)
            yield from _of_kinds(passage)
        if not ("factors" in lower or "divisors" in lower or "multiples" in lower):
            continue
        for pattern in (_LIST, _THEY):
            for match in pattern.finditer(passage.text):
                yield from _judged(passage, match, told)
        told |= {_int(number) for number in _TOLD.findall(passage.text)}


def _ranges(passage: Passage) -> Iterator[Placed]:
    """The odd numbers from 1 to 9 are 1, 3, 5, 7, 9: all of their kind, all in the range, none left out."""
    for match in _RANGE.finditer(passage.text):
        members = [int(member) for member in re.findall(r"\d+", match["items"])]
        head = _CLAUSE.split(passage.text[max(0, match.start() - 120) : match.start()])[-1]
        low, high = int(match["low"] or 1), int(match["high"])
        if _DENIED.search(head) or _GOES_ON.match(match["end"]) or _SUBJECT.match(match["end"]) or high > MAX_RANGE:
            continue
        belongs = _KINDS[match["kind"].lower()]
        intruders = [member for member in members if not belongs(member) or not low <= member <= high]
        # "between 1 and 9" may list its ends or leave them out: neither is held against it
        margin = 1 if match["word"].lower() in ("between", "less than", "below", "under") else 0
        missing = [n for n in range(low + margin, high + 1 - margin) if belongs(n) and n not in members]
        # "the first three primes are 2, 3, 5" leaves others out on purpose
        is_partial = _PARTIAL.search(head) or len(members) < 2
        fault = _Fault(intruders[0], "none") if intruders else None
        if missing and not intruders and not is_partial:
            fault = _Fault(missing[0], "missing")
        name = match.group()[: match.start("items") - match.start()].rstrip(" :").removesuffix("are").strip()
        sentence = f"The {name.lower()}: {fault or 'listed rightly'}."
        details = {"read": match.group()[:300], "rule": "list of numbers", "evidence_latex": rf"\text{{{sentence}}}"}
        if fault:
            bounds = (low, high + 1) if intruders else (low + margin, high + 1 - margin)
            details |= of_member(match["kind"].lower(), fault.what, bounds, members, fault.member)
        yield place(
            passage=passage,
            start=match.start(),
            end=match.end(),
            checker=NAME,
            rule="list of numbers",
            sentence=sentence,
            details=details,
            verdict=Verdict.REFUTED if fault else Verdict.VERIFIED,
        )


def _of_kinds(passage: Passage) -> Iterator[Placed]:
    """The even prime numbers are 2 and 6: each is of the kinds that are named; which are left out is not said."""
    for match in _OF_KINDS.finditer(passage.text):
        members = [int(member) for member in re.findall(r"\d+", match["items"])]
        head = _CLAUSE.split(passage.text[max(0, match.start() - 120) : match.start()])[-1]
        is_other = _DENIED.search(head) or _TAKEN_OF_THEM.search(head) or _PARTIAL_KIND.search(head)
        if is_other or _GOES_ON.match(match["end"]) or _SUBJECT.match(match["end"]) or max(members) > MAX_NUMBER:
            continue
        kinds = match["kinds"].lower().split()
        faults = [(kind, member) for member in members for kind in kinds if not _KINDS[f"{kind} numbers"](member)]
        kind, member = faults[0] if faults else (kinds[-1], members[0])
        sentence = f"{member} is not {kind}." if faults else f"Each is {' and '.join(kinds)}."
        details = {"read": match.group()[:300], "rule": _RULE_OF_KINDS, "evidence_latex": rf"\text{{{sentence}}}"}
        yield place(
            passage=passage,
            start=match.start(),
            end=match.end(),
            checker=NAME,
            rule=_RULE_OF_KINDS,
            sentence=sentence,
            details=details | (of_claim(kind, (member,), is_denied=False) if faults else {}),
            verdict=Verdict.REFUTED if faults else Verdict.VERIFIED,
        )


def _int(digits: str) -> int:
    return int(digits.replace(",", ""))


def _judged(passage: Passage, match: re.Match[str], told: set[int]) -> Iterator[Placed]:
    numbers = _numbers(passage, match, told)
    members = [int(member) for member in re.findall(r"\d+", match[match.lastindex - 1] if match.lastindex else "")]
    if not numbers or not members or _GOES_ON.match(match["end"]) or _SUBJECT.match(match["end"]):
        return
    if any(not 0 < number <= MAX_NUMBER for number in (*numbers, *members)):
        return
    head = _CLAUSE.split(passage.text[max(0, match.start() - 120) : match.start()])[-1]
    # "It is not true that the factors of 12 are ...": what is denied is not claimed.
    if _DENIED.search(head) or _TAKEN_OF_THEM.search(head):
        return
    claim = head + match.group().split(match[match.lastindex - 1] if match.lastindex else " ")[0]
    # "include" and "some of" list a part: a factor that is missing is wrong only in a whole list.
    fault = _fault_of(match, numbers, members, complete=not _PARTIAL.search(claim) and match["verb"] != "include")
    name = f"{match['adjectives']}{match['kind']}".lower().removeprefix("the ")
    of = " and ".join(map(str, numbers))
    sentence = f"The {name} of {of} are listed rightly." if not fault else f"The {name} of {of}: {fault}."
    details = {"read": match.group()[:300], "rule": "list of numbers", "evidence_latex": rf"\text{{{sentence}}}"}
    details |= of_member(match["kind"].lower(), fault.what, numbers, members, fault.member) if fault else {}
    yield place(
        passage=passage,
        start=match.start(),
        end=match.end(),
        checker=NAME,
        rule="list of numbers",
        sentence=sentence,
        details=details,
        verdict=Verdict.REFUTED if fault else Verdict.VERIFIED,
    )


def _numbers(passage: Passage, match: re.Match[str], told: set[int]) -> list[int]:
    """The numbers whose factors are listed: named in the claim, or for common ones in the sentences before it."""
    text = match.groupdict().get("of") or match.group().split(". They")[0].split(". These")[0]
    # a comma with a blank behind it stands between two numbers
    written = re.findall(r"\d{1,3}(?:,\d{3})+(?!\d)|\d+", text)
    numbers = [_int(digits) for digits in written] if match.groupdict().get("of", "x") else []
    if not numbers and "common" in match["adjectives"].lower():
        before = list(_BOTH.finditer(passage.text[max(0, match.start() - 160) : match.start()]))
        numbers = [_int(digits) for digits in before[-1].groups()] if before else []
        # two lists of factors stand before, and no third
        numbers = numbers or (sorted(told) if len(told) == 2 and _TWO.search(match.group()) else [])
    return numbers


def _fault_of(match: re.Match[str], numbers: list[int], members: list[int], *, complete: bool) -> _Fault | None:
    """What is wrong with the list, or nothing."""
    # there are infinitely many, so none can be missing
    if match["kind"].lower() == "multiples":
        intruders = [member for member in members if any(member % number for number in numbers)]
        return _Fault(intruders[0], "none") if intruders else None
    intruders = [member for member in members if any(number % member for number in numbers)]
    if intruders:
        return _Fault(intruders[0], "none")
    # "factors of 12 and 18 are ..." may list either
    if len(numbers) > 1 and "common" not in match["adjectives"].lower() and "both" not in match.group():
        return None
    prime = "prime" in match["adjectives"].lower()
    divisors = [d for d in _common(numbers) if not prime or is_prime(d)]
    composites = [member for member in members if prime and not is_prime(member) and member > 1]
    if composites:
        return _Fault(composites[0], "not prime")
    missing = [d for d in divisors if d not in members]
    # "the factors of 15 are 3 and 5": one and the number itself are left out on purpose, as in a tree of factors
    if set(missing) == {1, max(divisors)}:
        return None
    return _Fault(missing[0], "missing") if complete and missing else None


def _common(numbers: list[int]) -> list[int]:
    return [d for d in range(1, min(min(numbers), 20_000) + 1) if all(number % d == 0 for number in numbers)]
