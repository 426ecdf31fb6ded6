"""What an auditor is shown of a segment: the same parts, in the same order, for a person and for a model. No table."""

from dataclasses import asdict, dataclass
from typing import Any

from hdag.chat.endpoint import MaySee

__all__ = ["Dependency", "ShownContext"]


@dataclass(frozen=True, slots=True)
class Dependency:
    """A premise of the segment, its text as disclosed, and where its own audit stands ("passed", "open", ...)."""

    id: str
    text: str
    state: str = "open"


@dataclass(frozen=True, slots=True)
class ShownContext:
    """One audit form: prompt context, dependencies, current reasoning, implications, guidelines.

    Source identity and reference answers have no field here. `scope` says whether the parts add up to a whole trace.
    """

    context: str
    reasoning: str
    dependencies: tuple[Dependency, ...] = ()
    implications: tuple[str, ...] = ()
    focus: str = ""
    scope: MaySee = MaySee.SEGMENTS
    guidelines: str = ""

    @property
    def untrusted(self) -> dict[str, Any]:
        """Everything that comes from the trace; guidelines come from the campaign and are not part of it."""
        return {
            "context": self.context,
            "dependencies": [asdict(dependency) for dependency in self.dependencies],
            "reasoning": self.reasoning,
            "implications": list(self.implications),
        }

    @property
    def text(self) -> str:
        """All shown trace text: where quoted evidence must occur."""
        pieces = (
            self.context,
            *(dependency.text for dependency in self.dependencies),
            self.reasoning,
            *self.implications,
        )
        return "\n".join(pieces)
