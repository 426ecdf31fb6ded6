"""Proofs of what words claim of whole numbers: that one divides another, is prime, stands rightly in a list.

The numbers and the claim are kept; who re-checks it computes the claim again.
"""

from __future__ import annotations

from collections.abc import Sequence

from auditing.checker.proofs.formulas import Formula, packed


def of_claim(claim: str, numbers: Sequence[int], *, is_denied: bool) -> dict[str, str]:
    """A claim of the table in the verifier: divisible, prime, composite, even, odd, perfect square, perfect cube."""
    return packed({"kind": "claim", "claim": claim, "numbers": list(numbers), "denied": is_denied})


def of_member(list_of: str, what: str, numbers: Sequence[int], members: Sequence[int], member: int) -> dict[str, str]:
    """A member of a list of factors, divisors or multiples that is none, is not prime, or is missing in it.

    For a kind of numbers in a range, such as the odd ones, the two numbers are the range, half open.
    """
    lists = {"list": list_of, "numbers": list(numbers), "members": list(members)}
    return packed({"kind": "member", **lists, "member": member, "what": what})


def of_said(
    left: Sequence[Formula], right: Sequence[Formula], relation: str = "=", texts: Sequence[str] = ()
) -> dict[str, str]:
    """Numbers that words put beside each other, under all their readings, and the lines that they stand in."""
    sides = {"left": list(left), "right": list(right), "rounded": [], "given": []}
    lines = {"texts": list(texts)} if texts else {}
    return packed({"kind": "numbers", "relation": relation, **sides, **lines})


def of_quotation(quote: str, places: Sequence[str]) -> dict[str, str]:
    """A quotation, and every place of the problem that has its words, whatever numbers stand between them."""
    return packed({"kind": "quotation", "quote": quote, "texts": list(places)})


def of_confession(quote: str) -> dict[str, str]:
    """A sentence up to the deed in it that a word beside it calls wrong."""
    return packed({"kind": "confession", "quote": quote})
