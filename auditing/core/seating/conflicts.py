"""Conflicts of interest between a reviewer and the provider of a trace, from what either side declares."""

from dataclasses import dataclass


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
    """Whether `party` declared a conflict with `opponent`, by one of its names or by its organisation."""
    return bool(party.conflicts & (opponent.names | {opponent.organisation}))


def _folded(words: str) -> str:
    # casefold, not lower: "STRASSE" and "Straße" are one organisation
    return " ".join(words.split()).casefold()
