"""What can go wrong when talking to a model; none of it ever carries a key or a prompt."""

from enum import StrEnum

from hdag.chat.usage import Spent


class Failure(StrEnum):
    """Why there is no answer."""

    REFUSED_ADDRESS = "refused_address"
    MISCONFIGURED = "misconfigured"
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    REJECTED = "rejected"
    FILTERED = "filtered"
    REDIRECTED = "redirected"
    TIMED_OUT = "timed_out"
    UNREACHABLE = "unreachable"
    GARBAGE = "garbage"
    TOO_LARGE = "too_large"
    WRONG_MODEL = "wrong_model"
    INVALID_ANSWER = "invalid_answer"
    CAP_REACHED = "cap_reached"
    BUSY = "busy"
    CIRCUIT_OPEN = "circuit_open"
    BATCHED = "batched"  # it waits for its answer in a batch: ask again later


TRANSIENT = frozenset(
    {
        Failure.RATE_LIMITED,
        Failure.SERVER_ERROR,
        Failure.TIMED_OUT,
        Failure.UNREACHABLE,
        Failure.GARBAGE,
    }
)
"""Failures of the server that may be over a moment later: worth another attempt, and signs of ill health.

Only RATE_LIMITED with a Retry-After is no such sign: it is pacing by a server that works (book.Settlement.is_paced)."""


class ChatError(Exception):
    """The model could not be asked."""


class AddressRefusedError(ChatError):
    """The address of the endpoint is not one that this server may call."""


class KeyUnavailableError(ChatError):
    """The endpoint's key cannot be read."""


class CapReachedError(ChatError):
    """The spend cap would be exceeded."""


class EndpointBusyError(ChatError):
    """All places at the endpoint are taken at the moment, or it asked everybody to wait."""

    def __init__(self, reason: str, *, wait: float = 0.0) -> None:
        """`wait`: seconds before which asking again is useless, as far as that is known."""
        self.wait = wait
        super().__init__(reason)


class CircuitOpenError(ChatError):
    """The endpoint has been failing and is left alone for a while."""


class BatchRefusedError(ChatError):
    """The server does not take this batch, or cannot be reached; `may_pass`: asking again later can help."""

    def __init__(self, reason: str, *, may_pass: bool, status: int = 400) -> None:
        """`reason` is a sentence of ours; `status` is the server's, as far as it answered."""
        self.may_pass, self.status = may_pass, status
        super().__init__(reason)


class NoAnswerError(ChatError):
    """The model gave no usable answer; nothing is assumed in its place."""

    def __init__(self, *, failure: Failure, reason: str, spent: Spent) -> None:
        """`reason` is a sentence for people; `spent` is what the attempt cost all the same."""
        self.failure, self.reason, self.spent = failure, reason, spent
        super().__init__(f"{failure}: {reason}")
