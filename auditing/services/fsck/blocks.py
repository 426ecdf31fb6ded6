"""I10: every stored block re-hashes to its address. Nothing is decrypted."""

from collections.abc import Iterator
from itertools import islice

from auditing.services.fsck.survey import Survey
from hdag import content
from hdag.models import Block

CHUNK = 500


def intact(survey: Survey) -> Iterator[str]:
    """One pass over all blocks, whichever store keeps them."""
    blocks = Block.objects.order_by("pk").iterator(CHUNK)
    while chunk := list(islice(blocks, CHUNK)):
        yield from content.faults(chunk)
