"""Traces that are long enough for passages and plan seats, and the worlds in which they are judged so."""

from auditing.core.policy import FAST, Grain, Policy
from hdag.core.values import Trace
from tests.factories.worlds import ONE_SEAT, World, make_world

PROBLEM = (
    "A farm has 12 hens. Each lays 5 eggs a week. Eggs are sold in boxes of 6 at 3 dollars. What do 4 weeks bring?"
)
_STEPS = (
    "We want the money that four weeks of eggs bring, so we count the eggs of one week first and then of all weeks.",
    "Each of the 12 hens lays 5 eggs in one week, and every hen lays the same number, so all hens together lay "
    "12 * 5 = 60 eggs in one week.",
    "Nothing in the problem says that a hen stops laying, so every one of the four weeks brings the same number of "
    "eggs, and the number of all eggs is the number of one week taken four times.",
    "In 4 weeks the hens lay 60 * 4 = {eggs} eggs.",
    "Eggs are sold in boxes of 6. To know the number of boxes we divide the number of all eggs by the number of eggs "
    "in one box, and we need not round, because nothing is left over.",
    "That gives {eggs} / 6 = {boxes} boxes, all of them full.",
    "Every box is sold at 3 dollars, and the problem names no other cost and no other income, so the money is the "
    "number of boxes times the price of one box.",
    "So the farm takes {boxes} * 3 = {money} dollars in four weeks.",
    "### Check",
    "We check the order of size: one week brings 10 boxes and so 30 dollars, and four weeks bring four times as much, "
    "which agrees with what was found above by counting all boxes at once.",
    "The farm might also sell single eggs, but the problem does not say so, and a reader who counts single eggs comes "
    "to the same number of dollars, for half a dollar is the price of one egg.",
    "Feed, straw and work cost money as well, but the question asks what the eggs bring and not what is left of it, so "
    "that none of these belongs into the sum.",
    "The result has the unit that was asked for, which is dollars, and it is the money of all four weeks together and "
    "not of one week alone, as the question wants it.",
)
PLANNED = Trace(
    problem=PROBLEM,
    thinking="\n\n".join(_STEPS).format(eggs=240, boxes=40, money=120),
    answer="The farm takes 120 dollars in four weeks.",
    domain="school maths",
    title="Boxes of eggs",
)
REFUTED = Trace(
    problem=PROBLEM,
    thinking="\n\n".join(_STEPS).replace("60 * 4 = {eggs}", "60 * 4 = 250").format(eggs=240, boxes=40, money=120),
    answer="The farm takes 120 dollars in four weeks.",
    domain="school maths",
    title="Wrong boxes",
)


def passage_world(reviewers: int = 4, policy: Policy = FAST) -> World:
    """A world whose audits are judged by passages."""
    return make_world(reviewers=reviewers, policy=policy, grain=Grain.PASSAGE)


def one_seat_passages() -> World:
    """A world of one reviewer, whose vote alone decides a passage."""
    return passage_world(reviewers=1, policy=ONE_SEAT)
