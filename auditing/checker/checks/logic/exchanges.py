"""Checker: who holds what after swaps, against the state after each swap of the problem.

A line that names its time ("at the end", "after the second swap", "Bob and Dave swap: ...") is held against that
state; any other against all of them, and refuted only where it holds at no time. A step that tells a swap with the
whole state behind it is also held against what the step before it stated: of a slip the first step alone is a fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat

from auditing.checker.checks.logic.axes import COUNTS, ORDINAL, number_of
from auditing.checker.checks.logic.holdings import Holdings, State, find_holdings
from auditing.checker.checks.logic.plainness import OF_SWAPS, first_heading, is_set_apart, words_known
from auditing.checker.checks.logic.sentences import Sentence, is_hedged, sentences_of, supposes
from auditing.checker.findings import Grade, Verdict
from auditing.checker.proofs.formulas import packed
from auditing.checker.reading.passages import Passage, Placed, Script, place
from hdag.core.text.cues import Cue

NAME = "exchanges"
_END = re.compile(
    r"\b(?:at|in|by) the (?:very )?end\b|\bafter all\b|\bfinal(?:ly)?\b(?! swap| switch| trade| exchange)|\bends? up\b|"
    r"\bat the conclusion\b|\bin conclusion\b",
    re.IGNORECASE,
)
_START = re.compile(r"\b(?:at the (?:start|beginning)|initial(?:ly)?|starts? (?:with|out)|to begin)\b", re.IGNORECASE)
_AFTER = re.compile(
    rf"\bafter (?:the )?(?:(?P<nth>{ORDINAL}) (?:swap|switch|trade|exchange|step)|(?:step|swap|trade) (?P<step>\d)|"
    r"(?P<count>one|two|three|four|five|six|\d) (?:swaps|switches|trades|exchanges|steps))\b",
    re.IGNORECASE,
)
_OTHER_TIMES = re.compile(
    r"\b(?:before|previously|had|was|were|until|used to|originally|started|began|still|next|will|wants?|gives?|gave|"
    r"receives? .{0,30} from|from|instead|same as|not|never|no longer|n['’]t)\b",
    re.IGNORECASE,
)
# a step that tells a swap, and behind a colon what everybody holds
_STEP = Cue(
    r"\b([A-Z]\w{0,20}) and ([A-Z]\w{0,20}) (?:swap|switch|trade|exchange)\w*[^:\n]{0,60}:\s*(.{3,600})$", re.DOTALL
)
_TOLD = Cue(r"([A-Z]\w{0,20}): ([^,:\n]{1,60}?)(?=,|\.|$)")
# times are read, not frames
_TIME = re.compile(
    r"\b(?:(?:at|in|by) the (?:\w+ )?(?:end|start|beginning)(?: of the \w+)?|after (?:the |"
    r"all (?:of )?(?:the )?)?[\w ]{1,20}?"
    r"(?:swap|switch|trade|exchange|step)s?|in the (?:\w+ )?(?:swap|switch|trade|exchange|step)|with each other)\b",
    re.IGNORECASE,
)
_SWAP_WORD = re.compile(r"\b(?:swap|switch|trade|exchange)\w*", re.IGNORECASE)
_ANSWER = re.compile(
    r"\b(?:answer|correct (?:option|choice|answer))(?:\sis|:)\s?(?:option |choice )?\W{0,4}\(?([A-H])\)?(?![\w'’])",
    re.IGNORECASE,
)
_OPTION = re.compile(r"\(([A-H])\)\s{0,3}([^\n(]{1,80})")
_ASKED = re.compile(
    r"\b(?:at|in) the end\b[^.?\n]{0,40},\s(?:the )?([A-Za-z][a-z]{1,20})\s(?:has|is|holds)[^.?\n]{0,25}$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Claim:
    """Pairs of holder and thing, the numbers of the states that they may belong to, and where they were read."""

    pairs: tuple[tuple[str, str], ...]
    times: tuple[int, ...]
    start: int
    end: int


def check(script: Script) -> Iterator[Placed]:
    """Statements of who holds what that no state of the problem bears out, or that a step before contradicts."""
    holdings = find_holdings(script.problem.text)
    if holdings is None and not script.near(_STEP):
        return
    by_problem = _by_problem(script, holdings) if holdings else repeat([])
    # a step is held against another one, whatever is supposed; but not every language is read
    due = Grade.LIKELY if script.is_in_another_language else Grade.CERTAIN
    for passage, told, placed in zip(script.passages, _by_steps(script), by_problem, strict=False):
        yield from placed
        if told is None:
            continue
        before, claim = told
        holds = _holds(claim, before, 1)
        start, end = passage.start + claim.start, passage.start + claim.end
        # what the problem refutes is neither refuted again nor called right because a step before was wrong
        if not any((holds or rival.finding.accuses) and rival.start < end and start < rival.end for rival in placed):
            yield _judged(passage, before, claim, Verdict.VERIFIED if holds else Verdict.REFUTED, due)


def _by_problem(script: Script, holdings: Holdings) -> Iterator[list[Placed]]:
    """For each passage what the swaps of the problem refute."""
    reader = _Reader(holdings, script.problem.text)
    vocabulary = words_known(script.problem.text) | OF_SWAPS | set(map(str.lower, holdings.initials))
    is_supposed = script.is_in_another_script
    for passage in script.passages:
        is_supposed = is_supposed or supposes(passage)
        text = passage.text[:8_000]
        heading = first_heading(_TIME.sub(lambda time: " " * len(time.group()), text), vocabulary)
        placed = []
        for sentence in sentences_of(text):
            for claim in reader.claims(sentence):
                if not any(_holds(claim, holdings, time) for time in claim.times):
                    before = _TIME.sub(" ", text[sentence.start : claim.start])
                    is_apart = claim.start > heading or is_set_apart(text, sentence, before, vocabulary)
                    grade = Grade.LIKELY if is_supposed or is_apart else Grade.CERTAIN
                    placed.append(_judged(passage, holdings, claim, Verdict.REFUTED, grade))
        yield placed


def _by_steps(script: Script) -> Iterator[tuple[Holdings, Claim] | None]:
    """For each passage the swap that it tells, from the state that was told last, and what it says of the next."""
    state: State = {}
    text = ""
    for passage in script.passages:
        # a state is told behind a colon, and most passages have none
        match = _STEP.search(passage.text) if ":" in passage.text else None
        told = dict(_TOLD.findall(match[3] if match else passage.text)) if ":" in passage.text else {}
        if match and {match[1], match[2]} <= state.keys() == told.keys():
            swapped = Holdings.swapped(state, [(match[1], match[2])], [text, match.group()])
            yield swapped, Claim(tuple(told.items()), (1,), match.start(), match.end())
        else:
            yield None
        # what this step states is the state that the next one starts from
        if len(told) > 1 and (match or not state):
            state, text = told, passage.text.strip()


def _holds(claim: Claim, holdings: Holdings, time: int) -> bool:
    return all(holdings.states[time][holder] == thing for holder, thing in claim.pairs)


class _Reader:
    """Reads claims with the names of one problem."""

    def __init__(self, holdings: Holdings, problem: str) -> None:
        self.holdings, self.problem = holdings, problem
        self.last = len(holdings.states) - 1
        things = sorted((thing for _, thing in holdings.start), key=len, reverse=True)
        self.things = {thing.lower(): thing for thing in things}
        thing = (
            r"[\"'“‘]?(?:(?:an?|the|seat|their|his|her) )?[\"'“‘]?"
            rf"(?P<thing>{'|'.join(map(re.escape, things))})(?![\w-])"
        )
        holders = holdings.holder_pattern
        verb = (
            r"(?:(?:now|then|thus|therefore|also|currently|finally) )?(?:"
            r"(?:is|has|holds|gets|plays|takes|owns|sits)(?: (?:now|then|thus|therefore|currently|the one))?"
            r"(?: (?:holding|playing|dancing with|with|in|on|at|left with|partnered with|paired with))?|"
            r"ends? up (?:with|in|on|holding|playing|dancing with)|gets|receives|['’]s (?:\w+ )?is (?:now )?)"
        )
        self.spoken = re.compile(rf"\b(?:the )?(?P<holder>{holders})\s?{verb} {thing}", re.IGNORECASE)
        initials = "|".join(holdings.initials)
        names = f"{holders}|{initials}" if initials else holders
        self.listed = re.compile(
            rf"(?<![\w])(?P<holder>{names})(?:\s?[:=→]\s?|\s?->\s?|\s[-–—]\s){thing}", re.IGNORECASE
        )
        self.swapped = re.compile(
            rf"\b(?P<a>{names})(?: (?:and|&) (?:the )?(?P<b>{names}) (?:\w+ )?(?:swap|switch|trade|exchange)|"
            rf" (?:\w+ )?(?:swap|switch|trade|exchange)s? (?:\w+ ){{0,2}}?with (?:the )?(?P<c>{names}))\b",
            re.IGNORECASE,
        )

    def claims(self, sentence: Sentence) -> Iterator[Claim]:
        """What a sentence says of who holds what."""
        text = sentence.text
        if is_hedged(text):
            return
        yield from self._chosen(sentence)
        matches = sorted([*self.listed.finditer(text), *self.spoken.finditer(text)], key=lambda match: match.start())
        if not matches or _OTHER_TIMES.search(text):
            return
        pairs = tuple((self._holder(match["holder"]), self.things[match["thing"].lower()]) for match in matches)
        times = self._times(text, matches[0].start())
        start, end = sentence.start + matches[0].start(), sentence.start + matches[-1].end()
        # whoever is named twice is named at two times
        if times and len({holder for holder, _ in pairs}) == len(pairs):
            yield Claim(pairs, times, start, end)

    def _chosen(self, sentence: Sentence) -> Iterator[Claim]:
        asked = _ASKED.search(re.split(r"\s*Options\s?:", self.problem)[0].rstrip())
        holder = self._holder(asked[1]) if asked else ""
        for match in _ANSWER.finditer(sentence.text):
            texts = [text for letter, text in _OPTION.findall(self.problem) if letter == match[1].upper()]
            things = {thing for name, thing in self.things.items() if texts and name in texts[0].lower()}
            if holder and len(texts) == len(things) == 1:
                pair = (holder, things.pop())
                yield Claim((pair,), (self.last,), sentence.start + match.start(), sentence.start + match.end())

    def _holder(self, name: str) -> str:
        names = {holder.lower(): holder for holder, _ in self.holdings.start}
        return names.get(name.lower()) or self.holdings.initials.get(name.upper(), "")

    def _times(self, text: str, before: int) -> tuple[int, ...]:
        """The states that a sentence may speak of; none where it speaks of several."""
        after = list(_AFTER.finditer(text))
        swaps = list(self.swapped.finditer(text))
        is_end, is_start = bool(_END.search(text)), bool(_START.search(text))
        if len(after) + len(swaps) > 1 or (is_start and (is_end or after or swaps)) or (after and is_end):
            return ()
        if after:
            number = _number(after[0])
            return (number,) if 0 <= number <= self.last else ()
        if swaps:
            pair = {self._holder(swaps[0]["a"]), self._holder(swaps[0]["b"] or swaps[0]["c"])}
            # what is said before the swap is said of the state before it
            times = tuple(index + 1 for index, swap in enumerate(self.holdings.swaps) if set(swap) == pair)
            return times if swaps[0].start() < before else ()
        if is_end:
            return (self.last,)
        if is_start:
            return (0,)
        return () if _SWAP_WORD.search(text) else tuple(range(self.last + 1))


def _number(match: re.Match[str]) -> int:
    if match["nth"]:
        return number_of(match["nth"]) + 1
    told = match["step"] or match["count"].lower()
    return COUNTS[told] if told in COUNTS else int(told)


def _judged(passage: Passage, holdings: Holdings, claim: Claim, verdict: Verdict, grade: Grade) -> Placed:
    line = passage.text[claim.start : claim.end]
    read = " ".join(line.split())
    if len(claim.times) == 1:
        state = holdings.states[claim.times[0]]
        truth = ", ".join(f"{holder}: {state[holder]}" for holder, _ in claim.pairs)
        is_not = "as said" if verdict is Verdict.VERIFIED else f"not so: {read}"
        sentence = f"After {claim.times[0]} {'swap' if claim.times[0] == 1 else 'swaps'} it is {truth}, {is_not}."
    else:
        sentence = f"By the swaps of the problem this holds at no time: {read}."
    proof = {
        "kind": "exchange",
        "start": [list(pair) for pair in holdings.start],
        "swaps": [list(swap) for swap in holdings.swaps],
        "texts": list(holdings.texts),
        "claims": [list(pair) for pair in claim.pairs],
        "states": list(claim.times),
    }
    details = {"said": read, "rule": "swap", "line": line, "evidence_latex": rf"\text{{{sentence}}}", **packed(proof)}
    return place(
        passage=passage,
        start=claim.start,
        end=claim.end,
        checker=NAME,
        rule="swap",
        sentence=sentence,
        details=details,
        verdict=verdict,
        grade=grade,
    )
