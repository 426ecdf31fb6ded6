"""Studies of single steps: every wrong step of a trace, what repeated wordings are worth, audits with tools."""

from auditing.research.studies.steps.all_steps import run_all_steps
from auditing.research.studies.steps.tool_audits import run_tool_audits
from auditing.research.studies.steps.wordings import run_wordings

__all__ = ["run_all_steps", "run_tool_audits", "run_wordings"]
