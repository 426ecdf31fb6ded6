"""Errors of the services as answers of the API: one table, one shape {"detail": sentence, "code": word}."""

from typing import Any

from rest_framework.response import Response
from rest_framework.views import exception_handler

from auditing.core.errors import CoreError
from auditing.core.voting.commitment import OpeningError
from auditing.services.intake import decomposition, submission
from auditing.services.voting import commitment, reveal
from hdag.core.errors import HdagError

STATUS: tuple[tuple[type[Exception], int], ...] = (
    (commitment.NoSuchSeat, 404),
    (commitment.CommitmentRefused, 409),
    (reveal.RevealRefused, 409),
    (submission.CampaignClosed, 409),
    (submission.NotAgreed, 400),
    (decomposition.NotAgain, 409),
    (OpeningError, 400),
    (CoreError, 400),
    (HdagError, 400),
)


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: ours first, then its own."""
    for kind, status in STATUS:
        if isinstance(error, kind):
            return Response({"detail": str(error), "code": type(error).__name__}, status=status)
    return exception_handler(error, context)
