"""An oracle whose mistakes are shared between wordings: asking again in other words helps only as far as they are not.

Recorded of GPT-4o-mini: the same claim is often wrong in every wording. Independent mistakes are not the world.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from auditing.core.soundness.entailment import EntailmentModel, Query

__all__ = ["CorrelatedOracle"]


@dataclass(frozen=True, slots=True)
class CorrelatedOracle:
    """Wrong on a share `error_rate` of questions; with chance `correlation` a wording errs as its question does."""

    truth: EntailmentModel
    error_rate: float
    correlation: float
    seed: int = 0

    @property
    def name(self) -> str:
        """Name with its rates."""
        return f"oracle ({self.error_rate:g} wrong, correlation {self.correlation:g})"

    def entail(self, queries: Sequence[Query]) -> list[float]:
        """Truth values, turned where it errs."""
        return [
            right if self._draw(query) >= self.error_rate else 1.0 - right
            for query, right in zip(queries, self.truth.entail(queries), strict=True)
        ]

    def _draw(self, query: Query) -> float:
        question = (self.seed, query.premises, query.hypothesis)
        is_shared = _uniform((*question, query.wording, "shared")) < self.correlation
        return _uniform(question if is_shared else (*question, query.wording))


def _uniform(key: tuple[object, ...]) -> float:
    digest = hashlib.blake2b(repr(key).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2.0**64
