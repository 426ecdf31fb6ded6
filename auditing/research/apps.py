"""Django's handle on this app."""

from django.apps import AppConfig


class ResearchConfig(AppConfig):
    """Research: studies, exports, agreement, causal audits, RADO loops and imported votes, above the corridor."""

    name = "auditing.research"
    label = "research"
