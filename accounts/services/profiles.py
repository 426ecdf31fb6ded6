"""Profiles. Reads and writes Profile."""

from accounts.models import Profile, User


def get_profile(*, user: User) -> Profile:
    """The person's profile, made empty at first sight."""
    found, _ = Profile.objects.get_or_create(user=user)
    return found
