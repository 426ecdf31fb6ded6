"""A text that was erased or damaged gives a plain page: 410 or 500, never a fault of the page that asked for it."""

import logging

from django.http import HttpRequest, HttpResponse

from auditing.services.intake import damage
from hdag.store.blocks import StoreAwayError
from hdag.store.content import ContentDamagedError, ContentGoneError
from trustweb.middleware.failures import Middleware, answer_plainly

log = logging.getLogger("trustweb")
GONE = (
    "This text was erased at its provider's request. What was decided about it, and the proofs of it, remain in the "
    "ledger."
)
AWAY = "The store of texts cannot be reached at the moment. Nothing was lost; please try again in a few seconds."
DAMAGED = (
    "A stored text does not match its address any more: the storage is damaged. It is not shown; audits that rest on "
    "it are paused, and the admins have been told."
)


class LostContent(Middleware):
    """Pages and API alike."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Django calls this when a view raised."""
        if isinstance(error, ContentGoneError):
            return answer_plainly(request, 410, GONE)  # 410 and not 404: the client need not ask again (RFC 9110)
        if isinstance(error, StoreAwayError):
            log.error("block store away: %s", error)
            return answer_plainly(request, 503, AWAY)
        if isinstance(error, ContentDamagedError):
            # Pausing keeps a verdict from resting on bytes that are not those which the auditors read.
            damage.pause(error=error)
            return answer_plainly(request, 500, DAMAGED)
        return None
