"""Witnesses: what a log asks them and what they answer; the policy that says whose cosignatures a checkpoint needs.

Source: C2SP tlog-witness v1.0.0, section "add-checkpoint", and C2SP tlog-policy. Lines of a policy: "log VKEY [URL]",
"witness NAME VKEY [URL]", "group NAME any|all|N MEMBER...", "quorum NAME|none"; a line that begins with "#" is a
comment. Two of three witnesses:

    log example.org/log+...
    witness w1 w1.example+...
    witness w2 w2.example+...
    witness w3 w3.example+...
    group two-of-three 2 w1 w2 w3
    quorum two-of-three

A witness with an ML-DSA-44 key beside its Ed25519 key has two names, and a group of both: "any" accepts either, "all"
demands both.
"""

from base64 import b64encode
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from auditing.translog.note import (
    COSIGNATURE,
    COSIGNING,
    Note,
    NoteError,
    Signature,
    VerifierKey,
    parse_signature,
    parse_vkey,
    verify,
    with_signatures,
)


class NoCosignatureError(ValueError):
    """The witness's answer holds no cosignature of this checkpoint by its key."""


def request_text(*, old: int, proof: Sequence[bytes], note: Note) -> str:
    """The body of add-checkpoint: the size cosigned last, the consistency proof from it, the checkpoint.

    Source: C2SP tlog-witness v1.0.0, section "add-checkpoint". The lines: "old SIZE", one base64 hash a line, a blank
    line, the signed checkpoint.
    """
    return f"old {old}\n" + "".join(f"{b64encode(sibling).decode()}\n" for sibling in proof) + f"\n{note}"


def read_answer(*, text: str, note: Note, key: VerifierKey) -> Signature:
    """The cosignature of `note` by the witness `key`; lines of other keys are passed over.

    Raises: NoCosignatureError.
    """
    for line in text.splitlines():
        try:
            signature = parse_signature(line=line)
            # a witness may answer with several lines, one for each key that it is changing to
            if (signature.name, signature.key_id) != (key.name, key.id):
                continue
            # our own text with their line: whatever text the witness may have had in mind, this one is verified
            verify(note=with_signatures(note=Note(text=note.text), more=(signature,)), keys=(key,))
        except NoteError as error:
            raise NoCosignatureError(f"its cosignature does not hold: {error}") from None
        return signature
    raise NoCosignatureError(NoCosignatureError.__doc__)


def cosigners_of(*, note: Note, keys: Collection[VerifierKey]) -> tuple[VerifierKey, ...]:
    """Those of `keys` that cosigned; a wrong line is as good as none."""
    cosigners: list[VerifierKey] = []
    for key in keys:
        try:
            cosigners += verify(note=note, keys=(key,))
        except NoteError:
            continue
    return tuple(cosigners)


