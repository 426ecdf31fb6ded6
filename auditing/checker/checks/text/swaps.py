"""Checker: people who swap things, where each step states who holds what.

Each step is judged against the state that the step before it stated, not against the true one: only the first error of
a trace is an error of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditing.checker.findings import Verdict
from auditing.checker.proofs.formulas import packed
from auditing.checker.reading.passages import Passage, Placed, Script, place
from hdag.core.text.cues import Cue

NAME = "domains"
_SWAP = Cue(
    r"\b([A-Z]\w{0,20}) and ([A-Z]\w{0,20}) (?:swap|switch|trade|exchange)\w*[^:\n]{0,60}:\s*(.{3,600})$", re.DOTALL
)
_HOLDS = Cue(r"([A-Z]\w{0,20}): ([^,:\n]{1,60}?)(?=,|\.|$)")


def check(script: Script) -> Iterator[Placed]:
    """State is carried from step to step; after a step that cannot be read, it is unknown."""
    state: dict[str, str] = {}
    state_text = ""
    for passage in script.passages:
        # a state is told behind a colon, and most passages have none
        if ":" not in passage.text:
            continue
        match = _SWAP.search(passage.text)
        holdings = dict(_HOLDS.findall(match[3] if match else passage.text))
        if match and match[1] in state and match[2] in state:
            swapped = dict(state)
            swapped[match[1]], swapped[match[2]] = state[match[2]], state[match[1]]
            if set(holdings) == set(swapped):
                claimed, expected = _told(holdings), _told(swapped)
                proof = _proof(state, (match[1], match[2]), holdings, (state_text, match.group()))
                yield stated(passage, match.start(), match.end(), claimed, expected, "swap", proof=proof)
        # what this step states is the state that the next one starts from
        if len(holdings) > 1 and (match or not state):
            state, state_text = holdings, passage.text.strip()


def _told(state: dict[str, str]) -> str:
    return ", ".join(f"{name}: {state[name]}" for name in sorted(state))


def _proof(
    state: dict[str, str], swap: tuple[str, str], holdings: dict[str, str], texts: tuple[str, str]
) -> dict[str, str]:
    """The state before, the one swap, and what is said of the state behind it."""
    claims = [list(pair) for pair in holdings.items()]
    start = {"start": [list(pair) for pair in state.items()], "swaps": [list(swap)], "texts": list(texts)}
    return packed({"kind": "exchange", **start, "claims": claims, "states": [1]})


def stated(
    passage: Passage,
    start: int,
    end: int,
    claimed: str,
    expected: str,
    rule: str,
    name: str = NAME,
    proof: dict[str, str] | None = None,
) -> Placed:
    """A claim beside what is true; a proof stands for its refutation alone."""
    holds = claimed == expected
    sentence = f"The {rule} is {expected}, as said." if holds else f"The {rule} is {expected}, not {claimed}."
    details = {"said": claimed, "computed": expected, "rule": rule, "evidence_latex": rf"\text{{{rule}: }}"}
    if proof and not holds:
        details |= {"line": passage.text[start:end], **proof}
    return place(
        passage=passage,
        start=start,
        end=end,
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        checker=name,
        rule=rule,
        sentence=sentence,
        details=details,
    )
