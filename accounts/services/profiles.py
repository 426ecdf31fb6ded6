"""Profiles. Reads and writes Profile."""

from uuid import UUID

from django.core import signing

from accounts.models import Profile, User

# Django's signing keys differ by salt: a signature made for anything else of this site never stops a mail.
_SALT = "trust.stop-mail"


def get_profile(*, user: User) -> Profile:
    """The person's profile, made empty at first sight."""
    profile, _ = Profile.objects.get_or_create(user=user)
    return profile


def mail_token(*, user: User) -> str:
    """What stands in the link of every mail: it can stop mails and do nothing else."""
    return signing.dumps(str(user.public_id), salt=_SALT)


def person_of_mail(*, token: str) -> User | None:
    """Whose mails this token stops."""
    try:
        key = UUID(signing.loads(token, salt=_SALT))
    except (signing.BadSignature, ValueError, TypeError, AttributeError):
        return None
    return User.objects.filter(public_id=key).first()


def stop_mail(*, user: User) -> None:
    """No more mail with news; the notification centre goes on."""
    Profile.objects.update_or_create(user=user, defaults={"digest": Profile.Digest.OFF})
