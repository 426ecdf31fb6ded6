"""Studies of single steps: every wrong step of a trace, and what repeated wordings of a question are worth."""

from auditing.research.studies.steps.all_steps import run_all_steps
from auditing.research.studies.steps.wordings import run_wordings

__all__ = ["run_all_steps", "run_wordings"]
