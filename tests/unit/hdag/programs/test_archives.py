"""Logs of Inspect AI as archives, zips of traces, and archives that somebody made to do harm."""

import io
import json
import subprocess
import sys
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from hdag.core.errors import ForeignFileError
from hdag.readers import read_any
from hdag.readers.archives import directory
from hdag.readers.archives.surveys import Survey, survey
from hdag.readers.records import Limits
from tests.factories.archives import (
    STORED,
    ZSTANDARD,
    Member,
    archive_of,
    entries_of,
    eval_log,
    json_log,
    sample,
)

RECORD = json.dumps({"id": "a", "problem": "2 + 2?", "thinking": "2 + 2 = 4", "answer": "4"}).encode()
SMALL = Limits(text_bytes=100_000)  # a line of at most 665,536 bytes
SAMPLES = [sample(1, 1), sample(2, 1), sample(1, 2)]


def seen(body: bytes, limits: Limits = SMALL) -> Survey:
    return survey(lines=io.BytesIO(body), limits=limits)


def refusal(body: bytes) -> str:
    with pytest.raises(ForeignFileError) as refused:
        seen(body)
    return str(refused.value)


def test_a_log_as_archive_holds_the_traces_of_the_log_in_json() -> None:
    found = seen(eval_log(SAMPLES))
    assert found.traces == list(read_any(json_log(SAMPLES), where="log"))
    assert [(trace.id, trace.title, trace.model_name) for trace in found.traces] == [
        (name, "popularity", "openai/gpt-4o-mini") for name in ("1/1", "2/1", "1/2")
    ]
    assert (found.bad, found.ignored) == ((), ())


@pytest.mark.parametrize("frames", [1, 3])
@pytest.mark.parametrize("is_wide", [False, True], ids=["zip", "zip64"])
def test_a_log_is_read_as_newer_versions_pack_it(frames: int, is_wide: bool) -> None:
    members = [Member(*entry, method=ZSTANDARD, frames=frames, is_wide=is_wide) for entry in entries_of(SAMPLES)]
    body = archive_of(members, is_wide=is_wide, comment=b"PK\x05\x06 in a comment, which is no end of the archive")
    assert seen(body).traces == seen(eval_log(SAMPLES)).traces


def test_our_archives_for_tests_are_archives_to_others() -> None:
    members = [Member(name, content, is_wide=True) for name, content in entries_of(SAMPLES)]
    for is_wide in (False, True):
        with zipfile.ZipFile(io.BytesIO(archive_of(members, is_wide=is_wide))) as archive:
            assert archive.testzip() is None
            assert [(name, archive.read(name)) for name in archive.namelist()] == entries_of(SAMPLES)


def test_a_log_that_still_runs_is_read_without_its_header() -> None:
    running = [Member(*entry) for entry in entries_of(SAMPLES)[:4]]
    assert seen(archive_of(running)).traces == seen(eval_log(SAMPLES)).traces
    assert "without a sample" in refusal(archive_of(running[:1]))


def test_of_a_sample_that_ran_again_the_last_record_counts() -> None:
    again = sample(1, 1, target="another")
    entries = [*entries_of([sample(1, 1)]), entries_of([again])[1]]
    (trace,) = seen(archive_of([Member(*entry) for entry in entries])).traces
    assert trace.reference_answer == "another"


def test_a_score_that_is_no_number_spoils_no_sample_and_a_broken_one_no_other() -> None:
    scored = sample(1, 1, scores={"match": {"value": float("nan")}}, metadata={"x": float("-inf")})
    entries = entries_of([scored, sample(2)])
    assert len(seen(archive_of([Member(*entry) for entry in entries])).traces) == 2
    entries[1] = (entries[1][0], b'{\n"id": 1')
    found = seen(archive_of([Member(*entry) for entry in entries]))
    assert [line.problem.split(" (")[0] for line in found.bad] == ["samples/1_epoch_1.json: not JSON"]
    assert found.bad_file == b'{ "id": 1\n'
    assert [trace.id for trace in found.traces] == ["2/1"]


def test_texts_that_stand_beside_the_messages_are_put_in_their_place() -> None:
    long = "So 1 + 1 = 2, as was asked. " * 9
    row = sample(1, attachments={"abc": long, "pic": f"data:image/png;base64,{'A' * 150_000}"})
    row["messages"][1]["content"][0]["reasoning"] = "attachment://abc"
    row["messages"][0]["content"] = [
        {"type": "image", "image": "attachment://pic"},
        {"type": "text", "text": "attachment://gone"},
    ]
    (trace,) = seen(eval_log([row])).traces
    assert trace.thinking.strip() == long.strip()
    assert trace.problem == "[image]\nattachment://gone"


def test_one_text_named_ten_thousand_times_fills_no_memory() -> None:
    row = sample(1, attachments={"abc": "x" * 50_000})
    row["messages"] = [{"role": "user", "content": "attachment://abc"}] * 5_000
    assert "attachments: name more than 100000 bytes of text together" in seen(eval_log([row])).bad[0].problem


