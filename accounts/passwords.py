"""Passwords that anybody would try first: of the words of this system, and those of breached sites."""

import hashlib
import re
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

WORDS = ("trust", "audit", "auditor", "reviewer", "adjudicator", "provider", "researcher", "consumer", "admin", "desk",
         "ledger", "segment", "trace", "reasoning", "campaign", "password", "vote", "the", "my")  # fmt: skip
_ONLY_SUCH = re.compile(f"(?:{'|'.join(WORDS)})+s?")


class ContextWordsValidator:
    """Refuses a password whose letters are such words alone, whatever digits and signs stand between them.

    Source: OWASP ASVS 5.0, 6.1.2 and 6.2.11.
    """

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Raises ValidationError."""
        letters = re.sub("[^a-z]", "", password.casefold())
        if _ONLY_SUCH.fullmatch(letters):
            raise ValidationError(self.get_help_text(), code="password_of_the_site")

    def get_help_text(self) -> str:
        """What the form says beforehand."""
        return _("Your password can’t be made of words that anybody would try here first, such as trust or audit.")


class BreachedPasswordsValidator:
    """Refuses a password that stands in a list of breached ones, where the operator names such a file.

    The file is the one that "Have I Been Pwned" publishes, ordered by hash: a line is the SHA-1 of a password in upper
    case, a colon, and how often it was seen. Forty gigabytes are read in about thirty-five steps. Source: OWASP ASVS
    5.0, 6.2.12.
    """

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Raises ValidationError. Without a file everything passes; Django's own list of 20,000 is asked beside it."""
        if not settings.TRUST_BREACHED_PASSWORDS:
            return
        digest = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper()
        with Path(settings.TRUST_BREACHED_PASSWORDS).open("rb") as lines:
            if has_line(lines=lines, start=digest.encode()):
                raise ValidationError(self.get_help_text(), code="password_breached")

    def get_help_text(self) -> str:
        """What the form says beforehand."""
        return _("Your password can’t be one that was stolen from another site and published.")


def has_line(*, lines: BinaryIO, start: bytes) -> bool:
    """Whether a file of ordered lines has one that begins so, by halving it in bytes.

    >>> from io import BytesIO
    >>> listed = BytesIO(b"AA:1\\nBB:20\\nCC:3\\n")
    >>> [has_line(lines=listed, start=start) for start in (b"AA", b"BB", b"CC", b"AB", b"DD")]
    [True, True, True, False, False]
    """
    low, high = 0, lines.seek(0, 2)
    # The line that is looked for, if there is one, begins in [low, high).
    while low < high:
        middle = (low + high) // 2
        # What begins at or after the middle is looked at; the first line of all has none before it to be skipped.
        lines.seek(max(middle - 1, 0))
        if middle:
            lines.readline()
        begins = lines.tell()
        line = lines.readline()
        if line.startswith(start):
            return True
        if not line or line[: len(start)] > start:
            high = middle
        else:
            low = begins + len(line)
    return False
