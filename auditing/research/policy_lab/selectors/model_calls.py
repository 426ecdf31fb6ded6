"""What models will be asked, said before they are: calls, tokens, money and time, from measured averages.

Reads ChatCall, Endpoint, Route, SegmentOutcome, SoundnessRun, Segment. Before there are FEW calls of a sort, a guess
from the size of what is usually sent, which says that it is one.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Avg, Count, Q, QuerySet, Sum

from auditing.core.policy import Policy
from auditing.core.values import Tier
from auditing.models import Audit, Campaign, Route, SegmentOutcome, SoundnessRun
from auditing.research.policy_lab.selectors.units import units_of_trace
from auditing.selectors.model_tier.consents import Flow, flows_of
from auditing.selectors.policy.versions import load_policy
from hdag.chat.dialects.table import get_dialect
from hdag.chat.usage import Prices, Usage
from hdag.core.errors import HdagError
from hdag.core.levels import Level
from hdag.core.values import Trace
from hdag.models import ChatCall, Endpoint, Segment
from hdag.selectors import load_trace
from hdag.store.content import ContentGoneError

__all__ = [
    "Averages",
    "CallForecast",
    "CampaignForecast",
    "averages_of",
    "forecast_calls",
    "forecast_campaign",
    "forecast_claims",
    "forecast_soundness",
    "forecast_traces",
]

FEW = 20  # calls from which an average is believed
_USUAL_IN, _USUAL_OUT, _USUAL_SECONDS = 1_100, 350, 4.0  # of one call: rules, schema and a segment; a short answer
_USUAL_ASKED = 6.0  # questions about one claim: two looks, each in about three wordings
_CLAIMS = (Level.STEP, Level.OPERATION)
_HALF = Decimal("0.5")
_LOOKED_AT = 3  # unrouted traces that a forecast takes as an example of all


@dataclass(frozen=True, slots=True)
class Averages:
    """Of one call: tokens, seconds, and how many calls this rests on (0: a guess)."""

    tokens_in: float
    tokens_out: float
    seconds: float
    calls: int


@dataclass(frozen=True, slots=True)
class CallForecast:
    """About so many calls to one endpoint."""

    endpoint: Endpoint
    calls: int
    usage: Usage
    cost: Decimal
    seconds: float
    measured: int  # calls that the averages rest on

    @property
    def sentence(self) -> str:
        """It in words, with what it rests on."""
        basis = f"measured on {self.measured} calls" if self.measured else "a guess: too few calls were measured"
        time = f"{self.seconds:.0f} s" if self.seconds < 600 else f"{self.seconds / 3600:.1f} h"
        if self.endpoint.batches:
            time = "within a day, in batches"
        tokens = f"{self.usage.tokens_in} + {self.usage.tokens_out} tokens"
        return (
            f"about {self.calls} calls to {self.endpoint.name}, {tokens}, cost about {self.cost:.4f}, {time} ({basis})"
        )

    def as_json(self) -> dict[str, str | int | float]:
        """What the API tells."""
        return {
            "endpoint": self.endpoint.name,
            "calls": self.calls,
            "tokens_in": self.usage.tokens_in,
            "tokens_out": self.usage.tokens_out,
            "cost": f"{self.cost:.6f}",
            "seconds": round(self.seconds, 1),
            "measured_on": self.measured,
        }


@dataclass(frozen=True, slots=True)
class CampaignForecast:
    """What is left to ask of the models of a campaign, and what one more trace asks, as routed audits did."""

    left: tuple[CallForecast, ...]
    each: tuple[CallForecast, ...]  # of one trace; none where no audit was routed yet
    routed: int  # audits that it rests on
    is_own: bool  # they ran under the campaign's policy; else under others

    @property
    def sentence(self) -> str:
        """What a trace asks, in words."""
        if not self.each:
            return (
                "What one trace asks of models is not measured yet: no audit was routed here. The submission page, "
                "POST /api/v1/forecast and import_traces --forecast say it of a text before it is handed in."
            )
        whose = "this policy" if self.is_own else "other policies, as none was routed under this one"
        asked = "; ".join(forecast.sentence for forecast in self.each)
        return f"One trace asks, in the mean of {self.routed} routed audits under {whose}: {asked}."

    def as_json(self) -> dict[str, Any]:
        """What the API tells."""
        return {
            "left": [forecast.as_json() for forecast in self.left],
            "each_trace": [forecast.as_json() for forecast in self.each],
            "measured_on_audits": self.routed,
            "under_this_policy": self.is_own,
            "says": self.sentence,
        }


def averages_of(*, endpoint: Endpoint, purpose: str) -> Averages:
    """The measured averages of answered calls of one purpose, or a guess."""
    done = ChatCall.objects.filter(endpoint=endpoint, purpose=purpose, state="done")
    seen = done.aggregate(n=Count("pk"), read=Avg("tokens_in"), wrote=Avg("tokens_out"), took=Avg("took_ms"))
    if seen["n"] >= FEW:
        return Averages(seen["read"], seen["wrote"], (seen["took"] or 0) / 1000, seen["n"])
    usual = get_dialect(name=endpoint.dialect).thinking_tokens
    thinking = (usual if endpoint.thinking_tokens is None else endpoint.thinking_tokens) / 4
    return Averages(_USUAL_IN, _USUAL_OUT + thinking, _USUAL_SECONDS, 0)


def forecast_calls(*, endpoint: Endpoint, purpose: str, calls: float) -> CallForecast:
    """What so many calls of one purpose will take."""
    average = averages_of(endpoint=endpoint, purpose=purpose)
    usage = Usage(round(calls * average.tokens_in), round(calls * average.tokens_out))
    cost = Prices(endpoint.price_in, endpoint.price_out).cost(usage) * (_HALF if endpoint.batches else 1)
    seconds = calls * average.seconds / max(1, endpoint.max_concurrency)
    return CallForecast(endpoint, round(calls), usage, cost, seconds, average.calls)


def forecast_soundness(*, audit: Audit, endpoints: Sequence[Endpoint]) -> list[CallForecast]:
    """What a soundness run of this audit will ask of each endpoint."""
    if audit.decomposition_id is None or not endpoints:
        return []
    claims = Segment.objects.filter(decomposition=audit.job, level__in=_CLAIMS).count() + 1  # the answer is one, too
    return forecast_claims(claims=claims, endpoints=endpoints)


def forecast_claims(*, claims: int, endpoints: Sequence[Endpoint]) -> list[CallForecast]:
    """What so many claims take: claims times the questions of a claim."""
    asked = _questions_a_claim()
    return [
        # An endpoint that gives log-probabilities is asked once a look.
        forecast_calls(
            endpoint=row,
            purpose="entailment",
            calls=claims * (min(2.0, asked) if _gives_odds(row) else asked),
        )
        for row in endpoints
    ]


def forecast_campaign(*, campaign: Campaign, flows: Sequence[Flow] | None = None) -> CampaignForecast | None:
    """What is left to ask of each endpoint that texts of the campaign may go to; None where they may go to none.

    Seats of undecided segments that are routed to models first, shared out evenly. flows: the campaign's, if read.
    """
    agreed = _agreed(flows_of(campaign=campaign, policy=campaign.policy) if flows is None else flows)
    if not agreed:
        return None
    is_over = Q(audit__stage__in=("failed", "withdrawn", "recorded"))
    routes = Route.objects.filter(audit__campaign=campaign, primary=Tier.LLM).exclude(is_over)
    decided = SegmentOutcome.objects.filter(audit__campaign=campaign).exclude(is_over)
    done = routes.filter(segment__in=decided.values("segment"))
    each, routed, is_own = _seats_a_trace(campaign)
    unrouted = Audit.objects.filter(campaign=campaign, stage__in=("submitted", "decomposed"))
    waiting = unrouted.count() * each if is_own else _as_rules_would(campaign, unrouted)
    left = max(0, _seats_of(routes) - _seats_of(done)) + waiting
    return CampaignForecast(_shared_out(agreed, left), _shared_out(agreed, each) if routed else (), routed, is_own)


def forecast_traces(*, traces: Sequence[Trace], campaign: Campaign) -> tuple[CallForecast, ...]:
    """What traces that are not handed in yet will ask of each endpoint: as rules would route the first few of them."""
    agreed, policy = _agreed(flows_of(campaign=campaign, policy=campaign.policy)), load_policy(version=campaign.policy)
    return _shared_out(agreed, len(traces) * _mean_seats(traces[:_LOOKED_AT], policy)) if agreed else ()


def _agreed(flows: Iterable[Flow]) -> list[Endpoint]:
    return [flow.endpoint for flow in flows if flow.may_judge]


def _shared_out(rows: Sequence[Endpoint], seats: float) -> tuple[CallForecast, ...]:
    share = seats / len(rows)
    return tuple(forecast_calls(endpoint=row, purpose=_purpose_of(row), calls=share) for row in rows)


def _seats_of(routes: QuerySet[Route]) -> int:
    return routes.aggregate(seats=Sum("k"))["seats"] or 0


def _seats_a_trace(campaign: Campaign) -> tuple[float, int, bool]:
    """Seats of models in a routed audit, of how many audits, and whether they ran under the campaign's policy."""
    for routes, is_own in ((Route.objects.filter(audit__policy=campaign.policy), True), (Route.objects.all(), False)):
        if audits := routes.aggregate(audits=Count("audit", distinct=True))["audits"]:
            return _seats_of(routes.filter(primary=Tier.LLM)) / audits, audits, is_own
    return 0.0, 0, False


