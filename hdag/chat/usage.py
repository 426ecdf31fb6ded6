"""Tokens, bytes and money of calls."""

from dataclasses import dataclass
from decimal import Decimal

__all__ = ["FREE", "NOTHING_SPENT", "NOTHING_USED", "Prices", "Spent", "Usage", "tokens_at_most"]

_MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call as the server counted them."""

    tokens_in: int = 0  # cached ones included
    tokens_out: int = 0  # thinking included
    tokens_cached: int = 0  # of those in, read from the provider's prompt cache
    tokens_thinking: int = 0  # of those out

    def __add__(self, more: "Usage") -> "Usage":
        """Both together."""
        return Usage(
            self.tokens_in + more.tokens_in,
            self.tokens_out + more.tokens_out,
            self.tokens_cached + more.tokens_cached,
            self.tokens_thinking + more.tokens_thinking,
        )


@dataclass(frozen=True, slots=True)
class Prices:
    """Price per million tokens, in the operator's currency."""

    per_million_in: Decimal = Decimal(0)
    per_million_out: Decimal = Decimal(0)
    per_million_cached: Decimal | None = None  # of cached tokens in; None: as any other token in

    def cost(self, usage: Usage) -> Decimal:
        """Price of `usage`.

        >>> Prices(Decimal("0.15"), Decimal("0.60")).cost(Usage(1000, 500))
        Decimal('0.00045')
        """
        cached_price = self.per_million_in if self.per_million_cached is None else self.per_million_cached
        read = (usage.tokens_in - usage.tokens_cached) * self.per_million_in + usage.tokens_cached * cached_price
        return (read + usage.tokens_out * self.per_million_out) / _MILLION


NOTHING_USED = Usage()
FREE = Prices()


@dataclass(frozen=True, slots=True)
class Spent:
    """Everything that one question took, failed attempts included."""

    usage: Usage = NOTHING_USED
    cost: Decimal = Decimal(0)
    calls: int = 0
    bytes_sent: int = 0
    seconds: float = 0.0

    def __add__(self, more: "Spent") -> "Spent":
        """Both together."""
        return Spent(
            self.usage + more.usage,
            self.cost + more.cost,
            self.calls + more.calls,
            self.bytes_sent + more.bytes_sent,
            self.seconds + more.seconds,
        )


NOTHING_SPENT = Spent()


def tokens_at_most(*, bytes_sent: int) -> int:
    """Upper bound of the tokens in a request: a token holds at least one byte of it."""
    return bytes_sent
