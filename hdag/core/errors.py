"""What can go wrong between a trace and its graph; each docstring is the sentence a person sees."""


class HdagError(ValueError):
    """The trace or its graph cannot be used."""


class BadRecordError(HdagError):
    """A record cannot be read as a trace."""

    def __init__(self, *, where: str, field: str, reason: str) -> None:
        """`where` names the record ("line 3"), `field` its part ("steps[2]", may be empty)."""
        self.where, self.field, self.reason = where, field, reason
        location = f"{where}, {field}" if field else where
        super().__init__(f"{location}: {reason}")


class ForeignFileError(HdagError):
    """The file as a whole cannot be read: no file of JSON lines, a damaged archive, or too much of either."""


class DecompositionRefusedError(HdagError):
    """The trace breaks a limit of the decomposer."""

    def __init__(self, *, limit: str, actual: int, allowed: int) -> None:
        """`limit` names the bound, for example "characters"."""
        self.limit, self.actual, self.allowed = limit, actual, allowed
        super().__init__(f"the trace has {actual} {limit}, the limit is {allowed}")


class BrokenGraphError(HdagError):
    """A graph breaks its invariants."""

    def __init__(self, *, violations: tuple[str, ...]) -> None:
        """`violations` are sentences, one for each broken invariant."""
        self.violations = violations
        super().__init__("; ".join(violations[:5]) or "the graph is broken")
