"""Django's handle on this app."""

from django.apps import AppConfig


class ResearchConfig(AppConfig):
    """Research: studies, exports, agreement, causal audits, RADO loops and imported votes, above the corridor."""

    name = "auditing.research"
    label = "research"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Erasure forgets what research keeps of a trace, too."""
        # Imported late: models can be imported only when all apps are loaded.
        from auditing.research.exports.services import TEXT_KEEPER
        from auditing.services.intake.erasure import KEEPERS

        KEEPERS.append(TEXT_KEEPER)
