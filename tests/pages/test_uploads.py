"""Files of traces: every format that is read, every file that is refused, and nothing half imported."""

import io
import json
import tracemalloc
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from auditing.models import Audit
from auditing.research.importing.services import ImportRefusedError, read_lines
from hdag.models import Trace
from hdag.readers.files import MAX_LINES
from tests.factories.archives import Member, archive_of, eval_log, sample
from tests.factories.worlds import World
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
GOOD = {"problem": "What is 2 + 2?", "steps": ["2 + 2 = 4"], "answer": "4"}
LINE = json.dumps(GOOD).encode()
MESSAGES = {
    "messages": [
        {"role": "user", "content": "What is 3 + 3?"},
        {"role": "assistant", "content": "6", "reasoning_content": "3 + 3 = 6"},
    ]
}


def upload(world: World, body: bytes, name: str = "traces.jsonl", **fields: str) -> Any:
    file = SimpleUploadedFile(name, body)
    return signed_in(world.provider).post("/submit", {"campaign": str(world.campaign.pk), "file": file, **fields})


@pytest.mark.parametrize(
    "body",
    [
        LINE,
        LINE + b"\n",
        b"\xef\xbb\xbf" + LINE,
        LINE + b"\r\n\r\n",
        b"\n\n" + LINE,
        json.dumps(MESSAGES).encode(),
        json.dumps("<think>2 + 2 = 4</think>4").encode(),
        json.dumps([GOOD]).encode(),
        b"\xef\xbb\xbf" + json.dumps([GOOD], indent=2).encode(),
        b"\r\n" + json.dumps(MESSAGES, indent=2).replace("\n", "\r\n").encode(),
        b"\n".join(json.dumps(row).encode() for row in MESSAGES["messages"]),
    ],
    ids=[
        "bare",
        "newline",
        "byte order mark",
        "CRLF",
        "blank lines",
        "chat messages",
        "think tags",
        "array",
        "document of an array",
        "document of a conversation",
        "message a line",
    ],
)
def test_a_file_in_any_format_is_imported(idle_hens: World, body: bytes) -> None:
    answer = upload(idle_hens, body)
    assert answer.status_code == 302, answer.content.decode()[:3000]
    assert Audit.objects.count() == 1


def test_records_of_different_formats_may_stand_in_one_file(idle_hens: World) -> None:
    assert upload(idle_hens, LINE + b"\n" + json.dumps(MESSAGES).encode()).status_code == 302
    assert Audit.objects.count() == 2


def test_a_chosen_format_is_held_to(idle_hens: World) -> None:
    answer = upload(idle_hens, LINE, format="messages")
    assert "line 1: is no messages" in answer.content.decode()
    assert upload(idle_hens, LINE, format="poetry").status_code == 400
    assert not Audit.objects.exists()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "empty"),
        (b"\n \n", "the file is empty"),
        (LINE + b"\nnonsense", "line 2: not JSON"),
        (LINE + b"\n" + b"\xff" + LINE, "line 2: not UTF-8 (byte 0)"),
        (LINE.decode().encode("utf-16"), "is UTF-16; save it as UTF-8"),
        (LINE + b"\n" + b"[" * 100_000, "line 2: nested too deeply"),
        (LINE + b'\n{"problem": 1, "answer": "2"}', "line 2, problem: must be text"),
        (LINE + b'\n{"problem": "p", "steps": ["a", 2]}', "line 2, steps[1]: must be text"),
        (LINE + b'\n{"problem": "p", "answer": "a\\u0000"}', "line 2, answer: holds a NUL"),
        (LINE + b'\n{"problem": "p", "problem": "q", "answer": "a"}', "duplicate key"),
        (LINE + b"\n7", "line 2: is in no known format"),
        (archive_of([Member("../../x", b"0" * 10_000_000)]), "../../x: is no file of traces by its name"),
        (archive_of([Member("a.jsonl", LINE), Member("b.jsonl", LINE, crc=7)]), "b.jsonl has another checksum"),
        (archive_of([Member("a.jsonl", LINE), Member("b.jsonl", LINE + b"\n7")]), "b.jsonl: line 2: is in no known"),
        (b"\x1f\x8b\x08" + b"0" * 99, "is compressed (gzip)"),
        (b"\x28\xb5\x2f\xfd" + b"0" * 99, "is compressed (zstd)"),
        (b"PAR1\x15\x04", "is Parquet; write it as JSON lines"),
        (b'[\r\n  {"problem": "2?", "answer": "2"}\r\n', "is JSON over several lines, which cannot be read whole: not"),
        (b'\xef\xbb\xbf{\n  "problem": "2?"\n}', "the document, thinking: thinking, answer and steps are all blank"),
        (
            b'[\n{"problem": "2?", "answer": 2},\n{"problem": "2?", "answer": "2"}]',
            "the document, record 1, answer: must",
        ),
    ],
    ids=lambda value: None if isinstance(value, bytes) else value[:24],
)
def test_a_bad_file_is_refused_whole_and_says_where(idle_hens: World, body: bytes, said: str) -> None:
    answer = upload(idle_hens, body)
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert not Trace.objects.exists()


