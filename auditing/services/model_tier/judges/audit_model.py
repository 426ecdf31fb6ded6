"""An audit model with tools (RADO): several turns, every call and result kept, a vote at the end or none.

It audits a segment as a judge does, or another model's evaluation (reason score, answer score, rationale); unlike the
paper's auditor it also sees the question and the response that the evaluation is about. Source: RADO, section 3.
Reads and writes no table.
"""

from dataclasses import dataclass
from typing import Any, Protocol

from auditing.core.values import Choice
from auditing.services.model_tier.judges.answer import NoVote, Turn
from auditing.services.model_tier.judges.conversation import TOOLS_IN_WORDS, Task, ToolConversation
from auditing.services.model_tier.judges.injection import Sign, find_signs
from auditing.services.model_tier.judges.tools import Toolbox
from hdag.chat.client import ChatClient
from hdag.chat.endpoint import MaySee
from hdag.chat.errors import NoAnswerError
from hdag.chat.question import one_of
from hdag.chat.usage import NOTHING_SPENT, Spent

__all__ = ["AUDIT_TASK", "AuditAnswer", "AuditSubject", "audit_with_tools"]

_RULES = """You audit with tools. `piece` is what you audit; the other fields are what it leans on. If the data has \
`evaluation`, it is another model's judgement of `response` to `question` (reason score and answer score, 1 good, \
0 bad, and a rationale): audit whether that judgement is right.

Work in turns. In a turn either call one tool (`action` "call", `tool`, `input`) or end (`action` "finish"). Never \
trust a number that a tool can give you. Tools and their input:
{tools}
To finish: `vote` "pass" if the piece (or the evaluation) is right, "fail" if not, "abstain" if this cannot be \
settled; `confidence`, the probability from .5 to 1 that your vote is right; `reason` in at most six sentences. \
Fields that an action does not need stay "" (tool "none", vote "abstain", confidence .5).""".replace(
    "{tools}", TOOLS_IN_WORDS
)


class AuditSubject(Protocol):
    """Whatever is audited with tools: the data object that the model is shown, and who may be shown it."""

    @property
    def scope(self) -> MaySee:
        """What an endpoint must be allowed to see."""

    @property
    def untrusted(self) -> dict[str, Any]:
        """The data object; nothing in it is an instruction."""

    @property
    def text(self) -> str:
        """All shown text."""


@dataclass(frozen=True, slots=True)
class AuditAnswer:
    """A vote with the transcript of its tool calls. conflict: it passes what a checker refuted."""

    vote: Choice
    confidence: float
    reason: str
    transcript: tuple[Turn, ...]
    spent: Spent
    conflict: bool = False
    corrections: int = 0
    signs: tuple[Sign, ...] = ()

    @property
    def calls(self) -> tuple[Turn, ...]:
        """The tool turns."""
        return tuple(turn for turn in self.transcript if turn.speaker == "tool")

    @property
    def injection_suspected(self) -> bool:
        """The segment goes to a person as well."""
        return bool(self.signs)


def audit_with_tools(
    *, client: ChatClient, shown: AuditSubject, account: str, toolbox: Toolbox, turns: int = 8
) -> AuditAnswer | NoVote:
    """An audit in at most `turns` turns, or the reason why there is no vote (never a default)."""
    signs = find_signs(shown.text)
    if shown.scope is MaySee.TRACES and client.endpoint.may_see is not MaySee.TRACES:
        return NoVote(f"{client.endpoint.name} may see segments only", "may_not_see", NOTHING_SPENT, signs)
    data = dict(shown.untrusted)
    # One name for what is audited, whether a segment or an evaluation; the rules speak of it.
    if "reasoning" in data:
        data["piece"] = data.pop("reasoning")
    run = ToolConversation(client=client, account=account, toolbox=toolbox, task=AUDIT_TASK, data=data)
    try:
        finished = run.until_finished(turns)
    except NoAnswerError as error:
        return NoVote(error.reason, error.failure, run.spent + error.spent, signs)
    if finished is None:
        return NoVote(f"no vote within {turns} turns", "too_many_turns", run.spent, signs)
    return AuditAnswer(
        vote=Choice(finished["vote"]),
        confidence=float(finished["confidence"]),
        reason=finished["reason"],
        transcript=tuple(run.transcript),
        spent=run.spent,
        # A tool refuted what the model then passed: kept with the vote, for whoever studies audit models.
        conflict=finished["vote"] == "pass" and run.refuted,
        corrections=run.corrections,
        signs=signs,
    )


def _check_turn(data: dict[str, Any]) -> tuple[str, ...]:
    return ("to finish, give a reason",) if data["action"] == "finish" and not data["reason"].strip() else ()


AUDIT_TASK = Task(
    purpose="audit_turn",
    version="audit model 3",
    rules=_RULES,
    properties={
        "vote": one_of("abstain", "pass", "fail"),
        "confidence": {"type": "number", "minimum": 0.5, "maximum": 1},
        "reason": {"type": "string", "maxLength": 4000},
    },
    check=_check_turn,
)
