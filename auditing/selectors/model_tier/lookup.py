"""Endpoints and the operator's documents, by id and by name."""

from uuid import UUID

from django.db.models import QuerySet

from auditing.models import Document
from hdag.models import Endpoint


def find_endpoint(*, key: UUID) -> Endpoint | None:
    """One endpoint by its id."""
    return Endpoint.objects.filter(pk=key).first()


def endpoint_names() -> list[str]:
    """Names of all endpoints, in order."""
    return list(Endpoint.objects.order_by("name").values_list("name", flat=True))


def listed_endpoints() -> QuerySet[Endpoint]:
    """All endpoints by name."""
    return Endpoint.objects.order_by("name")


def listed_documents() -> QuerySet[Document]:
    """Documents by title, without their text."""
    return Document.objects.defer("text").order_by("title")
