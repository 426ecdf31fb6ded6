"""Which key may sign the ledger: the first one announced, or the one that the last rotation installed.

Reads Leaf, PublicKey; writes nothing.
"""

from auditing.core.ledger import leaves
from auditing.core.ledger.rotation import check_rotation
from auditing.models import Leaf, PublicKey
from auditing.services.ledger.announcing import LEDGER
from auditing.translog.checkpoint import ForkError
from auditing.translog.note import VerifierKey, parse_vkey


def check_key(*, key: VerifierKey) -> None:
    """Only the key in force may sign: the first one announced, or the one that the last rotation installed.

    Raises ForkError.
    """
    bodies = Leaf.objects.filter(kind=leaves.KeyRotate.TYPE, index__isnull=False).order_by("index")
    wanted = None
    # Each rotation is signed by the key before it: the chain leads from the first key to the one in force.
    for body in bodies.values_list("body", flat=True):
        leaf = leaves.decode(entry=bytes(body))
        assert isinstance(leaf, leaves.KeyRotate)
        wanted = check_rotation(leaf=leaf, old=parse_vkey(text=leaf.old))
    if wanted is None:
        first = PublicKey.objects.filter(purpose=LEDGER).order_by("id").first()
        wanted = None if first is None else parse_vkey(text=bytes(first.value).decode())
    if wanted is not None and wanted.vkey != key.vkey:
        raise ForkError(f"the ledger's key is {wanted.vkey}, this process holds {key.vkey}")
