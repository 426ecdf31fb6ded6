"""A client of the public API for programs that hand in traces and vote; it imports nothing else of this project."""

from auditing.client.session import ApiError, Desk, Receipt, TrustClient

__all__ = ["ApiError", "Desk", "Receipt", "TrustClient"]
