"""Where the trace of a row comes from: its provider by pseudonym, the provider's own id and tags, the model.

One place for all data sets: rows pass in portions, and each trace is opened once an export.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any
from uuid import UUID

from auditing.models import Audit
from auditing.research.exports.selectors.scope import Scope
from auditing.research.exports.selectors.streams import CHUNK, Row
from hdag.models import Trace
from hdag.store import content

COLUMNS = ("provider", "external_id", "model", "tags")
Origin = dict[str, str | None]
NOWHERE: Origin = dict.fromkeys(COLUMNS)


def with_origins(*, rows: Iterable[Row], scope: Scope) -> Iterator[Row]:
    """The same rows, each with the columns of origin; empty for votes cast elsewhere and for what was erased."""
    origins: dict[str, Origin] = {}
    source = iter(rows)
    while portion := list(islice(source, CHUNK)):
        names = {_key(row) for row in portion} - origins.keys()
        origins |= _read(names, by_trace="trace" in portion[0], scope=scope)
        for row in portion:
            yield {**row, **origins[_key(row)]}


def models_of(*, traces: Iterable[Trace]) -> dict[UUID, str]:
    """The model that wrote each trace, as its provider named it; "" where nobody did or the text was erased."""
    whole = list(traces)
    content.fetch(trace.payload for trace in whole)
    return {trace.pk: _model(trace) for trace in whole}


def _key(row: Row) -> str:
    # Rows about points and about the log name the audit alone.
    return str(row.get("trace") or row.get("audit") or "")


def _read(names: Iterable[str], *, by_trace: bool, scope: Scope) -> dict[str, Origin]:
    keys = [UUID(name) for name in names if _is_id(name)]
    if by_trace:
        traces = {str(trace.pk): trace for trace in Trace.objects.filter(pk__in=keys).select_related("payload")}
    else:
        audits = Audit.objects.filter(pk__in=keys).select_related("trace__payload")
        traces = {str(audit.pk): audit.trace for audit in audits}
    models = models_of(traces=traces.values())
    origins = {name: _origin(trace, models[trace.pk], scope.pseudonym) for name, trace in traces.items()}
    return {name: origins.get(name, NOWHERE) for name in names}


def _origin(trace: Trace, model: str, pseudonym: Callable[[Any], str]) -> Origin:
    # Keyed as auditors are: who hands in must not be told from the number of the account.
    return {
        "provider": f"p-{pseudonym(('provider', trace.provider_id))[2:]}",
        "external_id": trace.external_id or None,
        "model": model or None,
        "tags": ", ".join(trace.tags) or None,
    }


def _model(trace: Trace) -> str:
    if trace.erased_at is not None or trace.payload.wrapped_key is None:
        return ""
    fields: Mapping[str, Any] = content.read_json(trace.payload)
    return str(fields.get("model_name") or "")


def _is_id(name: str) -> bool:
    try:
        UUID(name)
    except ValueError:
        return False
    return True
