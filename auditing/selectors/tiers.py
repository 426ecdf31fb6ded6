"""Which tiers can take seats now."""

from auditing.core.values import Tier
from auditing.selectors.endpoints import endpoints_for
from hdag.models import Endpoint, Trace


def available_tiers(*, trace: Trace | None = None) -> frozenset[Tier]:
    """Computer and people always; models when an enabled endpoint may see this trace and did not write it."""
    there = llm_is_available() if trace is None else bool(endpoints_for(trace=trace))
    return frozenset({Tier.COMPUTER, Tier.HUMAN} | ({Tier.LLM} if there else set()))


def llm_is_available() -> bool:
    """Whether any endpoint is set and enabled; pages say so when not."""
    return Endpoint.objects.filter(enabled=True).exists()
