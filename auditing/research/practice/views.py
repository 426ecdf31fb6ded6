"""Exercises at the desk: calibration, which opens live seats and is kept, and the sandbox, which keeps nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_http_methods, require_POST

from accounts.parameters import read_choice, read_id, read_number, read_text
from accounts.permissions import Role, get_person, requires_role
from auditing.core.values import Choice
from auditing.core.voting.rationale import Criterion
from auditing.research.practice import services as calibration
from auditing.research.practice.selectors.exercises import MOST_STEPS, exercise_of
from auditing.selectors.gold.lookup import calibration_set, find_gold, practice_fields, practice_set
from auditing.selectors.seating.eligible import CALIBRATION_SIZE
from auditing.services.gold import disputes
from auditing.services.seating.auditors import auditor_of
from auditing.views.voting.desk import MARKS
from auditing.views.voting.desk_keys import ERRORS, words

if TYPE_CHECKING:
    from auditing.models import GoldSegment

CHOICES = ("pass", "fail")
TOUR = 5  # items of the first tour


@dataclass(frozen=True, slots=True)
class Said:
    """What was said of an exercise. step: 0 where none was named; confidence: percent."""

    gold: GoldSegment
    choice: str
    confidence: int
    step: int
    error_type: str

    @property
    def is_right(self) -> bool:
        """Whether it is as the truth."""
        return bool(self.choice == self.gold.truth)


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def calibrate(request: HttpRequest) -> HttpResponse:
    """One gold segment at a time, the truth right after each answer."""
    auditor = auditor_of(user=get_person(request))
    domain = read_text(request.GET, "domain") or read_text(request.POST, "domain")
    # An empty set is no question: without it, any word in the address would open a page.
    if not calibration_set(domain=domain).exists():
        if domain:
            raise Http404
        # No field is named: the record lists those whose calibration is asked for, or says that there is none.
        return redirect("auditing:record")
    reply = _calibrated(request, domain) if request.method == "POST" else None
    gold = reply.gold if reply else calibration.next_question(auditor=auditor, domain=domain)
    now = calibration.conclude(auditor=auditor, domain=domain)
    context = {"standing": now, "needed": calibration.needed(of=now.total), "fewest": CALIBRATION_SIZE}
    return render(
        request, "auditing/campaigns/calibration.html", context | exercise_form(domain=domain, gold=gold, reply=reply)
    )


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest) -> HttpResponse:
    """The sandbox: the same desk, the truth after each answer; nothing is stored, paid or logged."""
    auditor = auditor_of(user=get_person(request))
    fields = practice_fields(auditor=auditor)
    domain = read_text(request.GET, "domain") or read_text(request.POST, "domain") or next(iter(fields), "")
    reply = None
    if request.method == "POST":
        gold = find_gold(key=read_id(request.POST, "gold") or UUID(int=0))
        # Only what the sandbox shows: it must not give away the truth of anything else.
        if gold is None or not practice_set(auditor=auditor).filter(pk=gold.pk).exists():
            raise Http404
        reply = _read_answer(request, gold)
    after = read_id(request.GET, "after")
    gold = reply.gold if reply else calibration.next_exercise(auditor=auditor, domain=domain, after=after)
    tour = read_number(request.GET, "tour", least=1, most=TOUR)
    context = {"fields": fields, "tour": tour, "next_tour": (tour or TOUR) % TOUR + 1, "tour_ends": tour == TOUR}
    return render(
        request, "auditing/campaigns/practice.html", context | exercise_form(domain=domain, gold=gold, reply=reply)
    )


def exercise_form(*, domain: str, gold: GoldSegment | None, reply: Said | None = None) -> dict[str, object]:
    """What the desk of exercises shows: the passage, and the form or what was answered."""
    return {
        "domain": domain,
        "gold": gold,
        "exercise": exercise_of(gold=gold) if gold else None,
        "said": reply,
        "criteria": [(str(criterion), words(criterion)) for criterion in Criterion],
        "marks": MARKS,
        "error_types": [(str(error), words(error)) for error in ERRORS],
    }


def _calibrated(request: HttpRequest, domain: str) -> Said | None:
    auditor = auditor_of(user=get_person(request))
    if read_text(request.POST, "again"):
        calibration.start_again(auditor=auditor, domain=domain)
        return None
    key = read_id(request.POST, "gold")
    gold = None if key is None else calibration_set(domain=domain).filter(pk=key).first()
    reply = None if gold is None else _read_answer(request, gold)
    if gold is None or reply is None:
        messages.error(request, "Choose pass or fail.")
        return None
    # The form knows per cent, the table hundredths of one; nought is the form's word for "not chosen".
    confidence, step = (100 * reply.confidence or None), (reply.step or None)
    try:
        calibration.answer(auditor=auditor, gold=gold, choice=Choice(reply.choice), confidence=confidence, step=step)
    except calibration.AlreadyAnsweredError as error:
        messages.error(request, str(error))
        return None
    return reply


def _read_answer(request: HttpRequest, gold: GoldSegment) -> Said | None:
    choice = read_choice(request.POST, "choice", CHOICES)
    if not choice:
        messages.error(request, "Choose pass or fail.")
        return None
    is_fail = choice == "fail"
    return Said(
        gold=gold,
        choice=choice,
        confidence=read_number(request.POST, "confidence", least=50, most=100) or 0,
        step=(read_number(request.POST, "step", least=1, most=MOST_STEPS) or 0) if is_fail else 0,
        error_type=read_choice(request.POST, "error_type", [str(error) for error in ERRORS]) if is_fail else "",
    )


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_POST
def dispute_answer(request: HttpRequest, gold_id: UUID) -> HttpResponse:
    """Say that gold of a calibration set is wrong, and why."""
    gold, text = find_gold(key=gold_id), read_text(request.POST, "text", most=disputes.LONGEST)
    if gold is None:
        raise Http404
    try:
        disputes.dispute_answer(gold=gold, by=get_person(request), text=text)
    except disputes.DisputeRefusedError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Filed. Somebody who did not vote on it decides; you will be told.")
    return redirect("auditing:record")


urlpatterns = [
    path("calibration", calibrate, name="calibration"),
    path("calibration/<uuid:gold_id>/dispute", dispute_answer, name="dispute_answer"),
    path("practice", practice, name="practice"),
]
