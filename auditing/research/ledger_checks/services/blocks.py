"""I10: every stored block hashes to its address, wherever it is stored. Nothing is decrypted.

Reads Block; writes nothing.
"""

from collections.abc import Iterator
from itertools import islice

from auditing.research.ledger_checks.services.survey import Survey
from hdag.models import Block
from hdag.store import content

BLOCKS = 200


def intact(survey: Survey) -> Iterator[str]:
    """One pass over all ciphertexts, a few at a time."""
    rows = Block.objects.order_by("cid").iterator(chunk_size=BLOCKS)
    # A few at a time: all ciphertexts together do not fit into memory.
    while blocks := list(islice(rows, BLOCKS)):
        yield from content.faults(blocks)
