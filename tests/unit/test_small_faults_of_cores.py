"""What no test noticed when one sign or number of a core was changed (`make mutants`): a test for each such line."""

from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest

from auditing.core.ledger.leaves.fields import LONGEST_NUMBER, LeafError, _read_decimal, _read_fraction
from auditing.core.points.reputation import Reputation, ReputationValue, Standing, decide_standing
from auditing.core.policy import DEFAULT
from auditing.core.soundness.particles import particles_needed
from hdag.core.layouts.flow_layout import GAP_Y, lay_out_flow
from hdag.core.layouts.layout import BOX_HEIGHT, BOX_WIDTH, GAP_X, MARGIN, lay_out
from hdag.core.relations import Relation
from hdag.core.values import Edge, Graph, Level, Segment, Source


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1.0), (1.0, 0.1), (0.0, 0.1), (0.1, 0.0)])
def test_each_of_epsilon_and_delta_must_be_a_share(epsilon: float, delta: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        particles_needed(derived=4, epsilon=epsilon, delta=delta)


def graph(*keys: str) -> Graph:
    row = tuple(Segment(key, Level.STEP, key, Source.THINKING, 0, 1) for key in keys)
    return Graph(segments=row, edges=())


def test_a_drawing_has_the_same_margin_on_either_side() -> None:
    drawing = lay_out(graph=graph("A", "B"))
    left, right = sorted(drawing.boxes, key=lambda box: box.x)
    assert (left.x, right.x + BOX_WIDTH) == (MARGIN, drawing.width - MARGIN)
    assert right.x - left.x == BOX_WIDTH + GAP_X
    assert lay_out(graph=graph()).width == 2 * MARGIN


def test_a_segment_that_nothing_joins_stands_directly_below_the_one_before_it() -> None:
    joined = Graph(graph("A", "B", "C").segments, (Edge("A", "C", Relation.DEPENDS_ON),))
    heights = {box.id: box.y for box in lay_out_flow(graph=joined).boxes}
    assert heights == {"A": MARGIN, "B": MARGIN + BOX_HEIGHT + GAP_Y, "C": MARGIN}


@pytest.mark.parametrize("data", [7, None, ["1"], "", "x"])
def test_what_is_no_text_is_no_number_of_a_leaf(data: Any) -> None:
    for read in (_read_decimal, _read_fraction):
        with pytest.raises(LeafError, match="is needed"):
            read(data, "stake")


def test_a_number_of_a_leaf_may_be_as_long_as_the_limit_and_no_longer() -> None:
    longest = "1" * LONGEST_NUMBER
    assert str(_read_decimal(longest, "stake")) == longest
    with pytest.raises(LeafError, match="is needed"):
        _read_decimal(longest + "1", "stake")


@pytest.mark.parametrize(
    ("hundredths", "votes", "standing"),
    [
        (40, 100, Standing.SUSPENDED),
        (42, 100, Standing.ACTIVE),
        (49, 100, Standing.ACTIVE),
        (44, 10, Standing.SUSPENDED),
        (46, 10, Standing.ACTIVE),
        (44, 9, Standing.ACTIVE),
    ],
)
def test_whose_interval_reaches_the_limit_of_a_half_is_not_suspended(
    hundredths: int, votes: int, standing: Standing
) -> None:
    """The upper end of the interval, r + 1.96 s.e., is .496 at .40 of 100 votes and .516 at .42."""
    reputation = Reputation(ReputationValue(Fraction(hundredths, 100), votes), ReputationValue(Fraction(1)))
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert decide_standing(reputation=reputation, no_shows=(), now=now, policy=DEFAULT) is standing
