"""Searching the operator's documents by PostgreSQL full text, for the search tool of audit models. Reads Document."""

from dataclasses import dataclass

from django.contrib.postgres.search import SearchHeadline, SearchQuery, SearchRank, SearchVector

from auditing.models import Document
from auditing.services.model_tier.judges.tools import Passage

_VECTOR = SearchVector("title", "text", config="english")


@dataclass(frozen=True, slots=True)
class DocumentSearch:
    """A Search over the documents that an admin has added."""

    def find(self, *, query: str, limit: int) -> tuple[Passage, ...]:
        """The best passages, best first."""
        wanted = SearchQuery(query, config="english", search_type="websearch")
        passage = SearchHeadline(
            "text", wanted, config="english", start_sel="", stop_sel="", max_words=90, min_words=40
        )
        rows = (
            Document.objects.annotate(found=_VECTOR, rank=SearchRank(_VECTOR, wanted), passage=passage)
            .filter(found=wanted)
            .order_by("-rank", "pk")[:limit]
        )
        return tuple(Passage(row.title, row.passage) for row in rows)


def remove(*, number: int) -> bool:
    """Take a document out of the search; False when it is gone already."""
    return bool(Document.objects.filter(pk=number).delete()[0])