def _as_rules_would(campaign: Campaign, audits: QuerySet[Audit]) -> float:
    """Seats of models in audits that are not routed yet, before one was routed under their policy."""
    first = audits.select_related("trace__payload")[:_LOOKED_AT]
    return audits.count() * _mean_seats(_texts(first), load_policy(version=campaign.policy))


def _texts(audits: Iterable[Audit]) -> Iterable[Trace]:
    for audit in audits:
        with suppress(ContentGoneError):  # a text that is gone is no reason to forecast nothing
            yield load_trace(audit.trace)


def _mean_seats(traces: Iterable[Trace], policy: Policy) -> float:
    counts = []
    for trace in traces:
        with suppress(HdagError):  # nor is one that cannot be cut
            units = units_of_trace(trace=trace, policy=policy)
            counts.append(sum(u.k for u in units if u.tiers[0] is Tier.LLM and u.decided is None))
    return sum(counts) / len(counts) if counts else 0.0


def _gives_odds(endpoint: Endpoint) -> bool:
    usual = get_dialect(name=endpoint.dialect).gives_logprobs
    return endpoint.logprobs == Endpoint.Sends.YES if endpoint.logprobs else usual


def _purpose_of(endpoint: Endpoint) -> str:
    return {Endpoint.Asks.TOOLS: "audit_turn", Endpoint.Asks.ENTAILS: "entailment"}.get(
        Endpoint.Asks(endpoint.asks), "judge"
    )


def _questions_a_claim() -> float:
    """Measured on finished runs that asked an endpoint; before that the usual number."""
    runs = SoundnessRun.objects.filter(state="done", endpoints__isnull=False).order_by("-created")
    counts = [
        (run["certificate"].get("calls", 0), len(run["claims"])) for run in runs.values("certificate", "claims")[:50]
    ]
    claims = sum(many for _, many in counts)
    return sum(calls for calls, _ in counts) / claims if claims else _USUAL_ASKED
