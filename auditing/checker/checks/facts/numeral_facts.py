"""Facts of numerals: Roman ones, other bases, palindromes, factors of a number."""

from __future__ import annotations

import re

from auditing.checker.checks.facts.plain_forms import PlainForm, plain_form
from auditing.checker.checks.numbers.elementary import is_prime

_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_CANONICAL = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_IS = r"\s?(?:=|\bis\b|\bequals\b|\bis equal to\b|\brepresents\b|\bis written(?: as)?\b|\bbecomes\b)\s?"
_BASES = {"binary": 2, "octal": 8, "decimal": 10, "hexadecimal": 16, "hex": 16}
_BASE = r"(?:binary|octal|hexadecimal|hex|decimal)"
_DOWN = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_ENDS = r"(?![\d.,]*\d|\s?(?:[-+*/^×÷·]|\\(?:cdot|times))|\w)"
LARGEST = 10**9


def roman(text: str) -> int | None:
    """The value of a Roman numeral as it is written today; None for what is none.

    >>> roman("XIV"), roman("IIX")
    (14, None)
    """
    if not text or not _CANONICAL.fullmatch(text):
        return None
    values = [_ROMAN[letter] for letter in text]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))


def _roman(match: re.Match[str]) -> tuple[bool, str] | None:
    value = roman(match["roman"].upper())
    if value is None:
        return None
    return value == int(match["n"].replace(",", "")), f"{match['roman']} is {value}."


def _in(text: str, base: int) -> int | None:
    try:
        return int(text.lower().removeprefix("0x").removeprefix("0b").removeprefix("0o"), base)
    except ValueError:
        return None


def _converted(match: re.Match[str]) -> tuple[bool, str] | None:
    """1101 in binary is 13, and 13 in binary is 1101: either may be the one in the base."""
    base = int(match["base"]) if match["base"].isdigit() else _BASES[match["base"].lower()]
    if not 2 <= base <= 36 or base == 10:
        return None
    pairs = ((match["a"], match["b"]), (match["b"], match["a"]))
    values = [(_in(below, base), _in(decimal, 10)) for below, decimal in pairs]
    readable = [(left, right) for left, right in values if left is not None and right is not None]
    if not readable or any(number > LARGEST for pair in readable for number in pair):
        return None
    return any(
        left == right for left, right in readable
    ), f"in base {base} the two are not the same number." if not any(
        left == right for left, right in readable
    ) else "the same number."


def _coded(match: re.Match[str]) -> tuple[bool, str] | None:
    """0xFF is 255."""
    text = match["a"].lower()
    value = _in(text, {"x": 16, "b": 2, "o": 8}[text[1]])
    return None if value is None else (value == int(match["b"].replace(",", "")), f"it is {value}.")


def _below(match: re.Match[str]) -> tuple[bool, str] | None:
    """1011_2 = 11, and 101₂ + 11₂ = 1000₂."""
    base = int((match["base"] or match["low"]).translate(_DOWN))
    if not 2 <= base <= 16 or base == 10:
        return None
    terms = [_in(digits, base) for digits in re.findall(r"[\dA-Fa-f]+(?=\)?(?:_|[₀-₉]))", match["left"])]
    bases = {
        int(digits.translate(_DOWN))
        for pair in re.findall(r"_\{?(\d+)|([₀-₉]+)", match["left"])
        for digits in pair
        if digits
    }
    target = int((match["other"] or match["under"]).translate(_DOWN)) if match["other"] or match["under"] else 10
    claimed = _in(match["b"], target) if 2 <= target <= 36 else None
    if bases != {base} or claimed is None or any(term is None for term in terms) or not terms:
        return None
    total = sum(term for term in terms if term is not None)
    return total == claimed, f"it is {total} in base ten."


def _palindrome(match: re.Match[str]) -> tuple[bool, str] | None:
    backwards = match["n"][::-1]
    is_one = backwards == match["n"]
    return is_one is (match["no"] is None), f"read backwards it is {backwards}."


def _factors(match: re.Match[str]) -> tuple[bool, str] | None:
    """360 factors into primes as 2^3 · 3^2 · 5."""
    number, product = int(match["n"].replace(",", "")), 1
    for base, exponent in re.findall(r"(\d+)(?:\s?\^\s?\{?(\d+)\}?)?", match["product"]):
        if int(exponent or 1) > 40 or product > LARGEST:
            return None
        if match["prime"] and not is_prime(int(base)):
            return False, f"{base} is not prime."
        product *= int(base) ** int(exponent or 1)
    return product == number, f"the product is {product}."


