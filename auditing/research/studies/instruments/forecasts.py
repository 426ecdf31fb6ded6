"""What a study will ask of a model, in calls, tokens, money and time, said before anything is asked.

From the averages of the endpoint's own calls of that purpose, once there are some; before that from the size of what is
sent and a usual answer.
"""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Avg, Count

from auditing.research.studies.instruments.model_tier import CountingClient
from auditing.research.studies.instruments.runner import Run
from hdag.chat.usage import Usage
from hdag.models import ChatCall

__all__ = ["Averages", "averages_of", "tell_forecast"]

FEW = 20  # calls from which an average is believed
_BYTES_A_TOKEN = 4  # about
_RULES = 700  # tokens of rules and schema around the data, about
_USUAL_ANSWER, _USUAL_SECONDS = 350, 4.0


@dataclass(frozen=True, slots=True)
class Averages:
    """Of one call: tokens, seconds, and how many calls this rests on (0: a guess)."""

    tokens_in: float
    tokens_out: float
    seconds: float
    calls: int


def averages_of(*, client: CountingClient, purpose: str, bytes_sent: float) -> Averages:
    """The measured averages of answered calls, or a guess from the bytes of a call."""
    done = ChatCall.objects.filter(endpoint__name=client.endpoint.name, purpose=purpose, state="done")
    means = done.aggregate(n=Count("pk"), read=Avg("tokens_in"), wrote=Avg("tokens_out"), took=Avg("took_ms"))
    if means["n"] >= FEW:
        return Averages(means["read"], means["wrote"], (means["took"] or 0) / 1000, means["n"])
    thinking = client.endpoint.thinking_tokens / 4
    return Averages(_RULES + bytes_sent / _BYTES_A_TOKEN, _USUAL_ANSWER + thinking, _USUAL_SECONDS, 0)


def tell_forecast(*, run: Run, client: CountingClient, purpose: str, calls: int, characters: int) -> str:
    """Say what at most `calls` calls will take, whose data hold `characters` in all; the sentence."""
    average = averages_of(client=client, purpose=purpose, bytes_sent=characters / max(1, calls))
    usage = Usage(round(calls * average.tokens_in), round(calls * average.tokens_out))
    cost: Decimal = client.endpoint.prices.cost(usage)
    seconds = calls * average.seconds / client.endpoint.max_concurrency
    basis = f"measured on {average.calls} calls" if average.calls else "a guess: no calls were measured yet"
    sentence = (
        f"forecast: at most {calls} calls to {client.endpoint.name} at {client.endpoint.base_url}, "
        f"about {usage.tokens_in} + {usage.tokens_out} tokens, cost about {cost:.4f}, "
        f"{seconds:.0f} s at {client.endpoint.max_concurrency} in flight ({basis})"
    )
    run.tell(sentence)
    return sentence
