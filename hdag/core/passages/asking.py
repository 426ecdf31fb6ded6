"""What is asked of nobody: the reason code of each atom, "" for one that claims something of its own."""

import re
from collections.abc import Collection, Sequence

from hdag.core.passages.atoms import Atom
from hdag.core.passages.values import Why

_HEADING = re.compile(r"#{1,6} [^\n]*|\*\*[^*\n]{1,120}\*\*:?|(?:step|part|case)\s+\d{1,3}\s*[:.]?", re.IGNORECASE)
_PROMPT = re.compile(r"(?:</?[a-z_|]{2,24}>\s*)+|TERMINATE\.?|exitcode: \d+ \([\w ]+\)", re.IGNORECASE)
LEAST = 12  # letters and digits of a claim that can be judged
REPEATED = 20  # letters and digits from which a verbatim repeat is one


def find_reasons(*, atoms: Sequence[Atom], problem: str, verified: Collection[str]) -> list[Why]:
    """For each atom why it is asked of nobody, Why.ASKED where it is."""
    given, seen = bare(problem), set[str]()
    reasons = []
    for atom in atoms:
        letters = bare(atom.text)
        reasons.append(_reason(atom, letters, given, seen, verified))
        if len(letters) >= REPEATED:
            seen.add(letters)
    return reasons


def _reason(atom: Atom, letters: str, given: str, seen: Collection[str], verified: Collection[str]) -> Why:
    text = atom.text.strip()
    if not letters:
        return Why.SEPARATOR
    if _PROMPT.fullmatch(text):
        return Why.PROMPT
    if _HEADING.fullmatch(text):
        return Why.HEADING
    if atom.label in verified:
        return Why.PROVED
    if len(letters) >= REPEATED and letters in seen:
        return Why.REPEAT
    if len(letters) >= 2 * REPEATED and letters in given:
        return Why.RESTATED_PROBLEM
    return announces_or_fragment(text, letters)


def announces_or_fragment(text: str, letters: str) -> Why:
    """Whether `text` only announces, or is too little to be judged."""
    if text.rstrip("*_ ").endswith(":") and len(text) < 120:
        return Why.LEAD_IN
    return Why.FRAGMENT if len(letters) < LEAST else Why.ASKED


def bare(text: str) -> str:
    """Letters and digits alone, in lower case: what two verbatim repeats share whatever their marks."""
    return "".join(filter(str.isalnum, text.lower()))
