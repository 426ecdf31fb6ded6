"""I10: every stored block re-hashes to its address. Nothing is decrypted."""

from collections.abc import Iterator

from auditing.services.fsck.survey import Survey
from hdag.core import cid
from hdag.models import Block


def intact(survey: Survey) -> Iterator[str]:
    """One pass over all ciphertexts."""
    for name, ciphertext in Block.objects.values_list("cid", "ciphertext").iterator(500):
        if cid.of(data=bytes(ciphertext)) != name:
            yield f"block {name} does not hash to its address"
