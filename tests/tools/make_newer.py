"""Writes tests/vectors/newer anew: `python -m pytest tests/tools/make_newer.py`.

Audits of today's format, of courses that those of tests/vectors/older do not take: the liar needs them besides.
"""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from auditing.core.values import Choice
from auditing.models import Audit
from tests.factories.stories import STORIES
from tests.factories.worlds import sequencer
from tests.rooms.consensus.test_waves import waves_world
from tests.rooms.ledger.test_ledger import bundled
from tests.rooms.voting.test_unopened import FIRST_OF_THE_OPENING, spoilt

FOLDER = Path(__file__).resolve().parents[1] / "vectors" / "newer"


def planned() -> Audit:
    """An audit in waves, which fails decide."""
    world, audit = waves_world()
    world.everybody_votes(audit, Choice.FAIL)
    world.settle_machines()
    return audit


COURSES: dict[str, Callable[[], Audit]] = {
    "unopened": lambda: spoilt(FIRST_OF_THE_OPENING)[1],
    "waves": planned,
    "left": lambda: STORIES["left"]()[0],
    "silent": lambda: STORIES["silent"]()[0],
}


@pytest.mark.django_db
@pytest.mark.parametrize("name", COURSES)
def test_the_vector_is_written(name: str) -> None:
    audit = COURSES[name]()
    while sequencer().step():
        pass
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.json.gz").write_bytes(gzip.compress(bundled(audit), mtime=0))
