"""Questions about the guidelines of a campaign, and their answers."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.views.decorators.http import require_POST

from accounts.parameters import read_number, read_text
from accounts.permissions import Role, check_role, get_person, requires_role
from auditing.permissions import may_run
from auditing.research.campaigns.access import VIEWERS, get_campaign
from auditing.research.campaigns.selectors.guidelines import find_question
from auditing.research.campaigns.services.steering import QuestionRefusedError, answer_question, ask_about_guidelines

LONGEST = {"question": 1000, "answer": 4000}


@requires_role(*VIEWERS)
@require_POST
def question_page(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """Ask, or with `answering` answer a question that waits."""
    person = get_person(request)
    campaign = get_campaign(user=person, key=campaign_id)
    key = read_number(request.POST, "answering")
    try:
        if key is None:
            check_role(person, Role.REVIEWER, Role.ADJUDICATOR, Role.ADMIN)
            ask_about_guidelines(campaign=campaign, by=person, text=_text(request, "question"))
            messages.success(request, "Asked. The answer will be a new version of the guidelines; you will be told.")
        else:
            question = find_question(campaign=campaign, key=key)
            if question is None or not may_run(user=person, campaign=campaign):
                raise Http404
            version = answer_question(question=question, by=person, text=_text(request, "answer"))
            messages.success(request, f"Answered: guidelines, version {version}.")
    except QuestionRefusedError as error:
        messages.error(request, str(error))
    return redirect("auditing:campaign", campaign_id=campaign_id)


def _text(request: HttpRequest, name: str) -> str:
    return read_text(request.POST, name, most=LONGEST[name])


urlpatterns = [path("campaigns/<uuid:campaign_id>/questions", question_page, name="guideline_questions")]
