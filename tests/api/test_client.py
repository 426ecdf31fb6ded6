"""The client for strangers: its seals are those of the protocol, and simulated auditors finish an audit with it."""

import json
from typing import Any
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from accounts.services.tokens import make_token
from auditing.client import ApiError, TrustClient
from auditing.client.sealing import seal_vote
from auditing.client.session import Desk, KeptOpeningError
from auditing.core.voting import commitment as core
from auditing.core.voting import seal as core_seal
from auditing.models import Audit, Vote
from auditing.research.management.commands.simulate import take_planted
from auditing.research.population.conducts import Conduct
from auditing.research.population.members import standing_by_conduct
from auditing.research.population.visits import Corpus, Crowd, Member
from auditing.selectors.ledger.published import bundle_of
from auditing.verifier import verify_audit
from tests.factories.worlds import TRACE, make_world
from tests.tools.patience import PATIENCE
from tests.tools.site import Site

KEY = ec.generate_private_key(ec.SECP256R1())
PLANTED = ("so 14 - 5 = 8", {"segment_text": "so 14 - 5 = 8", "kind": "calculation"}, None, "")
SEALING = {
    "origin": "trust.example/ledger/v1",
    "auditId": str(UUID(int=1)),
    "segmentId": str(UUID(int=2)),
    "round": 3,
    "seatId": str(UUID(int=4)),
    "auditorId": "ab" * 32,
    "salt": "cd" * 32,
    "text": "2 + 2 = 4, café",
    "revealPoint": core_seal.public_point(key=KEY.public_key()).hex(),
    "openings": "escrow",
}


@pytest.mark.parametrize(("vote", "confidence"), [("pass", 9000), ("fail", 5000), ("abstain", 9000)])
def test_a_seal_of_the_client_is_one_of_the_protocol(vote: str, confidence: int) -> None:
    sealed = seal_vote(sealing=SEALING, vote=vote, confidence_bp=confidence, rationale={"reason": "é", "criteria": {}})
    digest = bytes.fromhex(sealed.commitment)
    opened = core_seal.open_sealed(private_key=KEY, sealed=sealed.sealed, seat_id=UUID(int=4), commitment=digest)
    binding = core.Binding(
        log_id=core.log_id(origin=SEALING["origin"]),
        audit_id=UUID(int=1),
        segment_id=UUID(int=2),
        round=3,
        seat_id=UUID(int=4),
        auditor_id=bytes.fromhex("ab" * 32),
        segment_digest=core.segment_digest(salt=bytes.fromhex("cd" * 32), text=SEALING["text"]),
    )
    core.check_opening(binding=binding, opening=opened.opening, commitment=digest)
    core.check_rationale(opening=opened.opening, rnonce=opened.rnonce, text=opened.rationale)
    assert str(opened.opening.choice) == vote
    assert json.loads(opened.rationale)["reason"] == "é"


def test_a_seat_whose_opening_belongs_in_a_browser_is_left_alone() -> None:
    desk = Desk(str(UUID(int=4)), "", {"sealing": SEALING | {"openings": "browser"}})
    with TrustClient(base="http://127.0.0.1:9", token="none") as client, pytest.raises(KeptOpeningError):
        client.vote(desk=desk, vote="pass")


def test_what_an_honest_one_knows_is_what_was_handed_in() -> None:
    corpus = Corpus(("First 3 + 4 = 7.\nThen 7 * 2 = 14.",), ("so 14 - 5 = 8",))
    assert corpus.is_valid(text="Then  7 * 2 = 14.")
    assert corpus.is_valid(text="A plan without a number.")
    assert not corpus.is_valid(text="And so 14 - 5 = 8 remain.")
    assert not corpus.is_valid(text="Then 7 * 2 = 15.")


def test_what_was_planted_is_known_and_no_field_of_it_is_handed_in() -> None:
    records = [{"title": str(number), "planted": planted} for number, planted in enumerate(PLANTED)]
    assert [take_planted(record) for record in records] == ["so 14 - 5 = 8", "so 14 - 5 = 8", "", ""]
    assert {key for record in records for key in record} == {"title"}
    assert take_planted({"title": "none"}) == ""


@pytest.mark.django_db(transaction=True)
def test_simulated_auditors_get_an_audit_to_its_record_through_the_public_api(site: Site) -> None:
    world = make_world()
    kinds = (Conduct.HONEST, Conduct.SLOW, Conduct.STAMPER)
    members = [
        Member(user.pseudonym, kind, make_token(user=user, name="simulate")[1])
        for user, kind in zip(world.reviewers, kinds, strict=True)
    ]
    record: dict[str, Any] = {"problem": TRACE.problem, "thinking": TRACE.thinking, "answer": TRACE.answer}
    corpus = Corpus((f"{TRACE.problem}\n{TRACE.thinking}\n{TRACE.answer}",), ())
    crowd = Crowd(base=site.url, members=members, corpus=corpus, seed=1)
    crowd.hand_in(
        provider=make_token(user=world.provider, name="simulate")[1],
        traces=[record | {"campaign": str(world.campaign.pk)}],
    )
    visit = crowd.vote_until_idle(seconds=PATIENCE, pause=0, say=lambda line: world.settle_machines())
    audit = Audit.objects.get(pk=visit.audits[0])
    assert audit.stage == "recorded"
    assert visit.votes.total() == Vote.objects.filter(seat__round__tier="human").count() > 0
    assert visit.votes[Conduct.SLOW] == visit.votes[Conduct.STAMPER]
    assert not visit.refused
    assert verify_audit.verify(json.dumps(bundle_of(audit=audit)).encode()).ok
    lines = list(standing_by_conduct(members=members))
    assert lines[0].startswith("SIMULATED")
    assert len(lines) == 2 + len(kinds)


@pytest.mark.django_db(transaction=True)
def test_a_refusal_names_its_status_and_reason(site: Site) -> None:
    with TrustClient(base=site.url, token="trust_nobody") as client, pytest.raises(ApiError) as refused:
        client.next_seat()
    assert refused.value.status in (401, 403)


def test_a_token_read_from_a_file_may_end_with_its_line() -> None:
    with TrustClient(base="http://127.0.0.1:1", token="trust_nobody\n") as client:
        assert client.http.headers["Authorization"] == "Bearer trust_nobody"
