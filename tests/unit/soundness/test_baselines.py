"""Under which premises each of the published detectors asks, on a chain small enough to write them down."""

import pytest

from auditing.core.soundness.claims import BaseClaim, Chain, DerivedClaim
from auditing.core.soundness.entailment import Oracle, Query
from auditing.research.studies.instruments.baselines import BASELINES

CHAIN = Chain(
    (BaseClaim("A", "a"), BaseClaim("B", "b")),
    (DerivedClaim("1", "one"), DerivedClaim("2", "two"), DerivedClaim("3", "three")),
)
PREMISES = {  # of claim 1, 2 and 3: the sets under which it is asked
    "Entail-Prev": (["ab"], ["ab1"], ["ab12"]),
    "Entail-Base": (["ab"], ["ab"], ["ab"]),
    "ROSCOE-LI-Self": ([], ["1"], ["1", "2"]),
    "ROSCOE-LI-Source": (["a", "b"], ["a", "b"], ["a", "b"]),
    "ReCEval-Intra": (["b"], ["1"], ["2"]),
    "ReCEval-Inter": (["a", "b"], ["a", "b", "1"], ["a", "b", "1", "2"]),
    "LLM-Judge": (["ab23"], ["ab13"], ["ab12"]),
}


@pytest.mark.parametrize(
    ("name", "score"),
    [("ROSCOE-LI-Self", 0.0), ("ROSCOE-LI-Source", 0.0), ("ReCEval-Inter", 0.0), ("Entail-Prev", 1.0)],
)
def test_pairwise_detectors_take_the_worst_of_their_pairs(name: str, score: float) -> None:
    """Claim 3 follows from everything, from a and from claim 1, but from neither b nor claim 2 alone."""
    needed = Oracle(lambda query: bool({"A", "1"} & set(query.premise_ids)))
    assert BASELINES[name](CHAIN, needed)[2] == score


@pytest.mark.parametrize("name", sorted(BASELINES))
def test_a_detector_asks_each_claim_under_its_own_premises(name: str) -> None:
    asked: dict[str, list[str]] = {claim.text: [] for claim in CHAIN.derived}

    def remember(query: Query) -> bool:
        asked[query.hypothesis].append("".join(query.premise_ids).lower())
        return False

    scores = BASELINES[name](CHAIN, Oracle(remember))
    assert tuple(asked.values()) == PREMISES[name]
    assert list(scores) == [0.0 if premise_sets else 1.0 for premise_sets in PREMISES[name]]
