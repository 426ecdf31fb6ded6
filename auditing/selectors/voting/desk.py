"""The reviewer's desk: what the holder of a seat is shown, and the public half of the vote's commitment.

Problem, current reasoning, dependencies with their states, implications.

Everything is masked, and shrunk to the degree that the disclosure budget left (services/disclosing.py decides it once,
when the seat is opened). Never how others vote, who wrote the text, or who audits it. Reads Seat, Round, Route,
SegmentOutcome, Guidelines, OwnKey, and the segment with its neighbours.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.conf import settings

from auditing.core.routing.table import reason_for_reviewers
from auditing.core.stages import RoundStage
from auditing.core.values import Outcome, Tier
from auditing.models import Audit, Guidelines, Round, Route, Seat, SegmentOutcome
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.seating.rounds import reveal_point
from auditing.selectors.voting.bindings import binding_of, salt_of
from auditing.selectors.voting.neighbourhood import Neighbourhood, neighbourhood_of
from auditing.selectors.voting.outline import picked_premises
from auditing.selectors.voting.own_openings import OwnOpenings, own_openings, who_keeps
from auditing.selectors.voting.unit_form import UnitForm, find_unit_form
from hdag.core.complexity import FOCUS
from hdag.core.disclosure import Degree, conclusion
from hdag.core.masking.masking import mask
from hdag.core.values import Segment
from hdag.models import Segment as Row
from hdag.rendering.graph import Drawing, draw
from hdag.selectors import hidden_names, load_trace, segment_value
from hdag.store import content

LONG = 600  # characters; a longer neighbour is folded to its stated conclusion
LEAST_SAID = 8  # letters and digits of a conclusion that says something
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)?(?![\w])")
WITHHELD = {
    Degree.FULL: "",
    Degree.SUMMARIES: "What follows is shown by summaries only",
    Degree.PREMISES: "What follows is withheld",
    Degree.CONCLUSIONS: "Premises are shown by their conclusions only, what follows by summaries only",
    Degree.ALONE: "Premises and what follows are withheld",
}
WITH_PREMISES = (Degree.FULL, Degree.SUMMARIES, Degree.PREMISES)
WHY_WITHHELD = (
    "to protect the provider, no reviewer is shown more than {share} of a trace outside its problem, and your segments "
    "of this one come close to that. Abstain when it cannot be judged so."
)
NOTHING_OF_IT = "Its text is withheld."
SUMMARY_OF_IT = "A summary: its text is withheld."
END_OF_IT = "What it concludes: the rest is withheld."


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A segment beside the current one: what of it is shown, and its own state, never how others vote now."""

    label: str
    level: str
    text: str
    state: str
    words: str
    withheld: str = ""  # what of it is not shown
    short: str = ""  # the stated conclusion of a long text, which the page then folds


@dataclass(frozen=True, slots=True)
class Desk:
    """The four panes of one seat, and what the browser needs to seal the vote."""

    label: str
    level: str
    problem: str
    text: str
    focus: str
    why_tier: str
    dependencies: tuple[Neighbour, ...]
    implications: tuple[Neighbour, ...]
    withheld: str
    drawing: Drawing | None  # None for programs, which are told labels and texts
    guidelines: Guidelines | None
    is_single_provider: bool
    marks: tuple[tuple[int, int], ...]  # numbers of the problem in the current reasoning
    sealing: dict[str, Any]
    own: OwnOpenings
    unit: UnitForm | None = None  # of a seat on a passage or on the plan
    picked: tuple[Neighbour, ...] = ()  # premises that the holder missed and was shown


