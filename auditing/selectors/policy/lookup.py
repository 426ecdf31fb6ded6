"""Versions of policies by number."""

from django.db.models import QuerySet

from auditing.models import PolicyVersion

LARGEST_NUMBER = 2**31 - 1  # PostgreSQL's integer: a longer number in an address is no version, not an error


def find_version(*, number: int) -> PolicyVersion | None:
    """One version with its author and the version that it follows; None if there is none of this number."""
    versions = PolicyVersion.objects.select_related("author", "follows")
    return versions.filter(number=min(number, LARGEST_NUMBER)).first()


def other_versions(*, version: PolicyVersion, most: int = 200) -> QuerySet[PolicyVersion]:
    """Versions to compare with, the newest first."""
    return PolicyVersion.objects.exclude(pk=version.pk).order_by("-number")[:most]
