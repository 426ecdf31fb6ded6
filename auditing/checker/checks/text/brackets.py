"""Checker: brackets pushed on a stack and popped, and the brackets that close what is left.

Each step is judged against the state that the step before it stated, not against the true one: only the first error of
a trace is an error of its own. A step that says nothing but its state is verified whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from auditing.checker.findings import Verdict
from auditing.checker.proofs.brackets import of_next, of_stack
from auditing.checker.reading.passages import Passage, Placed, Script, place

NAME = "brackets"
_OPENERS = {")": "(", "]": "[", "}": "{", ">": "<"}
_CLOSERS = {opener: closer for closer, opener in _OPENERS.items()}
_STACK = re.compile(r"^\s*([()\[\]{}<>])\s*;\s*stack:\s*((?:[()\[\]{}<>]\s*)*|empty)\s*$")
_START = re.compile(r"^\s*stack:\s*empty\s*$", re.IGNORECASE)
_FINAL = re.compile(r'final stack is (?:"([^"]{0,400})"|empty)')
_REACHED = re.compile(r"\s*now, we have reached the end\.\s*the\s*", re.IGNORECASE)
_ONE = r'"\s?[()\[\]{}<>]\s?"'
# the whole list: a shorter reading of it would accuse a right one
_QUOTED = rf'{_ONE}(?:\s?(?:, ?)?(?:and )?{_ONE}){{0,60}}(?!\s?,?\s?(?:and )?")'
_POPPED = re.compile(rf"(?:we will need to )?pop out ({_QUOTED})(?:,? one by one(?: in that order)?)?", re.IGNORECASE)
_NEEDED = re.compile(rf"(?:so, )?we need ({_QUOTED}|(?:[()\[\]{{}}<>] ?){{1,60}}|nothing)", re.IGNORECASE)
_ANSWER = re.compile(r"so the answer is\s*((?:[()\[\]{}<>] ?){0,200})\.?\s*$", re.IGNORECASE)


def check(script: Script) -> Iterator[Placed]:
    """State is carried from step to step; after a step that cannot be read, it is unknown."""
    tape = _Tape(script.problem.text)
    for passage in script.passages:
        yield from tape.read(passage)


class _Tape:
    """What the steps so far stated: the stack, what was popped of it, and which brackets are not read yet."""

    def __init__(self, problem: str) -> None:
        self.waiting = _chars(problem)
        self.sequence = (
            problem[problem.find(self.waiting[0]) : problem.rfind(self.waiting[-1]) + 1] if self.waiting else ""
        )
        self.moves: list[str] = []
        self.stack: list[str] | None = None
        self.closing: list[str] | None = None  # what must close, once the end was reached
        self.because: tuple[str, list[str]] = ("", [])  # how what must close follows from what was told last
        self.stated = ""  # the text that states the stack

    def read(self, passage: Passage) -> Iterator[Placed]:
        """The findings of one step."""
        if _START.match(passage.text):
            self.stack, self.closing, self.stated = [], None, passage.text
            yield _stated(passage, (0, len(passage.text)), ("empty", "empty"), "stack", self._proof("same", [], []))
        elif self.stack is not None and (match := _STACK.match(passage.text)):
            yield from self._move(passage, match[1], _chars(match[2]))
        elif self.stack is not None and (final := _FINAL.search(passage.text)):
            yield from self._end(passage, final)
        elif self.stack is not None:
            yield from self._close(passage)

    def _proof(self, move: str, before: list[str], claimed: list[str]) -> dict[str, str]:
        return of_stack(move, before, claimed, self.stated)

    def _move(self, passage: Passage, char: str, claimed: list[str]) -> Iterator[Placed]:
        stack, whole = self.stack or [], (0, len(passage.text))
        next_bracket = self.waiting.pop(0) if self.waiting else "the end"
        # a bracket read out of turn; the queue is set so that the steps after it are judged by what they read
        # themselves
        if next_bracket != char:
            proof = of_next(self.sequence, self.moves, char)
            yield _stated(passage, whole, (char, next_bracket), "next bracket", proof)
            self.waiting = [char, *self.waiting][: len(self.waiting)]
        proof = self._proof("moved", [*stack, char], claimed)
        yield _stated(passage, whole, (_told(claimed), _moved(stack, char)), "stack", proof)
        self.stack, self.stated = claimed, passage.text
        self.moves.append(passage.text)

    def _end(self, passage: Passage, final: re.Match[str]) -> Iterator[Placed]:
        claimed, stack = _chars(final[1] or ""), self.stack or []
        is_early = bool(self.waiting) and len(stack) + len(self.waiting) > len(claimed)
        if is_early:
            proof = of_next(self.sequence, self.moves, "")
            yield _stated(passage, (0, final.end()), ("the end", self.waiting[0]), "next bracket", proof)
        is_bare = bool(_REACHED.fullmatch(passage.text[: final.start()])) and not passage.text[final.end() :].strip(
            ". "
        )
        span = (0, len(passage.text)) if is_bare and not is_early else final.span()
        yield _stated(passage, span, (_told(claimed), _told(stack)), "stack", self._proof("same", stack, claimed))
        # the problem was not read to its end: what closes it cannot be told from this stack
        self.closing = None if self.waiting else _closers(claimed)
        self.stack, self.because, self.stated = claimed, ("closed", claimed), passage.text

    def _close(self, passage: Passage) -> Iterator[Placed]:
        """What is popped, which brackets that needs, and the answer that is made of them, each against the last."""
        findings, unread = [], passage.text
        if match := _POPPED.search(passage.text):
            popped, stack = _chars(match[1]), self.stack or []
            values, proof = (_told(popped), _told(stack[::-1])), self._proof("turned", stack, popped)
            findings.append(_stated(passage, match.span(1), values, "pops", proof))
            # What follows is judged by what is said here, even where it is wrong: one slip is accused once.
            self.because, self.stated = ("matched", popped), passage.text
            self.closing = None if self.closing is None else _closers(popped[::-1])
            unread = unread.replace(match[0], "", 1)
        for pattern, rule in ((_NEEDED, "closing brackets"), (_ANSWER, "answer")):
            if self.closing is not None and (match := pattern.search(passage.text)):
                needed = _chars(match[1])
                proof, span = self._proof(*self.because, needed), match.span(1) if needed else match.span()
                findings.append(_stated(passage, span, (_told(needed), _told(self.closing)), rule, proof))
                self.closing, self.because, self.stated = needed, ("same", needed), passage.text
                unread = unread.replace(match[0], "", 1)
        # The whole passage counts as proved only when no word of it was left unread.
        is_verified = bool(findings) and all(f.finding.verdict is Verdict.VERIFIED for f in findings)
        if is_verified and not unread.strip(" ."):
            last = findings[-1].finding
            told, proof = last.evidence.details["said"], {"proof": last.proof}
            findings.append(_stated(passage, (0, len(passage.text)), (told, told), "closing brackets", proof))
        yield from findings


def _moved(stack: Sequence[str], char: str) -> str:
    if char not in _OPENERS:
        return " ".join([*stack, char])
    if not stack or stack[-1] != _OPENERS[char]:
        return f"not possible: {char} closes nothing"
    return " ".join(stack[:-1]) or "empty"


def _closers(stack: Sequence[str]) -> list[str]:
    return [_CLOSERS.get(char, char) for char in reversed(stack)]


def _chars(text: str) -> list[str]:
    return [char for char in text if char in "()[]{}<>"]


def _told(brackets: Sequence[str]) -> str:
    return " ".join(brackets) or "empty"


def _stated(
    passage: Passage, span: tuple[int, int], values: tuple[str, str], rule: str, proof: dict[str, str]
) -> Placed:
    """values: (claimed, expected)."""
    claimed, expected = values
    holds = claimed == expected
    sentence = f"The {rule} is {expected}, as said." if holds else f"The {rule} is {expected}, not {claimed}."
    details = {"said": claimed, "computed": expected, "rule": rule, "evidence_latex": rf"\text{{{rule}: }}"}
    return place(
        passage=passage,
        start=span[0],
        end=span[1],
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        checker=NAME,
        rule=rule,
        sentence=sentence,
        details=details | proof,
    )