@pytest.mark.parametrize("name", ["traces.gz", "traces.jsonl.exe", "traces", "traces.csv"])
def test_another_ending_is_refused(idle_hens: World, name: str) -> None:
    answer = upload(idle_hens, LINE, name)
    assert answer.status_code == 400
    assert not Trace.objects.exists()


def test_a_history_of_aider_is_taken_as_it_lies_beside_the_code(idle_hens: World) -> None:
    body = b"\n# aider chat started at 2026-11-29 10:00:00\n\n#### 2 + 2?  \n\n2 + 2 = 4.\n\n> Tokens: 9 sent.  \n"
    assert upload(idle_hens, body, ".aider.chat.history.md").status_code == 302
    assert Trace.objects.count() == 1
    refused = upload(idle_hens, b"# Notes\n\nNo history.\n", "notes.md")
    assert "line 1: not JSON" in refused.content.decode()


def test_a_log_of_inspect_is_looked_at_and_taken_as_it_is(idle_hens: World) -> None:
    body = eval_log([sample(1), sample(2)])
    assert "2 lines can be read, 0 cannot" in upload(idle_hens, body, "log.eval", preview="1").content.decode()
    assert not Trace.objects.exists()
    assert upload(idle_hens, body, "log.eval").status_code == 302
    assert sorted(Audit.objects.values_list("trace__title", flat=True)) == ["popularity", "popularity"]


def test_the_good_records_of_an_archive_are_taken_and_the_bad_ones_saved(idle_hens: World) -> None:
    body = archive_of([Member("a.jsonl", LINE + b"\nnonsense"), Member("b.json", json.dumps(MESSAGES).encode())])
    assert b"".join(upload(idle_hens, body, "t.zip", bad="1")) == b"nonsense\n"
    taken = upload(idle_hens, body, "t.zip", good="1").content.decode()
    assert "2 audits opened" in taken
    assert "a.jsonl: line 2: not JSON" in taken


@pytest.mark.parametrize("name", ["../../a.jsonl", "a\r\nX: y.jsonl"])
def test_a_hostile_name_is_only_a_name(idle_hens: World, name: str) -> None:
    assert upload(idle_hens, LINE, name).status_code in (302, 400)


def test_the_limit_is_exact_to_the_byte(idle_hens: World, settings: Any) -> None:
    settings.TRUST_MAX_TRACE_BYTES = len(LINE)
    room = settings.TRUST_MAX_TRACE_BYTES * 20 - len(LINE)
    assert upload(idle_hens, LINE + b"\n" * (room + 1)).status_code == 400
    assert upload(idle_hens, LINE + b"\n" * room).status_code == 302


def test_a_trace_one_byte_over_its_limit_is_refused_by_line(idle_hens: World, settings: Any) -> None:
    settings.TRUST_MAX_TRACE_BYTES = 100
    fits = json.dumps({"problem": "p" * 50, "answer": "a" * 50}).encode()
    over = json.dumps({"problem": "p" * 50, "answer": "ä" * 25 + "b"}).encode()  # JSON writes an ä as six bytes
    answer = upload(idle_hens, fits + b"\n" + over)
    assert "line 2: 101 bytes of text; at most 100 are taken" in answer.content.decode()
    assert not Trace.objects.exists()
    assert upload(idle_hens, fits).status_code == 302


def test_a_million_lines_are_refused_at_the_first_too_many() -> None:
    with pytest.raises(ImportRefusedError, match=f"line {MAX_LINES + 1}: more than {MAX_LINES} lines"):
        read_lines(lines=io.BytesIO(b"\n" * 1_000_000))


def test_a_line_of_fifty_megabytes_is_refused_in_little_memory() -> None:
    file = io.BytesIO(b'"' + b"x" * 50_000_000 + b'"\n' + LINE)
    tracemalloc.start()
    with pytest.raises(ImportRefusedError, match="line 1: longer than") as refused:
        read_lines(lines=file)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(refused.value.problems) == 1
    assert peak < 40_000_000


def test_too_many_files_and_fields_are_400(idle_hens: World) -> None:
    client = signed_in(idle_hens.provider)
    many = {f"f{n}": SimpleUploadedFile("a", b"x") for n in range(101)}
    assert client.post("/submit", many).status_code == 400
    assert client.post("/submit", {f"f{n}": "x" for n in range(1001)}).status_code == 400


def test_the_command_reads_the_same_and_imports_all_or_none(idle_hens: World, tmp_path: Any) -> None:
    file = tmp_path / "t.jsonl"
    file.write_bytes(LINE + b"\n" + b'{"problem": 1, "answer": "2"}')
    with pytest.raises(CommandError, match="line 2, problem"):
        call_command("import_traces", file, provider=idle_hens.provider.email)
    assert not Trace.objects.exists()
    file.write_bytes(LINE + b"\n" + json.dumps(MESSAGES).encode())
    call_command("import_traces", file, provider=idle_hens.provider.email, format="")
    assert Audit.objects.count() == 2
    file = tmp_path / "log.eval"
    file.write_bytes(eval_log([sample(1)]))
    call_command("import_traces", file, provider=idle_hens.provider.email)
    assert Audit.objects.count() == 3
