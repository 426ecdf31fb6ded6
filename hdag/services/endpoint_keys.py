"""Keys of endpoints that an admin pasted: encrypted with the content master key, opened when a call is made."""

from dataclasses import dataclass, field

from hdag.chat.endpoint import EnvironmentKey, KeyProvider, NoKey
from hdag.chat.errors import KeyUnavailableError
from hdag.models import Endpoint
from hdag.store import master_key
from hdag.store.master_key import WrongMasterKeyError

__all__ = ["SealedKey", "key_of", "wrap_key"]

LABEL = b"TRUST/endpoint-key/v1"


@dataclass(frozen=True, slots=True)
class SealedKey:
    """A key as it lies in the database; what is printed of it tells nothing."""

    wrapped: bytes = field(repr=False)

    def get_key(self) -> str:
        """The key. Raises KeyUnavailableError when the master key is another one."""
        try:
            return master_key.unwrap(wrapped=self.wrapped, label=LABEL).decode()
        except WrongMasterKeyError:
            raise KeyUnavailableError("the stored key does not open with this master key; paste it again") from None


def wrap_key(*, key: str) -> bytes:
    """The key, encrypted at rest."""
    return master_key.wrap(data=key.encode(), label=LABEL)


def key_of(*, row: Endpoint) -> KeyProvider:
    """Where an endpoint's key comes from: the environment variable it names, the pasted key, or nowhere."""
    if row.key_variable:
        return EnvironmentKey(row.key_variable)
    return SealedKey(bytes(row.wrapped_key)) if row.wrapped_key else NoKey()
