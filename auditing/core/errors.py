"""Errors of the cores; each docstring is the sentence that a person reads."""


class CoreError(ValueError):
    """The calculation cannot be done."""


class BadParameterError(CoreError):
    """A parameter is outside its range."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


class BadPolicyError(BadParameterError):
    """This policy cannot be used: one of its fields is outside its range."""


class BadVotesError(CoreError):
    """These votes cannot be tallied together."""
