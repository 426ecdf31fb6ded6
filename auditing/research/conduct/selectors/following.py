"""The votes that show who follows a model: people's beside a clear word of a family, in finished audits.

Reads Vote, SegmentOutcome, Auditor.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import QuerySet

from auditing.core.consensus.followers import SharedVotes
from auditing.core.values import Choice, Outcome, Tier
from auditing.models import SegmentOutcome, Vote
from auditing.selectors.gold.repeats import first_votes
from auditing.selectors.gold.truths import standing_outcome
from auditing.selectors.model_tier.endpoints import family_word

MOST_MODEL_VOTES = 5_000
Words = dict[tuple[UUID, UUID], dict[str, Choice]]
FINISHED = ("settled", "recorded")  # never an audit whose votes are still counted


@dataclass(slots=True)
class Beside:
    """A person's votes beside a family's clear word."""

    pairs: list[tuple[Choice, Choice]] = field(default_factory=list)  # the family's word, the person's
    audits: set[str] = field(default_factory=set)

    @property
    def shared(self) -> SharedVotes:
        """Counted by the family's word."""
        counts = {
            word: [mine is word for said, mine in self.pairs if said is word] for word in (Choice.PASS, Choice.FAIL)
        }
        passed, failed = counts[Choice.PASS], counts[Choice.FAIL]
        return SharedVotes(passed=len(passed), passed_alike=sum(passed), failed=len(failed), failed_alike=sum(failed))


Ended = dict[Choice, tuple[int, int]]  # word of a family -> segments that passed in the end, of all so judged


@dataclass(frozen=True, slots=True)
class VotesBesideModels:
    """beside: by person and family. ended: by family, how what it judged ended."""

    beside: dict[tuple[UUID, str], Beside]
    ended: dict[str, Ended]


def votes_beside_models() -> VotesBesideModels:
    """What finished audits show; a family that voted both ways on a segment gave no clear word."""
    words = _words_of_models()
    audits = {audit for audit, _ in words}
    votes = _finished().filter(seat__round__tier=Tier.HUMAN, seat__round__adjudicates=False)
    by_people = first_votes(votes=votes).filter(seat__round__audit__in=audits)
    beside: dict[tuple[UUID, str], Beside] = defaultdict(Beside)
    fields = ("seat__round__audit", "seat__round__segment", "seat__auditor", "choice")
    for audit, segment, auditor, choice in by_people.order_by("pk").values_list(*fields):
        for family, said in words.get((audit, segment), {}).items():
            row = beside[auditor, family]
            row.pairs.append((said, Choice(choice)))
            row.audits.add(str(audit))
    return VotesBesideModels(dict(beside), _ended(words))


def _ended(words: Words) -> dict[str, Ended]:
    outcomes = SegmentOutcome.objects.filter(
        audit__in={audit for audit, _ in words}, outcome__in=(Outcome.PASS, Outcome.FAIL)
    )
    ended: dict[str, Ended] = defaultdict(lambda: {Choice.PASS: (0, 0), Choice.FAIL: (0, 0)})
    outcomes = outcomes.annotate(stands=standing_outcome(audit="audit", segment="segment"))
    for audit, segment, outcome in outcomes.values_list("audit", "segment", "stands"):
        for family, said in words.get((audit, segment), {}).items():
            passed, total = ended[family][said]
            ended[family][said] = passed + (outcome == Outcome.PASS), total + 1
    return ended


def _finished() -> QuerySet[Vote]:
    return Vote.objects.filter(seat__round__audit__stage__in=FINISHED).exclude(choice=Choice.ABSTAIN)


def _words_of_models() -> Words:
    """(audit, segment) -> family -> its clear word, of the newest votes."""
    votes = _finished().filter(seat__round__tier=Tier.LLM)
    words: dict[tuple[UUID, UUID], dict[str, set[Choice]]] = defaultdict(lambda: defaultdict(set))
    fields = ("seat__round__audit", "seat__round__segment", "choice")
    names = ("seat__auditor__endpoint__family", "seat__auditor__endpoint__name")
    rows = votes.order_by("-revealed_at", "pk").values_list(*fields, *names)[:MOST_MODEL_VOTES]
    for audit, segment, choice, family, name in rows:
        words[audit, segment][family_word(family=family, name=name)].add(Choice(choice))
    return {
        place: {family: next(iter(said)) for family, said in by_family.items() if len(said) == 1}
        for place, by_family in words.items()
    }
