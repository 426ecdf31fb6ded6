"""Optional anchoring: signed heads of the ledger are written to a public chain. Off unless ANCHOR_BACKEND says so.

An operator who controls log and witnesses still cannot rewrite what a chain of others has stored.

Address, key and contract come from the environment alone; no page and no form can name a server to call.
"""

from django.conf import settings

from auditing.research.anchoring.chain.protocol import Chain, ChainAwayError, ChainRefusedError, Sent

__all__ = ["Chain", "ChainAwayError", "ChainRefusedError", "Sent", "chosen"]


def chosen() -> Chain | None:
    """The chain that the settings name; None when anchoring is off.

    Raises ChainRefusedError when it is set up badly.
    """
    if settings.ANCHOR_BACKEND == "none":
        return None
    from auditing.research.anchoring.chain.ethereum import connect  # here: web3 is an extra that few install

    return connect(url=settings.ANCHOR_RPC_URL, key=settings.ANCHOR_KEY, contract=settings.ANCHOR_CONTRACT)
