"""Sets of imported votes, read back. Every researcher may use every set."""

from uuid import UUID

from django.db.models import Count, QuerySet

from auditing.research.models import ImportedVote, ImportedVoteSet


def sets_of_votes() -> QuerySet[ImportedVoteSet]:
    """Imported sets, newest first, with how many votes, items and auditors each has."""
    return ImportedVoteSet.objects.annotate(
        size=Count("votes"), items=Count("votes__item", distinct=True), people=Count("votes__auditor", distinct=True)
    ).order_by("-created")


def find_set(*, set_id: UUID) -> ImportedVoteSet | None:
    """One set, None when there is none of this id."""
    return ImportedVoteSet.objects.filter(pk=set_id).first()


def votes_in(*, vote_set: ImportedVoteSet) -> QuerySet[ImportedVote]:
    """The votes of one set."""
    return ImportedVote.objects.filter(set=vote_set)
