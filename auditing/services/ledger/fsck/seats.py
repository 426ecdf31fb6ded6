"""I3: no round has more seats filled, or more votes counted, than it has places; nobody sits twice.

Reads Round, Seat, Leaf; writes nothing.
"""

from collections import Counter
from collections.abc import Iterator

from django.db.models import Count, F, Q

from auditing.core.stages import ACTIVE_SEATS, SeatStage
from auditing.models import Round
from auditing.services.ledger.fsck.survey import Survey, read_leaves


def filled(survey: Survey) -> Iterator[str]:
    """In the tables, then in the leaves."""
    rounds = Round.objects.annotate(
        taken=Count("seats", filter=Q(seats__stage__in=ACTIVE_SEATS)),
        counted=Count("seats", filter=Q(seats__stage=SeatStage.REVEALED)),
        active=Count("seats__auditor", filter=Q(seats__stage__in=ACTIVE_SEATS), distinct=True),
    )
    # Too many taken, too many counted, or one auditor on two places.
    faulty = rounds.filter(Q(taken__gt=F("k")) | Q(counted__gt=F("k")) | ~Q(active=F("taken")))
    for round in faulty.iterator():
        taken = f"{round.taken} are taken by {round.active} auditors"
        yield f"round {round.pk} has {round.k} seats; {taken}, {round.counted} voted"
    # The leaves know auditors by pseudonym only; a pseudonym that votes twice counts once here and breaks I2.
    places, votes = {}, Counter[tuple[str, str, int]]()
    for _, leaf in read_leaves("round.open", "vote.reveal"):
        where = (leaf["audit"], leaf["segment"], leaf["round"])
        if leaf["t"] == "round.open":
            places[where] = leaf["k"]
        else:
            votes[where] += len({round["auditor"] for round in leaf["openings"]})
    for where, count in votes.items():
        if count > places.get(where, 0):
            yield f"segment {where[1]}, round {where[2]}: {count} votes were opened for {places.get(where, 0)} seats"
