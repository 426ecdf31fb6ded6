"""The ledger's witnesses: who cosigned the published checkpoint, and since when somebody has not. Reads Witness."""

from dataclasses import dataclass
from datetime import UTC, datetime

from auditing.models import Witness
from auditing.translog import witnessing
from auditing.translog.note import VerifierKey, parse, parse_vkey


@dataclass(frozen=True, slots=True)
class WitnessLine:
    """One witness as a page shows it. cosigned_at: by its own clock, of the checkpoint that is shown."""

    witness: Witness
    cosigned_at: datetime | None

    @property
    def since(self) -> datetime | None:
        """Since when it did not cosign; None while it does, or before its first answer."""
        return None if self.cosigned_at else self.witness.trouble_since or self.witness.cosigned_at


def key_of(witness: Witness) -> VerifierKey | None:
    """The witness's key; None before the first contact."""
    return parse_vkey(text=witness.vkey) if witness.vkey else None


def keys_of(witness: Witness) -> list[VerifierKey]:
    """Its Ed25519 key and its ML-DSA-44 key, as far as they are known."""
    return [parse_vkey(text=text) for text in (witness.vkey, witness.second_vkey) if text]


def cosigning_keys(*, note: str) -> list[str]:
    """The keys of configured witnesses that cosigned this checkpoint."""
    keys = [key for witness in Witness.objects.order_by("pk") for key in keys_of(witness)]
    return [key.vkey for key in witnessing.cosigners_of(note=parse(data=note.encode()), keys=keys)]


def witness_lines(*, note: str) -> list[WitnessLine]:
    """Every configured witness beside the published checkpoint."""
    parsed, lines = parse(data=note.encode()), []
    for witness in Witness.objects.order_by("pk"):
        key = key_of(witness)
        # Its signature is checked first: a line under its name alone could have been written by anybody.
        time = parsed.time_of(key=key) if key and witnessing.cosigners_of(note=parsed, keys=(key,)) else None
        lines.append(WitnessLine(witness, None if time is None else datetime.fromtimestamp(time, UTC)))
    return lines


def known_witnesses() -> list[Witness]:
    """Those whose key is known."""
    return list(Witness.objects.exclude(vkey="").order_by("pk"))
