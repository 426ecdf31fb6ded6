"""Operations of migrations that change many tables as one step.

After each CreateModel Django draws anew every model that is related to the new one, which is nearly all: a hundred
tables one by one took twelve seconds of an empty database's first start, of which PostgreSQL needed one.
"""

from collections.abc import Sequence
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.operations.models import CreateModel
from django.db.migrations.operations.special import SeparateDatabaseAndState
from django.db.migrations.state import ProjectState


class CreateModels(Operation):
    """Several CreateModel together: their models are drawn once, and may refer to each other in any order."""

    serialization_expand_args = ["creations"]

    def __init__(self, creations: Sequence[CreateModel]) -> None:
        """In the order in which the tables are created."""
        self.creations = creations

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """As it is written in a migration."""
        return type(self).__name__, [], {"creations": list(self.creations)}

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Let the state know the models; it draws all of them when it is asked for one."""
        state.__dict__.pop("apps", None)
        for creation in self.creations:
            creation.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Create the tables; foreign keys follow at the end of the migration, as Django has it."""
        for creation in self.creations:
            creation.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Take the tables away, the last one first."""
        for creation in reversed(self.creations):
            creation.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        """What `migrate --plan` prints."""
        return f"Create {len(self.creations)} models"


class Undrawn(SeparateDatabaseAndState):
    """Changes of many models of which nothing is asked in between: they are drawn once, behind the last."""

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Let the state know the changes; it draws all models when it is asked for one."""
        state.__dict__.pop("apps", None)
        super().state_forwards(app_label, state)
