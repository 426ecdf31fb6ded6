"""The ledger as strangers fetch it over HTTP, checked with pymerkle too."""

from base64 import b64encode

import pytest
from django.test import Client

from auditing.models import Audit, Leaf
from auditing.selectors.ledger.published import published
from auditing.translog import checkpoint, merkle, tiles
from auditing.translog.note import parse_vkey
from auditing.translog.witnessing import parse_policy
from tests.factories.worlds import World, make_user
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def audit(recorded_audit: Audit) -> Audit:
    return recorded_audit


def test_the_checkpoint_is_signed_by_the_published_key(audit: Audit) -> None:
    answer = Client().get("/ledger/v1/checkpoint")
    assert (answer["Content-Type"], answer["Cache-Control"]) == ("text/plain; charset=utf-8", "max-age=2")
    key = parse_vkey(text=Client().get("/ledger/v1/vkey").content.decode().strip())
    head = checkpoint.open_checkpoint(data=answer.content, key=key)
    assert head.size == Leaf.objects.filter(index__isnull=False).count() > 10


def test_every_tile_of_the_checkpoint_is_served_and_agrees_with_its_root(audit: Audit) -> None:
    def fetch(path: str) -> bytes:
        answer = Client().get(f"/ledger/v1/{path}")
        assert (answer.status_code, answer["Content-Type"]) == (200, "application/octet-stream")
        assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
        return answer.content

    head = published().head
    assert tiles.check_tiles(size=head.size, read=fetch) == head.root


def test_a_path_that_is_no_tile_is_not_found(audit: Audit) -> None:
    for path in ("x", "0/../checkpoint", "0/0", "entries/000.p/256", "64/000", "0/999", "%2e%2e/head"):
        assert Client().get(f"/ledger/v1/tile/{path}").status_code == 404, path


def test_pymerkle_accepts_a_fetched_proof_and_no_other_root(audit: Audit) -> None:
    pymerkle, core = pytest.importorskip("pymerkle"), pytest.importorskip("pymerkle.core")
    leaf = Leaf.objects.get(audit=audit, kind="trace.outcome")
    data = Client().get(f"/ledger/v1/proof/{leaf.index}.tlog-proof").content
    index, path, signed = checkpoint.parse_proof(data=data)
    head = checkpoint.open_checkpoint(data=signed, key=published().key)
    assert index == leaf.index
    entry = merkle.leaf_hash(entry=bytes(leaf.body))
    rule, _ = core._inclusion_path_layout(index + 1, head.size)
    claim = pymerkle.InclusionProof("sha256", True, head.size, index + 1, rule, [entry, *path])
    pymerkle.verify_inclusion(entry, head.root, claim, index=index + 1, size=head.size)
    with pytest.raises(pymerkle.InvalidProof):
        pymerkle.verify_inclusion(entry, bytes(32), claim, index=index + 1, size=head.size)


def test_a_proof_of_a_leaf_that_is_not_there_is_not_found(audit: Audit) -> None:
    for index in (10**6, 10**30):
        assert Client().get(f"/ledger/v1/proof/{index}.tlog-proof").status_code == 404


def test_the_witness_policy_names_the_log_and_no_witness(audit: Audit) -> None:
    policy = parse_policy(text=Client().get("/ledger/v1/policy").content.decode())
    assert (policy.logs, policy.quorum) == ((published().key,), "none")


def test_the_report_shows_the_proof_in_words_and_as_data(audit: Audit) -> None:
    body = signed_in(make_user("c@example.org", "consumer")).get(f"/audits/{audit.pk}/report").content.decode()
    leaf, head = Leaf.objects.get(audit=audit, kind="trace.outcome"), published().head
    assert f"The outcome is leaf {leaf.index} of the ledger of {head.size} leaves, signed " in " ".join(body.split())
    assert b64encode(bytes(leaf.body)).decode() in body
    assert b64encode(head.root).decode().split("+")[0] in body


def test_a_report_without_an_outcome_or_with_a_damaged_ledger_still_opens(
    recorded_hens: World, settings: object
) -> None:
    audit = recorded_hens.submit(copy=True)
    client = signed_in(recorded_hens.provider)
    assert "there is nothing to prove" in client.get(f"/audits/{audit.pk}/report").content.decode()
    recorded_hens.everybody_votes(audit)
    (settings.LEDGER_DIR / "checkpoint").write_bytes(b"broken\n")  # type: ignore[attr-defined]
    answer = client.get(f"/audits/{audit.pk}/report")
    assert answer.status_code == 200
    assert "could not prove this outcome" in answer.content.decode()
