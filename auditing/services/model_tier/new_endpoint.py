"""An endpoint made from a few words: what they leave open comes from its dialect. Writes Endpoint, AuditEvent."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError

from accounts.models import User
from auditing.core.model_tier.families import family_of
from auditing.services.model_tier.endpoints import save_endpoint
from auditing.services.model_tier.origins import allowed_origins
from hdag.chat.address import base_of, check_leads_outside
from hdag.chat.dialects.table import DIALECTS, find_dialect
from hdag.chat.errors import AddressRefusedError
from hdag.chat.request import OUR_FIELDS
from hdag.models import Endpoint

# The address is checked as a call checks it; the others are for the book of calls and for probes to write.
_SET_LATER = ("base_url", "probed_at", "probe", "circuit_opened", "paused_until")
LONGEST_WAIT = 600  # seconds of one attempt: a task must end before its worker counts as dead
TERMS = (  # where a server differs from its dialect
    "answer_mode",
    "limit_field",
    "temperature",
    "system_role",
    "reasoning_effort",
    "thinking_tokens",
    "most_tokens",
    "context_tokens",
    "extra_body",
    "answers_as",
    "logprobs",
)
SETTABLE = (*TERMS, "asks", "retries")
_KEY_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,50}_API_KEY")


class EndpointRefusedError(ValueError):
    """Such an endpoint cannot be stored; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEndpoint:
    """What is known of it; empty words are the dialect's. `further` are other fields of the row."""

    name: str
    model: str
    base_url: str = ""
    dialect: str = ""
    family: str = ""
    key_variable: str = ""
    further: Mapping[str, Any] = field(default_factory=dict)


def add_endpoint(*, wanted: NewEndpoint, actor: User | None, key: str = "") -> Endpoint:
    """The stored row. Raises EndpointRefusedError."""
    dialect = DIALECTS.get(wanted.dialect) or find_dialect(base_url=wanted.base_url, model=wanted.model)
    variable = wanted.key_variable or ("" if key else dialect.key_variable)
    row = Endpoint(
        name=wanted.name,
        base_url=base_of(url=wanted.base_url or dialect.base_url),
        model=wanted.model,
        dialect=dialect.name,
        family=wanted.family or family_of(model=wanted.model),
        key_variable=variable,
        **wanted.further,
    )
    # A name that no key may have could make us send another secret of the environment.
    if variable and not _KEY_NAME.fullmatch(variable):
        raise EndpointRefusedError("the variable's name must end in _API_KEY, so that no other secret can be named")
    if not row.base_url:
        raise EndpointRefusedError(f"{dialect.title} has no address of its own: say which")
    if row.batches and not dialect.takes_batches:
        raise EndpointRefusedError(f"{dialect.title} has no batches that are spoken here: {dialect.batches}")
    if refusal := _refusal_of(row):
        raise EndpointRefusedError(refusal)
    try:
        check_leads_outside(url=row.base_url, allowed=allowed_origins())
        row.full_clean(exclude=_SET_LATER)
    except AddressRefusedError as error:
        raise EndpointRefusedError(str(error)) from None
    except ValidationError as error:
        raise EndpointRefusedError(
            "; ".join(f"{name}: {' '.join(texts)}" for name, texts in error.message_dict.items())
        ) from None
    return save_endpoint(row=row, key=key, actor=actor)


def refused_fields(*, extra_body: object) -> str:
    """Why these further fields of a request are refused; empty where they are not."""
    if extra_body is None:
        return ""
    if not isinstance(extra_body, dict):
        return "A JSON object."
    # Whoever could replace the messages would ask the model something else than the audit says.
    ours = sorted(extra_body.keys() & OUR_FIELDS)
    return f"Not {', '.join(ours)}." if ours else ""


def _refusal_of(row: Endpoint) -> str:
    """What no database constraint says of the fields that are set."""
    if not _is_storable([getattr(row, name) for name in SETTABLE]):
        return "a field holds a character or a number that cannot be stored"
    if words := refused_fields(extra_body=row.extra_body):
        return f"extra_body: {words}"
    if not 1 <= int(row.timeout_seconds) <= LONGEST_WAIT:
        return f"timeout_seconds: from 1 to {LONGEST_WAIT}"
    if int(row.max_concurrency) < 1:
        return "max_concurrency: at least 1"
    money = ("price_in", "price_out", "price_cached", "daily_cap", "audit_cap")
    # A price below nought would make a budget that grows with each call.
    below = [name for name in money if (value := getattr(row, name)) is not None and value < 0]
    return f"{below[0]}: not below 0" if below else ""


def _is_storable(values: list[Any]) -> bool:
    """Whether PostgreSQL takes it: no NUL, no half of a character, no infinity."""
    try:
        text = json.dumps(values, ensure_ascii=False, allow_nan=False)
        text.encode()
    except ValueError:
        return False
    return "\\u0000" not in text
