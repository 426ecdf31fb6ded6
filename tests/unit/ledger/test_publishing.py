"""Files outside the database: published last to first, remembered heads, crashes, restored backups."""

from dataclasses import replace

import pytest

from auditing.services.ledger import publishing
from auditing.translog import checkpoint, note, sequencing, tiles

KEY = note.signing_key(name="trust.example/ledger/v1", seed=b"k" * 32)
ENTRIES = [b'{"n":%d}' % number for number in range(700)]


def publish(*, directory, files, signed):
    publishing.publish_files(directory=directory, files=files)
    publishing.write_file(path=directory / "checkpoint", data=str(signed).encode())


def step(frontier: sequencing.Frontier, end: int) -> sequencing.Batch:
    return sequencing.advance(frontier=frontier, entries=ENTRIES[frontier.size : end], origin=KEY.name)


def test_what_is_published_reads_back_and_goes_on(tmp_path):
    read, frontier = publishing.file_reader(directory=tmp_path), sequencing.Frontier()
    for end in (3, 300, 700):
        batch = step(frontier, end)
        signed = checkpoint.sign(checkpoint=batch.checkpoint, key=KEY)
        publish(directory=tmp_path, files=batch.files, signed=signed)
        seen = checkpoint.open_checkpoint(data=(tmp_path / "checkpoint").read_bytes(), key=KEY.verifier)
        assert tiles.check_tiles(size=seen.size, read=read) == seen.root
        frontier = sequencing.frontier_from_files(size=seen.size, read=read)


def test_a_crash_before_the_checkpoint_leaves_the_old_one_whole(tmp_path):
    first = step(sequencing.Frontier(), 300)
    publish(directory=tmp_path, files=first.files, signed=checkpoint.sign(checkpoint=first.checkpoint, key=KEY))
    second = step(first.frontier, 700)
    for path, data in list(second.files.items())[:2]:
        publishing.write_file(path=tmp_path / path, data=data)
    seen = checkpoint.open_checkpoint(data=(tmp_path / "checkpoint").read_bytes(), key=KEY.verifier)
    read = publishing.file_reader(directory=tmp_path)
    assert tiles.check_tiles(size=seen.size, read=read) == first.checkpoint.root
    publish(directory=tmp_path, files=second.files, signed=checkpoint.sign(checkpoint=second.checkpoint, key=KEY))
    assert tiles.check_tiles(size=700, read=read) == second.checkpoint.root


def test_yesterdays_dump_is_refused_and_the_reason_given(tmp_path):
    heads = publishing.HeadFile(path=tmp_path / "state" / "head")
    assert heads.last() is None
    today = step(sequencing.Frontier(), 700)
    heads.remember(checkpoint=today.checkpoint)
    restored = step(sequencing.Frontier(), 300)
    with pytest.raises(checkpoint.ForkError, match="restored backup"):
        checkpoint.check_head(last=heads.last(), size=300, root_at=lambda size: restored.checkpoint.root)
    with pytest.raises(checkpoint.ForkError, match="cannot follow"):
        heads.remember(checkpoint=restored.checkpoint)
    with pytest.raises(checkpoint.ForkError, match="second root"):
        heads.remember(checkpoint=replace(today.checkpoint, root=bytes(32)))
    assert heads.last() == today.checkpoint


def test_a_damaged_head_file_stops_everything(tmp_path):
    heads = publishing.HeadFile(path=tmp_path / "head")
    heads.remember(checkpoint=step(sequencing.Frontier(), 5).checkpoint)
    heads.path.write_text(heads.path.read_text()[:-5])
    with pytest.raises(checkpoint.CheckpointError):
        heads.last()


def test_no_other_file_can_be_read_through_the_reader(tmp_path):
    (tmp_path / "secret").write_text("x")
    with pytest.raises(tiles.TileError):
        publishing.file_reader(directory=tmp_path)("secret")
    with pytest.raises(tiles.TileError):
        publishing.file_reader(directory=tmp_path)("tile/0/../../secret")
