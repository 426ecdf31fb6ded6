"""Certificates with holes: what a model answered is kept where a limit or a server left other questions unanswered.

A claim is certified from its own answers and those of the claims it leans on, so the others are left out, not guessed.
"""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from auditing.core.soundness.claims import Chain
from auditing.core.soundness.entailment import EntailmentModel, Query
from auditing.core.soundness.particles import UNKNOWN, Certificate
from auditing.research.soundness.core.second_look import Context, Premises, is_doubtful

__all__ = ["WithHoles", "without_unanswered"]


@dataclass
class WithHoles:
    """A model whose nan is a question without an answer: counted, its claim remembered, .5 put in its place.

    Whoever certifies by it takes the claims in `missing`, and what leans on them, out again (without_unanswered).
    kept: answers of an earlier run by `key`; they are not asked again.
    """

    model: EntailmentModel
    chain: Chain
    key: Callable[[Query], str]
    kept: dict[str, float] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)  # claims
    failed: set[str] = field(default_factory=set)  # questions
    reused: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Know what was there before, and what each claim declares."""
        self._before = frozenset(self.kept)
        claims = self.chain.claims
        pairs = zip(self.chain.derived, self.chain.parents, strict=True)
        self._declares = {claim.id: {claims[parent].id for parent in parents} for claim, parents in pairs}

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    def entail(self, queries: Sequence[Query]) -> list[float]:
        """The kept answers, and the model's to the rest; a claim that declares an unanswered one is not paid for."""
        keys = [self.key(query) for query in queries]
        self.reused |= self._before.intersection(keys)
        # Only what no earlier run has answered is asked: a run that met its limit goes on where it stopped.
        new = [number for number, key in enumerate(keys) if key not in self.kept and self._is_worth(queries[number])]
        answers = self.model.entail([queries[number] for number in new]) if new else []
        for number, answer in zip(new, answers, strict=True):
            if math.isnan(answer):
                self.failed.add(keys[number])
                self.missing.add(queries[number].hypothesis_id)
            else:
                self.kept[keys[number]] = answer
        return [self.kept.get(key, UNKNOWN) for key in keys]

    def _is_worth(self, query: Query) -> bool:
        if self._declares[query.hypothesis_id] & self.missing:
            self.missing.add(query.hypothesis_id)
        return query.hypothesis_id not in self.missing

    def counts(self, *, certified: int, claims: int) -> dict[str, Any]:
        """asked / answered / reused / failed questions, and the share of the claims that are certified."""
        answered = len(self.kept.keys() - self._before)
        return {
            "asked": answered + len(self.failed),
            "answered": answered,
            "reused": len(self.reused),
            "failed": len(self.failed),
            "coverage": certified / claims if claims else 1.0,
        }


def without_unanswered(
    *, certificate: Certificate, chain: Chain, missing: Collection[str], threshold: float
) -> Certificate:
    """The certificate of those claims that rest on answers alone; its intervals hold for them all the more.

    A claim that only the second look could call unsound, or whose second figure stands, leans on everything earlier.
    """
    wanted = chain.undeclared() if certificate.premises == Premises.ALL else chain
    ahead, open_claims = len(chain.base), set[int]()
    for k, claim in enumerate(certificate.claims):
        is_wide = claim.context == Context.EARLIER or (
            certificate.premises == Premises.DECLARED_FIRST and is_doubtful(claim=claim, threshold=threshold)
        )
        # `open_claims` grows in order, so that whoever leans on an open claim becomes open in the same pass.
        leans_on = range(k) if is_wide else [parent - ahead for parent in wanted.parents[k]]
        if claim.id in missing or open_claims.intersection(leans_on):
            open_claims.add(k)
    claims = tuple(claim for k, claim in enumerate(certificate.claims) if k not in open_claims)
    return replace(certificate, claims=claims, of=len(certificate.claims))
