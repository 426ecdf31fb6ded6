"""`manage.py data_model`: docs/data-model.md, drawn from the models, so that what is described is what is stored."""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db.models import Field, ManyToManyField, Model, UniqueConstraint

Table: TypeAlias = type[Model]
AnyField: TypeAlias = "Field[Any, Any]"

OURS = ("accounts", "hdag", "auditing")  # packages, in the order of the page
SPINE = (
    "User", "Trace", "Decomposition", "Segment", "Edge", "Campaign", "PolicyVersion", "Audit", "Route", "Round", "Seat",
    "Auditor", "Commitment", "Vote", "SegmentOutcome", "TraceOutcome", "Leaf", "Transfer", "Posting",
)  # fmt: skip
INTRODUCTION = """# Data model

Drawn from the models by `manage.py data_model`; a house test compares this page with them. A field's meaning is the
comment that stands beside it in the model, a table's meaning is the model's docstring. The words are those of
[glossary.md](glossary.md).

Three rules hold for every table:

- **Texts lie in blocks.** No table but `Block` holds text of a trace, and a block holds ciphertext. A field that
  points to a `Block` stands for a text.
- **Rules of integrity are constraints**, listed below each table under the names that they have in the database. The
  names are sentences: `one_seat_a_round_and_auditor`.
- **What is final cannot be changed.** Triggers refuse UPDATE and DELETE of leaves, checkpoints, rosters, commitments,
  votes, outcomes, transfers, postings, policies and events. Two things alone may still happen: a leaf gets its index,
  once, and erasure empties a secret. The application's database role has no right to change these rows besides
  ([guides/operating.md](guides/operating.md#three-database-roles)).

Fields that recur are explained once:

| field | meaning |
|---|---|
| `id`, `public_id` | the row's name; a random UUID wherever a person or program may see it |
| `created`, `at`, `made` | when the row was written, by the database's clock |
| `stage`, `state` | where a state machine stands; the tables of `auditing/core/stages.py` say what follows |
| `stage_since` | when it came there |
| `lease_until` | a worker or a person holds the row until then; afterwards anybody may take it |
| `attempts` | how often work on it began |
| `why`, `because`, `reason`, `failure`, `error` | one sentence for a person |
| `key` | makes the row unique, so that a repeated message writes it once |
| `digest` | SHA-256 of what the row stands for |
| `body`, `options`, `filters` | values as JSON that no query looks into |
| `is_simulated` | simulated reviewers took part |

"""
LEGEND = """A line runs from the table that holds the reference; a circle at its far end says that it may be empty.
"""


class Command(BaseCommand):
    """Write docs/data-model.md; with --check only say whether it is up to date."""

    help = "Write docs/data-model.md from the models."

    def add_arguments(self, parser: CommandParser) -> None:
        """--check compares and writes nothing."""
        parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when the page is out of date")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write or compare."""
        path = page_path()
        if options["check"]:
            if not path.exists() or path.read_text(encoding="utf-8") != draw_page():
                self.stderr.write(f"{path.name} is out of date: run manage.py data_model")
                raise SystemExit(1)
            return
        path.write_text(draw_page(), encoding="utf-8")
        self.stdout.write(f"wrote {path.relative_to(settings.BASE_DIR)}")


def page_path() -> Path:
    """Where the page lies."""
    return Path(settings.BASE_DIR) / "docs" / "data-model.md"


def draw_page() -> str:
    """The whole page in Markdown."""
    groups = group_tables()
    spine = [table for tables in groups.values() for table in tables if table.__name__ in SPINE]
    parts = [
        INTRODUCTION,
        "## The spine\n\nThe tables that one audit walks through.\n\n",
        draw_diagram(tables=spine),
        "\n",
    ]
    parts += [LEGEND, "\n## All tables\n\n", _contents(groups)]
    for title, tables in groups.items():
        parts += [f"\n## {title}\n\n", draw_diagram(tables=tables, with_outside=True)]
        for table in tables:
            parts += ["\n", describe_table(table)]
    return "".join(parts)


def group_tables() -> dict[str, list[Table]]:
    """Our tables by the file or folder of models that they stand in, in the order of the code."""
    groups: dict[str, list[Table]] = {}
    configs = [config for config in apps.get_app_configs() if config.name.split(".")[0] in OURS]
    for config in sorted(configs, key=lambda config: OURS.index(config.name.split(".")[0])):
        for table in config.get_models():
            # "auditing.models.voting.seal" -> "voting": the room is the first word after the app and `models`.
            inside = table.__module__.removeprefix(config.name).split(".")
            room = next((word for word in inside if word not in ("", "models")), "")
            title = f"{config.name}, {room}" if room else config.name
            groups.setdefault(title.replace(".", " ").replace("_", " "), []).append(table)
    return groups


