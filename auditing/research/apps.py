"""Django's handle on this app."""

from typing import TYPE_CHECKING

from django.apps import AppConfig

if TYPE_CHECKING:
    from hdag.chat.question import Question


class ResearchConfig(AppConfig):
    """Research: studies, exports, agreement, causal audits, RADO loops and imported votes, above the corridor."""

    name = "auditing.research"
    label = "research"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Erasure forgets what research keeps of a trace, too; endpoints are tried with its questions as well."""
        # Imported late: models can be imported only when all apps are loaded.
        from auditing.research.exports.services import TEXT_KEEPER
        from auditing.services.intake.erasure import KEEPERS
        from auditing.services.model_tier.question_sources import SOURCES

        KEEPERS.append(TEXT_KEEPER)
        SOURCES.append(_example_questions)


def _example_questions() -> "tuple[Question, ...]":
    # Later still: they import the client of models, which most commands never need.
    from auditing.research.model_questions import research_examples

    return research_examples()
