"""A double of OpenAI's Batch API: files, batches, and what it refuses, as documented.

developers.openai.com/api/docs/guides/batch and /api/reference/resources/batches (read 2026-11-23): purpose "batch",
window "24h", 50,000 requests and 200 MB a file, one model a file, custom_id unique; a batch is validating, in_progress,
finalizing, completed, or failed, expired, cancelled; answers come in any order, refused requests stand in the error
file. Whatever is wrong with the file's lines makes a batch that fails, not a request that is refused: errors.data with
code and line (github.com/stdapi-ai/stdapi.ai/issues/240, 2026-09-10: invalid_json_line, duplicate_custom_id,
url_mismatch, model_mismatch, empty_file, too_many_tasks). A 4xx of one request is a response with its status and an
error in its body; batch_expired stands in `error` (github.com/artefactory/artefactual/pull/332, 2026-09-09).
"""

import email
import email.policy
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Body = dict[str, Any]
Answer = tuple[int, Any]
MOST_LINES, MOST_BYTES = 50_000, 200 * 1024 * 1024
PATHS = ("/v1/chat/completions", "/v1/embeddings", "/v1/responses", "/v1/completions")


def error(message: str, param: str | None = None, status: int = 400) -> Answer:
    """developers.openai.com/api/docs/guides/error-codes (read 2026-11-22)."""
    return status, {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": None}}


@dataclass
class BatchDouble:
    """One account's files and batches. `fate`.

    Whole, expire (half of it is answered), or forbid (no batches at all).
    """

    respond: Callable[[Body], Answer]
    fate: str = "whole"
    files: dict[str, bytes] = field(default_factory=dict)
    batches: dict[str, Body] = field(default_factory=dict)
    lock: Any = field(default_factory=threading.Lock)

    def handle(self, method: str, path: str, kind: str, data: bytes) -> tuple[int, bytes]:
        """Status and bytes for one request; `path` begins after /v1."""
        if path == "chat/completions":
            return _packed(self.respond(json.loads(data)))
        with self.lock:
            if self.fate == "forbid":
                return _packed(error("Your organization may not use the Batch API.", status=403))
            parts = path.split("?")[0].strip("/").split("/")
            if parts[0] == "files":
                return self._file(method, parts[1:], kind, data)
            return _packed(self._batch(method, parts[1:], data))

    def _file(self, method: str, parts: list[str], kind: str, data: bytes) -> tuple[int, bytes]:
        if method == "POST" and not parts:
            return _packed(self._upload(kind, data))
        name = parts[0] if parts else ""
        if name not in self.files:
            return _packed(error(f"No such File object: {name}", "id", 404))
        if method == "DELETE":
            del self.files[name]
            return _packed((200, {"id": name, "object": "file", "deleted": True}))
        return 200, self.files[name]

    def _upload(self, kind: str, data: bytes) -> Answer:
        head = f"Content-Type: {kind}\r\n\r\n".encode()
        whole = email.message_from_bytes(head + data, policy=email.policy.HTTP)
        fields = {part.get_param("name", header="content-disposition"): part for part in whole.iter_parts()}
        if "file" not in fields or "purpose" not in fields:
            return error("'file' and 'purpose' are required properties")
        purpose = fields["purpose"].get_payload(decode=True).decode()
        if purpose != "batch":
            return error(f"'{purpose}' is not one of ['batch', ...]", "purpose")
        body = fields["file"].get_payload(decode=True)
        if len(body) > MOST_BYTES:
            return error("File is larger than 200 MB", "file", 413)
        name = self._keep(body)
        return 200, {
            "id": name,
            "object": "file",
            "bytes": len(body),
            "created_at": 1,
            "filename": "x",
            "purpose": "batch",
        }

    def _keep(self, body: bytes) -> str:
        name = f"file-{len(self.files) + len(self.batches) * 100 + 1}"
        self.files[name] = body
        return name

    def _batch(self, method: str, parts: list[str], data: bytes) -> Answer:
        if method == "POST" and not parts:
            return self._create(json.loads(data))
        if not parts:
            return 200, {"object": "list", "data": list(reversed(self.batches.values())), "has_more": False}
        if parts[0] not in self.batches:
            return error(f"No batch found with id '{parts[0]}'.", None, 404)
        batch = self.batches[parts[0]]
        self._move(batch)
        return 200, batch

    def _create(self, asked: Body) -> Answer:
        unknown = sorted(asked.keys() - {"input_file_id", "endpoint", "completion_window", "metadata"})
        if unknown:
            return error(f"Unknown parameter: '{unknown[0]}'.", unknown[0])
        if asked.get("completion_window") != "24h":
            return error("Invalid value for 'completion_window'. Supported values are: '24h'.", "completion_window")
        if asked.get("endpoint") not in PATHS:
            return error(f"Invalid value: '{asked.get('endpoint')}'.", "endpoint")
        metadata = asked.get("metadata") or {}
        if len(metadata) > 16 or any(len(k) > 64 or len(str(v)) > 512 for k, v in metadata.items()):
            return error("Invalid 'metadata'.", "metadata")
        name = f"batch_{len(self.batches) + 1}"
        self.batches[name] = {
            "id": name,
            "object": "batch",
            "endpoint": asked["endpoint"],
            "errors": None,
            "input_file_id": asked["input_file_id"],
            "completion_window": "24h",
            "status": "validating",
            "output_file_id": None,
            "error_file_id": None,
            "created_at": 1_763_800_000,
            "request_counts": {"total": 0, "completed": 0, "failed": 0},
            "metadata": metadata or None,
        }
        return 200, self.batches[name]

    def _move(self, batch: Body) -> None:
        """Each look finds it one stage further."""
        if batch["status"] == "validating":
            faults = self._faults(batch)
            batch["status"] = "failed" if faults else "in_progress"
            batch["errors"] = {"object": "list", "data": faults} if faults else None
        elif batch["status"] == "in_progress":
            self._finish(batch)

    def _faults(self, batch: Body) -> list[Body]:
        text = self.files.get(batch["input_file_id"])
        if text is None:
            return [{"code": "file_not_found", "line": None, "message": "The input file was not found.", "param": None}]
        rows = text.decode().splitlines()
        if not rows or len(rows) > MOST_LINES:
            return [{"code": "too_many_tasks" if rows else "empty_file", "line": None, "message": "", "param": None}]
        faults, seen, models = [], set(), set()
        for number, row in enumerate(rows, 1):
            code = _fault_of(row, batch["endpoint"], seen, models)
            if code:
                faults.append({"code": code, "line": number, "message": code, "param": None})
        return faults

    def _finish(self, batch: Body) -> None:
        rows = [json.loads(row) for row in self.files[batch["input_file_id"]].decode().splitlines()]
        answered = rows[: len(rows) // 2] if self.fate == "expire" else rows
        good, bad = [], []
        for row in reversed(answered):  # in any order
            status, body = self.respond(row["body"])
            response = {"status_code": status, "request_id": "req_1", "body": body}
            line = {
                "id": f"batch_req_{row['custom_id']}",
                "custom_id": row["custom_id"],
                "response": response,
                "error": None,
            }
            (good if status == 200 else bad).append(line)
        for row in rows[len(answered) :]:
            fault = {
                "code": "batch_expired",
                "message": "This request could not be executed before the window expired.",
            }
            bad.append({"id": "x", "custom_id": row["custom_id"], "response": None, "error": fault})
        batch["status"] = "expired" if self.fate == "expire" else "completed"
        batch["request_counts"] = {"total": len(rows), "completed": len(good), "failed": len(bad)}
        batch["output_file_id"] = self._keep(_lines(good)) if good else None
        batch["error_file_id"] = self._keep(_lines(bad)) if bad else None


def _fault_of(row: str, endpoint: str, seen: set[str], models: set[str]) -> str:
    try:
        line = json.loads(row)
    except ValueError:
        return "invalid_json_line"
    name, body = line.get("custom_id"), line.get("body", {})
    if not isinstance(name, str) or not name or len(name) > 512 or line.get("method") != "POST":
        return "invalid_json_line"
    if line.get("url") != endpoint:
        return "url_mismatch"
    if name in seen:
        return "duplicate_custom_id"
    seen.add(name)
    models.add(body.get("model"))
    if len(models) > 1:
        return "model_mismatch"
    return "invalid_request" if body.get("stream") else ""


def _lines(rows: list[Body]) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def _packed(answer: Answer) -> tuple[int, bytes]:
    return answer[0], json.dumps(answer[1]).encode()
