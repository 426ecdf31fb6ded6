"""The reviewer's desk as a page: the panes of one seat, and everything around them.

The picture of the neighbourhood, why people are asked, guidelines, the form of a unit, votes in the own browser. What
of the trace is shown is decided in panes.py. Reads Seat, Round, Route, Guidelines, OwnKey.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.prepared import PreparedQuery
from auditing.core.routing.table import reason_for_reviewers
from auditing.models import Guidelines, Round, Route, Seat
from auditing.selectors.seating.rounds import reveal_point
from auditing.selectors.voting.neighbourhood import Neighbourhood, neighbourhood_of, standings_of
from auditing.selectors.voting.outline import picked_premises
from auditing.selectors.voting.own_openings import OwnOpenings, own_openings
from auditing.selectors.voting.panes import Neighbour, masked_text, neighbour_of, panes_of, sealing_of, unaudited
from auditing.selectors.voting.unit_form import UnitForm, find_unit_form
from hdag.core.complexity import FOCUS
from hdag.rendering.atoms import AtomKind, find_atoms
from hdag.rendering.graph import Drawing, draw
from hdag.selectors import segment_value
from hdag.store import content

# A time of the day or a ratio is one number: 9:40 does not use a 40.
_NUMBER = re.compile(r"(?<![\w.:])\d+(?:[:.,]\d+)?(?!:?\w)")
_FORMULAS = (AtomKind.FORMULA, AtomKind.DISPLAY)


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
    near = near or neighbourhood_of(round=round)
    panes = panes_of(seat=seat, near=near)
    own = own_openings(auditor=seat.auditor)
    marks = numbers_of_problem(problem=near.trace.problem, text=near.own)
    return Desk(
        label=panes.label,
        level=panes.level,
        problem=panes.problem,
        text=panes.text,
        focus=""
        if round.segment.unit
        else FOCUS[near.current.level],  # what a model would have us look at is text of the trace in other words
        why_tier=_why_people(round),
        dependencies=panes.dependencies,
        implications=panes.implications,
        withheld=panes.withheld,
        drawing=_drawing(near, panes.masked) if is_drawn else None,
        guidelines=guidelines_of(round=round),
        is_single_provider=audit.batch_providers == 1,
        marks=marks,
        sealing=sealing_of(seat=seat, text=near.own, own=own, point=reveal_point()),
        own=own,
        unit=find_unit_form(seat=seat, text=near.own, marks=marks),
        picked=_picked(seat, panes.names) if round.segment.unit else (),
    )


def _picked(seat: Seat, names: tuple[str, ...]) -> tuple[Neighbour, ...]:
    """The premises that the holder named as missing, whole."""
    rows = picked_premises(seat=seat)
    values = [segment_value(row, content.read_json(row.block)) for row in rows]
    masked = {value.id: masked_text(value.content, names) for value in values}
    standings = standings_of(rows=rows)
    return tuple(neighbour_of(value, standings, masked, {}, {}) for value in values)


@PreparedQuery
def _routes(audit: UUID, segment: UUID) -> QuerySet[Route]:
    return Route.objects.filter(audit=audit, segment=segment)


def _why_people(round: Round) -> str:
    route = _routes.first(audit=round.audit_id, segment=round.segment_id)
    return reason_for_reviewers(tiers=route.tiers, why=route.why) if route else ""


def numbers_of_problem(*, problem: str, text: str) -> tuple[tuple[int, int], ...]:
    """Where the prose of `text` uses a number that the problem states.

    A formula is marked as a whole or not at all: only one that is nothing but that number is.

    >>> numbers_of_problem(problem="12 hens at 9:40", text="12 hens lay at 9:40, not at 40, $12 + 5$ eggs")
    ((0, 2), (15, 19))
    """
    stated = set(_NUMBER.findall(problem))
    formulas = [atom for atom in find_atoms(text=text) if atom.kind in _FORMULAS]
    longer = [(atom.start, atom.end) for atom in formulas if text[atom.inner : atom.inner_end].strip() not in stated]
    places = (number.span() for number in _NUMBER.finditer(text) if number[0] in stated)
    return tuple((low, high) for low, high in places if not any(start <= low < end for start, end in longer))


def guidelines_of(*, round: Round) -> Guidelines | None:
    """The campaign's guidelines in force."""
    return _newest_guidelines.first(campaign=round.audit.campaign_id)


@PreparedQuery
def _newest_guidelines(campaign: UUID) -> QuerySet[Guidelines]:
    return Guidelines.objects.filter(campaign=campaign).order_by("-version")[:1]


def _drawing(near: Neighbourhood, texts: Mapping[str, str]) -> Drawing:
    looks = {segment.id: unaudited(segment).look for segment in near.premises}
    looks |= {label: standing.look for label, standing in near.standings.items() if label != near.current.id}
    hrefs = {label: f"#segment-{label}" for label in texts} | {near.current.id: "#pane-current"}
    hrefs = {label: hrefs.get(label, "#pane-graph") for label in near.rows}
    return draw(graph=near.graph(texts), states=looks, hrefs=hrefs, here=near.current.id, name="near", is_small=True)
