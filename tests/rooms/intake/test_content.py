"""Stored texts: encrypted under a key each, split when long, whichever store keeps them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext, override_settings

from hdag.core import cid
from hdag.models import Block
from hdag.services.answer_cache import SharedCache, forget
from hdag.store import blocks, content
from hdag.store.blocks import StoreAwayError, StoreRefusedError
from tests.doubles.kubo_server import KuboServer, run_kubo
from tests.factories.worlds import ANSWER, THINKING, TRACE, make_world

pytestmark = pytest.mark.django_db
LONG = "x = 2, so x² = 4. " * 40_000  # over 256 KiB twice


@pytest.fixture
def kubo() -> Iterator[KuboServer]:
    with run_kubo() as server, override_settings(BLOCK_STORE="ipfs", IPFS_API_URL=server.url):
        yield server
        node = blocks.chosen()
        assert isinstance(node, blocks.KuboStore)
        node.close()


@pytest.fixture(params=["database", "files", "ipfs"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "ipfs":
        request.getfixturevalue("kubo")
    with override_settings(BLOCK_STORE=request.param, BLOCK_DIR=tmp_path / "blocks"):
        yield request.param


def again(block: Block) -> Block:
    return Block.objects.get(pk=block.pk)


def flipped(data: bytes) -> bytes:
    """Another last byte, whatever the cipher made it: a fixed one would be the same once in 256 times."""
    return data[:-1] + bytes([data[-1] ^ 1])


def damage(block: Block, store: str, kubo: KuboServer | None, place: Path) -> None:
    """Flip one bit of what the store keeps."""
    if store == "database":
        Block.objects.filter(pk=block.pk).update(ciphertext=flipped(bytes(again(block).ciphertext)))
    elif store == "files":
        path = place / "blocks" / block.pk[-2:] / block.pk
        path.write_bytes(flipped(path.read_bytes()))
    else:
        assert kubo is not None
        kubo.blocks[block.pk] = flipped(kubo.blocks[block.pk])


def test_every_store_gives_back_what_it_was_given(store: str) -> None:
    made = content.store(["", "so x = 2", "∀x∃y 🐘", LONG])
    found = [again(block) for block in made]
    content.fetch(found)
    assert [content.read(block) for block in found] == ["", "so x = 2", "∀x∃y 🐘", LONG]


def test_no_store_is_given_a_word_of_the_text(kubo: KuboServer) -> None:
    content.store(["so x = 2 follows from the premise", LONG])
    assert kubo.blocks
    assert not any(b"follows" in data or b"so x" in data for data in kubo.blocks.values())
    assert not Block.objects.filter(ciphertext__isnull=False).exists()


def test_a_long_text_lies_in_blocks_of_at_most_256_kib_under_a_manifest(store: str) -> None:
    root = again(content.store_one(LONG))
    parts = content.parts_of(root)
    assert root.is_manifest
    assert len(parts) == root.parts.count() == 3
    assert all(len(data) <= cid.LARGEST_BLOCK and cid.of(data=data) == name for name, data in parts)


@pytest.mark.parametrize("text", ["so x = 2", LONG])
def test_a_flipped_bit_is_found_wherever_it_lies(
    store: str, text: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    root = content.store_one(text)
    kubo = request.getfixturevalue("kubo") if store == "ipfs" else None
    for block in [again(root), *root.parts.all()]:
        damage(block, store, kubo, tmp_path)
        assert [block.pk in fault for fault in content.faults([again(root), *root.parts.all()])].count(True) == 1
        with pytest.raises(content.ContentDamagedError) as found:
            content.read(again(root))
        assert found.value.block == root.pk


def test_a_lost_block_is_found(store: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    root = content.store_one(LONG)
    lost = root.parts.all()[0]
    if store == "database":
        Block.objects.filter(pk=lost.pk).update(ciphertext=None)
    elif store == "files":
        (tmp_path / "blocks" / lost.pk[-2:] / lost.pk).unlink()
    else:
        del request.getfixturevalue("kubo").blocks[lost.pk]
    with pytest.raises(content.ContentDamagedError, match="not in the store"):
        content.read(again(root))


def test_an_erased_text_is_gone_and_its_block_stays(store: str) -> None:
    block = content.store_one("so x = 2")
    assert content.erase([block]) == 1
    with pytest.raises(content.ContentGoneError):
        content.read(again(block))
    assert cid.of(data=content.block_bytes(again(block))) == block.pk


def test_a_node_that_changes_bytes_is_refused_and_nothing_is_stored(kubo: KuboServer) -> None:
    kubo.faults.add("flips")
    with pytest.raises(StoreRefusedError, match="changed on the way"):
        content.store(["one", "two"])
    assert not Block.objects.exists()


def test_a_node_that_is_down_is_said_so(kubo: KuboServer) -> None:
    block = content.store_one("so x = 2")
    kubo.faults.add("down")
    with pytest.raises(StoreAwayError):
        content.read(again(block))
    with override_settings(IPFS_API_URL="http://127.0.0.1:9"), pytest.raises(StoreAwayError):
        content.store_one("so x = 3")


def test_the_node_says_how_large_a_block_is(kubo: KuboServer) -> None:
    block, node = content.store_one("so x = 2"), blocks.KuboStore(kubo.url)
    assert node.size(cid=block.pk) == len(kubo.blocks[block.pk])
    assert node.size(cid=cid.of(data=b"never put")) is None
    node.close()


def test_texts_stored_before_the_store_was_changed_are_still_read(tmp_path: Path) -> None:
    early = content.store([LONG, "short"])
    with override_settings(BLOCK_STORE="files", BLOCK_DIR=tmp_path / "blocks"):
        late = content.store_one("late")
        assert [content.read(again(block)) for block in [*early, late]] == [LONG, "short", "late"]


def test_many_texts_cost_one_query(store: str) -> None:
    made = [again(block) for block in content.store([f"segment {number}" for number in range(30)])]
    with CaptureQueriesContext(connection) as asked:
        content.fetch(made)
        assert len({content.read(block) for block in made}) == 30
    assert len(asked) == 0


def test_a_name_that_is_no_cid_leads_nowhere(tmp_path: Path) -> None:
    with pytest.raises(cid.CidError):
        blocks.FileStore(str(tmp_path)).find(cids=["../../etc/passwd"])


def test_cached_answers_are_sealed_and_forgotten_together(settings: Any) -> None:
    import redis

    SharedCache().keep("a question", "an answer that quotes the trace")
    assert SharedCache().find("a question") == "an answer that quotes the trace"
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        prefix = settings.CACHES["default"]["KEY_PREFIX"]
        kept = [client.get(key) for key in client.scan_iter(match=f"{prefix}:*chat*")]
    assert len(kept) == 2
    assert not any(b"quotes" in one for one in kept)
    forget()
    assert SharedCache().find("a question") is None


def test_no_column_of_the_database_holds_a_word_of_a_trace() -> None:
    """Walks one audit to its end and looks into every text, JSON and binary column of every table."""
    world = make_world(reviewers=3)
    audit = world.submit(TRACE)
    world.everybody_votes(audit)
    audit.refresh_from_db()
    assert audit.stage == "recorded"
    words = [THINKING[:31], THINKING[-30:], ANSWER + '"', "hens lay 12", "12 * 5"]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
            " AND data_type IN ('text', 'character varying', 'jsonb', 'bytea')"
        )
        found = []
        for table, column in cursor.fetchall():
            cursor.execute(f'SELECT "{column}" FROM "{table}" WHERE "{column}" IS NOT NULL')
            for (value,) in cursor.fetchall():
                text = bytes(value).decode("latin-1") if isinstance(value, bytes | memoryview) else str(value)
                found += [(table, column, word) for word in words if word in text]
    assert found == []
