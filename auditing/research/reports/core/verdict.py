"""The verdict of an audit as a person says it: where it fails, what stands there and what is right, who proved it.

The smallest failing segment leads: a step fails because of the line in it, and the line is what a reader can check.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from auditing.core.values import Outcome, Tier
from auditing.research.reports.core.words import confidence_words, plain, shorten

JUDGED = (Outcome.PASS, Outcome.FAIL, Outcome.HUNG, Outcome.UNDECIDED)


@dataclass(frozen=True, slots=True)
class Segment:
    """One segment as a verdict needs it."""

    id: str
    state: str  # an outcome, or a word for what nobody judged
    text: str
    where: str  # "step 3"
    premises: tuple[str, ...] = ()
    children: tuple[str, ...] = ()
    level: str = "step"
    decided_by: str = ""  # a tier, or "adjudicator"
    accusation: str = ""  # what a reader is told of the failure
    is_proved: bool = False  # by an exact computation
    votes: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # tier: (votes for the outcome, votes)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the card of an audit says, top down."""

    outcome: str  # an outcome, or "" while the audit is under way
    headline: str
    explanation: str
    proof: str
    confidence: str
    leading: str  # the smallest failing segment
    resting: tuple[str, ...]  # what rests on it, in reading order
    failing: tuple[str, ...]  # the other failing segments, those that only hold it left out
    looked: str  # who looked at how much

    @property
    def sentence(self) -> str:
        """The first three lines as one."""
        return " ".join(line for line in (self.headline, self.explanation, self.proof) if line)

    def as_json(self) -> dict[str, object]:
        """The card as data."""
        return {
            "headline": self.headline,
            "explanation": self.explanation,
            "proof": self.proof,
            "confidence": self.confidence,
            "leading": self.leading or None,
            "resting": list(self.resting),
            "failing": list(self.failing),
            "looked": self.looked,
        }


def give_verdict(
    *, segments: Sequence[Segment], outcome: str, probability: float | None = None, noun: str = "segment"
) -> Verdict:
    """The card of an audit. outcome: "" while it is under way; probability: that it holds; noun: what was judged.

    >>> line = Segment("O1", "fail", "3 x 4 = 13", "step 2", accusation="It says 3 × 4 = 13; it is 12.", is_proved=True)
    >>> give_verdict(segments=[line], outcome="fail").sentence
    'Fails at step 2. It says 3 × 4 = 13; it is 12. Proved by computer.'
    """
    by_id = {segment.id: segment for segment in segments}
    leading = find_smallest_failing(segments=segments)
    holding = _holders(by_id, leading.id) if leading else frozenset()
    resting = resting_on(segments=segments, label=leading.id) if leading else ()
    return Verdict(
        outcome=outcome,
        headline=_headline(outcome, leading),
        explanation=_explanation(segments, outcome, leading, noun),
        proof=_proof(leading) if leading else "",
        confidence=confidence_words(
            outcome=outcome, probability=probability, is_proved=bool(leading and leading.is_proved)
        ),
        leading=leading.id if leading else "",
        resting=resting,
        failing=tuple(
            segment.id
            for segment in segments
            # What holds the failing segment fails with it: to list it as a second error would count one twice.
            if leading and segment.state == Outcome.FAIL and segment.id not in {leading.id, *holding}
        ),
        looked=_looked(segments, noun),
    )


def find_smallest_failing(*, segments: Sequence[Segment]) -> Segment | None:
    """The first failing segment in reading order, or rather the failing line in it that fails it.

    >>> step = Segment("ST1", "fail", "so 3 x 4 = 13", "step 1", children=("O1",))
    >>> find_smallest_failing(segments=[step, Segment("O1", "fail", "3 x 4 = 13", "step 1")]).id
    'O1'
    """
    failing = {segment.id: segment for segment in segments if segment.state == Outcome.FAIL}
    smallest = next(iter(failing.values()), None)
    seen: set[str] = set()
    # A graph has no cycles, but the page of a broken one must not hang.
    while smallest is not None and smallest.id not in seen:
        seen.add(smallest.id)
        smallest = next((failing[label] for label in smallest.children if label in failing), smallest)
    return smallest


def resting_on(*, segments: Sequence[Segment], label: str) -> tuple[str, ...]:
    """Everything that uses a segment, directly or through others, in reading order; not what merely contains it.

    >>> graph = [Segment("A", "fail", "", ""), Segment("B", "pass", "", "", premises=("A",))]
    >>> resting_on(segments=graph, label="A")
    ('B',)
    """
    by_id = {segment.id: segment for segment in segments}
    holders = _holders(by_id, label)
    users: dict[str, list[str]] = {}
    for segment in segments:
        for premise in segment.premises:
            users.setdefault(premise, []).append(segment.id)
        # A step that holds a false line is false with it; a goal is not, and everything rests on the goal.
        for child in segment.children if segment.level == "step" else ():
            users.setdefault(child, []).append(segment.id)
    reached, waiting = {label}, [label]
    while waiting:
        fresh = [user for user in users.get(waiting.pop(), ()) if user not in reached]
        reached.update(fresh)
        waiting.extend(fresh)
    return tuple(segment.id for segment in segments if segment.id in reached - {label} - holders)


