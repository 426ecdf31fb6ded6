"""Sorts of whole numbers told in words: what they name, what is told of them, and sentences of another sort."""

import json
from itertools import islice

import pytest

from auditing.checker.checks.number_sorts.nouns import FARTHEST, sort_in
from auditing.checker.checks.number_sorts.sorts import Reading, members
from auditing.research.offline.one_trace import audit_trace
from auditing.verifier.verify_proofs import RefusedError, check_finding, check_record
from hdag.readers.records import read_record
from tests.unit.checker.readings import findings, is_doubted, is_refuted, is_verified


def _is_prime(n):
    return n > 1 and all(n % d for d in range(2, n))


# the words, where their numbers end, and the same sort in other words: each reading is one of these
SORTS = {
    "three-digit positive integers that are multiples of 11": [[n for n in range(100, 1000) if n % 11 == 0]],
    "positive integers that are factors of both 120 and 40": [[n for n in range(1, 41) if 120 % n == 0 == 40 % n]],
    "positive two-digit multiples of 13": [[13, 26, 39, 52, 65, 78, 91]],
    "2-digit primes": [[n for n in range(10, 100) if _is_prime(n)]],
    "prime numbers less than 20": [[2, 3, 5, 7, 11, 13, 17, 19]],
    "odd primes up to 20": [[3, 5, 7, 11, 13, 17, 19]],
    "perfect squares between 1 and 16": [[1, 4, 9, 16], [4, 9, 16], [1, 4, 9], [4, 9]],
    "perfect cubes between 1 and 27, inclusive": [[1, 8, 27]],
    "integers strictly between 3 and 7": [[4, 5, 6]],
    "even integers from 2 to 10, inclusive": [[2, 4, 6, 8, 10]],
    "first 4 consecutive odd counting numbers": [[1, 3, 5, 7]],
    "five smallest prime numbers": [[2, 3, 5, 7, 11]],
    "powers of 2 less than or equal to 16": [[1, 2, 4, 8, 16], [2, 4, 8, 16]],
    "distinct prime factors of 2000": [[2, 5]],
    "composite numbers below 10 and above 4": [[6, 8, 9]],
    "whole numbers less than 7 that are divisible by 2 or 3": [[0, 2, 3, 4, 6], [2, 3, 4, 6]],
    "natural numbers that are 20 or less and are multiples of 5 but not multiples of 10": [[5, 15]],
    "positive integers less than 40 that are divisible by 7 but not by 5": [[7, 14, 21, 28]],
    "positive integers not exceeding 12 that are not divisible by 2 or 3": [[1, 5, 7, 11]],
    "positive integers less than 12 that are relatively prime to 12": [[1, 5, 7, 11]],
    "positive factors of 36 that are perfect squares": [[1, 4, 9, 36]],
    "proper divisors of 12": [[1, 2, 3, 4, 6], [2, 3, 4, 6]],
    "common multiples of 4 and 6 less than 30": [[0, 12, 24], [12, 24]],
    "factors of $54$ less than or equal to $10$": [[1, 2, 3, 6, 9]],
    "numbers from 10 to 20 that are not prime": [[10, 12, 14, 15, 16, 18, 20]],
}
UNREAD = [
    "odd numbers",
    "numbers less than 10",
    "integers less than 10",
    "integer factors of 12",
    "squares from 21 to 40",
    "powers of 2 from 1 to 10",
    "factors of 12 and 18",
    "red marbles less than 5",
    "three-digit palindromes",
    "multiples of 3 less than 20 in the list",
    "multiples of 0 less than 20",
    "positive integers less than 20 that are not divisible by 2 and 3",
    "positive integers less than 20 that are not at most 5",
    "positive integers less than 9999999999999999",
    "positive integers " + "and less than 5 " * 40,
    "",
]
RIGHT_AND_WRONG = {
    "a number": (
        r"Therefore, the number of three-digit positive integers that are multiples of 11 is \(\boxed{81}\).",
        r"Therefore, the number of three-digit positive integers that are multiples of 11 is \(\boxed{82}\).",
    ),
    "there are": ("There are 8 common factors of 120 and 40.", "There are 6 common factors of 120 and 40."),
    "both": (
        "There are 8 positive integers that are factors of both 120 and 40.",
        "There are 6 positive integers that are factors of both 120 and 40.",
    ),
    "in a word": ("There are nine positive divisors of 36.", "There are ten positive divisors of 36."),
    "primes": ("So there are 25 primes less than 100.", "So there are 24 primes less than 100."),
    "a range": ("The number of integers from 11 to 98 is 88.", "The number of integers from 11 to 98 is 87."),
    "a sum": (
        "The sum of all multiples of 7 between 100 and 200 is 2107.",
        "The sum of all of the multiples of 7 between 100 and 200 is 2100.",
    ),
    "prime factors that are distinct": (
        "The number of distinct prime factors of 12 is 2.",
        "The number of distinct prime factors of 12 is 3.",
    ),
    "what is left out": (
        "There are 6 positive integers less than 10 that are not divisible by 3.",
        "There are 7 positive integers less than 10 that are not divisible by 3.",
    ),
    "a sum in a row": ("The sum of the first 10 odd numbers is 100.", "The sum of the first 10 odd numbers is 55."),
    "from one to another": ("The sum of the integers from 3 to 7 is 25.", "The sum of the integers from 3 to 7 is 24."),
    "multiples": ("There are 14 multiples of 7 from 100 to 200.", "There are 12 multiples of 7 from 100 to 200."),
    "a sum of terms": (
        "The sum of the first 4 odd counting numbers can be expressed as: 1 + 3 + 5 + 7.",
        "The sum of the first 4 odd counting numbers can be expressed as: 1 + 3 + 5 + 7 + 9.",
    ),
    "a product": (
        "The product of the five smallest prime numbers is 2,310.",
        "The product of the five smallest prime numbers is 2320.",
    ),
    "a mean": (
        "The average of the first 10 positive integers is 5.5.",
        "The average of the first 10 positive integers is 6.5.",
    ),
    "the largest": (
        "The largest factor of 54,321 that is less than 54,321 is 18,107.",
        "The largest factor of 54,321 that is less than 54,321 is 54,320.",
    ),
    "the smallest": (
        "The smallest three-digit multiple of 13 is 104.",
        "The smallest three-digit multiple of 13 is 117.",
    ),
    "a difference": (
        r"The positive difference between the greatest and least prime factors of 2000 is: \boxed{3}.",
        r"The positive difference between the greatest and least prime factors of 2000 is: \boxed{4}.",
    ),
    "a list": (
        "The multiples of 7 between 100 and 120 are 105, 112, and 119.",
        "The multiples of 7 between 100 and 120 are 105, 112, and 118.",
    ),
    "a list that is not whole": (
        "The two-digit multiples of 30 are: 30, 60, 90.",
        "The two-digit multiples of 30 are 30 and 60.",
    ),
    "a list in formulas": (
        "The five smallest primes are $2$, $3$, $5$, $7$, and $11$.",
        "The five smallest primes are $2$, $3$, $5$, $7$, and $9$.",
    ),
}  # fmt: skip
# right as they are meant, or not claimed
NOT_ACCUSED = [
    "Of these, there are 3 primes less than 100.",
    "In this set there are 3 even numbers between 1 and 10.",
    "There are 3 primes less than 100 in the list.",
    "There are 5 multiples of 3 less than 20, excluding 6.",
    "There are 4 multiples of 5 less than 40 and greater than 10 that remain.",
    "If there are 10 divisors of 36, we are wrong.",
    "It is not true that there are 10 divisors of 36.",
    "Tom claims there are 10 divisors of 36.",
    "There are 10 divisors of 36. Wait, no, that is wrong.",
    "For the remaining cards, there are 2 primes less than 10.",
    "The number of prime factors of 12 is 3.",
    "There are $4$ factors of $5$.",
    "The prime factors of 36 are 2, 2, 3, and 3.",
    "The factors of 21 are 3 and 7.",
    "The highest power of 2 less than 50 is 5, since 2^5 = 32.",
    "The factors of 12 are 1, 2, 3, 4, 6, and 12%.",
    "The total number of 5-digit numbers is 5!.",
    "Using the digits 1 to 5 once, there are 120 5-digit numbers.",
    "There are 7 numbers between 2 and 15.",
    "The multiples of 3 from 1 to 100 are 3, 6, 9, ..., 99.",
    r"The multiples of 3 from 1 to 100 are $3, 6, 9, \ldots, 99$.",
    r"The two-digit multiples of 7 are $$14, 21, \underline{28}, 35$$ and so on.",
    "The average of the first 10 positive integers is 5.",
    "The average of the first 3 primes is 3.33.",
    "Is the number of positive divisors of 36 10?",
    "There are about 24 primes less than 100.",
    "There are 11 powers of 2 from 1 to 10.",
    "Among the faces of the die there are 2 primes less than 5.",
    "There are 6 multiples of 4 between 1 and 20 if zero counts.",
    "The number of factors of 36 is 9 or 10.",
    "The sum of the first 4 odd counting numbers is 1 + 3 + 5 + ... + 7.",
    "She said the largest two-digit prime is 91.",
    "The largest two-digit prime is 97 - 8 = 89 in his count.",
]


