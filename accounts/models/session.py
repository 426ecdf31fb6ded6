"""Who: sessions in PostgreSQL, each beside its person, so that they can be listed and ended. The SESSION_ENGINE."""

from datetime import datetime
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone

from accounts.models.person import User
from accounts.prepared import PreparedQuery


class PersonSession(AbstractBaseSession):
    """A session as Django stores it, with the person who is signed in by it; empty for somebody who is not."""

    person = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="sessions")

    class Meta(AbstractBaseSession.Meta):
        abstract = False

    @classmethod
    def get_session_store_class(cls) -> type[DatabaseStore]:
        """The engine whose rows these are."""
        return SessionStore


class SessionStore(DatabaseStore):
    """Django's sessions in the database, with the column of the person."""

    @classmethod
    def get_model_class(cls) -> type[PersonSession]:
        """The table."""
        return PersonSession

    def create_model_instance(self, data: dict[str, Any]) -> PersonSession:
        """The row of a session; its person is whoever Django says is signed in by it."""
        row: PersonSession = super().create_model_instance(data)  # type: ignore[assignment]
        row.person_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        return row

    def _get_session_from_db(self) -> PersonSession | None:
        """As Django reads it, by a query that is put together once: every page of everybody asks for its session."""
        row = _live.first(key=self.session_key or "", now=timezone.now())
        if row is None:
            self._session_key = None
        return row


@PreparedQuery
def _live(key: str, now: datetime) -> models.QuerySet[PersonSession]:
    return PersonSession.objects.filter(session_key=key, expire_date__gt=now)
