"""A seeded piece of the liar's table; `python -m benchmarks.liar` tells all of it."""

import random
from functools import cache
from typing import Any

import pytest

from auditing.verifier import verify_audit
from benchmarks import liar
from benchmarks.lying.consequences import Consequences
from tests.tools.sweeping import sampled

TALES = 12
OF_AN_EXTENSION = {"eligible.extend": None, "seat.assign": "roster?", "substitution": "roster?"}


@cache
def chosen_tales() -> list[Any]:
    """Of audits that the liar puts into a tree of its own; a frozen seed is one of another tree."""
    whole = [tale for tale in liar.told(sample=400, seed=7) if tale[0].removesuffix(" of today") in liar.TODAYS]
    return random.Random("tales").sample(whole, TALES)


@pytest.mark.parametrize("sample", sampled([22, 188], one_in=2))
def test_no_lie_of_a_seeded_sample_is_accepted_silently(sample: int) -> None:
    table, silent = liar.run(sample=sample, seed=2026)
    assert not silent
    assert sum(fates["refused"] for fates in table.values()) > 0.68 * sample


@pytest.mark.parametrize("number", range(TALES))
def test_the_quick_judge_says_what_the_file_of_the_audit_says(number: int) -> None:
    _, log, honest, name, lie = chosen_tales()[number]
    assert liar.judge(log, name, lie, honest) == liar.judge_file(log, name, lie, honest)


def test_every_lie_about_a_list_that_was_extended_is_refused_or_named() -> None:
    fates = {}
    for story, log, honest, name, lie in liar.told():
        kind, field, _ = name
        if story == "extended of today" and kind in OF_AN_EXTENSION and OF_AN_EXTENSION[kind] in (None, field):
            fates[name] = liar.judge(log, name, lie, honest)
    assert len(fates) > 15
    assert {kind for kind, _, _ in fates} == set(OF_AN_EXTENSION)
    assert fates["seat.assign", "roster?", "slipped in"] == "refused"
    assert "silent" not in fates.values(), fates


def test_a_draw_from_the_older_list_after_the_newer_had_its_seed_is_named_as_the_operators_word() -> None:
    """Somebody is added before the first seat is drawn, and everybody is drawn from the list before it."""
    log = liar.read_log(liar.paths()["extended of today"])
    extension = next(leaf for leaf in log.leaves if leaf["t"] == "eligible.extend")
    log.leaves.remove(extension)
    first = min(at for at, leaf in enumerate(log.leaves) if at >= log.sizes[0])
    log.leaves.insert(first, extension)
    log.sizes = [log.sizes[0], first + 1]
    Consequences(log, lambda leaf, name: False).follow()
    report = verify_audit.verify(log.bundle())
    assert report.ok, report.refusal
    assert any("when a newer one had its seed" in detail for detail in report.believed["clock"])
