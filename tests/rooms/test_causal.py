"""Causal audits from page to trial: thirty public traces in rule mode, resumable, apart for each person."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from auditing.models import CausalBatch, CausalTrial
from auditing.tasks import run_causal
from auditing.views.research.causal import difference
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db
DATA = Path(__file__).parents[3] / "shared" / "data"
public = pytest.mark.skipif(not DATA.is_dir(), reason="../shared/data is not here")


def signed_in(email: str) -> Client:
    client = Client()
    client.force_login(make_user(email, "researcher"), backend="django.contrib.auth.backends.ModelBackend")
    return client


@public
def test_thirty_public_traces_give_classes_with_intervals(settings: Any) -> None:
    settings.STUDY_DATA_DIR = DATA
    client = signed_in("researcher@example.org")
    page = client.post("/research/causal", {"title": "Thirty", "public": "30", "seed": "1"}, follow=True)
    assert b"Waiting for a worker" in page.content
    batch = CausalBatch.objects.get()
    assert run_causal(str(batch.pk)) == "done"
    assert batch.trials.values("trace").distinct().count() > 20
    page = client.get(f"/research/causal/{batch.pk}")
    classes = {row[0]: row for row in page.context["tables"][0].rows}
    assert sum(row[1] for row in classes.values()) == CausalTrial.objects.count()
    assert all(row[4] <= row[3] <= row[5] for row in classes.values())
    followed = CausalTrial.objects.filter(reaction="followed").first()
    assert followed is not None
    trial = client.get(f"/research/causal/trials/{followed.pk}").content.decode()
    assert "<del>" in trial
    assert "<ins>" in trial
    assert signed_in("other@example.org").get(f"/research/causal/trials/{followed.pk}").status_code == 404


def test_a_batch_of_nothing_is_refused() -> None:
    answer = signed_in("researcher@example.org").post("/research/causal", {"title": "x", "public": "0", "seed": "1"})
    assert (answer.status_code, CausalBatch.objects.count()) == (400, 0)


def test_a_difference_names_what_went_and_what_came() -> None:
    assert difference("a b c", "a x c") == [("a", "", ""), ("", "b", ""), ("", "", "x"), ("c", "", "")]
