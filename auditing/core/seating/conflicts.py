"""Conflicts of interest between a reviewer and the provider of a trace, from what either side declares.

Names are written by two people who never met: case, blanks, punctuation and the legal form behind an organisation make
no difference, and a domain stands for every address in it. Anything looser would let a short word shut people out of
work without their knowing.
"""

import re
from dataclasses import dataclass

_LEGAL_FORMS = frozenset(
    "inc incorporated corp corporation co company llc llp lp ltd limited plc pbc gmbh ag kg ug se sa sas sarl srl spa "
    "bv nv ab as asa oy oyj aps kk pty pte pvt".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """One side: its names (address, pseudonym), its organisation, and whom it declared a conflict with."""

    names: frozenset[str]
    organisation: str = ""
    conflicts: frozenset[str] = frozenset()


def party(*, names: tuple[str, ...], organisation: str = "", conflicts: tuple[str, ...] = ()) -> Party:
    """A party with everything folded, so that case and blanks make no difference."""
    return Party(
        names=frozenset(map(_folded, names)) - {""},
        organisation=_folded(organisation),
        conflicts=frozenset(map(_folded, conflicts)) - {""},
    )


def find_conflict(*, reviewer: Party, provider: Party) -> str:
    """Why `reviewer` must not judge a trace of `provider`, or "".

    >>> here, there = party(names=("a@x.org",), organisation="ETH "), party(names=("b@y.org",), organisation="eth")
    >>> find_conflict(reviewer=here, provider=there)
    'same organisation'
    """
    if reviewer.names & provider.names:
        return "own trace"
    if reviewer.organisation and reviewer.organisation == provider.organisation:
        return "same organisation"
    if _declares(reviewer, provider):
        return "declared by the reviewer"
    if _declares(provider, reviewer):
        return "declared by the provider"
    return ""


def _declares(party: Party, opponent: Party) -> bool:
    """Whether `party` declared a conflict with `opponent`: one of its names, the domain of one, its organisation."""
    domains = {domain for name in opponent.names if "@" in name for domain in _domains(name.rpartition("@")[2])}
    return bool(party.conflicts & (opponent.names | domains | {opponent.organisation}))


def _domains(host: str) -> list[str]:
    """The domain of an address, and those that it lies in: models.acme.com, acme.com."""
    labels = host.split(".")
    return [".".join(labels[start:]) for start in range(len(labels) - 1)]


def _folded(words: str) -> str:
    """One spelling of a name.

    >>> _folded("Acme  Labs, Inc.") == _folded("ACME LABS"), _folded("@acme.com"), _folded("Inc.")
    (True, 'acme.com', 'inc')
    """
    # casefold, not lower: "STRASSE" and "Straße" are one organisation
    text = words.casefold().strip()
    if re.fullmatch(r"[^\s@]{0,64}@[^\s@]{1,255}", text):
        return text.removeprefix("@")
    if re.fullmatch(r"[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,8}", text) and "." in text.strip("."):
        return text
    named = re.sub(r"[^\w&+]+", " ", text.replace(".", "").replace("'", "")).split()
    while len(named) > 1 and named[-1] in _LEGAL_FORMS:
        named.pop()
    return " ".join(named)
