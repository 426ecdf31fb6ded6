"""Six questions that lead to a policy: an answer names a preset or changes a few of its parameters, and says why."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from auditing.core.policy.checks import check_policy
from auditing.core.policy.parameters import Policy
from auditing.core.policy.presets import DAY, DEFAULT, FAST, HOUR, PRIVATE, STRICT

# Name, question, and the answers; the first answer of each is what most sites say.
QUESTIONS: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
    (
        "stakes",
        "What does a wrong answer that passes cost?",
        (("usual", "it annoys"), ("high", "somebody is harmed"), ("low", "next to nothing")),
    ),
    (
        "people",
        "How many reviewers are at hand?",
        (("some", "five to fifteen"), ("few", "two to four"), ("many", "more than fifteen")),
    ),
    (
        "speed",
        "When is an outcome needed?",
        (("days", "within days"), ("day", "within a day"), ("hours", "within hours")),
    ),
    (
        "budget",
        "How much of people's time may a trace take?",
        (("usual", "as much as it needs"), ("small", "as little as possible"), ("large", "rather more than less")),
    ),
    (
        "privacy",
        "May one reviewer read most of a trace?",
        (("most", "yes, most of it"), ("little", "no, only a small part")),
    ),
    (
        "models",
        "Do language models vote?",
        (("yes", "yes, where they have qualified"), ("no", "no, people judge what they would")),
    ),
)


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the answers lead to, and why: one sentence for each thing that an answer decided."""

    policy: Policy
    reasons: tuple[str, ...]


def propose(*, answers: Mapping[str, str]) -> Proposal:
    """The policy for these answers; an unknown or missing answer counts as the first. Raises BadPolicyError never.

    >>> propose(answers={"stakes": "high"}).policy.name
    'strict, as answered'
    """
    chosen = {name: _known(answers.get(name, ""), options) for name, _, options in QUESTIONS}
    policy, reasons = _preset(chosen)
    for change in (_people, _speed, _budget, _models):
        policy, reason = change(policy, chosen)
        reasons += [reason] if reason else []
    policy = replace(policy, name=f"{policy.name}, as answered")
    check_policy(policy=policy)
    return Proposal(policy, tuple(reasons))


def _known(answer: str, options: tuple[tuple[str, str], ...]) -> str:
    return answer if answer in dict(options) else options[0][0]


def _preset(chosen: Mapping[str, str]) -> tuple[Policy, list[str]]:
    if chosen["stakes"] == "high":
        policy, why = STRICT, "Where somebody is harmed, seven people look at each passage and a second tier confirms."
        if chosen["privacy"] == "little":
            return policy, [why, "It shows one reviewer no more than a fifth of a trace."]
        return policy, [why]
    if chosen["privacy"] == "little":
        return PRIVATE, ["One reviewer sees at most three tenths of a trace, so more people share its passages."]
    if chosen["stakes"] == "low" and chosen["speed"] == "hours":
        return FAST, ["Where little is at stake and hours count, three people vote within four hours."]
    return DEFAULT, ["People are asked in waves, as few as the question needs."]


def _people(policy: Policy, chosen: Mapping[str, str]) -> tuple[Policy, str]:
    if chosen["people"] != "few":
        return policy, ""
    # Three seats of two to four people; a small site has to let one person read more, or nobody could be seated.
    human = replace(policy.human, k=min(policy.human.k, 3))
    wider = max(policy.disclosure_share, DEFAULT.disclosure_share) if chosen["privacy"] == "most" else None
    changed = replace(policy, human=human, cap=min(policy.cap, 3))
    if wider is not None:
        changed = replace(changed, disclosure_share=wider, short_trace_characters=DEFAULT.short_trace_characters)
    return changed, "With few people no passage has more than three seats."


def _speed(policy: Policy, chosen: Mapping[str, str]) -> tuple[Policy, str]:
    if chosen["speed"] == "days":
        return policy, ""
    seal, opening, words = (4 * HOUR, HOUR, "four hours") if chosen["speed"] == "hours" else (DAY, 4 * HOUR, "a day")
    human = replace(policy.human, commit_seconds=seal, reveal_seconds=opening)
    adjudication = min(policy.adjudication_seconds, 2 * seal)
    return replace(policy, human=human, adjudication_seconds=adjudication), f"A round of people is open for {words}."


def _budget(policy: Policy, chosen: Mapping[str, str]) -> tuple[Policy, str]:
    if chosen["budget"] == "usual":
        return policy, ""
    if policy.planner:
        # In waves the costs of both errors say how long it pays to ask on.
        if chosen["budget"] == "large":
            # No dearer than an adjudicator's word: one who passes all that was asked has to decide the trace.
            dearest = policy.cost_review / policy.adjudicator_error
            costs = min(2 * policy.cost_miss, dearest), min(2 * policy.cost_false_alarm, dearest)
            words = "asks on for longer"
        else:
            costs, words = (2 * FAST.cost_miss, 2 * FAST.cost_false_alarm), "stops asking sooner"
        return replace(policy, cost_miss=costs[0], cost_false_alarm=costs[1]), f"The planner {words}."
    step = 2 if chosen["budget"] == "large" else -2
    seats = max(1, policy.human.k + step)
    return replace(policy, human=replace(policy.human, k=seats)), f"A passage has {seats} seats of people."


def _models(policy: Policy, chosen: Mapping[str, str]) -> tuple[Policy, str]:
    if chosen["models"] == "yes":
        return policy, ""
    # The tier stays in the table: with every endpoint switched off its segments go to people.
    return policy, "Switch every endpoint off: what models would judge then goes to people."
