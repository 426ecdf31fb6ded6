"""The audit of a judge's evaluation: what an audit model with tools is shown of it."""

from dataclasses import dataclass
from typing import Any

from auditing.research.rado.core.evaluations import Evaluation
from hdag.chat.endpoint import MaySee


@dataclass(frozen=True, slots=True)
class EvaluationAudit:
    """What is audited when a judge's evaluation is: the question, the response to it, and the evaluation."""

    question: str
    response: str
    evaluation: Evaluation
    scope: MaySee = MaySee.TRACES

    @property
    def untrusted(self) -> dict[str, Any]:
        """The data object."""
        return {"question": self.question, "response": self.response, "evaluation": self.evaluation.text}

    @property
    def text(self) -> str:
        """All shown text."""
        return "\n".join(self.untrusted.values())
