"""Recovery codes of the second factor: shown once, stored as digests. Writes allauth's Authenticator.

allauth would store the seed of all codes. Here a code is 24 letters of 32 (120 bits), so that a plain digest is enough
(OWASP ASVS 5.0, 6.5.2), and the digests stand where allauth keeps codes that it did not make itself: its own check of a
code compares them and strikes the used one out. Source of the alphabet: RFC 4648, section 6.
"""

import hashlib
import re
import secrets
import string

from allauth.mfa.models import Authenticator
from django.db import transaction

from accounts.models import User

CODES, LETTERS, GROUP = 10, 24, 4
_ALPHABET = string.ascii_uppercase + "234567"
_BETWEEN = re.compile(r"[\s-]")


def renew_codes(*, user: User) -> list[str]:
    """New codes in place of all earlier ones, in groups of four letters; nobody can read them again."""
    codes = ["".join(secrets.choice(_ALPHABET) for _ in range(LETTERS)) for _ in range(CODES)]
    data = {"migrated_codes": [stored_form(typed=code) for code in codes], "used_mask": 0}
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # two tabs that ask at once get one set
        Authenticator.objects.filter(user=user, type=Authenticator.Type.RECOVERY_CODES).delete()
        Authenticator.objects.create(user=user, type=Authenticator.Type.RECOVERY_CODES, data=data)
    return ["-".join(code[start : start + GROUP] for start in range(0, LETTERS, GROUP)) for code in codes]


def stored_form(*, typed: str) -> str:
    """What is compared with the stored codes. Digits alone are a code of the app, or an older recovery code.

    A digest that somebody read in the database is digested once more, and so opens nothing.

    >>> stored_form(typed="123 456")
    '123456'
    >>> stored_form(typed="ab-cd") == stored_form(typed="ABCD")
    True
    """
    code = _BETWEEN.sub("", typed).upper()
    return code if code.isdigit() else hashlib.sha256(code.encode()).hexdigest()
