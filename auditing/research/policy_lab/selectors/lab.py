"""The policy lab as charts and tables: the figures of core.policy.lab, laid out for the page. Reads no tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from django.conf import settings

from auditing.core.policy import Policy
from auditing.core.values import Tier
from auditing.research.policy_lab.core.curves import Curves
from auditing.research.policy_lab.core.dials import Dial, red_dials
from auditing.research.policy_lab.core.forecast import (
    Forecast,
    Recommendation,
    SweptPoint,
    forecast_trace,
    planned_accuracy,
    recommend_policy,
    sweep_accuracy,
    sweep_length,
    units_by_tier,
)
from auditing.research.policy_lab.core.lab import LabCard, examine_policy
from auditing.research.policy_lab.selectors.words import Mode, modes_of
from hdag.rendering.charts.chart import Chart
from hdag.rendering.charts.lines import Axes, Mark, Series, line_chart

VOTES = 1440  # length of the profit curves, as in the paper's figure 6
STRIDE = 24  # every 24th vote: sixty points a curve
PREVIEW_TRIALS = 60  # simulated traces a point while somebody types: rough curves in a fraction of a second
DEFAULT_MIX = {Tier.COMPUTER: 12, Tier.LLM: 12, Tier.HUMAN: 6}


@dataclass(frozen=True, slots=True)
class Examination:
    """The card with its charts."""

    card: LabCard
    charts: tuple[Chart, ...]
    modes: tuple[Mode, ...] = ()
    forecast: Forecast | None = None  # of the previewed trace, under the rule that binds
    accuracy: float = 0.0  # of a reviewer's vote, as it is planned
    is_planned: bool = False  # in waves: no round has a fixed number of seats
    red: tuple[Dial, ...] = ()  # what goes wrong under it, in plain words
    trials: int = 0  # right traces, and as many wrong ones, that were simulated for a point, at most

    def chart(self, *, name: str) -> Chart | None:
        """The chart of that name."""
        return next((chart for chart in self.charts if chart.name == name), None)

    @property
    def tolerated(self) -> float:
        """Largest malicious share under which a right segment still tends to pass in every tier of several seats."""
        return max(0.0, min(tier.breakdown for tier in self.card.tiers))


def examine(*, policy: Policy, counts: Mapping[Tier, int], wrong: int, most_trials: int | None = None) -> Examination:
    """Examine a policy for traces of `counts` segments by tier, `wrong` of them wrong; fewer trials are rougher."""
    trials = min(settings.POLICY_LAB_TRIALS, most_trials or settings.POLICY_LAB_TRIALS)
    # Its name changes no figure: whoever types one asks for nothing new.
    nameless = replace(policy, name="as it is typed")
    return _examined(nameless, tuple((tier, counts.get(tier, 0)) for tier in Tier), wrong, trials)


# A page that is opened again, or by somebody else, costs nothing: policies are immutable and hashable.
@lru_cache(maxsize=64)
def _examined(policy: Policy, counts: tuple[tuple[Tier, int], ...], wrong: int, trials: int) -> Examination:
    card = examine_policy(policy=policy, counts=dict(counts), wrong=(wrong,), votes=VOTES)
    own = Mark(float(policy.beta), f"β = {policy.beta.normalize():f}")
    mix = dict(counts)
    lengths = sweep_length(policy=policy, most=trials)
    binding = (_by_accuracy(policy, mix, trials), _by_length(lengths), _seats_by_length(lengths))
    charts = (*binding, _failure(card, own), _accuracy(card, own), *_curves(card.profits))
    forecast = forecast_trace(units=units_by_tier(policy=policy, counts=mix), policy=policy, trials=trials)
    red = red_dials(policy=policy, payoffs=card.payoffs, tiers=card.tiers)
    return Examination(
        card, charts, modes_of(policy), forecast, planned_accuracy(policy=policy), policy.planner, red, trials
    )


def recommend(*, policy: Policy, passages: int, accuracy: Decimal, errors: tuple[float, float]) -> Recommendation:
    """The cheapest policy for (right not passed, wrong passed) at an accuracy; remembered, for it takes seconds."""
    return _recommended(policy, passages, accuracy, errors)


@lru_cache(maxsize=64)
def _recommended(policy: Policy, passages: int, accuracy: Decimal, errors: tuple[float, float]) -> Recommendation:
    return recommend_policy(
        policy=policy, passages=passages, accuracy=accuracy, most_not_passed=errors[0], most_passed=errors[1]
    )


def _by_accuracy(policy: Policy, counts: Mapping[Tier, int], trials: int) -> Chart:
    mark = Mark(planned_accuracy(policy=policy), "planned (assumed)")
    return line_chart(
        name="binding-accuracy",
        title="The rule that binds, by the accuracy of reviewers",
        series=_binding_series(sweep_accuracy(policy=policy, counts=counts, most=trials)),
        marks=[mark],
        axes=Axes(x="share of right votes", y="share of traces", y_range=(0.0, 1.0)),
        note="Simulated; wrong traces have one wrong segment. Reviewers are believed at the accuracy that they have.",
    )


def _by_length(points: Sequence[SweptPoint]) -> Chart:
    return line_chart(
        name="binding-length",
        title="The rule that binds, by what people are asked",
        series=_binding_series(points),
        axes=Axes(x="segments that people judge", y="share of traces", y_range=(0.0, 1.0)),
        note="Simulated at the planned accuracy, which is assumed until gold measures it.",
    )


def _seats_by_length(points: Sequence[SweptPoint]) -> Chart:
    return line_chart(
        name="binding-seats",
        title="Seats and rounds, or waves, of people a trace",
        series=[
            Series("seats, mean", [(point.x, point.forecast.people.mean) for point in points]),
            Series("adjudications, mean", [(point.x, point.forecast.adjudications.mean) for point in points]),
            Series("one after another, 95 %", [(point.x, point.forecast.rounds.high) for point in points]),
        ],
        axes=Axes(x="segments that people judge", y="a trace"),
    )


def _binding_series(points: Sequence[SweptPoint]) -> list[Series]:
    """P(pass | right), P(pass | wrong) and what stays undecided of either."""
    shares = {
        # Not passed holds failed and undecided together: the complement is what came through.
        "right traces passed": [1 - (point.forecast.not_passed.share or 0.0) for point in points],
        "wrong traces passed": [point.forecast.passed.share or 0.0 for point in points],
        "right traces undecided": [point.forecast.undecided.share or 0.0 for point in points],
        "wrong traces undecided": [point.forecast.undecided_wrong.share or 0.0 for point in points],
    }
    return [
        Series(name, [(point.x, y) for point, y in zip(points, values, strict=True)]) for name, values in shares.items()
    ]


def _failure(card: LabCard, own: Mark) -> Chart:
    series = [
        Series(name, [(point.beta, getattr(point, attribute)) for point in card.failure])
        for name, attribute in (("exact", "exact"), ("Chernoff", "chernoff"), ("Hoeffding", "hoeffding"))
    ]
    return line_chart(
        name="failure",
        title="A right trace fails (figure 4, left)",
        series=series,
        marks=[own],
        axes=Axes(x="β", y="probability", log=True, lowest=1e-24),
        note="Both bounds hold; the exact tail decides.",
    )


def _accuracy(card: LabCard, own: Mark) -> Chart:
    cases = sorted(card.accuracy)
    right = card.accuracy[cases[0]]
    series = [Series("right traces passed (TPR)", _pairs(right.beta, right.true_positive))]
    for number in cases:
        curve = card.accuracy[number]
        name = "all wrong, as in the paper" if number == cases[-1] else f"{number} wrong"
        series.append(Series(f"wrong traces passed (FPR), {name}", _pairs(curve.beta, curve.false_positive)))
        series.append(Series(f"accuracy, {name}", _pairs(curve.beta, curve.accuracy)))
    return line_chart(
        name="accuracy",
        title="Right and wrong traces under W ≥ β Σw (figure 4, right)",
        series=series,
        marks=[own],
        axes=Axes(x="β", y="share", y_range=(0.0, 1.0)),
        note="The paper takes every segment of a wrong trace to be wrong. One local error hardly moves W.",
    )


def _curves(profits: Mapping[str, Curves]) -> tuple[Chart, Chart]:
    """Profit and reputation by behaviour (figure 6), every 24th vote."""
    steps = range(0, VOTES, STRIDE)
    profit = [Series(name, [(t + 1, float(curves.profit[t])) for t in steps]) for name, curves in profits.items()]
    reputation = [
        Series(name, [(t + 1, float(curves.reputation[t])) for t in steps]) for name, curves in profits.items()
    ]
    note = (
        "Means in closed form. Honest as the policy plans, guesser .5, rubber-stamper .8 (.5 on gold), camouflaged .35."
    )
    return (
        line_chart(
            name="profit", title="Profit (figure 6)", axes=Axes(x="votes", y="points"), series=profit, note=note
        ),
        line_chart(
            name="reputation",
            title="Reputation (figure 6)",
            axes=Axes(x="votes", y="r", y_range=(0.0, 1.0)),
            series=reputation,
        ),
    )


def _pairs(xs: object, ys: object) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in zip(xs, ys, strict=True)]  # type: ignore[call-overload]
