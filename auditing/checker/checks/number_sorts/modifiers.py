"""What is said of a sort behind its noun: "less than 50", "between 1 and 9", "that are divisible by 3 but not by 5"."""

from __future__ import annotations

from collections.abc import Callable

from auditing.checker.checks.number_sorts.phrase import DENIED, KINDS, Described, UnknownWordError, Words
from auditing.checker.checks.number_sorts.sorts import Test

# phrases, whether they bound from above, whether the number itself belongs
_BOUNDS: tuple[tuple[tuple[str, ...], bool, bool], ...] = (
    (
        (
            "less than or equal to",
            "smaller than or equal to",
            "at most",
            "no more than",
            "no greater than",
            "up to and including",
            "up to",
        ),
        True,
        True,
    ),
    (("less than", "smaller than", "below", "under", "fewer than"), True, False),
    (("greater than or equal to", "larger than or equal to", "at least", "no less than"), False, True),
    (("greater than", "larger than", "more than", "bigger than", "above", "exceeding", "over"), False, False),
)
# "not exceeding 9" bounds from above, and the 9 belongs
_TURNED = {"exceeding": True, "greater than": True, "more than": True, "less than": False}
_BEHIND_A_NUMBER = (
    (("or less", "or fewer", "or smaller", "or below"), True),
    (("or more", "or greater", "or larger", "or above"), False),
)
# what reads a noun with its number: "that are factors of 12"
OfNumber = Callable[[Words, Described, str], None]


def read_behind(words: Words, sort: Described, of_number: OfNumber) -> None:
    """One more thing that is said of the sort; UnknownWordError where it is not read."""
    words.take(",")
    words.take("but", "and")
    words.take("that", "which")
    words.take("are", "is")
    words.take("also")
    is_strict = words.take("strictly")
    is_denied = words.take("not")
    mark = words.at
    readers: tuple[Callable[[], bool], ...] = (
        lambda: _bounded(words, sort, is_denied=is_denied),
        lambda: not is_denied and _bounded_by_number(words, sort),
        lambda: not is_denied and _ranged(words, sort, is_strict=is_strict),
        lambda: _divided(words, sort, is_denied=is_denied),
        lambda: not is_denied and _of_another(words, sort, of_number),
        lambda: _named(words, sort, is_denied=is_denied),
    )
    for is_read in readers:
        if is_read():
            return
        words.at = mark
    raise UnknownWordError


def _bounded(words: Words, sort: Described, *, is_denied: bool) -> bool:
    """Less than 50, at least 10, not exceeding 9."""
    for phrases, is_upper, is_in in _BOUNDS:
        phrase = next((text for text in phrases if words.take(text)), "")
        if phrase:
            if is_denied and phrase not in _TURNED:
                raise UnknownWordError
            _bound(words, sort, is_upper=_TURNED[phrase] if is_denied else is_upper, is_in=is_in or is_denied)
            return True
    return False


def _bound(words: Words, sort: Described, *, is_upper: bool, is_in: bool) -> None:
    number = words.number()
    if is_upper:
        sort.below(number if is_in else number - 1)
    else:
        sort.above(number if is_in else number + 1)


def _bounded_by_number(words: Words, sort: Described) -> bool:
    """1000 or less."""
    if not words.is_number():
        return False
    number = words.number()
    for phrases, is_upper in _BEHIND_A_NUMBER:
        if words.take(*phrases):
            (sort.below if is_upper else sort.above)(number)
            return True
    return False


def _ranged(words: Words, sort: Described, *, is_strict: bool) -> bool:
    """Between 2 and 9, from 2 to 9."""
    ends = {0, 1} if words.next == "between" else {0}
    # the powers of 2 from 1 to 10 may end in 1024
    if any(test[0] == "power" for test in sort.tests) or not words.take("between", "from", "in the range"):
        return False
    low = words.number()
    if not words.take("and", "to", "through", "-", "–"):
        raise UnknownWordError
    high = words.number()
    words.take(",")
    if words.take("inclusive", "( inclusive )", "including both"):
        ends = {0}
    elif words.take("exclusive", "( exclusive )") or is_strict:
        ends = {1}
    sort.is_bare = False
    # one end may belong to a range and the other not
    sort.lows = {max([low + end, *sort.lows]) for end in ends}
    sort.highs = {min([high - end, *sort.highs]) for end in ends}
    return low < high


def _divided(words: Words, sort: Described, *, is_denied: bool) -> bool:
    """Divisible by 3 or 5; "but not by 5"."""
    words.take("a", "an")
    is_divided = words.take("divisible by", "evenly divisible by", "multiples of", "multiple of")
    if not is_divided and not (is_denied and words.take("by")):
        return False
    is_both = words.take("both")
    start = words.at
    numbers = words.numbers("and", "or")
    if not all(numbers):
        raise UnknownWordError
    is_either = "or" in words.texts[start : words.at] and not is_both
    if len(numbers) > 1 and (is_either or is_denied):
        # "not divisible by 2 and 3" may deny both or one of them
        if is_denied and not is_either:
            raise UnknownWordError
        sort.tests.append(("multiple of none" if is_denied else "multiple of one", *numbers))
    else:
        sort.tests += [("no multiple" if is_denied else "multiple", number) for number in numbers]
    return True


def _of_another(words: Words, sort: Described, of_number: OfNumber) -> bool:
    """Factors of 36 that are ...; relatively prime to 12."""
    words.take("a", "an")
    if words.take("factors of", "factor of", "divisors of", "divisor of"):
        sort.is_common = False
        of_number(words, sort, "factor")
        return True
    if words.take("relatively prime to", "relatively prime with", "coprime to", "coprime with"):
        sort.tests.append(("coprime", words.number()))
        return True
    return False


def _named(words: Words, sort: Described, *, is_denied: bool) -> bool:
    """Perfect squares, odd, not prime; positive."""
    words.take("a", "an")
    if not is_denied and words.take("positive"):
        sort.without_negatives(zero=False)
        words.take("integers", "numbers")
        return True
    if not is_denied and sort.highs and words.take("inclusive"):
        return True
    is_perfect = words.take("perfect")
    name = words.next.removesuffix("s")
    test: Test | None = KINDS.get(name) or ((name,) if is_perfect and name in ("square", "cube") else None)
    if test is None:
        return False
    words.at += 1
    words.take("numbers", "number", "integers")
    if is_denied and str(test[0]) not in DENIED:
        raise UnknownWordError
    sort.tests.append((DENIED[str(test[0])], *test[1:]) if is_denied else test)
    return True
