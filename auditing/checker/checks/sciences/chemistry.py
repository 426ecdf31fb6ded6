"""Checker: chemical equations that are called balanced, and molar masses.

Data: standard atomic weights, abridged to four digits, of the elements that texts weigh; source: IUPAC Commission on
Isotopic Abundances and Atomic Weights, "Standard atomic weights of the elements 2021", Pure Appl. Chem. 94 (2022).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from auditing.checker.findings import Grade, Verdict
from auditing.checker.reading.passages import Passage, Placed, Script, place
from hdag.core.text.cues import Cue

NAME = "chemistry"
_WEIGHTS = """
    H 1.008 He 4.003 Li 6.94 Be 9.012 B 10.81 C 12.01 N 14.01 O 16.00 F 19.00 Ne 20.18 Na 22.99 Mg 24.31 Al 26.98
    Si 28.09 P 30.97 S 32.06 Cl 35.45 Ar 39.95 K 39.10 Ca 40.08 Ti 47.87 V 50.94 Cr 52.00 Mn 54.94 Fe 55.85 Co 58.93
    Ni 58.69 Cu 63.55 Zn 65.38 Br 79.90 Rb 85.47 Sr 87.62 Mo 95.95 Ag 107.9 Cd 112.4 Sn 118.7 I 126.9 Cs 132.9 Ba 137.3
    W 183.8 Pt 195.1 Au 197.0 Hg 200.6 Pb 207.2 Bi 209.0 U 238.0
"""
_CELLS = _WEIGHTS.split()
WEIGHTS = {symbol: float(weight) for symbol, weight in zip(_CELLS[::2], _CELLS[1::2], strict=True)}
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_STATE = re.compile(r"\((?:aq|s|l|g)\)")
_ATOM = re.compile(r"([A-Z][a-z]?)(\d{0,3})|([(\[])|([)\]])(\d{0,3})")
_FORMULA = r"(?:\d{1,3}\s?)?[A-Z(\[][A-Za-z0-9()\[\]₀-₉]{0,40}(?:\((?:aq|s|l|g)\))?"
_SIDE = rf"{_FORMULA}(?:\s\+\s{_FORMULA}){{0,6}}"
_REACTION = re.compile(rf"(?P<left>{_SIDE})\s?(?:->|-->|→|⟶|⇌|=>)\s?(?P<right>{_SIDE})(?![\w^+\-·])")
_BALANCED = Cue(r"\bbalanced\b", re.IGNORECASE)
_OTHERWISE = re.compile(
    r"\b(?:not|un|isn['’]t|if|whether|unbalanced|to be|must|should|skeleton|check|option|choice)\b", re.IGNORECASE
)
_MASS = re.compile(
    r"\bmolar mass of\s(?P<formula>[A-Z][A-Za-z0-9()₀-₉]{0,30})\s(?:is|=)\s(?:about |approximately )?"
    r"(?P<mass>\d{1,4}(?:\.\d{1,4})?)\s?g/mol"
)
_SENTENCE = re.compile(r"[.!?]\s|\n")
# share by which rounded atomic weights may move a molar mass
ROUNDED = 0.006


def check(script: Script) -> Iterator[Placed]:
    """Every equation that its sentence calls balanced, and every molar mass."""
    is_balanced, has_mass = _BALANCED.may_match(script.text), "molar mass" in script.text
    for passage in script.passages if is_balanced or has_mass else ():
        if _BALANCED.search(passage.text):
            for match in _REACTION.finditer(passage.text):
                yield from _balance(passage, match)
        if "molar mass" in passage.text:
            for match in _MASS.finditer(passage.text):
                yield from _mass(passage, match)


def _balance(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    head = _SENTENCE.split(passage.text[max(0, match.start() - 120) : match.start()])[-1]
    tail = _SENTENCE.split(passage.text[match.end() : match.end() + 80])[0]
    sides = [atoms_of_side(match[name]) for name in ("left", "right")]
    if sides[0] is None or sides[1] is None or not _BALANCED.search(head + " " + tail):
        return
    differing = sorted(element for element in sides[0] | sides[1] if sides[0][element] != sides[1][element])
    if differing and _OTHERWISE.search(head + " " + tail):
        return
    counts = ", ".join(f"{element}: {sides[0][element]} and {sides[1][element]}" for element in differing[:4])
    sentence = f"{match.group()}: {counts or 'every element stands on both sides alike'}."
    yield _placed(passage, match, "a balance of elements", not differing, sentence)


def _mass(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    atoms = atoms_of(match["formula"])
    if atoms is None or not set(atoms) <= set(WEIGHTS):
        return
    computed, written = sum(WEIGHTS[element] * count for element, count in atoms.items()), float(match["mass"])
    unit = 10.0 ** -len(match["mass"].partition(".")[2])
    sentence = f"The molar mass of {match['formula']} is {computed:.2f} g/mol by standard atomic weights."
    holds = abs(computed - written) <= max(unit, ROUNDED * computed)
    yield _placed(passage, match, "a molar mass", holds, sentence)


def _placed(passage: Passage, match: re.Match[str], rule: str, holds: bool, sentence: str) -> Placed:
    return place(
        passage=passage,
        start=match.start(),
        end=match.end(),
        checker=NAME,
        rule=rule,
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        sentence=sentence,
        details={"read": match.group(), "rule": rule},
        grade=Grade.LIKELY,
    )


def atoms_of_side(text: str) -> Counter[str] | None:
    """The atoms of one side: 2 H2 + O2."""
    total: Counter[str] = Counter()
    for term in text.split(" + "):
        match = re.fullmatch(r"(\d{0,3})\s?(.+)", _STATE.sub("", term.strip()))
        atoms = atoms_of(match[2]) if match else None
        if match is None or atoms is None:
            return None
        for element, count in atoms.items():
            total[element] += count * int(match[1] or 1)
    return total


def atoms_of(formula: str) -> Counter[str] | None:
    """How many atoms of each element a formula has; None for what is none.

    >>> sorted(atoms_of("Ca(OH)2").items())
    [('Ca', 1), ('H', 2), ('O', 2)]
    """
    open_groups: list[Counter[str]] = [Counter()]
    at, text = 0, formula.translate(_SUBSCRIPTS)
    for match in _ATOM.finditer(text):
        if match.start() != at:
            return None
        at = match.end()
        if match[3]:
            open_groups.append(Counter())
        elif match[4]:
            if len(open_groups) < 2:
                return None
            for element, count in open_groups.pop().items():
                open_groups[-1][element] += count * int(match[5] or 1)
        elif match[1] not in WEIGHTS:
            return None
        else:
            open_groups[-1][match[1]] += int(match[2] or 1)
    return open_groups[0] if at == len(text) and len(open_groups) == 1 and open_groups[0] else None