@pytest.mark.parametrize("words", SORTS)
def test_the_words_name_the_numbers(words: str) -> None:
    found = [list(members(reading) or ()) for reading in sort_in(words)]
    assert found
    assert all(numbers in SORTS[words] for numbers in found)
    assert all(numbers in found for numbers in SORTS[words])


@pytest.mark.parametrize("words", UNREAD)
def test_words_that_name_no_sort_of_their_own_are_not_read(words: str) -> None:
    assert sort_in(words) == ()


@pytest.mark.parametrize("kind", RIGHT_AND_WRONG)
def test_what_is_told_of_a_sort_is_counted(kind: str) -> None:
    right, wrong = RIGHT_AND_WRONG[kind]
    assert is_verified(right)
    assert is_refuted(wrong)


@pytest.mark.parametrize("line", NOT_ACCUSED)
def test_a_sentence_of_another_sort_is_not_accused(line: str) -> None:
    assert not is_refuted(line)
    assert not is_doubted(line)


@pytest.mark.parametrize(
    ("problem", "right", "wrong"),
    [
        ("How many three-digit positive integers are multiples of 11?", 81, 82),
        ("How many positive integers less than 100 are divisible by both 2 and 3?", 16, 17),
        ("How many positive multiples of 7 are there between 100 and 200?", 14, 15),
        ("What is the sum of all of the multiples of 7 between 100 and 200?", 2107, 2106),
        ("What is the largest two-digit prime?", 97, 91),
    ],
)
def test_a_problem_that_asks_for_a_sort_is_computed(problem: str, right: int, wrong: int) -> None:
    said = r"The answer is \boxed{%d}."
    assert is_verified("We count.", said % right, problem=problem)
    assert is_refuted("We count.", said % wrong, problem=problem)


