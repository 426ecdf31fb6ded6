"""Django's handle on this app."""

from typing import TYPE_CHECKING, Any

from django.apps import AppConfig

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from hdag.chat.question import Question
    from hdag.models import Trace


class ResearchConfig(AppConfig):
    """Everything above the corridor: reports, the policy lab, checks of the log, studies, exports and the rest."""

    name = "auditing.research"
    label = "research"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Erasure forgets what research keeps of a trace, too; endpoints are tried with its questions as well."""
        # Imported late: models can be imported only when all apps are loaded.
        from auditing.research.erasure.services import KEEPERS, TextKeeper
        from auditing.services.model_tier.question_sources import SOURCES

        KEEPERS.append(TextKeeper(texts=_texts_of_trials, forget=_forget_texts))
        KEEPERS.append(TextKeeper(texts=_texts_of_comments, forget=lambda trace: None))
        SOURCES.append(_example_questions)


# Later still: exports load Parquet and what fills it, which every program would hold in memory and most never use.
def _texts_of_trials(trace: "Trace") -> "QuerySet[Any, Any]":
    from auditing.research.exports.services import texts_of_trials

    return texts_of_trials(trace)


def _texts_of_comments(trace: "Trace") -> "QuerySet[Any, Any]":
    from auditing.research.comments.selectors import texts_of

    return texts_of(trace)


def _forget_texts(trace: "Trace") -> None:
    from auditing.research.exports.services import forget_texts

    forget_texts(trace)


def _example_questions() -> "tuple[Question, ...]":
    # Later still: they import the client of models, which most commands never need.
    from auditing.research.model_questions import research_examples

    return research_examples()
