"""Zip archives for tests: logs of Inspect AI as its source writes them, and archives that no honest program writes.

Source, read 2026-11-30: inspect_ai, src/inspect_ai/log/_recorders/eval.py (names and order of entries), log/_log.py
(fields of a sample), _util/zipfile.py (Zstandard, in frames); PKWARE's APPNOTE 6.3.10, sections 4.3 and 4.5.3.
"""

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow

STORED, DEFLATED, ZSTANDARD = 0, 8, 93
EVAL = {"task": "popularity", "model": "openai/gpt-4o-mini", "created": "2026-11-30T09:00:00+00:00", "run_id": "r"}


def sample(number: int = 1, epoch: int = 1, **fields: Any) -> dict[str, Any]:
    """One EvalSample, its optional fields left out as the recorder leaves out what is None."""
    question = f"What is {number} + {epoch}?"
    messages = [
        {"id": "u", "content": question, "source": "input", "role": "user"},
        {
            "id": "a",
            "content": [
                {"type": "reasoning", "reasoning": f"{number} + {epoch} = {number + epoch}"},
                {"type": "text", "text": f"{number + epoch}"},
            ],
            "source": "generate",
            "role": "assistant",
            "model": "gpt-4o-mini",
        },
    ]
    return {
        "id": number,
        "epoch": epoch,
        "input": question,
        "target": str(number + epoch),
        "messages": messages,
        "output": {"model": "gpt-4o-mini", "choices": [{"message": messages[1], "stop_reason": "stop"}]},
        "scores": {"match": {"value": "C", "answer": str(number + epoch)}},
        "metadata": {},
        "store": {},
        "events": [{"event": "span_begin", "id": "e", "type": "init", "name": "init"}],
        "attachments": {},
        **fields,
    }


def json_log(samples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The same log as Inspect writes it in JSON."""
    return {"version": 2, "status": "success", "eval": EVAL, "plan": {"name": "plan"}, "samples": list(samples)}


def entries_of(samples: Sequence[Mapping[str, Any]]) -> list[tuple[str, bytes]]:
    """Names and contents of a finished log, in the recorder's order."""
    start = {"version": 2, "eval": EVAL, "plan": {"name": "plan"}}
    rows = [(f"samples/{row['id']}_epoch_{row['epoch']}.json", row) for row in samples]
    summaries = [{"id": row["id"], "epoch": row["epoch"], "input": row["input"]} for row in samples]
    values: list[tuple[str, Any]] = [
        ("_journal/start.json", start),
        *rows,
        ("_journal/summaries/1.json", summaries),
        ("summaries.json", summaries),
        ("reductions.json", []),
        ("header.json", {**start, "status": "success"}),
    ]
    return [(name, json.dumps(value, indent=2).encode()) for name, value in values]


def eval_log(samples: Sequence[Mapping[str, Any]]) -> bytes:
    """A log as versions before Zstandard wrote it, by the standard library as they did."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED, compresslevel=5) as archive:
        for name, content in entries_of(samples):
            archive.writestr(name, content)
    return held.getvalue()


@dataclass(frozen=True, slots=True)
class Member:
    """An entry and what it says of itself; None where it tells the truth."""

    name: str
    content: bytes
    method: int = DEFLATED
    flags: int = 0
    crc: int | None = None
    size: int | None = None
    local_name: str | None = None
    offset: int | None = None
    is_wide: bool = False  # its sizes stand in the extra field for Zip64
    frames: int = 1  # of Zstandard


def packed(member: Member) -> bytes:
    """The content as its method packs it; another method than the three leaves it as it is."""
    if member.method == DEFLATED:
        packing = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        return packing.compress(member.content) + packing.flush()
    if member.method == ZSTANDARD:
        step = len(member.content) // member.frames + 1
        pieces = [member.content[at : at + step] for at in range(0, len(member.content), step)]
        return b"".join(pyarrow.compress(piece, codec="zstd", asbytes=True) for piece in pieces)
    return member.content


def archive_of(members: Sequence[Member], *, is_wide: bool = False, comment: bytes = b"", count: int = -1) -> bytes:
    """The archive. is_wide: with the directory's end for Zip64; count: how many entries it claims."""
    body, directory = b"", b""
    for member in members:
        data = packed(member)
        crc = zlib.crc32(member.content) if member.crc is None else member.crc
        size = len(member.content) if member.size is None else member.size
        name, local = member.name.encode(), (member.local_name or member.name).encode()
        offset = len(body) if member.offset is None else member.offset
        sizes = (0xFFFFFFFF, 0xFFFFFFFF) if member.is_wide else (len(data), size)
        extra = struct.pack("<2H2Q", 1, 16, size, len(data)) if member.is_wide else b""
        common = (member.flags | 0x800, member.method, 0, 0, crc, *sizes, len(name), len(extra))
        body += struct.pack("<4s5H3L2H", b"PK\x03\x04", 63, *common[:7], len(local), len(extra)) + local + extra + data
        directory += struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 63, 63, *common, 0, 0, 0, 0, offset) + name + extra
    claimed = len(members) if count < 0 else count
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, claimed, claimed, len(directory), len(body), len(comment))
    if is_wide:
        place = len(body) + len(directory)
        wide = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 63, 63, 0, 0, claimed, claimed, len(directory), len(body))
        end = struct.pack("<4s4H2LH", b"PK\x05\x06", *[0xFFFF] * 4, *[0xFFFFFFFF] * 2, len(comment))
        end = wide + struct.pack("<4sLQL", b"PK\x06\x07", 0, place, 1) + end
    return body + directory + end + comment
