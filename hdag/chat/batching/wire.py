"""Batches over HTTP: a file is uploaded, a batch made of it, looked at until it is over, its files read and removed."""

import io
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import openai

from hdag.chat.address import Origin
from hdag.chat.batching.lines import PATH, Line, read_lines
from hdag.chat.endpoint import EndpointSettings
from hdag.chat.errors import AddressRefusedError, BatchRefusedError, KeyUnavailableError
from hdag.chat.replies.rejections import name_rejection
from hdag.chat.transport import deadline
from hdag.chat.wire import Wire

__all__ = ["BatchWire", "Look"]

_MOST_BYTES = 400_000_000  # of a file of answers
_SECONDS = 300.0  # one exchange: a large file up or down
_OVER = frozenset({"completed", "failed", "expired", "cancelled"})
_MARK = "trust_batch"  # in the batch's metadata: how a batch is found whose name was lost with its worker
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Look:
    """How a batch stands: its state in the server's word, and its answers once it is over."""

    state: str
    answers: dict[str, Line]

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.state in _OVER


class BatchWire(Wire):
    """Batches of one endpoint, by the same guarded connections as single calls."""

    def __init__(self, endpoint: EndpointSettings, allowed: frozenset[Origin]) -> None:
        super().__init__(replace(endpoint, max_answer_bytes=_MOST_BYTES), allowed)

    def send(self, *, lines: Sequence[str], mark: str) -> str:
        """Upload the lines and start a batch; its name at the server. Raises BatchRefusedError."""

        def work(client: openai.OpenAI) -> str:
            file = (f"{mark}.jsonl", io.BytesIO("\n".join(lines).encode()), "application/jsonl")
            uploaded = client.files.create(file=file, purpose="batch")
            made = client.batches.create(
                input_file_id=uploaded.id,
                endpoint=PATH,
                completion_window="24h",
                metadata={_MARK: mark},
            )
            return made.id

        return self._exchange(work)

    def find(self, *, mark: str) -> str | None:
        """The batch that was started under this mark, among the newest hundred. Raises BatchRefusedError."""

        def work(client: openai.OpenAI) -> str | None:
            newest = client.batches.list(limit=100).data
            return next((batch.id for batch in newest if (batch.metadata or {}).get(_MARK) == mark), None)

        return self._exchange(work)

    def look(self, *, remote: str) -> Look:
        """How the batch stands; its files are removed at the server when it is over. Raises BatchRefusedError."""

        def work(client: openai.OpenAI) -> Look:
            batch = client.batches.retrieve(remote)
            if batch.status not in _OVER:
                return Look(batch.status, {})
            answers: dict[str, Line] = {}
            # Two files: answers, and requests that were refused or expired.
            for file in filter(None, (batch.output_file_id, batch.error_file_id)):
                answers |= read_lines(client.files.content(file).text)
            return Look(batch.status, answers)

        return self._exchange(work)

    def tidy(self, *, remote: str) -> None:
        """Remove the batch's files: the texts have no business there any more. Whatever cannot be removed expires."""

        def work(client: openai.OpenAI) -> None:
            batch = client.batches.retrieve(remote)
            for file in filter(None, (batch.input_file_id, batch.output_file_id, batch.error_file_id)):
                client.files.delete(file)

        try:
            self._exchange(work)
        except BatchRefusedError:
            return

    def _exchange(self, work: Callable[[openai.OpenAI], _Value]) -> _Value:
        try:
            key = self._endpoint.key.get_key()
        except KeyUnavailableError as error:
            raise BatchRefusedError(str(error), may_pass=False) from None
        mark = deadline.set(time.monotonic() + _SECONDS)
        failure: BatchRefusedError
        try:
            return work(self._client.with_options(api_key=key, timeout=_SECONDS))
        except (openai.OpenAIError, AddressRefusedError, ValueError) as error:
            # The error holds the request and with it the key: only a sentence of ours leaves this function.
            failure = _refusal(error)
        finally:
            deadline.reset(mark)
        raise failure


def _refusal(error: Exception) -> BatchRefusedError:
    if isinstance(error, AddressRefusedError):
        return BatchRefusedError(str(error), may_pass=False)
    if isinstance(error, openai.APIStatusError):
        status: Any = error.status_code
        may_pass = status in (408, 409, 425, 429) or status >= 500
        return BatchRefusedError(
            name_rejection(status=status, text=error.response.text), may_pass=may_pass, status=status
        )
    return BatchRefusedError("the server could not be reached, or its answer not be read", may_pass=True)