def desk_of(*, seat: Seat, near: Neighbourhood | None = None, is_drawn: bool = True) -> Desk:
    """Read what the holder of `seat` may see.

    near: what stands around its segment, where that was read already. is_drawn: with the picture of it, for pages.
    """
    round, audit = seat.round, seat.round.audit
    near = near or neighbourhood_of(row=round.segment)
    trace = load_trace(audit.trace)
    names = tuple(hidden_names(provider=audit.trace.provider, trace=trace))
    degree = Degree(seat.shown.get("degree") or Degree.FULL)
    states = segment_states(round=round, labels=tuple(near.rows))
    own = own_openings(auditor=seat.auditor)
    texts = _shown_texts(near, degree)
    left_out = _left_out(near, texts)
    masked = {label: _masked(text, names) for label, text in texts.items()}
    shorts = {label: _masked(text, names) for label, text in _conclusions(near, texts).items()}
    marks = numbers_of_problem(problem=trace.problem, text=near.own)
    return Desk(
        label=near.current.id,
        level=str(near.current.level),
        problem=_masked(trace.problem, names),
        text=near.own,
        focus=""
        if round.segment.unit
        else FOCUS[near.current.level],  # what a model would have us look at is text of the trace in other words
        why_tier=_why_people(round),
        dependencies=tuple(neighbour_of(segment, states, masked, shorts, left_out) for segment in near.premises),
        implications=tuple(neighbour_of(segment, states, masked, shorts, left_out) for segment in near.implications),
        withheld=_why_withheld(audit, degree) if left_out else "",
        drawing=_drawing(near, states, masked) if is_drawn else None,
        guidelines=guidelines_of(round=round),
        is_single_provider=audit.batch_providers == 1,
        marks=marks,
        sealing=_sealing(seat, near.own, own) | _steps(round.segment),
        own=own,
        unit=find_unit_form(seat=seat, text=near.own, marks=marks),
        picked=_picked(seat, names) if round.segment.unit else (),
    )


def _picked(seat: Seat, names: tuple[str, ...]) -> tuple[Neighbour, ...]:
    """The premises that the holder named as missing, whole."""
    rows = picked_premises(seat=seat)
    states = segment_states(round=seat.round, labels=[row.label for row in rows])
    values = [segment_value(row, content.read_json(row.block)) for row in rows]
    masked = {value.id: _masked(value.content, names) for value in values}
    return tuple(neighbour_of(value, states, masked, {}, {}) for value in values)


@lru_cache(maxsize=128)
def _masked(text: str, names: tuple[str, ...]) -> str:
    """Neighbours of one seat are neighbours of the next: what was masked a moment ago is not read again."""
    return mask(text=text, names=names)


def _steps(row: Row) -> dict[str, Any]:
    """Where the numbered steps of a unit stand, for the browser, which marks one of them."""
    return {"steps": [[step.start, step.end] for step in row.numbered]} if row.unit else {}


def _why_people(round: Round) -> str:
    route = Route.objects.filter(audit=round.audit_id, segment=round.segment_id).first()
    return reason_for_reviewers(tiers=route.tiers, why=route.why) if route else ""


def numbers_of_problem(*, problem: str, text: str) -> tuple[tuple[int, int], ...]:
    """Where `text` uses a number that the problem states.

    >>> numbers_of_problem(problem="12 hens", text="12 * 5 = 60")
    ((0, 2),)
    """
    stated = set(_NUMBER.findall(problem))
    return tuple(number.span() for number in _NUMBER.finditer(text) if number[0] in stated)


def guidelines_of(*, round: Round) -> Guidelines | None:
    """The campaign's guidelines in force."""
    return Guidelines.objects.filter(campaign=round.audit.campaign_id).order_by("-version").first()


def segment_states(*, round: Round, labels: Iterable[str]) -> dict[str, tuple[str, str]]:
    """(look, words) of segments by label: verified by computer, by quorum, contested; pending ones are left out."""
    about = {"audit": round.audit_id, "segment__label__in": list(labels)}
    hung = Round.objects.filter(stage=RoundStage.TALLIED, outcome=Outcome.HUNG, **about).exclude(tier=Tier.COMPUTER)
    states = {label: ("contested", "contested") for label in hung.values_list("segment__label", flat=True)}
    for row in SegmentOutcome.objects.filter(**about).select_related("segment", "round"):
        by = "computer" if row.round is not None and row.round.tier == Tier.COMPUTER else "quorum"
        words = {Outcome.PASS: f"verified by {by}", Outcome.FAIL: f"found wrong by {by}"}
        look = row.outcome if row.outcome in words else "contested"
        states[row.segment.label] = (look, words.get(Outcome(row.outcome), "contested"))
    return states


