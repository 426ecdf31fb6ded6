"""ML-DSA-44 beside Ed25519, an option that is off: the sequencer, two witnesses of two makers, pages and bundles."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from auditing.core.ledger import bundle
from auditing.models import Witness
from auditing.selectors.ledger.published import bundle_of, published, second_key
from auditing.selectors.ledger.witnesses import cosigning_keys
from auditing.services.ledger import leaves, witnesses
from auditing.services.ledger.announcing import LEDGER, LEDGER_ML_DSA, announce
from auditing.services.ledger.sequencing import Sequencer
from auditing.services.ledger.witnesses import Witnesses
from auditing.translog.note import ML_DSA, NoteError, SigningKey, parse, signing_key
from auditing.translog.witnessing import parse_policy
from auditing.verifier import verify_audit
from auditing.verifier import witness as w
from tests.doubles.second_witness import SecondWitness
from tests.factories.stories import divided
from tests.rooms.ledger.test_witnesses import KEY, Running, grow
from tests.tools.patience import PATIENCE
from tests.unit.ledger.examples import EXAMPLES

pytestmark = pytest.mark.django_db
SECOND = signing_key(name=settings.LEDGER_ORIGIN, seed=b"q" * 32, kind=ML_DSA)


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witnesses, "SECONDS", PATIENCE)


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Running, SecondWitness]]:
    """Our witness with both keys, and one written by somebody else."""
    ours = Running(tmp_path / "witness")
    ours.witness = w.Witness(
        name="witness.example/w1", store=tmp_path / "both", logs=[w.Log(KEY.verifier.vkey)], ml_dsa=True
    )
    ours.server.RequestHandlerClass.witness = ours.witness
    other = SecondWitness("other.example/w2", KEY.verifier.vkey, has_ed25519=True)
    yield ours, other
    ours.stop()
    other.stop()


def begun(*addresses: str, second: SigningKey = SECOND) -> Sequencer:
    announce(purpose=LEDGER, value=KEY.verifier.vkey.encode())
    announce(purpose=LEDGER_ML_DSA, value=second.verifier.vkey.encode())
    sequencer = Sequencer.at(
        key=KEY, directory=settings.LEDGER_DIR, witnesses=Witnesses(addresses=addresses), second_key=second
    )
    sequencer.heal()
    return sequencer


def test_two_witnesses_of_two_makers_cosign_with_both_keys(two: tuple[Running, SecondWitness]) -> None:
    ours, other = two
    sequencer = begun(ours.url, f"{other.url} {' '.join(other.vkeys)}")
    for _ in range(4):  # the second witness follows by proofs of its own making
        assert grow(sequencer) == 3
    named = [ours.witness.vkey, ours.witness.second_vkey, *other.vkeys]
    assert cosigning_keys(note=published().note) == named
    assert not Witness.objects.exclude(trouble="").exists()
    found = verify_audit.check_witnesses(published().note, [KEY.verifier.vkey, SECOND.verifier.vkey], named, named)
    assert found == "cosigned by other.example/w2, witness.example/w1, whom you named"
    assert verify_audit.check_post_quantum(published().note, KEY.verifier.vkey, SECOND.verifier.vkey)


def test_the_policy_page_accepts_either_key_and_can_demand_both(two: tuple[Running, SecondWitness]) -> None:
    ours, other = two
    grow(begun(ours.url, f"{other.url} {' '.join(other.vkeys)}"))
    text = Client().get("/ledger/v1/policy").content.decode()
    assert "group w1 1 w1-ed25519 w1-ml-dsa" in text
    for policy in (text, text.replace("group w1 1", "group w1 2")):
        assert verify_audit.check_policy_file(published().note, policy).startswith("quorum ours")
        read = parse_policy(text=policy)
        assert read.is_met(cosigners=read.witnesses_of(note=parse(data=published().note.encode())))
    lines = [line for line in published().note.splitlines(keepends=True) if not (len(line) > 3_000 and "w1 " in line)]
    both = text.replace("group w1 1", "group w1 2").replace("group ours 1", "group ours 2")
    with pytest.raises(verify_audit.CheckFailedError):
        verify_audit.check_policy_file("".join(lines), both)


def test_the_second_key_is_published_and_named_in_bundles_only_while_it_signs() -> None:
    grow(begun())
    assert Client().get("/ledger/v1/vkey-ml-dsa").content.decode() == f"{SECOND.verifier.vkey}\n"
    assert second_key(note=published().note) == SECOND.verifier
    off = Sequencer.at(key=KEY, directory=settings.LEDGER_DIR)
    leaves.write(audit=None, leaves=[EXAMPLES["params.policy"]])
    off.step()
    assert second_key(note=published().note) is None
    assert Client().get("/ledger/v1/vkey-ml-dsa").status_code == 404


def test_the_second_key_is_changed_by_another_seed_and_older_files_keep_the_key_that_they_name() -> None:
    (audit,) = divided()
    older, newer = SECOND, signing_key(name=settings.LEDGER_ORIGIN, seed=b"n" * 32, kind=ML_DSA)
    files = []
    for key in (older, newer):
        sequencer = begun(second=key)
        leaves.write(audit=None, leaves=[EXAMPLES["params.policy"]])
        while sequencer.step():
            pass
        files.append(bundle.encode(bundle=bundle_of(audit=audit)))
        assert Client().get("/ledger/v1/vkey-ml-dsa").content.decode() == f"{key.verifier.vkey}\n"
    for data, mine, other in ((files[0], older, newer), (files[1], newer, older)):
        assert verify_audit.verify(data, [KEY.verifier.vkey, mine.verifier.vkey]).ok
        assert not verify_audit.verify(data, [KEY.verifier.vkey, other.verifier.vkey]).ok


def test_an_older_checkpoint_is_signed_anew_when_the_option_is_turned_on() -> None:
    announce(purpose=LEDGER, value=KEY.verifier.vkey.encode())
    first = Sequencer.at(key=KEY, directory=settings.LEDGER_DIR)
    first.heal()
    grow(first)
    (settings.LEDGER_DIR / "checkpoint").unlink()
    begun().step()
    assert second_key(note=published().note) == SECOND.verifier


def test_a_key_of_the_second_kind_signs_no_other_note() -> None:
    from auditing.translog import note

    with pytest.raises(NoteError):
        note.sign(text="a promise\n", key=SECOND)
    with pytest.raises(NoteError):
        note.cosign(text="no checkpoint\n", key=SECOND, time=1)
