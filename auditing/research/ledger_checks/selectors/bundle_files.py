"""The file of an audit's bundle as somebody hands it in: read, or refused in words. Reads nothing else."""

from typing import Any

from auditing.core.ledger.bundle import FORMAT
from auditing.verifier import verify_audit


class NotVerifiableError(Exception):
    """This is no bundle, receipt, proof or checkpoint of this ledger's kind."""


def read_bundle(*, data: bytes) -> dict[str, Any]:
    """The bundle with the fields that are read first. Raises NotVerifiableError."""
    try:
        bundle = verify_audit.strict_json(data.decode("utf-8"))
        if "vote" in bundle and "format" not in bundle:
            raise NotVerifiableError("This is the file of a computer vote: verify_proofs.py, below, computes it again.")
        if bundle["format"] != FORMAT:
            raise NotVerifiableError(
                f"The bundle is of format {str(bundle['format'])[:60]!r}; this page reads {FORMAT}."
            )
        read = {"leaves": list(bundle["leaves"]), **{name: str(bundle[name]) for name in ("vkey", "checkpoint")}}
    except (KeyError, ValueError, TypeError, RecursionError) as error:
        raise NotVerifiableError(f"The bundle cannot be read: {_why_unreadable(error)}"[:300]) from None
    return {**bundle, **read}


def _why_unreadable(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it has no field {error}."
    return str(error) if isinstance(error, ValueError) else "it does not have the shape of one."
