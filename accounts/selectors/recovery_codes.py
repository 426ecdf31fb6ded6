"""Reading how many recovery codes a person has left."""

from allauth.mfa.models import Authenticator

from accounts.models import User


def codes_left(*, user: User) -> int:
    """How many of the person's recovery codes were not used yet."""
    stored = Authenticator.objects.filter(user=user, type=Authenticator.Type.RECOVERY_CODES).first()
    return len(stored.wrap().get_unused_codes()) if stored else 0
