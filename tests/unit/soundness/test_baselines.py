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


@pytest.mark.parametrize("name", sorted(BASELINES))
def test_a_detector_asks_each_claim_under_its_own_premises(name: str) -> None:
    asked: dict[str, list[str]] = {claim.text: [] for claim in CHAIN.derived}

    def remember(query: Query) -> bool:
        asked[query.hypothesis].append("".join(query.premise_ids).lower())
        return False

    scores = BASELINES[name](CHAIN, Oracle(remember))
    assert tuple(asked.values()) == PREMISES[name]
    assert list(scores) == [0.0 if premise_sets else 1.0 for premise_sets in PREMISES[name]]
