"""Questions about guidelines: asked by reviewers, answered for everybody as a new version, without a name."""

import pytest
from django.test import Client

from accounts.models import User
from auditing.models import Notice
from auditing.research.models import GuidelineQuestion
from tests.factories.worlds import World, make_user

pytestmark = pytest.mark.django_db
ASKED, ANSWERED = "Does a rounded value count as wrong?", "Not within half a unit of its last digit."


def signed_in(person: User) -> Client:
    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def address(idle_hens: World) -> str:
    return f"/campaigns/{idle_hens.campaign.pk}"


@pytest.fixture
def question(idle_hens: World, address: str) -> GuidelineQuestion:
    signed_in(idle_hens.reviewers[0]).post(f"{address}/questions", {"question": ASKED})
    return GuidelineQuestion.objects.get()


def answer(by: User, address: str, question: GuidelineQuestion, text: str = ANSWERED) -> int:
    return signed_in(by).post(f"{address}/questions", {"answering": question.pk, "answer": text}).status_code


def test_an_answer_is_a_new_version_with_its_difference_and_no_name(
    idle_hens: World, address: str, question: GuidelineQuestion
) -> None:
    admin, asker = make_user("runs@example.org", "admin"), idle_hens.reviewers[0]
    assert ASKED in signed_in(admin).get(address).content.decode()
    assert ASKED not in signed_in(idle_hens.reviewers[1]).get(address).content.decode()
    answer(admin, address, question)
    question.refresh_from_db()
    newest = idle_hens.campaign.guidelines.order_by("-version")[0]
    assert (newest.version, question.version) == (2, 2)
    page = signed_in(idle_hens.reviewers[1]).get(address).content.decode()
    assert page.count(ANSWERED) == 2
    assert "<ins>" in page
    assert asker.pseudonym not in page
    assert Notice.objects.filter(user=asker, key=f"answered {question.pk}").count() == 1


def test_a_question_is_answered_once_and_by_who_runs_the_campaign(
    idle_hens: World, address: str, question: GuidelineQuestion
) -> None:
    assert answer(idle_hens.reviewers[1], address, question) == 404
    admin = make_user("runs@example.org", "admin")
    assert answer(admin, address, question, "") == 302
    assert not GuidelineQuestion.objects.exclude(version=None).exists()
    assert [answer(admin, address, question) for _ in range(2)] == [302, 302]
    assert idle_hens.campaign.guidelines.count() == 2


def test_strangers_ask_nothing(address: str) -> None:
    stranger = make_user("stranger@example.org", "consumer")
    assert signed_in(stranger).post(f"{address}/questions", {"question": "x"}).status_code in (302, 403, 404)
    assert not GuidelineQuestion.objects.exists()
