"""Certificates with holes: a claim stands on answers alone, its own and those of what it leans on."""

import math
from collections.abc import Sequence

import pytest

from auditing.core.soundness.claims import BaseClaim, Chain, DerivedClaim
from auditing.core.soundness.entailment import Confirmed, Panel, Query
from auditing.core.soundness.particles import Certificate
from auditing.research.soundness.core.holes import WithHoles, without_unanswered
from auditing.research.soundness.core.second_look import Premises, certify_by

# S3 leans on S2, S5 on nothing that is derived; S4 declares nothing and leans on everything earlier.
CHAIN = Chain(
    (BaseClaim("F1", "fact"),),
    (
        DerivedClaim("S1", "one", ("F1",)),
        DerivedClaim("S2", "two", ("F1",)),
        DerivedClaim("S3", "three", ("S2",)),
        DerivedClaim("S4", "four"),
        DerivedClaim("S5", "five", ("F1",)),
    ),
)


class Silent:
    """Answers 1, but nothing about the claims named, and .9 to a claim that is not granted everything."""

    name = "silent"

    def __init__(self, *unanswered: str, wrong: str = "") -> None:
        self.unanswered, self.wrong, self.asked = unanswered, wrong, 0

    def entail(self, queries: Sequence[Query]) -> list[float]:
        self.asked += len(queries)
        return [
            math.nan if q.hypothesis_id in self.unanswered else 0.0 if q.hypothesis_id == self.wrong else 1.0
            for q in queries
        ]


def certified(model: WithHoles, premises: Premises = Premises.DECLARED_FIRST) -> Certificate:
    whole = certify_by(chain=CHAIN, model=model, seed=1, premises=premises)
    return without_unanswered(certificate=whole, chain=CHAIN, missing=model.missing, threshold=0.5)


def labels(certificate: Certificate) -> list[str]:
    return [claim.id for claim in certificate.claims]


@pytest.mark.parametrize(
    ("premises", "standing"),
    [
        (Premises.DECLARED_FIRST, ["S1", "S5"]),
        (Premises.DECLARED, ["S1", "S5"]),
        (Premises.ALL, ["S1"]),
    ],
)
def test_what_leans_on_an_unanswered_claim_is_left_out(premises: Premises, standing: list[str]) -> None:
    certificate = certified(WithHoles(Silent("S2"), CHAIN, repr), premises)
    assert labels(certificate) == standing
    assert certificate.statement.startswith(f"Partial: {len(standing)} of 5 claims")
    assert {claim.tau for claim in certificate.claims} == {1.0}


def test_a_claim_that_was_not_granted_everything_earlier_is_not_called_unsound() -> None:
    certificate = certified(WithHoles(Silent("S2", wrong="S5"), CHAIN, repr))
    assert labels(certificate) == ["S1"]  # S5 fails by what it declares; the second look needs S2 and S3
    assert labels(certified(WithHoles(Silent("S5", wrong="S2"), CHAIN, repr))) == ["S1", "S2", "S3", "S4"]


def test_answers_that_were_kept_are_not_asked_again_and_the_rest_fills_the_holes() -> None:
    first = WithHoles(Silent("S2"), CHAIN, repr)
    certified(first)
    model = Silent()
    second = WithHoles(model, CHAIN, repr, dict(first.kept))
    whole = certified(second)
    assert labels(whole) == ["S1", "S2", "S3", "S4", "S5"]
    assert not whole.statement.startswith("Partial")
    counts = second.counts(certified=5, claims=5)
    assert counts["asked"] == counts["answered"] == model.asked
    assert 0 < counts["reused"] <= len(first.kept)
    assert first.counts(certified=2, claims=5)["coverage"] == 0.4


def test_nothing_is_paid_for_a_claim_that_declares_an_unanswered_one() -> None:
    model = Silent("S2")
    certified(WithHoles(model, CHAIN, repr), Premises.DECLARED)
    # S1, S2 and S5; S3 and S4, which declare S2 or everything, are not asked about once it is known
    assert model.asked == 3


@pytest.mark.parametrize("wrap", [Confirmed, lambda model: Panel((model, Silent()))])
def test_no_wrapper_takes_silence_for_an_answer(wrap: type[Confirmed]) -> None:
    answers = wrap(Silent("S2")).entail([CHAIN.query(0, [True]), CHAIN.query(1, [True])])
    assert [math.isnan(answer) for answer in answers] == [False, True]
