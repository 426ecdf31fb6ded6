"""Checker: claims about single numbers: divisible by another, prime, even, a square, greater than another."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from auditing.checker.checks.numbers.beginnings import begins_before
from auditing.checker.checks.numbers.elementary import is_prime
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.claims import of_claim, of_said
from auditing.checker.proofs.formulas import Formula
from auditing.checker.reading.passages import Passage, Placed, Script, place
from hdag.core.text.cues import Cue

NAME = "facts"
# A number that stands alone: directly before or behind it no sign, letter or digit, so that the 8 of "3 * 8 is
# divisible by 5" or of "2^8" is not taken for the subject.
_BEFORE = r"(?<![\w.,^/*+\-−–√∛∜×·÷|\\{}()=!%])\\?[($]?\s?(\d{1,3}(?:,\d{3})+|\d{1,12})\s?\\?[)$]?"
_AFTER = r"\\?[($]?\s?(\d{1,3}(?:,\d{3})+|\d{1,12})(?![\d.,]*\d|!|\^|/|\*| ?[+\-*/×^]|\w|%)"
_INTEGER_BEHIND = r"\\?[($]?\s?(\d{1,3}(?:,\d{3})+|\d{1,12})\s?\\?[)$]?"
_IS = r"(?:,?\s+(?:which|that|and this|and it))?\s+is\s+(?:also\s+|indeed\s+|both\s+)?"
_RELATED = _IS + r"(not\s+)?(?:evenly\s+)?(divisible(?:\s+evenly)? by|a multiple of|a factor of|a divisor of)\s+"
_DIVISIBLE = Cue(_BEFORE + _RELATED + _AFTER)
# 7 divides 91; p^2 = 4 does not divide -12
_DIVIDES = Cue(
    _BEFORE + r",?\s+(?:(does not|doesn[’']t|cannot|can[’']t)\s+(?:evenly\s+)?divide|(?:also\s+|evenly\s+)?divides)\s+"
    r"\\?[($]?\s?[-−]?(\d{1,3}(?:,\d{3})+|\d{1,12})\s?\\?[)$]?"
    r"(?=\s*(?:$|\n|[.,;)]\s|[.,;)]?$|(?:and|but|so|evenly|exactly|since|because)\b))"
)
# 54,321 divided by 7 does not result in a whole number
_DIVIDED = Cue(
    _BEFORE
    + r",?\s+(?:is\s+)?divided by\s+"
    + _INTEGER_BEHIND
    + r"\s+(?:(does not|doesn't|is not|isn't|do not)|does|is|gives|results in)"
    r"\s+(?:(?:result in|give|yield|equal|leave)\s+)?(?:an?\s+)?(?:whole number|integer|even result|whole result)\b"
    + r"(?!\s(?:division|quotient|part|plus|with|and))"
)
_KIND = Cue(
    _BEFORE + _IS + r"(not\s+)?(?:an?\s+)?(prime|composite|even|odd|perfect square|perfect cube)"
    r"(?:\s+number)?\b(?!\s*(?:to|factor|with))"
)
_COPRIME = Cue(
    _BEFORE + r",?\s+and\s+\\?[($]?\s?(\d{1,12})\s?\\?[)$]?\s+are\s+(not\s+)?(?:relatively prime|coprime|co-prime)"
)
_AMOUNT = r"((?:\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.\d{1,9})?(?:/\d{1,9})?)"
_MUCH = r"(?:(?:slightly|much|far|clearly|just|only|even|strictly|significantly|considerably|a (?:bit|little))\s+)?"
_THAN = rf"\\?[($]?\s?{_AMOUNT}(?![\d.,/]*\d|%|!|\^|\s?\\?[)$]?\s?[-+*/×^(]|\s?\w|\s?\\)"
_COMPARED = Cue(
    rf"(?<![\w.,^/*+\-−–√∛∜×·÷|\\{{}}()=!%$])\\?[($]?\s?(?:{_AMOUNT}|\\?\bpi\b|π)\s?\\?[)$]?\s+is\s+(not\s+)?{_MUCH}"
    rf"(greater|less|larger|smaller|bigger) than {_THAN}"
)
# 12 is greater than 10, but it is smaller than 11
_COMPARED_ON = Cue(
    rf"(?<![\w.,^/*+\-−–√∛∜×·÷|\\{{}}()=!%$])\\?[($]?\s?{_AMOUNT}\s?\\?[)$]?\s+is\s+{_MUCH}"
    r"(?:greater|less|larger|smaller|bigger) than "
    r"\\?[($]?\s?(?:\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.\d{1,9})?\s?\\?[)$]?,?\s+"
    rf"(?:but|and|yet)\s+(?:it\s+)?(?:is\s+)?(?:also\s+)?(not\s+)?{_MUCH}"
    rf"(greater|less|larger|smaller|bigger) than {_THAN}"
)
_SIGNED = r"\\?[($]?\s?([-−]?(?:\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.\d{1,9})?)\s?\\?[)$]?"
# 45: this number is between 40 and 44; 4,524,491 is between 4,525,000 and 4,534,999
_BETWEEN = Cue(
    rf"{_BEFORE}(?::\s(?:[Tt]his(?:\snumber)?|[Ii]t))?\s+is\s+(not\s+)?between\s+{_SIGNED}\s+and\s+{_SIGNED}"
    r"(?=[.,;:]?(?:\s(?:inclusive|so|and)\b|\s*$|[.,;:]\s|\n))"
)
# a smaller number, or one behind another word, may be the name of what stands between two others: room 101
LEAST_AMOUNT = 100
_NO_NAME = re.compile(
    r"(?:^|[^A-Za-z\s(])\s*$|\b(?:so|that|thus|since|because|and|but|then|as|here|number|value)\s+$", re.I
)
_DOUBT = any_of("""
    if whether suppose assume unless base mod modulo question false incorrect claim* wrong not_true check* let
    except think* thought believ* say says said
    state states stated stating determine verify see_if corresponding
