"""Blocks follow the store that was chosen: readable before, while and after; stopped and run again; lost ones named."""

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test.utils import override_settings

from hdag.models import Block
from hdag.services import block_moving
from hdag.store import blocks, content
from tests.doubles.kubo_server import KuboServer, run_kubo

pytestmark = pytest.mark.django_db
LONG = "x = 2, so x² = 4. " * 20_000  # two blocks under a manifest
TEXTS = [LONG, "short", "∀x∃y 🐘", ""]


@pytest.fixture
def node(tmp_path: Path) -> Iterator[KuboServer]:
    with run_kubo() as server, override_settings(IPFS_API_URL=server.url, BLOCK_DIR=tmp_path / "blocks"):
        yield server
        kept = blocks.named(name="ipfs")
        assert isinstance(kept, blocks.KuboStore)
        kept.close()


def read_all(made: list[Block]) -> list[str]:
    return [content.read(Block.objects.get(pk=block.pk)) for block in made]


@pytest.mark.parametrize(("old", "new"), permutations(blocks.NAMES, 2))
def test_every_text_is_readable_before_while_and_after(
    node: KuboServer, monkeypatch: Any, capsys: Any, old: str, new: str
) -> None:
    monkeypatch.setattr(block_moving, "BATCH", 3)
    with override_settings(BLOCK_STORE=old):
        made = content.store(TEXTS)
        gone = content.store_one("erased")
        content.erase([gone])
    with override_settings(BLOCK_STORE=new, BLOCK_STORES_BEFORE=[old]):
        late = content.store_one("late")
        assert read_all([*made, late]) == [*TEXTS, "late"]
        next(block_moving.move())  # stopped after the first batch
        assert read_all([*made, late]) == [*TEXTS, "late"]
        call_command("move_blocks")
    with override_settings(BLOCK_STORE=new, BLOCK_STORES_BEFORE=[]):
        assert read_all([*made, late]) == [*TEXTS, "late"]
        assert len(content.block_bytes(Block.objects.get(pk=gone.pk))) > 0
        assert Block.objects.filter(ciphertext__isnull=new == "database").count() == 0
        call_command("move_blocks")
        assert "8 blocks looked at, 0 copied" in capsys.readouterr().out


def test_a_damaged_copy_is_made_anew_and_a_block_that_is_whole_nowhere_is_named(
    node: KuboServer, tmp_path: Path
) -> None:
    lost, kept = content.store(["lost", "kept"])
    with override_settings(BLOCK_STORE="files", BLOCK_STORES_BEFORE=["database"]):
        place = tmp_path / "blocks" / kept.pk[-2:] / kept.pk
        place.parent.mkdir(parents=True)
        place.write_bytes(b"half a blo")
        Block.objects.filter(pk=lost.pk).update(ciphertext=b"flipped")
        with pytest.raises(CommandError, match=f"1 blocks are whole in no store .{lost.pk}"):
            call_command("move_blocks")
        assert content.read(Block.objects.get(pk=kept.pk)) == "kept"
        assert bytes(Block.objects.get(pk=lost.pk).ciphertext or b"") == b"flipped"  # evidence is not thrown away


def test_a_store_that_fails_stops_the_move_and_loses_nothing(node: KuboServer) -> None:
    made = content.store(TEXTS)
    with override_settings(BLOCK_STORE="ipfs", BLOCK_STORES_BEFORE=["database"]):
        node.faults.add("flips")
        with pytest.raises(CommandError, match="run the command again"):
            call_command("move_blocks")
        node.faults.clear()
        assert read_all(made) == TEXTS
        call_command("move_blocks")
    assert Block.objects.filter(ciphertext__isnull=False).count() == 0
