"""What the master key of the environment does: it wraps keys, seals small secrets and names equal texts.

Labels keep its uses apart. While a rotation runs, settings.CONTENT_MASTER_KEYS_BEFORE still open what they wrapped;
only settings.CONTENT_MASTER_KEY wraps anew (services/key_rotation.py).
"""

import hashlib
import hmac
import os
from collections.abc import Iterator

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

NONCE = 12


class WrongMasterKeyError(Exception):
    """What is stored does not open with the master key of this process, nor with an earlier one that it was given."""


def wrap(*, data: bytes, label: bytes) -> bytes:
    """nonce (12 bytes) || AES-256-GCM ciphertext and tag under the master key; `label` is authenticated."""
    nonce = os.urandom(NONCE)
    return nonce + AESGCM(_current()).encrypt(nonce, data, label)


def unwrap(*, wrapped: bytes, label: bytes) -> bytes:
    """What wrap was given. Raises WrongMasterKeyError."""
    # GCM authenticates: a wrong key fails the tag, so trying one key after the other is safe.
    for key in _known():
        try:
            return AESGCM(key).decrypt(wrapped[:NONCE], wrapped[NONCE:], label)
        except InvalidTag:
            continue
    raise WrongMasterKeyError(WrongMasterKeyError.__doc__)


def is_current(*, wrapped: bytes, label: bytes) -> bool:
    """Whether the newest master key wrapped this."""
    try:
        AESGCM(_current()).decrypt(wrapped[:NONCE], wrapped[NONCE:], label)
    except InvalidTag:
        return False
    return True


def keyed_digests(*, text: str, label: bytes) -> list[bytes]:
    """HMAC-SHA-256 of a text under every known master key, the newest first."""
    return [hmac.new(key, label + text.encode(), hashlib.sha256).digest() for key in _known()]


def derived(*, label: bytes) -> bytes:
    """32 bytes that only holders of the master key can compute."""
    return hmac.digest(_current(), label, "sha256")


def _current() -> bytes:
    if settings.CONTENT_MASTER_KEY is None:
        raise ImproperlyConfigured("This program reads no texts: it was not given CONTENT_MASTER_KEY.")
    return bytes(settings.CONTENT_MASTER_KEY)


def _known() -> Iterator[bytes]:
    yield _current()
    # only to open what they wrapped; nothing new is wrapped with them
    yield from settings.CONTENT_MASTER_KEYS_BEFORE