def test_a_question_about_other_things_is_left_alone() -> None:
    assert not findings(r"The answer is \boxed{6}.", problem="How many apples are there?")


def _record(line: str) -> dict:
    trace = read_record({"id": "t", "problem": "Count.", "steps": [line]}, where="test")
    return json.loads(json.dumps({"id": "t", **audit_trace(trace=trace)}))


@pytest.mark.parametrize("line", [line for pair in RIGHT_AND_WRONG.values() for line in pair])
def test_every_proof_holds_and_no_tampered_one_does(line: str) -> None:
    record = _record(line)
    assert {reason for _, reason in check_record(record)} == {""}
    proved = [found for part in record["segments"] for found in part["evidence"] if found["checker"] == "number sorts"]
    for found in proved:
        found["verdict"] = "refuted" if found["verdict"] == "verified" else "verified"
    assert all(reason for _, reason in check_record(record)) or not proved


WRITTEN = "There are 81 three-digit multiples of 11."
LIES = {
    "another end": ({"readings": [[100, 500, [["multiple", 11]], 0]]}, "an end stands nowhere"),
    "another number": ({"readings": [[100, 999, [["multiple", 13]], 0]]}, "a number stands nowhere"),
    "another test": ({"readings": [[100, 999, [["prime"]], 0]]}, "a test stands nowhere"),
    "another claim": ({"claimed": ["82"]}, "what is claimed stands nowhere"),
    "another question": ({"asks": "sum"}, "nothing of it is asked"),
    "no reading": ({"readings": []}, "there are none of this sort"),
    "the first of them": ({"readings": [[100, 999, [["multiple", 11]], 5]]}, "a number stands nowhere"),
    "what is right": ({}, "the numbers say otherwise"),
}


@pytest.mark.parametrize("name", LIES)
def test_a_right_count_is_not_refuted_by_a_lie(name: str) -> None:
    change, reason = LIES[name]
    proof = {
        "version": 1,
        "kind": "number sort",
        "asks": "count",
        "readings": [[100, 999, [["multiple", 11]], 0]],
        "claimed": ["81"],
    }
    evidence = {"verdict": "refuted", "read": WRITTEN, "details": {}, "start": 0, "end": len(WRITTEN)}
    with pytest.raises(RefusedError, match=reason):
        check_finding({**evidence, "proof": {**proof, **change}}, WRITTEN, WRITTEN)


@pytest.mark.parametrize(
    ("line", "reading", "reason"),
    [
        ("There are 5 primes less than 9,999,999.", [2, 9_999_998, [["prime"]], 0], "too many numbers"),
        (
            "There are 5 factors of 20000000000000.",
            [1, 2 * 10**13, [["factor", 2 * 10**13]], 0],
            "a number is too large",
        ),
    ],
)
def test_the_file_takes_no_sort_that_is_too_large(line: str, reading: list, reason: str) -> None:
    proof = {
        "version": 1,
        "kind": "number sort",
        "asks": "count",
        "readings": [reading],
        "claimed": ["5"],
    }
    evidence = {"verdict": "refuted", "read": line, "details": {}, "start": 0, "end": len(line)}
    with pytest.raises(RefusedError, match=reason):
        check_finding({**evidence, "proof": proof}, line, line)


def test_a_sort_that_is_too_large_is_not_counted() -> None:
    assert members(Reading(2, FARTHEST, (("prime",),))) is None
    assert members(Reading(1, FARTHEST, (("prime",),), 3)) == (2, 3, 5)
    # more of them are asked for than there are
    assert members(Reading(1, 10, (("prime",),), 9)) is None
    assert not findings("There are 5 primes less than 9,999,999.")


def test_of_many_sentences_the_first_ones_are_counted() -> None:
    lines = " ".join(f"There are 5 primes less than {number}." for number in range(90_000, 90_200))
    told = [item for item in findings(lines) if item.finding.evidence.checker == "number sorts"]
    assert 0 < len(told) < 100
    assert len(list(islice(told, 1))) == 1
