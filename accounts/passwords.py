"""Passwords of words that anybody would try here first: the names of this system and of its work."""

import re

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