def draw_diagram(*, tables: list[Table], with_outside: bool = False) -> str:
    """These tables as a Mermaid diagram; `with_outside` draws references to other tables too."""
    lines = ["```mermaid", "erDiagram"]
    lines += [f"    {table.__name__}" for table in tables]
    drawn = {table.__name__ for table in tables}
    for table in tables:
        for field in _references(table):
            target = _target(field)
            if with_outside or target.__name__ in drawn:
                lines.append(f"    {table.__name__} {_line(field)} {target.__name__} : {field.name}")
    return "\n".join([*lines, "```", ""])


def describe_table(table: Table) -> str:
    """A heading, the table's meaning, its fields, its constraints."""
    meaning = inspect.cleandoc(table.__doc__ or "")
    lines = [f"### {table.__name__}", "", meaning, "", "| field | type | meaning |", "|---|---|---|"]
    comments = comments_of(table)
    lines += [
        f"| `{field.name}` | {type_words(field)} | {comments.get(field.name, '').replace('|', ', ')} |"
        for field in [*table._meta.fields, *table._meta.many_to_many]
    ]
    constraints = [_constraint_words(constraint) for constraint in table._meta.constraints]
    lines += ["", "Held by the database: " + ", ".join(constraints) + "."] if constraints else []
    return "\n".join([*lines, ""])


def type_words(field: AnyField) -> str:
    """The type of a column for a reader: what it refers to, its choices, its length, whether it may be empty."""
    if field.is_relation:
        many = "several " if isinstance(field, ManyToManyField) else ""
        words = f"{many}→ {_target(field).__name__}"
    elif field.choices:
        words = ", ".join(f"`{value}`" for value, _ in field.flatchoices if value != "")
    else:
        words = field.get_internal_type().removesuffix("Field")
        words += f" {field.max_length:,}" if field.max_length and words != "UUID" else ""
    return words + (", may be NULL" if field.null else "")


def comments_of(table: Table) -> dict[str, str]:
    """Field -> the comment on its line or above it, of the model and of the abstract models that it extends."""
    comments: dict[str, str] = {}
    for ancestor in reversed(table.__mro__):  # the model itself comes last, so that its comment wins
        if isinstance(ancestor, type) and issubclass(ancestor, Model) and ancestor is not Model:
            comments |= dict(_comments_in(ancestor))
    return comments


def _comments_in(model: type) -> Iterator[tuple[str, str]]:
    try:
        source = textwrap.dedent(inspect.getsource(model))
    except (OSError, TypeError):
        return
    lines, body = source.splitlines(), ast.parse(source).body[0]
    assert isinstance(body, ast.ClassDef)
    for node in body.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            _, mark, comment = lines[(node.end_lineno or node.lineno) - 1][node.end_col_offset or 0 :].partition("#")
            above = lines[node.lineno - 2].strip()
            if not mark and above.startswith("#"):  # beside a long field there is no room
                mark, comment = "#", above.removeprefix("#")
            if mark and not comment.strip().startswith(("noqa", "type:", "fmt:")):
                yield node.targets[0].id, comment.strip().partition("  # ")[0]


def _references(table: Table) -> list[AnyField]:
    fields = [*table._meta.fields, *table._meta.many_to_many]
    return [field for field in fields if field.is_relation and _target(field).__module__.split(".")[0] in OURS]


def _target(field: AnyField) -> Table:
    target = field.related_model
    assert isinstance(target, type)
    return target


def _line(field: AnyField) -> str:
    if isinstance(field, ManyToManyField):
        return "}o--o{"
    # Mermaid's crow's feet: "}o--||" is "many here, exactly one there"; "o" is zero, "|" one, "}" many.
    return ("|o" if field.unique else "}o") + ("--o|" if field.null else "--||")


def _constraint_words(constraint: Any) -> str:
    sort = "unique" if isinstance(constraint, UniqueConstraint) else "check"
    return f"`{constraint.name}` ({sort})"


def _contents(groups: dict[str, list[Table]]) -> str:
    return "".join(f"- {title}: {', '.join(table.__name__ for table in tables)}\n" for title, tables in groups.items())