""")
# "If k = 3, then 7k = 21, which is no multiple of 3": what is supposed is a value, and has ended
_CASE = re.compile(
    r"\b(?:if|when)\s+\\?[($]?\s?[a-z]\s?(?:=|is)\s?-?\d{1,9}\s?\\?[)$]?\s?(?:,\s?(?:then\s)?|then\s)", re.IGNORECASE
)
# the value of an option is no part of something longer
_OPTION = re.compile(r"\b(?:choice|option)\s\(?[A-H]\)?,?\s(?:of|with|at|is)\s?$", re.IGNORECASE)
_DENIED_BEHIND = any_of("contradict* impossible false but absurd cannot can_not not_possible so_no not_an_integer")
# "Statement B: 12 is a multiple of 8" puts up what it looks at
_PUT_UP = re.compile(r"\b(?:statement|option|choice|claim)\s\(?(?:[A-H]|\d{1,2}|[ivx]{1,4})\)?\s?:", re.IGNORECASE)
# neither 129 nor 96 is divisible by 11; "1111, which is divisible by 7 (1111 / 7 is not an integer)"
_NEITHER = re.compile(r"\b(?:neither|nor|none of|not all of|not both)\b", re.IGNORECASE)
_REFUTED_BEHIND = re.compile(r"[^.!?]{0,20}\([^()]{0,60}\bnot (?:an? )?(?:integer|whole)\b", re.IGNORECASE)
# what begins a line is no minus
_BULLET = re.compile(r"^\s{0,8}[-–*•]\s")
_ABSURD = any_of("absurd contradict* impossible")
_CLAUSE = re.compile(r"[.!?;]\s|\n")


_KINDS: dict[str, Callable[[int], bool]] = {
    "prime": is_prime,
    "composite": lambda n: n > 3 and not is_prime(n),
    "even": lambda n: n % 2 == 0,
    "odd": lambda n: n % 2 == 1,
    "perfect square": lambda n: math.isqrt(n) ** 2 == n,
    "perfect cube": lambda n: round(n ** (1 / 3)) ** 3 == n,
}


def check(script: Script) -> Iterator[Placed]:
    """Every claim of the two forms in every passage."""
    forms = [form for form in _FORMS if form[0] in script.text]
    for passage in script.passages if forms else ():
        for word, pattern, judge in forms:
            for match in pattern.finditer(passage.text) if word in passage.text else ():
                yield from judge(passage, match)


def _coprime(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    """15 and 8 are relatively prime; new, and so a doubt at most."""
    first, second = _int(match[1]), _int(match[2])
    divisor = math.gcd(first, second)
    sentence = f"The greatest common divisor of {first} and {second} is {divisor}."
    proof = of_said([["gcd", str(first), str(second)]], ["1"], "!=" if match[3] else "=")
    holds = (divisor == 1) is (match[3] is None)
    for placed in _judged(passage, match, holds, sentence, "relatively prime", proof):
        yield placed if holds else replace(placed, finding=replace(placed.finding, grade=Grade.LIKELY))


def _whole_quotient(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    """54,321 divided by 7 is no whole number."""
    number, divisor, is_denied = _int(match[1]), _int(match[2]), match[3] is not None
    if divisor:
        holds = (number % divisor == 0) is not is_denied
        proof = of_said(
            [["mod", match[1].replace(",", ""), match[2].replace(",", "")]], ["0"], "!=" if is_denied else "="
        )
        sentence = f"{number} divided by {divisor} leaves {number % divisor}."
        yield from _judged(passage, match, holds, sentence, "a whole quotient", proof)


def _divides(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    """7 divides 91; "step 7 divides 91" tells a deed, and "3 divides 12 by 4" none of ours."""
    divisor, number, is_denied = _int(match[1]), _int(match[3]), match[2] is not None
    if not divisor or not _NO_NAME.search(passage.text[max(0, match.start() - 20) : match.start()]):
        return
    remainder = number % divisor
    proof = of_said([["mod", match[3].replace(",", ""), match[1].replace(",", "")]], ["0"], "!=" if is_denied else "=")
    sentence = f"{number} divided by {divisor} leaves {remainder}."
    yield from _judged(passage, match, (remainder == 0) is not is_denied, sentence, "divisibility", proof)


def _divisibility(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    number, divisor = _int(match[1]), _int(match[4])
    # "3 is a factor of 12" says that 12 is divisible by 3
    if "factor" in match[3] or "divisor" in match[3]:
        number, divisor = divisor, number
    if divisor == 0:
        return
    remainder = number % divisor
    claimed = match[2] is None
    sentence = f"{number} divided by {divisor} leaves {remainder}."
    proof = of_claim("divisible", (number, divisor), is_denied=not claimed)
    yield from _judged(passage, match, claimed == (remainder == 0), sentence, "divisibility", proof)


def _comparison(passage: Passage, match: re.Match[str], rule: str = "comparison") -> Iterator[Placed]:
    """1/2 is greater than 6/2: a comparison said in words."""
    try:
        # 22/7 and its like are nearer to pi than this tells apart
        left, right = (Fraction((match[group] or "355/113").replace(",", "")) for group in (1, 4))
    except ZeroDivisionError:
        return
    if match[1] is None and abs(left - right) < Fraction(1, 100):
        return
    truth = left > right if match[3] in ("greater", "larger", "bigger") else left < right
    sign = ">" if left > right else "<" if left < right else "="
    sentence = f"{match[1] or 'pi'} {sign} {match[4]}."
    relation = ">" if match[3] in ("greater", "larger", "bigger") else "<"
    # "is not greater than" claims less or equal, and its proof must say that.
    relation = relation if match[2] is None else {">": "<=", "<": ">="}[relation]
    proof = of_said([_formula(match[1]) if match[1] else "pi"], [_formula(match[4])], relation)
    yield from _judged(passage, match, (match[2] is None) == truth, sentence, rule, proof)


def _comparison_carried_on(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    """The number that is compared twice in one sentence, the second time."""
    yield from _comparison(passage, match, "compared twice")


def _between(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    """45 is between 40 and 44; whether the ends belong, nobody says."""
    value = Fraction(match[1].replace(",", ""))
    ends = [match[group].replace(",", "").replace("−", "-") for group in (3, 4)]
    low, high = sorted(ends, key=Fraction)
    is_inside, is_at_an_end = Fraction(low) <= value <= Fraction(high), value in (Fraction(low), Fraction(high))
    is_named = ":" not in match.group() and not _NO_NAME.search(
        passage.text[max(0, match.start() - 20) : match.start()]
    )
    is_small = ":" not in match.group() and min(value, *(abs(Fraction(end)) for end in ends)) < LEAST_AMOUNT
    if is_at_an_end or low == high or is_named or is_small:
        return
    sides = [match[1].replace(",", "")], [high if value > Fraction(low) else low]
    relation = "<=" if value > Fraction(low) else ">="
    # denied: that it lies inside is shown by neither end alone
    proof = of_said(*sides, relation) if match[2] is None else {}
    sentence = f"{match[1]} is {'' if is_inside else 'not '}between {low} and {high}."
    yield from _judged(passage, match, (match[2] is None) is is_inside, sentence, "between", proof)


def _kind(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    number, property_name = _int(match[1]), match[3]
    truth = _KINDS[property_name](number)
    sentence = f"{number} is {'' if truth else 'not '}{property_name}."
    proof = of_claim(property_name, (number,), is_denied=match[2] is not None)
    yield from _judged(passage, match, (match[2] is None) == truth, sentence, property_name, proof)


def _formula(text: str) -> Formula:
    """1/2 or 3,000 as a formula of a proof."""
    above, _, below = text.replace(",", "").partition("/")
    return ["/", above, below] if below else above


def _judged(
    passage: Passage, match: re.Match[str], holds: bool, sentence: str, rule: str, proof: dict[str, str]
) -> Iterator[Placed]:
    if not holds and is_doubtful(passage.text, match):
        return
    verdict = Verdict.VERIFIED if holds else Verdict.REFUTED
    details = {
        "normal_form": match.group().strip(),
        "rule": rule,
        "evidence_latex": rf"\text{{{match.group().strip()}}}",
        **proof,
    }
    yield place(
        passage=passage,
        start=match.start(),
        end=match.end(),
        verdict=verdict,
        checker=NAME,
        rule=rule,
        sentence=sentence,
        details=details,
    )


def is_doubtful(text: str, match: re.Match[str]) -> bool:
    """Whether the words around a fact make it a supposition, a question or a part of a longer computation."""
    head = _CLAUSE.split(text[max(0, match.start() - 160) : match.start()])[-1]
    head, tail = _OPTION.sub("", _BULLET.sub("", head)), text[match.end() : match.end() + 30]
    case = _CASE.search(head)
    if case is not None and not _DENIED_BEHIND.search(text[match.end() : match.end() + 80]):
        head = head[: case.start()] + head[case.end() :]
    if _ABSURD.search(text[match.end() : match.end() + 40]) or _REFUTED_BEHIND.match(text, match.end()):
        return True
    # "if 12 is prime", "is 12 prime?", "3 * 12 is ...": no claim about 12
    is_open = _DOUBT.search(head) or _PUT_UP.search(head) or _NEITHER.search(head)
    return bool(is_open) or "?" in tail or begins_before(head)


def _int(text: str) -> int:
    return int(text.replace(",", ""))


# a word that stands in the text, what is looked for then, and who judges it
_FORMS = (
    ("prime", _COPRIME, _coprime),
    ("divided by", _DIVIDED, _whole_quotient),
    (" is ", _DIVISIBLE, _divisibility),
    (" divide", _DIVIDES, _divides),
    (" than ", _COMPARED, _comparison),
    (" than ", _COMPARED_ON, _comparison_carried_on),
    (" between ", _BETWEEN, _between),
    (" is ", _KIND, _kind),
)
