"""What an audit of a trace will cost and how often it will be wrong, for the pages that say it before it starts.

Seats follow the graph that rules make of the text, and what checkers decide of it; errors are simulated under the rule
that binds (core/policy/forecast). Reads Campaign, PolicyVersion, and who is at hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from accounts.models import User
from auditing.core.policy import PRESETS, Grain, Policy, for_domain
from auditing.core.policy.checks import MOST_SEATS
from auditing.core.seating.fields import is_listed
from auditing.core.values import Tier
from auditing.models import Campaign
from auditing.research.policy_lab.core.forecast import (
    Forecast,
    Unit,
    cap_needed,
    forecast_trace,
    longest_days,
    planned_accuracy,
)
from auditing.research.policy_lab.selectors.people import AtHand, Minutes, at_hand, minutes_a_verdict
from auditing.research.policy_lab.selectors.units import units_of_trace
from auditing.research.policy_lab.selectors.words import duration
from auditing.selectors.policy.versions import load_policy
from hdag.core.disclosure import outside_problem
from hdag.core.values import Trace
from hdag.rendering.numbers import counted

CELLS = 200_000  # simulated units of one trace: 1,000 traces of 100 units, fewer of longer ones
FEWEST_TRIALS, MOST_TRIALS = 100, 1000
WORRYING = 0.2  # share of errors from which a sentence warns
RARE = 0.05  # adjudications a trace below which nobody need be at hand


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceForecast:
    """A trace before its audit. problems: one sentence each, with what would mend it; starting anyway is a choice."""

    forecast: Forecast
    decided: int  # units that checkers decide
    needed: int  # reviewers at least, each of whom may see only a share of the trace
    people: AtHand
    minutes: Minutes
    days: float  # until 95 of 100 such traces are decided at the latest
    domain: str
    accuracy: float  # of a reviewer's vote, as it is planned
    base_rate: float
    judged: str  # passages or segments
    is_planned: bool  # in waves
    problems: tuple[str, ...]

    @property
    def hours(self) -> tuple[float, float]:
        """Hours of people: in the mean, and for 95 of 100 such traces at most."""
        seats, words = self.forecast.people, self.forecast.adjudications
        each = self.minutes.each / 60
        return (seats.mean + words.mean) * each, (seats.high + words.high) * each

    @property
    def is_feasible(self) -> bool:
        """Whether enough reviewers are at hand."""
        return self.people.reviewers >= self.needed


def forecast_submission(*, trace: Trace, campaign: Campaign, provider: User | None = None) -> TraceForecast | None:
    """The forecast of a trace that is not handed in yet; None where nothing of it would be asked or checked."""
    policy = load_policy(version=campaign.policy, domain=trace.domain)
    units = units_of_trace(trace=trace, policy=policy)
    if not units:
        return None
    forecast = forecast_trace(units=units, policy=policy, trials=_trials(len(units)))
    people = at_hand(campaign=campaign, domain=trace.domain, provider=provider)
    characters = outside_problem(trace=trace)
    needed = reviewers_needed(units=units, forecast=forecast, policy=policy, characters=characters)
    problems = [
        *_cap_too_low(units, forecast, policy),
        *_reviewers_missing(trace, units, needed, (people, policy)),
        *_field_problems(trace.domain, people),
        *_adjudicators_missing(forecast, people, judged_words(policy=policy)),
        *_likely_errors(forecast, policy),
    ]
    return TraceForecast(
        forecast=forecast,
        decided=sum(unit.decided is not None for unit in units),
        needed=needed,
        people=people,
        minutes=minutes_a_verdict(),
        days=longest_days(forecast=forecast, policy=policy),
        domain=trace.domain,
        accuracy=planned_accuracy(policy=policy),
        base_rate=float(policy.trace_base_rate),
        judged=judged_words(policy=policy),
        is_planned=policy.planner,
        problems=tuple(problems),
    )


def reviewers_needed(*, units: Sequence[Unit], forecast: Forecast, policy: Policy, characters: int) -> int:
    """The fewest reviewers who can fill the seats: a round has different people, and each may see a share of the trace.

    It is a lower bound: the draw goes by characters, and by what each has seen of the text in other audits.
    """
    asked = [unit for unit in units if unit.decided is None and (policy.planner or Tier.HUMAN in unit.tiers)]
    if not asked or not forecast.people.high:
        return 0
    at_once = max(policy.human.k if unit.tiers[0] is not Tier.HUMAN else unit.k for unit in asked)
    if policy.planner:
        at_once = int(forecast.deepest.high)  # over all waves a passage is asked of different people
    if characters <= policy.short_trace_characters:
        return at_once
    each = floor(float(policy.disclosure_share) * len(units))
    if not policy.neighbours:
        each = min(each, ceil(len(units) / 2))
    return max(at_once, ceil(forecast.people.high / max(1, each)))


def _trials(units: int) -> int:
    return max(FEWEST_TRIALS, min(MOST_TRIALS, CELLS // units))


def judged_words(*, policy: Policy) -> str:
    """What people and models judge at once, in the plural of a page."""
    return judged_forms(policy=policy).partition("|")[2]


def judged_forms(*, policy: Policy) -> str:
    """The same as `counted` takes it: one|several."""
    return "passage|passages" if policy.grain is Grain.PASSAGE else "segment|segments"


def _cap_too_low(units: Sequence[Unit], forecast: Forecast, policy: Policy) -> list[str]:
    """Said beforehand: where the cap leaves too few seats to decide anything, the planner asks nobody."""
    asked = [unit for unit in units if unit.decided is None]
    if not policy.planner or not asked or forecast.people.high or (forecast.undecided.share or 0.0) < 1:
        return []
    cap = cap_needed(units=units, policy=policy, most=MOST_SEATS)
    mend = f"a cap of {cap}" if cap else "reviewers who are right more often, or fewer passages"
    return [
        f"Nobody will be asked: with reviewers of accuracy {planned_accuracy(policy=policy):.2f}, "
        f"{counted(len(asked), judged_forms(policy=policy))} cannot be decided under the cap of "
        f"{counted(policy.cap, 'seat|seats')} each. "
        f"What would mend it: {mend}."
    ]


def _reviewers_missing(trace: Trace, units: Sequence[Unit], needed: int, there: tuple[AtHand, Policy]) -> list[str]:
    """there: who is at hand, and under which policy."""
    people, policy = there
    judged = judged_words(policy=policy)
    if people.reviewers >= needed:
        return []
    field = f" of {trace.domain}" if trace.domain else ""
    more = counted(needed - people.reviewers, "more reviewer|more reviewers")
    mends = [more, *_leaner_presets(trace, units, people.reviewers)]
    if all(Tier.LLM not in unit.tiers for unit in units):
        mends.append("a model endpoint, which would judge what models may")
    return [
        f"At least {counted(needed, 'reviewer|reviewers')}{field} {'is' if needed == 1 else 'are'} needed and "
        f"{counted(people.reviewers, 'is|are')} at hand: {_wait(policy, judged)}. "
        f"What would mend it: {', or '.join(mends)}."
    ]


def _wait(policy: Policy, judged: str) -> str:
    """What becomes of seats that nobody can be drawn for."""
    if not policy.planner:
        return f"{judged} will wait for people"
    wait = duration(policy.adjudication_seconds)
    return f"a wave that nobody new can fill waits {wait}, and then an adjudicator decides its {judged} alone"


def _leaner_presets(trace: Trace, units: Sequence[Unit], reviewers: int) -> list[str]:
    """Presets under which the reviewers at hand would be enough."""
    mends = []
    for name, preset in PRESETS.items():
        policy = for_domain(policy=preset, domain=trace.domain)
        own = [Unit(unit.tiers, policy.tier(unit.tiers[0]).k, unit.weight, unit.rests, unit.decided) for unit in units]
        forecast = forecast_trace(units=own, policy=policy, trials=FEWEST_TRIALS)
        needed = reviewers_needed(units=own, forecast=forecast, policy=policy, characters=outside_problem(trace=trace))
        if needed <= reviewers:
            mends.append(f"a campaign under the preset “{name}” (at least {needed})")
    return mends


def _field_problems(domain: str, people: AtHand) -> list[str]:
    if not domain or people.naming:
        return []
    asked = "those at hand name no field and are asked about all" if people.reviewers else "nobody can be asked"
    spelling = (
        "" if is_listed(domain=domain) else " It is no field of the list, so that only the same spelling matches."
    )
    return [f"No reviewer names the field {domain}; {asked}.{spelling}"]


def _adjudicators_missing(forecast: Forecast, people: AtHand, judged: str) -> list[str]:
    if people.adjudicators or forecast.adjudications.mean < RARE:
        return []
    return [
        f"No adjudicator is at hand, and {forecast.adjudications.mean:.1f} {judged} of such a trace end without a "
        "majority: they would stay undecided. An admin gives the role."
    ]


def _likely_errors(forecast: Forecast, policy: Policy) -> list[str]:
    not_passed, passed = forecast.not_passed.share or 0.0, forecast.passed.share or 0.0
    if max(not_passed, passed) < WORRYING:
        return []
    return [
        f"With reviewers of accuracy {planned_accuracy(policy=policy):.2f} a right trace of this length is not passed "
        f"in {100 * not_passed:.0f} % and a wrong one is passed in {100 * passed:.0f} % of audits. "
        "The policy lab recommends other seats and thresholds."
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetForecast:
    """Many traces: sums over all, scaled up from those that were looked at."""

    traces: int
    looked_at: int
    units: float
    seats: float
    adjudications: float
    points: float
    hours: float
    needed: int  # reviewers, for the trace that needs most
    people: AtHand
    minutes: Minutes
    problems: tuple[str, ...]  # of any of the traces, each once


def forecast_set(
    *, traces: Sequence[Trace], campaign: Campaign, provider: User | None = None, most: int = 40
) -> SetForecast | None:
    """The forecasts of the first `most` traces of a file, scaled up to all; None where none of them can be audited."""
    looked = [forecast_submission(trace=trace, campaign=campaign, provider=provider) for trace in traces[:most]]
    single = [forecast for forecast in looked if forecast is not None]
    if not single:
        return None
    # The first ones stand for all, so that a large file is forecast in seconds; the page says how many they were.
    scale = len(traces) / len(looked)
    # Fields differ in who is at hand; a set is as feasible as its rarest field.
    fewest = min(single, key=lambda forecast: forecast.people.reviewers)
    return SetForecast(
        traces=len(traces),
        looked_at=len(looked),
        units=scale * sum(forecast.forecast.units for forecast in single),
        seats=scale * sum(forecast.forecast.people.mean for forecast in single),
        adjudications=scale * sum(forecast.forecast.adjudications.mean for forecast in single),
        points=scale * sum(forecast.forecast.points.mean for forecast in single),
        hours=scale * sum(forecast.hours[0] for forecast in single),
        needed=max(forecast.needed for forecast in single),
        people=fewest.people,
        minutes=fewest.minutes,
        problems=tuple(dict.fromkeys(problem for forecast in single for problem in forecast.problems[:3]))[:6],
    )
