"""One contested round by its id, the reason that an adjudicator stated for it, and the words of both sides' reasons."""

from uuid import UUID

from auditing.models import Adjudication, Appeal, Round

ADJUDICATION_REASONS = Adjudication.Reason.choices
APPEAL_REASONS = Appeal.Reason.choices


def find_round(*, key: UUID) -> Round | None:
    """The round with its audit, policy and segment; None if unknown."""
    return Round.objects.select_related("audit__trace", "audit__policy", "segment").filter(pk=key).first()


def find_adjudication(*, round: Round) -> Adjudication | None:
    """What the adjudicator said of the round before voting; None until then."""
    return Adjudication.objects.filter(round=round).first()
