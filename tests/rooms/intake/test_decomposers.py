"""How far a model is with the graph of an audit, as the row of its job says."""

import pytest

from auditing.selectors.intake.decomposition import QUESTIONS
from auditing.services.intake.decomposers import progress_of
from hdag.models import Decomposition
from tests.factories.worlds import World

pytestmark = pytest.mark.django_db


def test_the_share_that_is_done_grows_with_each_question_and_ends_below_the_whole(idle_hens: World) -> None:
    audit = idle_hens.submit()
    report, shares = progress_of(audit=audit), [0.0]
    for step in QUESTIONS:
        for number in (1, 2):
            report(step, number, 2)
            shares.append(Decomposition.objects.get(pk=audit.job.pk).done_share)
    assert sorted(set(shares)) == shares
    assert shares[-1] < 1