_WHOLE = r"\d{1,3}(?:,\d{3}){1,3}|\d{1,9}"
NUMERALS: tuple[PlainForm, ...] = (
    plain_form(
        "a Roman numeral",
        "roman",
        rf"\b[\"“']?(?P<roman>[IVXLCDM]{{2,15}})[\"”']?{_IS}(?P<n>{_WHOLE}){_ENDS}",
        _roman,
        in_any_case=False,
    ),
    plain_form(
        "a Roman numeral",
        "roman",
        rf"(?<![\d.,])(?P<n>{_WHOLE}) (?:in|as a) Roman "
        rf"numerals?{_IS}[\"“']?(?P<roman>[IVXLCDM]{{1,15}})\b",
        _roman,
    ),
    plain_form(
        "a number in another base",
        "binary|octal|hex",
        rf"(?<![\w.,])(?:the number )?(?P<a>[\dA-Fa-f]{{1,16}}) (?:in|to|converted to|written in) "
        rf"(?P<base>{_BASE})(?: notation)?{_IS}(?:0[xbo])?(?P<b>\d[\dA-Fa-f]{{0,15}}|"
        rf"[A-Fa-f]{{1,3}}[\dA-Fa-f]{{0,12}}|[A-F]+){_ENDS}",
        _converted,
    ),
    plain_form(
        "a number in another base",
        "binary|octal|hex",
        rf"\b(?P<base>{_BASE}) (?:number |numeral )?(?P<a>\d[\dA-Fa-f]{{0,15}}|"
        rf"[A-F\d]{{1,12}}){_IS}(?:decimal )?(?P<b>\d{{1,9}}){_ENDS}",
        _converted,
    ),
    plain_form(
        "a number in another base",
        "base",
        rf"(?<![\w.,])(?P<a>\d[\dA-Fa-f]{{0,15}}) (?:in|to|converted to|written in) base[ "
        rf"-](?P<base>\d{{1,2}}){_IS}(?P<b>\d[\dA-F]{{0,15}}){_ENDS}",
        _converted,
    ),
    plain_form(
        "a number in another base",
        "0x|0b|0o",
        rf"(?<![\w.])(?P<a>0x[\dA-Fa-f]{{1,8}}|0b[01]{{1,30}}|0o[0-7]{{1,10}}){_IS}(?P<b>{_WHOLE}){_ENDS}",
        _coded,
    ),
    plain_form(
        "a number in another base",
        "_|₂|₃|₄|₅|₆|₇|₈|₉",
        r"(?<![\w.+*/×^)-])(?<![-+*/×^=]\s)(?P<left>\(?[\dA-F]{1,20}\)?(?:_\{?(?P<base>\d{1,2})\}?|(?P<low>[₀-₉]{1,2}))"
        r"(?:\s?\+\s?\(?[\dA-F]{1,20}\)?(?:_\{?\d{1,2}\}?|[₀-₉]{1,2})){0,5})\s?=\s?\(?(?P<b>[\dA-F]{1,20})\)?"
        r"(?:_\{?(?P<other>\d{1,2})\}?|(?P<under>[₀-₉]{1,2}))?" + _ENDS + r"(?!_|[₀-₉])",
        _below,
        in_any_case=False,
    ),
    plain_form("a palindrome", "palindrome", r"(?<![\w.,])(?P<n>\d{2,15}) is (?P<no>not )?a palindrome\b", _palindrome),
    plain_form(
        "factors of a number",
        "factor|decompos",
        rf"(?<![\w.,])(?P<n>{_WHOLE}) (?:factors|factori[sz]es|decomposes|can be factored) "
        rf"(?P<prime>into primes )?(?:as|into)[:\s$\\(]{{1,4}}(?P<product>\d{{1,9}}(?:\s"
        rf"?\^\s?\{{?\d{{1,2}}\}}?)?(?:\s?(?:·|×|\*|\\cdot|\\times)"
        rf"\s?\d{{1,9}}(?:\s?\^\s?\{{?\d{{1,2}}\}}?)?){{1,12}}){_ENDS}",
        _factors,
    ),
)
