"""The ledger for people: pages without login, and a bundle that the downloaded verifier accepts."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from auditing.core.ledger import bundle
from auditing.core.ledger.leaves import TYPES
from auditing.models import Audit, Checkpoint, Commitment, Leaf
from auditing.research.ledger_checks import services as fsck
from auditing.research.ledger_checks.selectors.words import SAYS
from auditing.selectors.clock import database_now
from auditing.selectors.ledger.published import bundle_of, published
from auditing.verifier import verify_audit
from tests.factories.worlds import make_user
from tests.pages.test_corridor_pages import signed_in
from tests.tools.unguarded import unguarded

pytestmark = pytest.mark.django_db


@pytest.fixture
def audit(recorded_audit: Audit) -> Audit:
    return recorded_audit


def read(url: str) -> str:
    answer = Client().get(url)
    assert answer.status_code == 200, url
    return answer.content.decode()


def test_a_stranger_reads_the_checkpoint_and_pages_through_every_leaf(audit: Audit) -> None:
    head = published().head
    body = read("/ledger")
    assert head.root.hex() in body
    assert "Unwitnessed" in body
    seen, after = set(), head.size
    while after > 0:
        body = read(f"/ledger?after={after}")
        seen |= {index for index in range(head.size) if f'"/ledger/leaves/{index}"' in body}
        after = min(seen) if min(seen) < after else 0
    assert seen == set(range(head.size))


def test_every_leaf_of_an_audit_has_its_words(audit: Audit) -> None:
    story = read(f"/ledger/audits/{audit.pk}")
    for leaf in Leaf.objects.filter(audit=audit):
        assert SAYS[leaf.kind].split("'")[0] in story
    last = Leaf.objects.get(audit=audit, kind="trace.outcome")
    assert "The trace was decided" in read(f"/ledger/leaves/{last.index}")


def test_every_kind_of_leaf_has_its_words() -> None:
    assert set(SAYS) == set(TYPES)


@pytest.mark.usefixtures("empty_database")
def test_an_address_that_is_no_leaf_is_not_found_and_a_bad_cursor_shows_the_newest() -> None:
    assert Client().get(f"/ledger/leaves/{10**30}").status_code == 404
    assert "No leaf here" in read("/ledger?after=%00x")


def test_the_downloaded_verifier_accepts_the_downloaded_bundle(audit: Audit, tmp_path: Path) -> None:
    script, bundle = tmp_path / "verify_audit.py", tmp_path / "bundle.json"
    script.write_bytes(Client().get("/verify/verify_audit.py").content)
    answer = signed_in(make_user("c@example.org", "consumer")).get(f"/ledger/audits/{audit.pk}/bundle.json")
    bundle.write_bytes(answer.content)
    key = read("/ledger/v1/vkey").strip()
    ran = subprocess.run([sys.executable, script, bundle, "--vkey", key], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    bundle.write_bytes(answer.content.replace(b'\\"pass\\"', b'\\"fail\\"'))
    assert subprocess.run([sys.executable, script, bundle], capture_output=True).returncode == 2


def test_a_bundle_is_for_those_who_may_read_the_audit(audit: Audit) -> None:
    url = f"/ledger/audits/{audit.pk}/bundle.json"
    assert Client().get(url).status_code == 302
    assert signed_in(make_user("r@example.org", "reviewer")).get(url).status_code == 404
    assert "verify_audit.py" in read("/verify")


def test_whoever_voted_gets_the_file_and_finds_the_own_vote_in_it_by_the_receipt(
    audit: Audit, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sealed = Commitment.objects.filter(seat__round__audit=audit, seat__auditor__tier="human").first()
    assert sealed is not None
    voter = signed_in(sealed.seat.auditor.user)
    url = f"/ledger/audits/{audit.pk}/bundle.json"
    assert url in voter.get(f"/record/votes/{sealed.seat_id}").content.decode()
    (tmp_path / "audit.json").write_bytes(voter.get(url).content)
    (tmp_path / "receipt.txt").write_bytes(voter.get(f"/record/votes/{sealed.seat_id}/receipt").content)
    files = [str(tmp_path / name) for name in ("audit.json", "receipt.txt")]
    keys = re.findall(r"<code>(\S+/receipt/\S+)</code>", read("/verify"))
    command = ["find", *files, "--vkey", read("/ledger/v1/vkey").strip(), "--receipt-key", *keys]
    assert verify_audit.main(command) == 0
    assert "not checked" not in capsys.readouterr().out
    (tmp_path / "receipt.txt").write_text((tmp_path / "receipt.txt").read_text().replace("\ntime ", "\ntime 1"))
    assert verify_audit.main(command) == 2
    Audit.objects.filter(pk=audit.pk).update(stage="auditing")
    assert voter.get(url).status_code == 404
    assert "follows once the audit is recorded" in voter.get(f"/record/votes/{sealed.seat_id}").content.decode()


def test_the_story_groups_what_happened_together_and_names_segments(audit: Audit) -> None:
    story = read(f"/ledger/audits/{audit.pk}")
    assert story.count("A vote was sealed") < Leaf.objects.filter(audit=audit, kind="vote.commit").count()
    for index in Leaf.objects.filter(audit=audit).values_list("index", flat=True):
        assert f'"/ledger/leaves/{index}"' in story


def test_the_story_numbers_rounds_as_the_leaf_and_the_verifier_do(
    audit: Audit, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "audit.json").write_bytes(bundle.encode(bundle=bundle_of(audit=audit)))
    assert verify_audit.main([str(tmp_path / "audit.json"), "--vkey", read("/ledger/v1/vkey").strip()]) == 0
    verified = set(re.findall(r"segment \d+, round \d+", capsys.readouterr().out))
    assert set(re.findall(r"segment \d+, round \d+", read(f"/ledger/audits/{audit.pk}"))) == verified
    assert verified


def test_checkpoints_are_listed_with_their_growth(audit: Audit) -> None:
    body = read("/ledger/checkpoints")
    newest = Checkpoint.objects.order_by("-size")[0]
    assert bytes(newest.root).hex() in body
    assert "Growth of the ledger" in body
    assert bytes(newest.root).hex() not in read(f"/ledger/checkpoints?after={newest.size}")


def test_the_newest_leaves_look_for_more_and_stop_by_themselves(audit: Audit) -> None:
    assert 'hx-get="/ledger?turn=1"' in read("/ledger")
    fragment = Client().get("/ledger?turn=7", headers={"HX-Request": "true"}).content.decode()
    assert ("<html" in fragment, 'hx-get="/ledger?turn=8"' in fragment) == (False, True)
    assert "hx-get" not in Client().get("/ledger?turn=200", headers={"HX-Request": "true"}).content.decode()
    assert "hx-get" not in Client().get("/ledger?after=5", headers={"HX-Request": "true"}).content.decode()
    assert Client().get("/ledger?leaf=3").headers["Location"] == "/ledger/leaves/3"


def test_the_checks_say_that_all_hold_and_only_admins_read_what_is_wrong(audit: Audit) -> None:
    assert "has not run yet" in read("/ledger/checks")
    fsck.check_nightly(now=database_now())
    assert "All 13 invariants held" in read("/ledger/checks")
    unguarded("UPDATE auditing_audit SET outcome = 'fail'")
    fsck.check_nightly(now=database_now())
    admin = signed_in(make_user("boss@example.org", "admin"))
    assert "1 of 13 invariants did not hold" in read("/ledger/checks")
    assert str(audit.pk) not in read("/ledger/checks")
    assert str(audit.pk) in admin.get("/ledger/checks").content.decode()
    assert "found 1 broken" in read("/ledger")
    assert Client().post("/ledger/checks").status_code == 404
    assert admin.post("/ledger/checks").status_code == 302


@pytest.mark.usefixtures("empty_database")
def test_before_the_first_checkpoint_every_address_says_so() -> None:
    for name in ("checkpoint", "vkey", "policy", "proof/0.tlog-proof", "tile/0/000"):
        assert Client().get(f"/ledger/v1/{name}").status_code == 404
