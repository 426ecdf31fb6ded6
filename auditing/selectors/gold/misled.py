"""What qualified models said of passages whose truth is settled: where most of them were wrong, gold can be made.

Reads Endpoint, Vote.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from auditing.core.values import Choice
from auditing.selectors.model_tier.consents import refusal_of
from auditing.selectors.model_tier.labels import labels_of
from hdag.models import Endpoint

Words = Mapping[str, Sequence[str]]


def words_of_models() -> Words:
    """pass or fail by qualified models, by item: segments that they voted on in finished audits, and gold of sets."""
    words: dict[str, list[str]] = defaultdict(list)
    for endpoint in Endpoint.objects.exclude(qualification=None).order_by("pk"):
        if not refusal_of(endpoint=endpoint):
            for key, label in labels_of(endpoint=endpoint).items():
                words[key].append(label)
    return words


def on_segment(*, words: Words, segment: UUID) -> Sequence[str]:
    """What they said of a segment of an audit."""
    return words.get(f"segment {segment}", ())


def on_gold(*, words: Words, gold: UUID) -> Sequence[str]:
    """What they said of a gold segment of a set."""
    return words.get(f"gold {gold}", ())


def misleads(*, words: Iterable[str], truth: Choice) -> bool:
    """Whether most of these words are against the truth.

    >>> misleads(words=("pass", "pass", "fail"), truth=Choice.FAIL), misleads(words=(), truth=Choice.FAIL)
    (True, False)
    """
    verdicts = [word for word in words if word in (Choice.PASS, Choice.FAIL)]
    return 2 * sum(word != truth for word in verdicts) > len(verdicts)
