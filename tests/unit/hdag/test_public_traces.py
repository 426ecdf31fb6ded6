"""A few traces of every public set: every invariant holds (all of them in benchmarks/decomposition.py)."""

import pytest

from benchmarks.public_traces import DATA, records
from hdag.core.invariants import find_violations
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers.records import read_record


def test_the_first_traces_of_every_public_set_are_decomposed_soundly():
    if not DATA.exists():
        pytest.skip("the public data are not beside the repository")
    sets = set()
    for name, record in records(per_file=4):
        trace = read_record(record, where=name)
        graph = RulesDecomposer().decompose(trace)
        assert find_violations(trace=trace, graph=graph) == ()
        sets.add(name)
    assert len(sets) == 13