def find_contradicted(*, segments: Sequence[Segment]) -> dict[str, str]:
    """Passed segments whose very words fail elsewhere, with the segment where they fail: no reader sees both marks.

    >>> twice = [Segment("O1", "fail", "1 + 1 = 3", ""), Segment("O2", "pass", "1 + 1  = 3", "")]
    >>> find_contradicted(segments=twice)
    {'O2': 'O1'}
    """
    failing: dict[str, str] = {}
    for segment in segments:
        if segment.state == Outcome.FAIL:
            failing.setdefault(plain(segment.text), segment.id)
    if not failing:
        return {}
    return {
        segment.id: failing[plain(segment.text)]
        for segment in segments
        if segment.state == Outcome.PASS and plain(segment.text) in failing
    }


def _headline(outcome: str, leading: Segment | None) -> str:
    if outcome == "":
        return "Still under way." if leading is None else f"Fails at {leading.where}, and is still under way."
    if leading is not None:
        # The answer may rest on none of it; what fails is named all the same, before anything is said to hold.
        return {
            Outcome.PASS: f"Fails at {leading.where}, on which the answer does not rest.",
            Outcome.FAIL: f"Fails at {leading.where}.",
        }.get(Outcome(outcome), f"Undecided, and {leading.where} fails.")
    return {Outcome.PASS: "The reasoning holds.", Outcome.FAIL: "Fails as a whole."}.get(Outcome(outcome), "Undecided.")


def _explanation(segments: Sequence[Segment], outcome: str, leading: Segment | None, noun: str) -> str:
    if leading is not None:
        return leading.accusation or f"Judged wrong: “{shorten(text=leading.text)}”"
    states = Counter(segment.state for segment in segments)
    asked = sum(states[state] for state in (*JUDGED, "pending"))
    if outcome == Outcome.FAIL:
        # A trace can fail as a whole although no part does: the sentence must not point at one of them.
        return f"No {noun} alone fails, but {asked} of them together are too doubtful."
    if not outcome or not asked:
        return ""
    if asked == 1:
        return f"The one {noun} that was audited {'passed' if states[Outcome.PASS] else 'is open'}."
    open_ = "" if outcome == Outcome.PASS else "; the others are open"
    return f"{states[Outcome.PASS] or 'None'} of {asked} audited {noun}s passed{open_}."


def _proof(leading: Segment) -> str:
    if leading.is_proved:
        return "Proved by computer."
    if leading.decided_by == "adjudicator":
        return "Decided by an adjudicator."
    agreeing, voting = leading.votes.get(leading.decided_by, (0, 0))
    name = {Tier.LLM: "model", Tier.HUMAN: "reviewer"}.get(Tier(leading.decided_by)) if leading.decided_by else None
    if name is None or not voting:
        return ""
    return f"Judged so by {agreeing} of {voting} {name}{'' if voting == 1 else 's'}."


def _looked(segments: Sequence[Segment], noun: str) -> str:
    tiers = Counter(tier for segment in segments for tier in segment.votes if segment.votes[tier][1])
    open_ = sum(segment.state in (Outcome.UNDECIDED, Outcome.HUNG, "pending") for segment in segments)
    names = {Tier.COMPUTER: "the computer", Tier.LLM: "models", Tier.HUMAN: "people"}
    looks = [f"{names[tier]} at {tiers[tier]}" for tier in Tier if tiers[tier]]
    if not looks:
        return ""
    looks[0] = looks[0].replace(" at ", " looked at ", 1)
    judged = sum(segment.state in (*JUDGED, "pending") for segment in segments)
    whole = f"{judged} {noun}{'' if judged == 1 else 's'}"
    return f"Of {whole} {_listed(looks)}" + (f"; {open_} {'is' if open_ == 1 else 'are'} open." if open_ else ".")


def _listed(words: Iterable[str]) -> str:
    *before, last = words
    return f"{', '.join(before)} and {last}" if before else last


def _holders(by_id: Mapping[str, Segment], label: str) -> frozenset[str]:
    """Every segment that contains this one, at any depth."""
    parents = {child: segment.id for segment in by_id.values() for child in segment.children}
    holders: set[str] = set()
    while (parent := parents.get(label)) is not None and parent not in holders:
        holders.add(parent)
        label = parent
    return frozenset(holders)
