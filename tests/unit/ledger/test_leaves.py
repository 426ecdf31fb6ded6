"""Leaves: closed records that read back as they were written."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditing.core.ledger import leaves
from auditing.core.ledger.leaves import LeafError
from auditing.core.values import Outcome, Tier
from hdag.core import canonical
from tests.unit.ledger.examples import EXAMPLES

ENTRY = leaves.encode(leaf=EXAMPLES["vote.commit"])


@pytest.mark.parametrize("name", sorted(leaves.TYPES))
def test_every_type_of_leaf_reads_back_as_it_was_written(name):
    entry = leaves.encode(leaf=EXAMPLES[name])
    assert leaves.decode(entry=entry) == EXAMPLES[name]
    assert entry == canonical.encode(value=canonical.decode(data=entry))


@pytest.mark.parametrize("name", sorted(leaves.TYPES))
def test_no_type_of_leaf_takes_an_unknown_key_or_lacks_one(name):
    data = canonical.decode(data=leaves.encode(leaf=EXAMPLES[name]))
    with pytest.raises(LeafError, match="unknown key 'user'"):
        leaves.decode(entry=canonical.encode(value={**data, "user": 7}))
    for key in data.keys() - {"predecessor", "successor", "soundness", "beacon", "until"}:
        with pytest.raises(LeafError):
            leaves.decode(entry=canonical.encode(value={name: item for name, item in data.items() if name != key}))


def test_the_protocol_and_decision_7_name_these_types():
    assert set(leaves.TYPES) == {
        "audit.open",
        "seat.assign",
        "vote.commit",
        "phase.reveal",
        "vote.reveal",
        "vote.noreveal",
        "vote.unopened",
        "segment.outcome",
        "trace.outcome",
        "reputation.update",
        "payout",
        "key.rotate",
        "conduct.decision",
        "anchor",
        "params.policy",
        "experiment.register",
        "round.open",
        "escalation",
        "wave.plan",
        "substitution",
        "outcome.preliminary",
        "outcome.rollback",
        "gold.reveal",
        "gold.overturn",
        "skills",
        "appeal",
        "submission",
        "eligible.extend",
    }


@pytest.mark.parametrize(
    "entry",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff",
        ENTRY[:-1],
        ENTRY.replace(b'"v":1', b'"v":2'),
        ENTRY.replace(b'"v":1', b'"v":true'),
        ENTRY.replace(b"vote.commit", b"vote.commix"),
        ENTRY.replace(b'"round":0', b'"round":0.0'),
        b" " + ENTRY,
        ENTRY.replace(b'"round":0', b'"round":"0"'),
        ENTRY.replace(b'"round":0', b'"round":false'),
        ENTRY.replace(b'"round":0', b'"round":0,"round":0'),
        b"[" * 100_000,
        b'{"t":' + b"9" * 5_000 + b"}",
    ],
)
def test_what_is_not_a_leaf_is_refused(entry):
    with pytest.raises(LeafError):
        leaves.decode(entry=entry)


@pytest.mark.parametrize(
    "change",
    [
        {"round": 0.5},
        {"round": True},
        {"round": 2**53},
        {"commitment": b"short"},
        {"seat": "x"},
        {"commitment": "ab" * 32},
    ],
)
def test_a_field_of_another_kind_is_refused_by_name(change):
    with pytest.raises(LeafError, match=f"vote.commit: {next(iter(change))}"):
        leaves.encode(leaf=replace(EXAMPLES["vote.commit"], **change))


def test_no_sentence_fits_into_a_leaf():
    with pytest.raises(LeafError, match="reason"):
        leaves.encode(leaf=replace(EXAMPLES["appeal"], reason="so x equals two"))


def test_a_leaf_beyond_16_kib_is_refused():
    with pytest.raises(LeafError, match="16384"):
        leaves.encode(leaf=replace(EXAMPLES["substitution"], replaced=tuple(UUID(int=n) for n in range(500))))


def test_a_leaf_holds_at_most_16_openings():
    with pytest.raises(LeafError, match="1 to 16"):
        replace(EXAMPLES["vote.reveal"], openings=EXAMPLES["vote.reveal"].openings * 17)


def test_postings_that_do_not_sum_to_zero_are_refused():
    with pytest.raises(LeafError, match="sum to 1"):
        replace(EXAMPLES["payout"], pool=EXAMPLES["payout"].pool + 1)


@given(number=st.decimals(allow_nan=False, allow_infinity=False, places=12, min_value=-(10**9), max_value=10**9))
def test_every_decimal_has_one_text(number):
    leaf = replace(EXAMPLES["trace.outcome"], score=number)
    assert leaves.decode(entry=leaves.encode(leaf=leaf)).score == number


@given(number=st.fractions())
def test_every_fraction_has_one_text(number):
    skill = leaves.AuditorSkill(auditor=b"a" * 32, sensitivity=number, specificity=Fraction(1, 2))
    leaf = replace(EXAMPLES["skills"], auditors=(skill,))
    assert leaves.decode(entry=leaves.encode(leaf=leaf)).auditors[0].sensitivity == number


def test_the_digest_of_an_assignment_does_not_depend_on_the_order_of_the_seats():
    seats = [(UUID(int=n), bytes([n]) * 32) for n in range(5)]
    digest = leaves.assignment_digest(salt=b"s" * 32, seats=seats)
    assert digest == leaves.assignment_digest(salt=b"s" * 32, seats=seats[::-1])
    assert digest != leaves.assignment_digest(salt=b"t" * 32, seats=seats)


def test_an_outcome_is_one_of_four_words():
    entry = leaves.encode(leaf=EXAMPLES["segment.outcome"])
    assert leaves.decode(entry=entry).outcome is Outcome.PASS
    assert leaves.decode(entry=entry).tier is Tier.HUMAN
    with pytest.raises(LeafError, match="no Outcome"):
        leaves.decode(entry=entry.replace(b'"outcome":"pass"', b'"outcome":"fine"'))
    assert Decimal("0.6") == Decimal("0.60")
