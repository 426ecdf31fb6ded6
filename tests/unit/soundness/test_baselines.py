"""Under which premises each of the published detectors asks, on a chain small enough to write them down."""

import pytest

from auditing.core.soundness.claims import BaseClaim, Chain, DerivedClaim
from auditing.core.soundness.entailment import Oracle, Query
from auditing.research.studies.chains.whole_judge import CountedChains, WholeChains, whole_chain_question
from auditing.research.studies.instruments.baselines import BASELINES, split_step
from auditing.research.studies.instruments.claimtree_chains import follows, make_line, make_wide
from hdag.chat.address import read_allowlist
from hdag.chat.client import ChatClient
from hdag.chat.endpoint import EndpointSettings
from tests.doubles.chat_server import run_server

CHAIN = Chain(
    (BaseClaim("A", "a"), BaseClaim("B", "b")),
    (DerivedClaim("1", "one"), DerivedClaim("2", "two"), DerivedClaim("3", "three")),
)
PREMISES = {  # of claim 1, 2 and 3: the sets under which it is asked
    "Entail-Prev": (["ab"], ["ab1"], ["ab12"]),
    "Entail-Base": (["ab"], ["ab"], ["ab"]),
    "ROSCOE-LI-Self": ([], ["1"], ["1", "2"]),
    "ROSCOE-LI-Source": (["a", "b"], ["a", "b"], ["a", "b"]),
    "ReCEval-Intra": ([], [], []),  # a step of one clause states no premise of its own
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


def test_a_step_is_split_at_its_last_clause():
    assert split_step("I have A, I use rule (A, B -> C) to derive C, now I have C") == (
        ("I have A", "I use rule (A, B -> C) to derive C"),
        "now I have C",
    )
    assert split_step("He pays $1,200. Therefore 300 are left.") == (("He pays $1,200.",), "Therefore 300 are left.")
    assert split_step("one") == ((), "one")
    assert split_step("") == ((), "")


def test_a_step_follows_from_itself_whether_or_not_its_rule_exists():
    """Why ReCEval-Intra sees no missing rule: every step of a line agrees with itself (printed macro-F1 .33)."""
    line, wide = make_line(length=6, seed=1), make_wide(depth=3, sources=3, seed=2)
    for tree in (line, wide):
        scores = BASELINES["ReCEval-Intra"](tree.chain, Oracle(follows))
        assert list(scores) == [1.0] * len(tree.corrected)
    bent = Query(("I have A1", "I use rule (B1 -> C1) to derive C1"), "now I have C1")
    assert not follows(bent)
    astray = Query(("I have A1", "I use rule (A1 -> B1) to derive B1"), "now I have C1")
    assert not follows(astray)


def test_a_whole_chain_is_one_question():
    counted = CountedChains(Oracle(lambda query: "A" in query.premise_ids))
    assert list(BASELINES["LLM-Judge"](CHAIN, counted)) == [1.0, 1.0, 1.0]
    assert counted.calls == 1


def test_the_question_for_a_whole_chain_shows_every_claim_and_wants_a_word_for_each():
    question = whole_chain_question(chain=CHAIN)
    shown = question.messages[1].content
    assert all(f'"{claim.text}"' in shown for claim in CHAIN.claims)
    words = question.schema["properties"]["words"]
    assert (words["minItems"], words["maxItems"]) == (3, 3)
    assert "Very Likely" in words["items"]["properties"]["label"]["enum"]


def test_an_endpoint_is_asked_once_about_a_whole_chain():
    chain = make_line(length=6, seed=1).chain
    with run_server() as server:
        endpoint = EndpointSettings("loopback", server.url("oracle"), "m-1", max_concurrency=2)
        with ChatClient(endpoint, allowed=read_allowlist(server.origin)) as client:
            model = WholeChains(Oracle(lambda query: False), client, "test")
            scores = BASELINES["LLM-Judge"](chain, model)
        assert server.stats("oracle")["calls"] == 1
    assert list(scores) == list(BASELINES["LLM-Judge"](chain, Oracle(follows)))
    assert 0.0 in scores
    assert 1.0 in scores
