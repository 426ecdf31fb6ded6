"""Heads on a chain: whatever the chain does (F24), the ledger goes on and each head is anchored once."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from auditing.core.ledger import leaves
from auditing.models import Anchoring, Checkpoint, Leaf
from auditing.research.anchoring import services as anchoring
from auditing.research.anchoring.services import PATIENCE
from auditing.research.ledger_checks import services as fsck
from auditing.selectors.clock import database_now
from tests.doubles.chain import MemoryChain
from tests.factories.worlds import World, make_world, sequencer

pytestmark = pytest.mark.django_db


@pytest.fixture
def submitted_hens() -> World:
    world = make_world(reviewers=0)
    world.submit()
    world.sequence()
    return world


def step(chain: Any, later: timedelta = timedelta(), confirmations: int = 3) -> str:
    return anchoring.step(chain=chain, now=database_now() + later, confirmations=confirmations)


def test_the_newest_head_is_sent_once_confirmed_when_deep_and_told_by_a_leaf(submitted_hens: World) -> None:
    chain, head = MemoryChain(), Checkpoint.objects.latest("size")
    assert [step(chain), step(chain)] == ["sent", "not mined yet"]
    chain.mine()
    assert step(chain) == "not deep enough yet"
    chain.mine(5)
    assert step(chain) == "confirmed"
    leaf = leaves.decode(entry=bytes(Leaf.objects.get(kind="anchor").body))
    assert isinstance(leaf, leaves.Anchor)
    assert (leaf.size, bytes(leaf.root), leaf.chain) == (head.size, bytes(head.root), "eip155:1337")
    assert leaf.transaction == chain.transaction_of(head.size)
    sequencer().step()
    assert step(chain) == "nothing to do"  # only the anchor's own leaf is new
    assert chain.sent == 1
    submitted_hens.submit(copy=True)
    sequencer().step()
    assert step(chain) == "sent"


@pytest.mark.parametrize("fault", ["down", "out of gas", "nonce gap", "dies after sending"])
def test_a_fault_costs_a_step_and_the_ledger_goes_on(submitted_hens: World, fault: str) -> None:
    chain = MemoryChain()
    chain.faults.add(fault)
    assert step(chain) == "trouble"
    assert fault == "down" or Anchoring.objects.get().trouble
    submitted_hens.submit(copy=True)
    assert sequencer().step() > 0
    chain.faults.clear()
    assert step(chain) == "sent"
    chain.mine(10)
    assert step(chain) == "confirmed"
    assert len(chain.heads) == 1
    assert Leaf.objects.filter(kind="anchor").count() == 1
    assert Anchoring.objects.get().trouble == ""


def test_a_reorganised_chain_is_written_again(submitted_hens: World) -> None:
    chain = MemoryChain()
    step(chain)
    chain.mine()
    chain.reorganise()
    assert step(chain) == "sent"
    chain.mine(9)
    assert step(chain) == "confirmed"
    assert Leaf.objects.filter(kind="anchor").count() == 1


def test_a_transaction_that_nobody_mines_is_sent_again_after_a_while(submitted_hens: World) -> None:
    chain = MemoryChain()
    step(chain)
    assert step(chain, PATIENCE - timedelta(minutes=1)) == "not mined yet"
    assert step(chain, PATIENCE + timedelta(minutes=1)) == "sent"
    assert Anchoring.objects.get().attempts == 2


def test_another_root_in_the_contract_is_said_and_nothing_is_signed_off(submitted_hens: World) -> None:
    chain = MemoryChain()
    step(chain)
    size = Anchoring.objects.get().size
    chain.heads[size] = (b"x" * 32, "0x1", 1)
    assert step(chain) == "trouble"
    assert "another root" in Anchoring.objects.get().trouble
    assert not Leaf.objects.filter(kind="anchor").exists()


def test_a_contract_that_went_on_is_not_waited_for(submitted_hens: World) -> None:
    chain = MemoryChain()
    step(chain)
    chain.heads[10_000] = (b"x" * 32, "0x1", 1)
    assert step(chain) == "passed by"
    assert not Anchoring.objects.exists()


def test_two_workers_take_one_step(submitted_hens: World) -> None:
    chain = MemoryChain()
    step(chain)
    Anchoring.objects.update(lease_until=database_now() + timedelta(minutes=1))
    assert step(chain) == "somebody is at it"


def test_the_ledger_page_shows_anchors_and_fsck_holds_the_ledger_to_them(submitted_hens: World) -> None:
    chain = MemoryChain()
    step(chain)
    chain.mine(5)
    step(chain)
    sequencer().step()
    page = Client().get("/ledger").content.decode()
    assert "eip155:1337" in page
    assert Anchoring.objects.get().transaction in page
    found = {one.name: one for one in fsck.check(now=database_now(), only=frozenset({"I12"}))}
    assert found["I12"].holds, found["I12"].faults


def test_it_is_off_by_default_and_a_bad_setting_is_named(settings: Any) -> None:
    assert "anchor" not in settings.CELERY_BEAT_SCHEDULE
    with pytest.raises(CommandError, match="ANCHOR_BACKEND"):
        call_command("anchor")
    settings.ANCHOR_BACKEND, settings.ANCHOR_RPC_URL = "eth", "file:///etc/passwd"
    with pytest.raises(CommandError, match="ANCHOR_RPC_URL"):
        call_command("anchor")
