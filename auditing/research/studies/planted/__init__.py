"""Study `planted`: one error of a known kind put into a right trace, and which tier finds it."""

from auditing.research.studies.planted.study import run_planted

__all__ = ["run_planted"]
