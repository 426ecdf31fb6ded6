"""The file of the last signed head: no second root for a size, no way back, no other ledger."""

from pathlib import Path

import pytest

from auditing.services.ledger.publishing import HeadFile
from auditing.translog.checkpoint import Checkpoint, ForkError

A, B = b"a" * 32, b"b" * 32


def head(size: int, root: bytes = A, origin: str = "log.example/1") -> Checkpoint:
    return Checkpoint(origin=origin, size=size, root=root)


@pytest.mark.parametrize("next_head", [head(7), head(8), head(8, B)])
def test_the_same_head_again_or_a_longer_one_may_be_signed(tmp_path: Path, next_head: Checkpoint) -> None:
    file = HeadFile.beside(directory=tmp_path)
    file.remember(checkpoint=head(7))
    file.remember(checkpoint=next_head)
    assert file.last() == next_head


@pytest.mark.parametrize("next_head", [head(7, B), head(6), head(6, B), head(8, origin="log.example/2")])
def test_a_second_root_of_one_size_a_shorter_log_and_another_ledger_are_never_signed(
    tmp_path: Path, next_head: Checkpoint
) -> None:
    file = HeadFile.beside(directory=tmp_path)
    file.remember(checkpoint=head(7))
    with pytest.raises(ForkError):
        file.remember(checkpoint=next_head)
    assert file.last() == head(7)
