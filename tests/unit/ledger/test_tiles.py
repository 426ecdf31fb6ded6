"""Tiles and the sequencer: the same tree however it was cut into batches, and every damaged file is found."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditing.translog import merkle, sequencing, tiles

ENTRIES = [b'{"n":%d}' % number for number in range(70_000)]


def grow(cuts: list[int]) -> tuple[sequencing.Frontier, dict[str, bytes], list[sequencing.Batch]]:
    frontier, files, batches = sequencing.Frontier(), {}, []
    for start, end in pairwise([0, *cuts]):
        batches.append(sequencing.advance(frontier=frontier, entries=ENTRIES[start:end], origin="t.example/ledger/v1"))
        frontier = batches[-1].frontier
        files.update(batches[-1].files)
    return frontier, files, batches


@settings(max_examples=40, deadline=None)
@given(cuts=st.lists(st.integers(0, 1_200), min_size=1, max_size=6).map(sorted))
def test_however_the_batches_fall_the_ledger_is_the_same(cuts):
    frontier, files, batches = grow(cuts)
    size = cuts[-1]
    assert frontier.root == merkle.root(leaves=[merkle.leaf_hash(entry=entry) for entry in ENTRIES[:size]])
    assert frontier == sequencing.frontier_from_files(size=size, read=files.__getitem__)
    assert frontier == sequencing.frontier_from_entries(entries=ENTRIES[:size])
    for batch in batches:
        assert set(tiles.paths_of(size=batch.checkpoint.size)) <= files.keys()
        assert tiles.check_tiles(size=batch.checkpoint.size, read=files.__getitem__) == batch.checkpoint.root


@pytest.fixture(scope="module")
def grown():
    return grow([100, 65_536, 70_000])


def test_proofs_come_from_tiles(grown):
    frontier, files, batches = grown
    read = tiles.node_reader(size=70_000, read=files.__getitem__)
    for index in (0, 255, 256, 65_535, 65_536, 69_999):
        proof = merkle.inclusion_proof(index=index, size=70_000, read=read)
        leaf = merkle.leaf_hash(entry=ENTRIES[index])
        merkle.verify_inclusion(leaf=leaf, index=index, size=70_000, proof=proof, root=frontier.root)
    for batch in batches:
        proof = merkle.consistency_proof(size1=batch.checkpoint.size, size2=70_000, read=read)
        merkle.verify_consistency(
            size1=batch.checkpoint.size, size2=70_000, root1=batch.checkpoint.root, root2=frontier.root, proof=proof
        )


def test_a_flipped_bit_in_any_file_is_found_and_the_file_named():
    _, files, batches = grow([600])
    size, root = batches[0].checkpoint.size, batches[0].checkpoint.root
    rng = random.Random(8)
    for path in tiles.paths_of(size=size):
        for _ in range(10):
            data = bytearray(files[path])
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            with pytest.raises(tiles.TileError, match="tile/"):
                tiles.check_tiles(size=size, read=({**files, path: bytes(data)}).__getitem__)
    assert tiles.check_tiles(size=size, read=files.__getitem__) == root


def test_a_truncated_tile_is_found(grown):
    _, files, _ = grown
    path = tiles.tile_path(level=0, index=0)
    with pytest.raises(tiles.TileError, match=r"has 8191 bytes"):
        tiles.node_reader(size=70_000, read=({**files, path: files[path][:-1]}).__getitem__)(0, 1)


def test_nothing_is_read_beyond_the_tree(grown):
    _, files, _ = grown
    with pytest.raises(tiles.TileError):
        tiles.node_reader(size=100, read=files.__getitem__)(0, 100)
    with pytest.raises(tiles.TileError):
        tiles.node_reader(size=100, read=files.__getitem__)(0, 300)


@given(level=st.none() | st.integers(0, 63), index=st.integers(0, 2**40), width=st.integers(1, 256))
def test_every_path_reads_back(level, index, width):
    assert tiles.parse_path(path=tiles.tile_path(level=level, index=index, width=width)) == (level, index, width)


@pytest.mark.parametrize(
    "path",
    [
        "tile/0/1",
        "tile/0/x000/001",
        "tile/0/001.p/0",
        "tile/0/001.p/256",
        "tile/0/001.p/01",
        "tile/64/001",
        "tile/0/../001",
        "tile/00/001",
        "/tile/0/001",
        "tile/0/001/",
        "tile/0/x1234/067",
        "tile/0/\u0660\u0660\u0661",
        "tile/0/001.p/999",
    ],
)
def test_a_path_has_one_form(path):
    with pytest.raises(tiles.TileError):
        tiles.parse_path(path=path)


@pytest.mark.parametrize("data", [b"\x00", b"\x00\x05abc", b"\x00\x01ab", b""])
def test_a_broken_bundle_is_refused(data):
    with pytest.raises(tiles.TileError, match="bundle"):
        tiles.read_bundle(data=data, width=1)


def test_an_entry_beyond_16_kib_is_not_sequenced():
    with pytest.raises(tiles.TileError):
        sequencing.advance(frontier=sequencing.Frontier(), entries=[bytes(16 * 1024 + 1)], origin="t")
