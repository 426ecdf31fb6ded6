"""Errors of the services as answers of the API: one table, one shape {"detail": sentence, "code": word}."""

from typing import Any

from rest_framework.response import Response

from accounts.api import refusals
from auditing.core.errors import CoreError
from auditing.core.voting.commitment import OpeningError
from auditing.services.gold import disputes
from auditing.services.intake import decomposition, submission
from auditing.services.points import prices, stakes
from auditing.services.voting import commitment, reveal
from hdag.core.errors import HdagError

# Read from top to bottom, the first match wins: a subclass stands above its base (NoSuchSeatError is a
# CommitmentRefusedError, yet 404). 409 means "right, but too late or twice", 402 "not covered by points", 400 "never
# right as it was sent".
STATUS: tuple[tuple[type[Exception], int], ...] = (
    (commitment.NoSuchSeatError, 404),
    (commitment.NoSealError, 400),
    (commitment.CommitmentRefusedError, 409),
    (reveal.RevealRefusedError, 409),
    (disputes.DisputeRefusedError, 409),
    (submission.CampaignClosedError, 409),
    (submission.NotAgreedError, 400),
    (prices.PriceNotCoveredError, 402),
    (stakes.StakeRefusedError, 409),
    (decomposition.NotAgainError, 409),
    (OpeningError, 400),
    (CoreError, 400),
    (HdagError, 400),
)

# Published before every class ended in Error: programs compare these words, so the others leave the ending out.
CODES_THAT_END_IN_ERROR = frozenset(
    {
        "BadParameterError",
        "BadPolicyError",
        "BadVotesError",
        "CommitmentMismatchError",
        "ConfidenceError",
        "CoreError",
        "HdagError",
        "MalformedOpeningError",
        "OpeningError",
        "RationaleMismatchError",
        "WeakNonceError",
    }
)


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: errors of the services first, then whatever else refuses."""
    for error_class, status in STATUS:
        if isinstance(error, error_class):
            return Response({"detail": str(error), "code": code_of(error)}, status=status)
    # Anything that is neither ours nor DRF's gives None: Django logs it and answers 500 without its text.
    return refusals.answer(error, context)


def code_of(error: Exception) -> str:
    """The word that programs compare: the class without its ending, unless it was published with it."""
    name = type(error).__name__
    return name if name in CODES_THAT_END_IN_ERROR else name.removesuffix("Error")
