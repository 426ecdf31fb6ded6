"""The four panes of a seat as its holder reads them, masked, and the public half of the vote's commitment.

Problem, current reasoning, dependencies with their states, implications.

Everything is shrunk to the degree that the disclosure budget left (services/seating/disclosure.py decides it once,
when the seat is opened). Never how others vote, who wrote the text, or who audits it. Reads Seat, Round, and the
segment with its neighbours.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.conf import settings

from auditing.models import Audit, Seat
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.voting.bindings import binding_of, salt_of
from auditing.selectors.voting.neighbourhood import Neighbourhood, Standing
from auditing.selectors.voting.own_openings import OwnOpenings, who_keeps
from hdag.core.disclosure import Degree, conclusion, shown_of
from hdag.core.masking.masking import mask
from hdag.core.values import Segment
from hdag.selectors import hidden_names

LONG = 600  # characters; a longer neighbour is folded to its stated conclusion
LEAST_SAID = 8  # letters and digits of a conclusion that says something
WITHHELD = {
    Degree.FULL: "",
    Degree.SUMMARIES: "What follows is shown by summaries only",
    Degree.PREMISES: "What follows is withheld",
    Degree.CONCLUSIONS: "Premises are shown by what is taken from them and what they conclude, the rest by summaries",
    Degree.ALONE: "Premises and what follows are withheld",
}
WITH_PREMISES = (Degree.FULL, Degree.SUMMARIES, Degree.PREMISES)
WHY_WITHHELD = (
    "to protect the provider, no reviewer is shown more than {share} of a trace outside its problem, and your segments "
    "of this one come close to that. Abstain when it cannot be judged so."
)
NOTHING_OF_IT = "Its text is withheld."
SUMMARY_OF_IT = "A summary: its text is withheld."
END_OF_IT = "What it concludes, and what is taken from it: the rest is withheld."


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
class Panes:
    """What is shown of a seat: texts as served, and what is left out, in words."""

    label: str
    level: str
    problem: str
    text: str
    dependencies: tuple[Neighbour, ...]
    implications: tuple[Neighbour, ...]
    withheld: str
    names: tuple[str, ...]  # what was masked
    masked: Mapping[str, str]  # text of each neighbour by label


def panes_of(*, seat: Seat, near: Neighbourhood) -> Panes:
    """What the holder of `seat` may read of the segment and of what stands around it."""
    audit = seat.round.audit
    names = tuple(hidden_names(provider=audit.trace.provider, trace=near.trace))
    degree = Degree(seat.shown.get("degree") or Degree.FULL)
    texts = _shown_texts(near, degree)
    left_out = _left_out(near, texts)
    # Masked after what is shown was chosen, and in every pane: one name that slips through tells who handed it in.
    masked = {label: masked_text(text, names) for label, text in texts.items()}
    shorts = {label: masked_text(text, names) for label, text in _conclusions(near, texts).items()}
    return Panes(
        label=near.current.id,
        level=str(near.current.level),
        problem=masked_text(near.trace.problem, names),
        text=near.own,
        dependencies=tuple(
            neighbour_of(segment, near.standings, masked, shorts, left_out) for segment in near.premises
        ),
        implications=tuple(
            neighbour_of(segment, near.standings, masked, shorts, left_out) for segment in near.implications
        ),
        withheld=_why_withheld(audit, degree) if left_out else "",
        names=names,
        masked=masked,
    )


@lru_cache(maxsize=128)
def masked_text(text: str, names: tuple[str, ...]) -> str:
    """Neighbours of one seat are neighbours of the next: what was masked a moment ago is not read again."""
    return mask(text=text, names=names)


def _shown_texts(near: Neighbourhood, degree: Degree) -> dict[str, str]:
    """What of each neighbour is shown, unmasked, by label."""
    texts: dict[str, str] = {}
    for segment in near.implications:
        if degree not in (Degree.PREMISES, Degree.ALONE):
            texts[segment.id] = segment.content if degree is Degree.FULL else segment.summary
    for segment in near.premises:
        if degree in WITH_PREMISES or segment.source.value == "problem":
            texts[segment.id] = segment.content
        # What the passage takes from it stays readable; the steps between are somebody else's to judge.
        elif degree is Degree.CONCLUSIONS:
            texts[segment.id] = shown_of(segment=segment, takes=near.takes)
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
    standings: Mapping[str, Standing],
    texts: Mapping[str, str],
    shorts: Mapping[str, str],
    left_out: Mapping[str, str],
) -> Neighbour:
    """One segment beside the current one, with what is shown of it."""
    standing = standings.get(segment.id) or unaudited(segment)
    text, short, withheld = texts.get(segment.id, ""), shorts.get(segment.id, ""), left_out.get(segment.id, "")
    return Neighbour(segment.id, str(segment.level), text, standing.look, standing.words, withheld, short)


def unaudited(segment: Segment) -> Standing:
    """How a segment stands that nobody has judged."""
    return Standing("given", "given") if segment.source.value == "problem" else Standing("pending", "pending")


def sealing_of(*, seat: Seat, text: str, own: OwnOpenings, point: bytes | None) -> dict[str, Any]:
    """The public half of the commitment, `point`, the key that the opening is sealed to, and where the steps stand."""
    binding, row = binding_of(seat=seat, text=text), seat.round.segment
    # The browser marks one of the numbered steps of a unit.
    steps = {"steps": [[step.start, step.end] for step in row.numbered]} if row.unit else {}
    return steps | {
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
