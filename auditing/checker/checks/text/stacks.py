"""Checker: brackets pushed and popped, tracked swaps, where a step states them."""

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
    waiting = [char for char in script.problem.text if char in "()[]{}<>"]
    for passage in script.passages:
        if _START.match(passage.text):
            stack = []
            continue
        match = _STACK.match(passage.text)
        if match and stack is not None:
            said = [char for char in match[2] if char in "()[]{}<>"]
            after = _moved(stack, match[1])
            due = waiting.pop(0) if waiting else "the end"
            if due != match[1]:
                yield stated(passage, 0, len(passage.text), match[1], due, "next bracket")
                waiting = [match[1], *waiting][: len(waiting)]
            yield stated(passage, 0, len(passage.text), " ".join(said) or "empty", after, "stack")
            stack = said
        elif (final := _FINAL.search(passage.text)) and stack is not None:
            said = [char for char in final[1] if char in "([{<"]
            yield stated(
                passage, final.start(), final.end(), " ".join(said) or "empty", " ".join(stack) or "empty", "stack"
            )
            if waiting and len(stack) + len(waiting) > len(said):
                yield stated(passage, 0, final.end(), "the end", waiting[0], "next bracket")
        elif (popped := _POPPED.search(passage.text)) and stack:
            said = re.findall(r'"(.)"', popped[1])
            yield stated(passage, popped.start(), popped.end(), " ".join(said), " ".join(reversed(stack)), "pops")


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
        listed = dict(_HOLDS.findall(match[3] if match else passage.text))
        if match and match[1] in state and match[2] in state:
            after = dict(state)
            after[match[1]], after[match[2]] = state[match[2]], state[match[1]]
            if set(listed) == set(after):
                said, true = _told(listed), _told(after)
                yield stated(passage, match.start(), match.end(), said, true, "swap")
        if len(listed) > 1 and (match or not state):
            state = listed


def _told(state: dict[str, str]) -> str:
    return ", ".join(f"{name}: {state[name]}" for name in sorted(state))


def stated(passage: Passage, start: int, end: int, said: str, true: str, rule: str) -> Placed:
    holds = said == true
    sentence = f"The {rule} is {true}, as said." if holds else f"The {rule} is {true}, not {said}."
    details = {"said": said, "computed": true, "rule": rule, "evidence_latex": rf"\text{{{rule}: }}"}
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
