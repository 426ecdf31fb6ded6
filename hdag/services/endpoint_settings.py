"""An endpoint's row as the value that clients work with: its dialect, overridden by what the row says itself.

Reads Endpoint; writes nothing.
"""

from hdag.chat.dialects.table import get_dialect
from hdag.chat.endpoint import AnswerMode, EndpointSettings, KeyProvider, MaySee
from hdag.chat.usage import Prices
from hdag.models import Endpoint
from hdag.services.endpoint_keys import key_of

__all__ = ["LONGEST_QUESTION", "settings_of"]

USUAL_RETRIES = 3
LONGEST_QUESTION = 1_100.0  # seconds; one question, retries and corrections included
_SLACK = 1.7  # over the time of one attempt


def settings_of(*, row: Endpoint, key: KeyProvider | None = None) -> EndpointSettings:
    """The row as a value; `key` in place of the one that the row names or holds."""
    dialect, timeout = get_dialect(name=row.dialect), float(row.timeout_seconds)
    return EndpointSettings(
        name=row.name,
        base_url=row.base_url,
        model=row.model,
        key=key or key_of(row=row),
        family=row.family,
        prices=Prices(row.price_in, row.price_out, row.price_cached),
        max_concurrency=row.max_concurrency,
        timeout_seconds=timeout,
        # Retries share one deadline, which ends before the task that asks does.
        deadline_seconds=min(timeout * _SLACK, LONGEST_QUESTION),
        retries=USUAL_RETRIES if row.retries is None else row.retries,
        daily_cap=row.daily_cap,
        account_cap=row.audit_cap,
        may_see=MaySee(row.may_see),
        answer_mode=AnswerMode(row.answer_mode or dialect.answer_mode),
        limit_field=row.limit_field or dialect.limit_field,
        sends_temperature=_is_sent(row.temperature, usual=dialect.sends_temperature),
        takes_system=_is_sent(row.system_role, usual=True),
        gives_logprobs=_is_sent(row.logprobs, usual=dialect.gives_logprobs),
        # None, not nought: nought is an operator's word that thinking needs no room beside the answer.
        thinking_tokens=dialect.thinking_tokens if row.thinking_tokens is None else row.thinking_tokens,
        most_tokens=row.most_tokens or dialect.most_tokens,
        reasoning_effort=row.reasoning_effort or dialect.reasoning_effort,
        extra_body=dialect.extra_body if row.extra_body is None else row.extra_body,
        answers_as=row.answers_as or dialect.answers_as,
        context_tokens=row.context_tokens or dialect.context_tokens,
    )


def _is_sent(choice: str, *, usual: bool) -> bool:
    return usual if not choice else choice == Endpoint.Sends.YES
