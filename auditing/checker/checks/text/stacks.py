"""Checker: tasks whose state is tracked step by step: brackets pushed on a stack and popped, people who swap things.

Each step is judged against the state that the step before it stated, not against the true one: only the first error of
a trace is an error of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditing.checker.findings import Verdict
from auditing.checker.reading.passages import Passage, Placed, Script, place

NAME = "domains"
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}
_STACK = re.compile(r"^\s*([()\[\]{}<>])\s*;\s*stack:\s*((?:[()\[\]{}<>]\s*)*|empty)\s*$")
_START = re.compile(r"^\s*stack:\s*empty\s*$", re.IGNORECASE)
_FINAL = re.compile(r'final stack is "([^"]{0,400})"')
_POPPED = re.compile(r'pop out ((?:"[(\[{<>\]})]",?\s?){1,60})one by one')
_SWAP = re.compile(
    r"\b([A-Z]\w{0,20}) and ([A-Z]\w{0,20}) (?:swap|switch|trade|exchange)\w*[^:\n]{0,60}:\s*(.{3,600})$", re.DOTALL
)
_HOLDS = re.compile(r"([A-Z]\w{0,20}): ([^,:\n]{1,60}?)(?=,|\.|$)")


def check(script: Script) -> Iterator[Placed]:
    """State is carried from step to step; after a step that cannot be read, it is unknown."""
    yield from _stacks(script)
    yield from _swaps(script)


def _stacks(script: Script) -> Iterator[Placed]:
    stack: list[str] | None = None
    # the brackets of the problem that were not read yet
    waiting = [char for char in script.problem.text if char in "()[]{}<>"]
    for passage in script.passages:
        if _START.match(passage.text):
            stack = []
            continue
        match = _STACK.match(passage.text)
        if match and stack is not None:
            claimed = [char for char in match[2] if char in "()[]{}<>"]
            expected = _moved(stack, match[1])
            next_bracket = waiting.pop(0) if waiting else "the end"
            # a bracket read out of turn; the queue is set so that the steps after it are judged by what they read
            # themselves
            if next_bracket != match[1]:
                yield stated(passage, 0, len(passage.text), match[1], next_bracket, "next bracket")
                waiting = [match[1], *waiting][: len(waiting)]
            yield stated(passage, 0, len(passage.text), " ".join(claimed) or "empty", expected, "stack")
            stack = claimed
        elif (final := _FINAL.search(passage.text)) and stack is not None:
            claimed = [char for char in final[1] if char in "([{<"]
            yield stated(
                passage, final.start(), final.end(), " ".join(claimed) or "empty", " ".join(stack) or "empty", "stack"
            )
            if waiting and len(stack) + len(waiting) > len(claimed):
                yield stated(passage, 0, final.end(), "the end", waiting[0], "next bracket")
        elif (popped := _POPPED.search(passage.text)) and stack:
            claimed = re.findall(r'"(.)"', popped[1])
            yield stated(passage, popped.start(), popped.end(), " ".join(claimed), " ".join(reversed(stack)), "pops")


def _moved(stack: list[str], char: str) -> str:
    if char not in _PAIRS:
        return " ".join([*stack, char])
    if not stack or stack[-1] != _PAIRS[char]:
        return f"not possible: {char} closes nothing"
    return " ".join(stack[:-1]) or "empty"


def _swaps(script: Script) -> Iterator[Placed]:
    state: dict[str, str] = {}
    for passage in script.passages:
        match = _SWAP.search(passage.text)
        holdings = dict(_HOLDS.findall(match[3] if match else passage.text))
        if match and match[1] in state and match[2] in state:
            swapped = dict(state)
            swapped[match[1]], swapped[match[2]] = state[match[2]], state[match[1]]
            if set(holdings) == set(swapped):
                claimed, expected = _told(holdings), _told(swapped)
                yield stated(passage, match.start(), match.end(), claimed, expected, "swap")
        # what this step states is the state that the next one starts from
        if len(holdings) > 1 and (match or not state):
            state = holdings


def _told(state: dict[str, str]) -> str:
    return ", ".join(f"{name}: {state[name]}" for name in sorted(state))


def stated(passage: Passage, start: int, end: int, claimed: str, expected: str, rule: str) -> Placed:
    holds = claimed == expected
    sentence = f"The {rule} is {expected}, as said." if holds else f"The {rule} is {expected}, not {claimed}."
    details = {"said": claimed, "computed": expected, "rule": rule, "evidence_latex": rf"\text{{{rule}: }}"}
    return place(
        passage=passage,
        start=start,
        end=end,
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        checker=NAME,
        rule=rule,
        sentence=sentence,
        details=details,
    )
