"""Names of people and organisations as two people write them who never met.

Case, blanks, punctuation and the legal form behind an organisation make no difference. Anything looser would let a
short word stand for many.
"""

import re
from collections.abc import Iterable

_LEGAL_FORMS = frozenset(
    "inc incorporated corp corporation co company llc llp lp ltd limited plc pbc gmbh ag kg ug se sa sas sarl srl spa "
    "bv nv ab as asa oy oyj aps kk pty pte pvt".split()
)


def domains_of(names: Iterable[str]) -> frozenset[str]:
    """The domain of every address among `names`, and those that it lies in.

    >>> sorted(domains_of(["ann@models.acme.com", "ann"]))
    ['acme.com', 'models.acme.com']
    """
    hosts = [name.rpartition("@")[2].split(".") for name in names if "@" in name]
    return frozenset(".".join(labels[start:]) for labels in hosts for start in range(len(labels) - 1))


def all_folded(names: Iterable[str]) -> frozenset[str]:
    """One spelling of each name that has one."""
    return frozenset(map(folded, names)) - {""}


def folded(words: str) -> str:
    """One spelling of a name.

    >>> folded("Acme  Labs, Inc.") == folded("ACME LABS"), folded("@acme.com"), folded("Inc.")
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
