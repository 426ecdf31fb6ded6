"""Answers of models kept across workers in Django's cache (Redis); nothing in it is of record, and it may be lost.

Answers quote the text they are about. They are sealed, under names that tell nothing, with a key that takes both the
master key and a salt in the cache itself: `forget` drops the salt, and with it every answer at once. They stay for a
day at most; TRUST_CHAT_CACHE=off switches this off.
"""

import hmac
import os
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.core.cache import cache

from hdag.chat.cache import AnswerCache, NoCache
from hdag.store import master_key
from hdag.store.master_key import NONCE

__all__ = ["SharedCache", "configured_cache", "forget"]

_SALT = "chat-salt"
_LABEL = b"TRUST/answers/v1"


@dataclass(frozen=True, slots=True)
class SharedCache:
    """An AnswerCache that all workers share."""

    seconds: int = 86_400

    def find(self, key: str) -> str | None:
        """The kept answer or None."""
        secret = _secret()
        sealed = cache.get(_name_in_cache(secret, key))
        if not isinstance(sealed, bytes):
            return None
        try:
            return AESGCM(secret).decrypt(sealed[:NONCE], sealed[NONCE:], None).decode()
        # The salt was renewed between writing and reading: the answer is as good as lost.
        except InvalidTag:
            return None

    def keep(self, key: str, text: str) -> None:
        """Keep an answer."""
        secret, nonce = _secret(), os.urandom(NONCE)
        cache.set(_name_in_cache(secret, key), nonce + AESGCM(secret).encrypt(nonce, text.encode(), None), self.seconds)


def configured_cache() -> AnswerCache:
    """The cache that the operator wants: shared by all workers, or none."""
    return NoCache() if os.environ.get("TRUST_CHAT_CACHE", "on").lower() in ("off", "0", "no") else SharedCache()


def forget() -> None:
    """Make every kept answer unreadable: some of them may quote a text that is being erased."""
    cache.delete(_SALT)


def _secret() -> bytes:
    """The key of the present salt; whoever comes first makes the salt, and all others find it."""
    salt = cache.get(_SALT)
    if not isinstance(salt, bytes):
        # `add` sets only what is absent: of two workers that come together, both end with the winner's salt.
        cache.add(_SALT, os.urandom(32), None)
        salt = cache.get(_SALT)
    # A cache that keeps nothing (or is down) gives a salt for this moment only: no answer is then found again.
    return hmac.digest(master_key.derived(label=_LABEL), salt if isinstance(salt, bytes) else os.urandom(32), "sha256")


def _name_in_cache(secret: bytes, key: str) -> str:
    return f"chat:{hmac.digest(secret, key.encode(), 'sha256').hex()}"
