"""Key rotation of the ledger: the leaf that hands it over to a new signing key, signed with the old one."""

from base64 import b64decode, b64encode

from auditing.core.ledger.leaves import KeyRotate
from auditing.translog import note as notes
from auditing.translog.checkpoint import CheckpointError
from auditing.translog.note import SigningKey, VerifierKey


def rotation_leaf(*, old: SigningKey, new: VerifierKey) -> KeyRotate:
    """The leaf that hands the ledger over to a new key, signed with the old one."""
    statement = _rotation(old.name, old.verifier.vkey, new.vkey)
    signature = b64encode(old.private.sign(statement)).decode()
    return KeyRotate(origin=old.name, old=old.verifier.vkey, new=new.vkey, signature=signature)  # type: ignore[arg-type]


def check_rotation(*, leaf: KeyRotate, old: VerifierKey) -> VerifierKey:
    """The new key that `leaf` installs after `old`. Raises: CheckpointError, NoteError."""
    if (leaf.origin, leaf.old) != (old.name, old.vkey):
        raise CheckpointError("the leaf hands over from another key than the one in force")
    new = notes.parse_vkey(text=leaf.new)
    statement = _rotation(leaf.origin, leaf.old, leaf.new)
    notes.verify_detached(message=statement, signature=b64decode(leaf.signature), key=old)
    return new


def _rotation(origin: str, old: str, new: str) -> bytes:
    return f"TRUST/key-rotate/v1\n{origin}\n{old}\n{new}\n".encode()