def _shown_texts(near: Neighbourhood, degree: Degree) -> dict[str, str]:
    """What of each neighbour is shown, unmasked, by label."""
    texts: dict[str, str] = {}
    for segment in near.implications:
        if degree not in (Degree.PREMISES, Degree.ALONE):
            texts[segment.id] = segment.content if degree is Degree.FULL else segment.summary
    for segment in near.premises:
        if degree in WITH_PREMISES or segment.source.value == "problem":
            texts[segment.id] = segment.content
        elif degree is Degree.CONCLUSIONS:
            texts[segment.id] = conclusion(segment=segment)
    return texts


def _conclusions(near: Neighbourhood, texts: dict[str, str]) -> dict[str, str]:
    """What long neighbours state in their last sentence, of those that are shown whole."""
    whole = [segment for segment in (*near.premises, *near.implications) if texts.get(segment.id) == segment.content]
    return {segment.id: _stated(segment) for segment in whole if len(segment.content) > LONG}


def _stated(segment: Segment) -> str:
    """The last sentence, or the summary where a text ends in something that says nothing, as code does."""
    stated = conclusion(segment=segment)
    return stated if sum(character.isalnum() for character in stated) >= LEAST_SAID else segment.summary


def _left_out(near: Neighbourhood, texts: dict[str, str]) -> dict[str, str]:
    """What of each neighbour the page does not show, in words, by label; nothing for those that it shows whole."""
    wording = {segment.id: SUMMARY_OF_IT for segment in near.implications} | {
        segment.id: END_OF_IT for segment in near.premises
    }
    left_out = {}
    for segment in (*near.premises, *near.implications):
        text = texts.get(segment.id, "")
        if text.strip() != segment.content.strip():
            left_out[segment.id] = wording[segment.id] if text else NOTHING_OF_IT
    return left_out


def _why_withheld(audit: Audit, degree: Degree) -> str:
    share = load_policy(version=audit.policy, domain=audit.trace.domain).disclosure_share
    return f"{WITHHELD[degree]}: {WHY_WITHHELD.format(share=f'{share * 100:.0f} %')}" if WITHHELD[degree] else ""


def neighbour_of(
    segment: Segment,
    states: dict[str, tuple[str, str]],
    texts: dict[str, str],
    shorts: dict[str, str],
    left_out: dict[str, str],
) -> Neighbour:
    """A segment as it stands beside another: its shown text, its state, what of it is withheld, all by label."""
    look, words = states.get(segment.id, _unaudited(segment))
    text, short = texts.get(segment.id, ""), shorts.get(segment.id, "")
    return Neighbour(segment.id, str(segment.level), text, look, words, left_out.get(segment.id, ""), short)


def _unaudited(segment: Segment) -> tuple[str, str]:
    return ("given", "given") if segment.source.value == "problem" else ("pending", "pending")


def _drawing(near: Neighbourhood, states: dict[str, tuple[str, str]], texts: dict[str, str]) -> Drawing:
    looks = {segment.id: _unaudited(segment)[0] for segment in near.premises}
    looks |= {label: look for label, (look, _) in states.items() if label != near.current.id}
    hrefs = {label: f"#segment-{label}" for label in texts} | {near.current.id: "#pane-current"}
    hrefs = {label: hrefs.get(label, "#pane-graph") for label in near.rows}
    return draw(graph=near.graph(texts), states=looks, hrefs=hrefs, here=near.current.id, name="near", is_small=True)


def _sealing(seat: Seat, text: str, own: OwnOpenings) -> dict[str, Any]:
    """The public half of the commitment and the key the opening is sealed to."""
    binding, point = binding_of(seat=seat, text=text), reveal_point()
    return {
        "origin": settings.LEDGER_ORIGIN,
        "auditId": str(binding.audit_id),
        "segmentId": str(binding.segment_id),
        "round": binding.round,
        "seatId": str(binding.seat_id),
        "auditorId": binding.auditor_id.hex(),
        "salt": salt_of(segment=seat.round.segment).hex(),
        "text": text,
        "revealPoint": point.hex() if point else None,
        "openings": str(who_keeps(seat=seat, own=own)),
        "keyCheck": own.check_value,
        "url": f"/api/v1/seats/{seat.pk}/commitment",
    }
