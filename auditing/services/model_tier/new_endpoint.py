"""An endpoint made from a few words: what they leave open comes from its dialect. Writes Endpoint, AuditEvent."""

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
from hdag.models import Endpoint

# The address is checked as a call checks it; the others are for the book of calls and for probes to write.
_SET_LATER = ("base_url", "probed_at", "probe", "circuit_opened", "paused_until")
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
