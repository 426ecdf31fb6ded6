"""/verify without JavaScript, and the receipts that may be dropped there."""

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings

from auditing.core.ledger import bundle
from auditing.models import Audit, Commitment, Leaf
from auditing.research.ledger_checks.selectors import verifying
from auditing.selectors.clock import database_now
from auditing.selectors.ledger.published import bundle_of
from auditing.services.ledger.receipts import receipt_key
from auditing.translog import receipt
from auditing.translog.note import signing_key
from tests.factories.worlds import World, make_user
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
WITH_KEY = override_settings(RECEIPT_KEY=b"r" * 32)


@pytest.fixture
def audit(recorded_audit: Audit) -> Audit:
    return recorded_audit


def said(data: bytes | str, **later: int) -> list[tuple[str, bool | None]]:
    data = data.encode() if isinstance(data, str) else data
    found = verifying.examine(data=data, now=database_now() + timedelta(**later))
    return [(step.title, step.holds) for step in found.steps]


def test_a_kept_receipt_of_a_vote_and_of_a_trace_leads_to_its_leaf(recorded_hens: World, audit: Audit) -> None:
    mine = Commitment.objects.exclude(receipt="").filter(seat__auditor__user=recorded_hens.reviewers[0]).first()
    assert mine
    kept = signed_in(recorded_hens.reviewers[0]).get(f"/record/votes/{mine.seat_id}/receipt")
    assert kept.content.decode() == mine.receipt
    assert "attachment" in kept["Content-Disposition"]
    for text in (kept.content, signed_in(recorded_hens.provider).get(f"/audits/{audit.pk}/receipt").content):
        answer = Client().post("/verify", {"file": SimpleUploadedFile("receipt.txt", text)})
        assert answer.status_code == 200
        body = answer.content.decode()
        assert "Everything that can be checked holds." in body
        assert "the path leads to the signed root" in body
    assert (
        f"/record/votes/{mine.seat_id}/receipt" in signed_in(recorded_hens.reviewers[0]).get("/record").content.decode()
    )
    assert (
        f"/audits/{audit.pk}/receipt" in signed_in(recorded_hens.provider).get(f"/audits/{audit.pk}").content.decode()
    )


def test_nobody_gets_the_receipt_of_another(recorded_hens: World, audit: Audit) -> None:
    seat = Commitment.objects.filter(seat__auditor__user=recorded_hens.reviewers[0]).first()
    assert seat
    for user, url in (
        (recorded_hens.reviewers[1], f"/record/votes/{seat.seat_id}/receipt"),
        (make_user("other@example.org", "provider"), f"/audits/{audit.pk}/receipt"),
        (recorded_hens.reviewers[0], f"/record/votes/{uuid4()}/receipt"),
    ):
        assert signed_in(user).get(url).status_code == 404


def test_a_changed_receipt_and_a_broken_promise_are_told_apart(recorded_hens: World, audit: Audit) -> None:
    text = Commitment.objects.exclude(receipt="").values_list("receipt", flat=True)[0]
    assert said(text.replace("digest ", "digest 0", 1)) == [("Signed by our receipt key", False)]
    with WITH_KEY:
        key = receipt_key()
    assert key
    lost = receipt.promise(kind=receipt.Kind.COMMIT, subject=uuid4(), digest=b"d" * 32, leaf=b"l" * 32, time=1)
    found = verifying.examine(data=str(receipt.sign(receipt=lost, key=key)).encode(), now=database_now())
    assert (found.holds, "proves that the operator broke its word" in found.steps[-1].says) == (False, True)
    stranger = signing_key(name=key.name, seed=b"x" * 32)
    assert said(str(receipt.sign(receipt=lost, key=stranger))) == [("Signed by our receipt key", False)]


def test_a_receipt_is_open_until_its_time_and_proof_of_a_broken_word_after_it(recorded_hens: World) -> None:
    with WITH_KEY:
        audit = recorded_hens.submit(copy=True)
    waits = said(audit.receipt)
    assert waits[-1] == ("The ledger holds it", None)
    assert said(audit.receipt, seconds=61)[-1] == ("The ledger holds it", False)
    recorded_hens.sequence()
    assert said(audit.receipt)[-1] == ("The ledger holds it", True)
    url = f"/verify/place/submission/{audit.pk}"
    assert Client().get(url).json() == {"index": Leaf.objects.get(audit=audit, kind="submission").index}


def test_bundle_proof_and_checkpoint_are_checked_step_by_step(audit: Audit) -> None:
    data = bundle.encode(bundle=bundle_of(audit=audit))
    steps = said(data)
    assert all(holds for _, holds in steps)
    titles = " ".join(title for title, _ in steps)
    assert all(word in titles for word in ("signed", "leaf", "lists", "draw", "sealed votes", "tally", "outcome"))
    turned = data.replace(b'\\"vote\\":1', b'\\"vote\\":0', 1)
    assert said(turned)[-1] == ("Every leaf is in the ledger", False)
    other = data.replace(b'"load":0', b'"load":1', 1)
    assert said(other)[-1] == ("The lists of segments and auditors are the committed ones", False)
    proof = Client().get("/ledger/v1/proof/0.tlog-proof").content
    assert all(holds for _, holds in said(proof))
    assert said(proof.replace(b"index 0", b"index 1"))[-1] == ("The path leads from the leaf to the signed root", False)
    head = Client().get("/ledger/v1/checkpoint").content
    assert said(head) == [
        ("The checkpoint is signed by this ledger", True),
        ("Today's ledger continues that one", True),
    ]
    assert said(head.replace(b"\n", b"\n1", 1)) == [("The checkpoint is signed by this ledger", False)]


@pytest.mark.parametrize("text", ["", "hello", "{", "{}", "[" * 9000, '{"format":"x"}', "c2sp.org/tlog-proof@v1\n"])
def test_what_is_none_of_these_is_refused_in_words(text: str) -> None:
    answer = Client().post("/verify", {"text": text})
    assert answer.status_code == 400
    assert "check-fails" in answer.content.decode()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"id":"x","segment":"P1","segments":[],"vote":{}}', "file of a computer vote: verify_proofs.py"),
        ("{}", "has no field &#x27;format&#x27;"),
        ('{"a":1,}', "line 1 column 8"),
        (f'{{"format":"{bundle.FORMAT}","leaves":1}}', "not have the shape of one"),
        ('{"a":' * 9000, "not have the shape of one"),
    ],
    ids=["computer vote", "no format", "no JSON", "no list", "nested"],
)
def test_a_file_that_is_no_bundle_is_told_what_it_is_and_never_the_name_of_an_error(text: str, words: str) -> None:
    page = Client().post("/verify", {"text": text}).content.decode()
    assert words in page
    assert "Error" not in page


def test_a_bundle_of_another_ledger_costs_no_work(audit: Audit) -> None:
    mine = json.loads(bundle.encode(bundle=bundle_of(audit=audit)))
    mine["vkey"] = signing_key(name="evil.example/ledger/v1", seed=b"e" * 32).verifier.vkey
    assert said(json.dumps(mine)) == [("The key in it is a key of this ledger", False)]
