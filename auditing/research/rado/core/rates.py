"""What an audit model does with its tools, over a set of audits."""

from dataclasses import dataclass

__all__ = ["Rates", "rates_of"]


@dataclass(frozen=True, slots=True)
class Rates:
    """Over a set of audits: tool calls an audit, share of calls refused, of answers corrected, of votes in conflict.

    A conflict is a vote for what a tool had refuted.
    """

    audits: int
    calls_each: float
    refused: float
    parse_errors: float
    conflicts: float


def rates_of(*, audits: int, calls: int, refused: int, corrections: int, conflicts: int) -> Rates:
    """Tool-call, refusal, parse-error and conflict rates from counts; all 0 for no audits.

    >>> rates_of(audits=2, calls=6, refused=3, corrections=1, conflicts=1)
    Rates(audits=2, calls_each=3.0, refused=0.5, parse_errors=0.125, conflicts=0.5)
    """
    # At least 1, so that the rates of no audits are 0. A turn is a call, or the answer that ends an audit.
    many, turns = max(1, audits), max(1, calls + audits)
    return Rates(audits, calls / many, refused / max(1, calls), corrections / turns, conflicts / many)
