"""I3: no round has more seats filled, or more votes counted, than it has places; nobody sits twice.

Reads Round, Seat, Leaf; writes nothing.
"""

from collections import Counter
from collections.abc import Iterator

from django.db.models import Count, F, Q

from auditing.core.stages import ACTIVE_SEATS, SeatStage
from auditing.models import Round
from auditing.research.ledger_checks.services.survey import Survey, read_leaves


def filled(survey: Survey) -> Iterator[str]:
    """I3, one sentence for each breach: a round with more seats taken or votes counted than it has places, or with one
    auditor on two of them; first in the tables, then in the leaves.
    """
    rounds = Round.objects.annotate(
        taken=Count("seats", filter=Q(seats__stage__in=ACTIVE_SEATS)),
        counted=Count("seats", filter=Q(seats__stage=SeatStage.REVEALED)),
        auditors=Count("seats__auditor", filter=Q(seats__stage__in=ACTIVE_SEATS), distinct=True),
    )
    # Too many taken, too many counted, or one auditor on two places.
    faulty = rounds.filter(Q(taken__gt=F("k")) | Q(counted__gt=F("k")) | ~Q(auditors=F("taken")))
    for round in faulty.iterator():
        seats = f"{round.k} seats; {round.taken} are taken by {round.auditors} auditors"
        yield f"round {round.pk} has {seats}, {round.counted} voted"
    # The leaves know auditors by pseudonym only; a pseudonym that votes twice counts once here and breaks I2.
    places, votes = {}, Counter[tuple[str, str, int]]()
    for _, leaf in read_leaves("round.open", "vote.reveal"):
        round_key = (leaf["audit"], leaf["segment"], leaf["round"])
        if leaf["t"] == "round.open":
            places[round_key] = leaf["k"]
        else:
            votes[round_key] += len({opening["auditor"] for opening in leaf["openings"]})
    for round_key, count in votes.items():
        _, segment, number = round_key
        if count > places.get(round_key, 0):
            yield f"segment {segment}, round {number}: {count} votes were opened for {places.get(round_key, 0)} seats"
