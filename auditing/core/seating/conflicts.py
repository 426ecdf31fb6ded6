"""Conflicts of interest between a reviewer and the provider of a trace, from what either side declares."""

from dataclasses import dataclass

from hdag.core.text.names import all_folded, domains_of, folded


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """One side: its names (address, pseudonym), its organisation, and whom it declared a conflict with."""

    names: frozenset[str]
    organisation: str = ""
    conflicts: frozenset[str] = frozenset()


def party(*, names: tuple[str, ...], organisation: str = "", conflicts: tuple[str, ...] = ()) -> Party:
    """A party with everything folded, so that case and blanks make no difference."""
    return Party(names=all_folded(names), organisation=folded(organisation), conflicts=all_folded(conflicts))


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
    return "declared by the provider" if _declares(provider, reviewer) else ""


def _declares(party: Party, opponent: Party) -> bool:
    """Whether `party` declared a conflict with `opponent`: one of its names, the domain of one, its organisation."""
    return bool(party.conflicts & (opponent.names | domains_of(opponent.names) | {opponent.organisation}))