def test_a_sample_in_pieces_is_named_and_not_read() -> None:
    entries = entries_of([sample(2)])
    pieces = ["sample", "metadata", "messages/0", "events/stats", "attachments/0"]
    entries += [(f"samples/1_epoch_1/{name}.json", b"{}") for name in pieces]
    found = seen(archive_of([Member(*entry) for entry in entries]))
    assert [line.problem.split(";")[0] for line in found.bad] == [
        "samples/1_epoch_1: is a sample in pieces, which are not read"
    ]
    assert len(found.traces) == 1


def test_a_zip_of_files_holds_what_each_would_hold_alone() -> None:
    talk = [{"role": "user", "content": "3 + 3?"}, {"role": "assistant", "content": "6", "reasoning": "3 + 3 = 6"}]
    members = [
        Member("traces/", b"", STORED),
        Member("traces/a.jsonl", RECORD + b"\n" + RECORD.replace(b'"a"', b'"b"')),
        Member("traces/b.json", json.dumps(talk, indent=1).encode()),
        Member("c.txt", "<think>Café: 2 + 2 = 4</think>4".encode(), STORED),
        Member("__MACOSX/traces/._a.jsonl", b"\x00\x05\x16\x07"),
        Member("traces/.DS_Store", b"\x00"),
    ]
    found = seen(archive_of(members))
    assert [(line.number, line.traces[0].answer) for line in found.good] == [(1, "4"), (2, "4"), (3, "6"), (4, "4")]
    assert not found.bad


def test_what_is_no_trace_in_a_zip_is_named_and_spoils_no_other() -> None:
    members = [
        Member("a.jsonl", RECORD + b"\nnonsense"),
        Member("logs/b.eval", eval_log(SAMPLES)),
        Member("c.json", eval_log(SAMPLES)),
        Member("d.pdf", b"%PDF"),
        Member("e\x1b[2J.txt", b"\xff"),
    ]
    found = seen(archive_of(members))
    assert len(found.traces) == 1
    problems = [
        "a.jsonl: line 2: not JSON",
        "logs/b.eval: is an archive in an archive; hand it in by itself",
        "c.json: the file is an archive (zip), and is read only where it stands by itself",
        "d.pdf: is no file of traces by its name",
        "e�[2J.txt: the document: holds half of a surrogate pair",
    ]
    assert [line.problem[: len(problem)] for line, problem in zip(found.bad, problems, strict=True)] == problems


HOSTILE = {
    "encrypted": ([Member("x.json", RECORD, flags=1)], "x.json is encrypted"),
    "encrypted by AES": ([Member("x.json", RECORD, method=99)], "x.json is encrypted"),
    "its directory encrypted": ([Member("x.json", RECORD, flags=0x2000)], "x.json is encrypted"),
    "another method": ([Member("x.json", RECORD, method=14)], "x.json is packed with LZMA; Deflate, Zstandard"),
    "wrong checksum": ([Member("x.json", RECORD, crc=1)], "x.json has another checksum"),
    "wrong checksum, stored": ([Member("x.json", RECORD, STORED, crc=1)], "x.json has another checksum"),
    "wrong checksum, zstd": ([Member("x.json", RECORD, ZSTANDARD, crc=1)], "x.json has another checksum"),
    "more than it says": ([Member("x.json", b" " * 600_000 + RECORD, size=99)], "x.json unpacks to more than the 99"),
    "more, zstd": ([Member("x.json", b" " * 600_000, ZSTANDARD, size=99)], "x.json unpacks to more than the 99"),
    "less than it says": ([Member("x.json", RECORD, size=5_000)], "x.json has another checksum or size"),
    "another name inside": ([Member("x.json", RECORD, local_name="y.json")], "x.json has another name before"),
    "twice": ([Member("x.json", RECORD), Member("x.json", RECORD)], "holds x.json twice"),
    "in each other": (
        [Member("x.json", RECORD), Member("y.json", RECORD, offset=0), Member("z.json", RECORD)],
        "x.json and y.json lie in each other",
    ),
    "no content there": ([Member("x.json", RECORD, offset=1)], "x.json"),
    "too much": (
        [Member(f"{n}.txt", b"x" * 600_000) for n in range(12)],
        "11.txt is too much: more than 6655360 bytes",
    ),
    "nothing": ([], "is empty"),
}


@pytest.mark.parametrize(("members", "said"), HOSTILE.values(), ids=list(HOSTILE))
def test_a_hostile_archive_is_refused_whole_and_names_the_file(members: list[Member], said: str) -> None:
    assert said in refusal(archive_of(members))


