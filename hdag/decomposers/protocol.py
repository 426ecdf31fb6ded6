"""What every decomposer is: one method from a trace to its graph."""

from typing import Protocol

from hdag.core.values import Graph, Trace


class Decomposer(Protocol):
    """Turns a trace into an HDAG; must satisfy hdag.core.invariants on every trace or raise."""

    name: str

    def decompose(self, trace: Trace) -> Graph:
        """The graph of `trace`. Raises hdag.core.errors.DecompositionRefusedError naming the limit that it breaks."""
        ...
