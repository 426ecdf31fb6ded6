"""The draw: repeatable, fair by weight, and never against its constraints."""

from collections import Counter, defaultdict
from decimal import Decimal
from hashlib import sha256
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditing.core.ledger.leaves import DrawRules
from auditing.core.seating import sortition as a

SEED = a.draw_seed(secret=b"s" * 32, open_leaf=b"l" * 32, root=b"r" * 32)
SEGMENT = UUID(int=7)


def people(count: int, weight: int = 1) -> list[a.Candidate]:
    return [a.Candidate(auditor_id=sha256(b"%d" % number).digest(), weight=weight) for number in range(count)]


def test_the_draw_is_what_the_protocol_writes_down():
    seed = sha256(b"TRUST/draw/v1".ljust(32, b"\0") + b"s" * 32 + b"l" * 32 + b"r" * 32 + bytes(32)).digest()
    assert seed == SEED
    someone = a.Candidate(auditor_id=b"a" * 32, weight=3)
    tickets = [sha256(seed + SEGMENT.bytes + b"\0\0\0\2" + b"a" * 32 + bytes([0, 0, 0, i])).digest() for i in range(3)]
    assert a.rank(seed=seed, segment_id=SEGMENT, round=2, candidate=someone) == min(tickets)


@given(order=st.permutations(people(12)))
def test_the_draw_does_not_depend_on_the_order_of_the_list(order):
    drawn = a.draw(seed=SEED, segment_id=SEGMENT, round=0, candidates=order)
    assert drawn == a.draw(seed=SEED, segment_id=SEGMENT, round=0, candidates=people(12))


def test_another_secret_root_segment_or_round_is_another_draw():
    def drawn(seed: bytes = SEED, segment: int = 7, round: int = 0) -> tuple[bytes, ...]:
        return tuple(a.draw(seed=seed, segment_id=UUID(int=segment), round=round, candidates=people(12)))

    other = [a.draw_seed(secret=b"t" * 32, open_leaf=b"l" * 32, root=b"r" * 32)]
    other.append(a.draw_seed(secret=b"s" * 32, open_leaf=b"l" * 32, root=b"q" * 32))
    assert len({drawn(), drawn(segment=8), drawn(round=1), *(drawn(seed=seed) for seed in other)}) == 5


def test_weight_four_is_drawn_four_times_as_often_as_weight_one():
    pair = [a.Candidate(auditor_id=b"h" * 32, weight=4), a.Candidate(auditor_id=b"l" * 32, weight=1)]
    first = Counter(
        a.draw(seed=SEED, segment_id=UUID(int=number), round=0, candidates=pair)[0] for number in range(2_000)
    )
    assert 0.76 < first[b"h" * 32] / 2_000 < 0.84  # .8 +- 4.5 standard errors


@given(
    seed=st.binary(min_size=32, max_size=32),
    count=st.integers(1, 15),
    share=st.decimals(0, 1, places=2),
    cap=st.integers(0, 6),
    adjacent=st.booleans(),
    k=st.integers(1, 5),
)
def test_no_sequence_of_draws_breaks_a_constraint(seed, count, share, cap, adjacent, k):
    rules = DrawRules(load_cap=cap, share_cap=share, adjacent=adjacent)
    candidates, held = people(count), defaultdict(list)
    by_name = {one.auditor_id: one for one in candidates}
    for position in [*range(8), *range(8)]:
        order = a.draw(seed=seed, segment_id=UUID(int=position), round=0, candidates=candidates)
        found = a.in_draw_order(
            order=[by_name[name] for name in order], position=position, held=held, segments=8, rules=rules
        )
        for name in found[:k]:
            held[name].append(position)
    for positions in held.values():
        assert len(set(positions)) == len(positions) <= min(cap, max(1, int(share * 8)))
        assert adjacent or not any(position + 1 in positions for position in positions)


@pytest.mark.parametrize("change", [{"auditor_id": b"x"}, {"weight": 0}, {"weight": 9}, {"load": -1}])
def test_a_candidate_outside_the_protocol_is_refused(change):
    with pytest.raises(a.DrawError):
        a.Candidate(**{"auditor_id": b"a" * 32} | change)


def test_an_auditor_listed_twice_is_refused():
    with pytest.raises(a.DrawError, match="twice"):
        a.draw(seed=SEED, segment_id=SEGMENT, round=0, candidates=people(2) * 2)
    with pytest.raises(a.DrawError):
        a.draw_seed(secret=b"short", open_leaf=b"l" * 32, root=b"r" * 32)
    assert a.may_sit(
        candidate=people(1)[0],
        position=0,
        held=(),
        segments=1,
        rules=DrawRules(load_cap=1, share_cap=Decimal("0.3"), adjacent=False),
    )