def test_a_damaged_directory_is_refused() -> None:
    body = eval_log(SAMPLES)
    assert "was it cut off" in refusal(body[:-30])
    assert "does not hold the 3 files that it says" in refusal(archive_of([Member("x.json", RECORD)], count=3))
    assert "does not hold the 0 files" in refusal(archive_of([Member("x.json", RECORD)], count=0))
    assert "holds 65000 files; at most 25000" in refusal(archive_of([Member("x.json", RECORD)], count=65_000))
    at = body.index(b"PK\x01\x02")
    assert "damaged" in refusal(body[:at] + b"XX" + body[at + 2 :])
    assert "damaged" in refusal(body[: body.index(b"samples/") - 30] + body[body.index(b"samples/") - 29 :])


def test_damage_at_any_place_is_refused_or_harmless_and_never_another_error() -> None:
    body = archive_of([Member(*entry, method=(8, 93)[at % 2]) for at, entry in enumerate(entries_of(SAMPLES))])
    whole = {trace.id: trace for trace in seen(body).traces}
    for at in range(0, len(body), 3):
        try:
            traces = seen(body[:at] + bytes([body[at] ^ 0x41]) + body[at + 1 :]).traces
        except ForeignFileError:
            continue
        # The title is the log's: a header that cannot be found is one that was not written so far.
        assert all(whole[trace.id].thinking == trace.thinking for trace in traces), at


def test_a_bomb_is_refused_in_little_memory_and_time() -> None:
    bomb = archive_of([Member(f"{number}.json", b'"' + b"0" * 600_000 + b'"') for number in range(50)])
    claimed = archive_of([Member("x.json", b"0" * 600_000, size=2**31)])
    tracemalloc.start()
    assert "is too much" in refusal(bomb)
    assert "is too much" in refusal(claimed)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10_000_000


def test_a_sample_longer_than_a_trace_may_be_is_not_unpacked() -> None:
    (entry, other) = entries_of([sample(1), sample(2)])[1:3]
    body = archive_of([Member("_journal/start.json", b"{}"), Member(entry[0], b" " * 700_000), Member(*other)])
    found = seen(body)
    assert found.bad[0].problem == "samples/1_epoch_1.json: has 700000 bytes; at most 665536 are read"
    assert [trace.id for trace in found.traces] == ["2/1"]


def test_more_entries_than_are_read_are_refused_at_their_count(monkeypatch: pytest.MonkeyPatch) -> None:
    body = archive_of([Member(f"{number}.txt", b"2 + 2 = 4", STORED) for number in range(101)])
    assert len(seen(body).traces) == 101
    monkeypatch.setattr(directory, "MOST_ENTRIES", 100)
    assert "the archive holds 101 files; at most 100 are read" in refusal(body)
    monkeypatch.setattr(directory, "MOST_DIRECTORY", 4_000)
    assert "directory has 5241 bytes; at most 4000" in refusal(archive_of([Member("x" * 5_195, b"")]))


def test_a_name_that_climbs_out_of_the_folder_is_only_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inside").mkdir()
    monkeypatch.chdir(tmp_path / "inside")
    assert len(seen(archive_of([Member("../../x.jsonl", RECORD), Member("/etc/y.jsonl", RECORD)])).traces) == 2
    assert [path.name for path in tmp_path.rglob("*")] == ["inside"]


def test_the_command_audits_an_archive_and_writes_nothing_of_a_broken_one(tmp_path: Path) -> None:
    source, target = tmp_path / "log.eval", tmp_path / "out.jsonl"
    source.write_bytes(eval_log(SAMPLES))
    call_command("audit", str(source), output=str(target), workers=1)
    assert [json.loads(line)["id"] for line in target.read_text().splitlines()] == ["1/1", "2/1", "1/2"]
    target.unlink()
    source.write_bytes(archive_of([Member("a.txt", b"2 + 2 = 4"), Member("x.json", RECORD, crc=1)]))
    with pytest.raises(CommandError, match=r"nothing was audited: .*x\.json has another checksum"):
        call_command("audit", str(source), output=str(target))
    source.write_bytes(archive_of([Member("a.jsonl", RECORD + b"\n7")]))
    with pytest.raises(CommandError, match=r"a\.jsonl: line 2: is in no known format"):
        call_command("audit", str(source), output=str(target))
    assert not target.exists()


def test_the_command_audits_texts_of_an_archive(tmp_path: Path) -> None:
    source, target = tmp_path / "texts.zip", tmp_path / "out.jsonl"
    source.write_bytes(archive_of([Member("a.txt", b"So 2 + 2 = 5."), Member("b.jsonl", RECORD)]))
    call_command("audit", str(source), output=str(target), workers=1)
    first, second = map(json.loads, target.read_text().splitlines())
    assert (first["outcome"], second["id"]) == ("fail", "a")


def test_an_archive_in_a_pipe_is_told_so() -> None:
    command = [sys.executable, "manage.py", "audit", "-"]
    done = subprocess.run(command, input=eval_log(SAMPLES), capture_output=True, check=False)
    assert b"cannot be read through a pipe; name the file" in done.stderr
    assert (done.returncode, done.stdout) == (1, b"")