class PolicyFileError(ValueError):
    """The witness policy cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """`threshold` of these witnesses or groups."""

    threshold: int
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessPolicy:
    """Logs and witnesses that are trusted, and the quorum; "none" asks for no witness."""

    logs: tuple[VerifierKey, ...]
    witnesses: Mapping[str, VerifierKey] = field(default_factory=dict)
    urls: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, Group] = field(default_factory=dict)
    quorum: str = "none"

    def witnesses_of(self, *, note: Note) -> tuple[str, ...]:
        """Names of the witnesses that cosigned. Raises: NoteError when a known line is wrong or none is there."""
        signed = set(verify(note=note, keys=(*self.logs, *self.witnesses.values())))
        return tuple(name for name, key in self.witnesses.items() if key in signed)

    def is_met(self, *, cosigners: Collection[str]) -> bool:
        """Whether these witnesses make the quorum."""
        return self.quorum == "none" or self._holds(self.quorum, cosigners)

    def _holds(self, name: str, cosigners: Collection[str]) -> bool:
        if name in self.witnesses:
            return name in cosigners
        group = self.groups[name]
        # recursion ends, for a group names only what was defined before it
        return sum(self._holds(member, cosigners) for member in group.members) >= group.threshold


def parse_policy(*, text: str) -> WitnessPolicy:
    """The policy of its file. A name is defined before it is used. Raises: PolicyFileError, with the line."""
    reader = _PolicyReader()
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.replace("\t", " ").split(" ")
        # Split at blanks alone and not at all white space: a policy is read the same by every program.
        words = [word for word in words if word]
        if words and not words[0].startswith("#"):
            try:
                reader.take(words)
            except ValueError as error:
                raise PolicyFileError(f"line {number}: {error}") from None
    if reader.quorum is None:
        raise PolicyFileError("a policy has exactly one quorum line")
    return WitnessPolicy(
        logs=tuple(reader.logs),
        witnesses=reader.witnesses,
        urls=reader.urls,
        groups=reader.groups,
        quorum=reader.quorum,
    )


def policy_text(*, policy: WitnessPolicy) -> str:
    """The policy as its file."""
    lines = [f"log {key.vkey}" for key in policy.logs]
    for name, key in policy.witnesses.items():
        lines.append(" ".join(filter(None, ("witness", name, key.vkey, policy.urls.get(name, "")))))
    lines += [f"group {name} {group.threshold} {' '.join(group.members)}" for name, group in policy.groups.items()]
    return "\n".join([*lines, f"quorum {policy.quorum}"]) + "\n"


class _PolicyReader:
    """Takes a policy line by line; each line may use only what stands above it, so no group can contain itself."""

    def __init__(self) -> None:
        self.logs: list[VerifierKey] = []
        self.witnesses: dict[str, VerifierKey] = {}
        self.urls: dict[str, str] = {}
        self.groups: dict[str, Group] = {}
        self.quorum: str | None = None
        self._keys: set[bytes] = set()
        self._members: set[str] = set()

    def take(self, words: list[str]) -> None:
        match words:
            case ["log", vkey] | ["log", vkey, _]:
                key = self._key(vkey)
                if key.kind == COSIGNATURE:
                    raise PolicyFileError(f"the key of log {key.name} is not of a type that a log signs with")
                self.logs.append(key)
            case ["witness", name, vkey, *url] if len(url) < 2:
                self._witness(name, vkey, "".join(url))
            case ["group", name, threshold, *members] if members:
                self._group(name, threshold, tuple(members))
            case ["quorum", name]:
                self._quorum(name)
            case _:
                raise PolicyFileError(f"not a line of a witness policy: {words[0][:32]!r}")

    def _key(self, vkey: str) -> VerifierKey:
        key = parse_vkey(text=vkey)
        # one key under two names would be counted twice towards a quorum
        if key.public in self._keys:
            raise PolicyFileError(f"the key of {key.name} stands twice")
        self._keys.add(key.public)
        return key

    def _witness(self, name: str, vkey: str, url: str) -> None:
        key = self._key(vkey)
        if key.kind not in COSIGNING:
            raise PolicyFileError(f"the key of witness {name} is not of the cosignature type")
        self._new(name)
        self.witnesses[name] = key
        self.urls[name] = url

    def _group(self, name: str, threshold: str, members: tuple[str, ...]) -> None:
        self._new(name)
        for member in members:
            self._known(member)
            # likewise a witness in two groups
            if member in self._members:
                raise PolicyFileError(f"{member[:64]!r} is a member twice")
            self._members.add(member)
        # any is 1 of n, all is n of n
        count = {"any": "1", "all": str(len(members))}.get(threshold, threshold)
        # isdigit alone would accept digits of other scripts
        if not count.isascii() or not count.isdigit() or not 1 <= int(count[:4]) <= len(members):
            raise PolicyFileError(f"{threshold[:16]!r} of {len(members)} members is no threshold")
        self.groups[name] = Group(threshold=int(count), members=members)

    def _quorum(self, name: str) -> None:
        if self.quorum is not None:
            raise PolicyFileError("a second quorum line")
        if name != "none":
            self._known(name)
        self.quorum = name

    def _new(self, name: str) -> None:
        if name in self.witnesses or name in self.groups or name == "none":
            raise PolicyFileError(f"the name {name[:64]!r} is taken")

    def _known(self, name: str) -> None:
        if name not in self.witnesses and name not in self.groups:
            raise PolicyFileError(f"nothing above is called {name[:64]!r}")
