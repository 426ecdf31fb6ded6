"""Files of traces: every line is read before one is stored, so that nothing is half imported unasked.

Reads the file and Campaign; writes what submission.py writes, for each trace.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db import transaction

from accounts.models import User
from auditing.models import Campaign
from auditing.selectors.intake.decomposition import RULES
from auditing.selectors.points.credit import credit_of
from auditing.services.intake.submission import CampaignClosedError, Submission, limits, submit
from auditing.services.points.prices import PriceNotCoveredError
from hdag.core.errors import ForeignFileError
from hdag.core.values import Trace
from hdag.readers.archives.surveys import Survey, survey
from hdag.readers.files import DETECT, Lines
from hdag.readers.mapping import NO_MAPPING
from hdag.selectors import known_traces

MOST_PROBLEMS, MOST_IGNORED = 20, 20
Row = dict[str, Any]
COUNTED = ("opened", "known", "refused")  # what the last row of an answer sums up
AT_ONCE = 20  # traces that are stored by the same statements


class ImportRefusedError(ValueError):
    """The file cannot be imported; each line that is wrong is named."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems[:MOST_PROBLEMS]))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Imported:
    """How many audits were opened, and how many traces were known already."""

    opened: int
    known: int

    @property
    def sentence(self) -> str:
        """For whoever handed them in."""
        opened = "1 audit" if self.opened == 1 else f"{self.opened} audits"
        known = "1 trace was" if self.known == 1 else f"{self.known} traces were"
        return f"{opened} opened; {known} known already."


def read_lines(*, lines: Lines, format: str = DETECT, mapping: Mapping[str, str] = NO_MAPPING) -> Survey:
    """Every record of a JSONL file, each in its own format, all in `format` (of hdag.readers.FORMATS), or mapped.

    Raises ImportRefusedError naming each bad line (the first 20).
    """
    seen = survey_lines(lines=lines, format=format, mapping=mapping)
    problems = [line.problem for line in seen.bad]
    if problems:
        raise ImportRefusedError([*problems[:MOST_PROBLEMS], *(["and more"] if problems[MOST_PROBLEMS:] else [])])
    return seen


def survey_lines(*, lines: Lines, format: str = DETECT, mapping: Mapping[str, str] = NO_MAPPING) -> Survey:
    """The whole file, its good lines and its bad ones apart. Raises ImportRefusedError where no line could be read."""
    try:
        seen = survey(lines=lines, limits=limits(), format=format, mapping=mapping)
    except ForeignFileError as error:
        raise ImportRefusedError([str(error)]) from error
    if not seen.good and not seen.bad:
        raise ImportRefusedError(["the file is empty: it holds no record"])
    return seen


def ignored_in_words(survey: Survey) -> str:
    """Which fields of the records no trace holds, in one sentence; "" where all were read."""
    if not survey.ignored:
        return ""
    # A name is whatever somebody wrote into the file, and is printed to a terminal too.
    names = ["".join(sign if sign.isprintable() else "\ufffd" for sign in name[:60]) for name in survey.ignored]
    more = f" and {len(names) - MOST_IGNORED} more" if names[MOST_IGNORED:] else ""
    return f"Left alone, not being fields of a trace: {', '.join(names[:MOST_IGNORED])}{more}."


def hand_in(*, survey: Survey, submit_some: Callable[[Sequence[Trace]], Sequence[Submission]]) -> Iterator[Row]:
    """Hand in what could be read of a file, a portion after the other; a row a record, and one that sums up.

    First what cannot be read: `record` (its number in the file) and `refused`, which names the place. Then `record`,
    `audit`, `trace`, `is_new` of each trace, or `refused` where no credit covers it or the campaign was closed.
    """
    count = Counter(refused=len(survey.bad))
    yield from ({"record": line.number, "refused": line.problem} for line in survey.bad)
    numbered = [(line.number, trace) for line in survey.good for trace in line.traces]
    for start in range(0, len(numbered), AT_ONCE):
        portion = numbered[start : start + AT_ONCE]
        for (number, _), done in zip(portion, _submitted([trace for _, trace in portion], submit_some), strict=True):
            if isinstance(done, str):
                count["refused"] += 1
                yield {"record": number, "refused": done}
                continue
            count["opened" if done.is_new else "known"] += 1
            names = {"audit": str(done.audit.pk), "trace": str(done.audit.trace_id)}
            yield {"record": number, **names, "is_new": done.is_new}
    yield summary_of(survey=survey, count=count)


def try_out(*, survey: Survey, provider: User) -> Iterator[Row]:
    """What `hand_in` would say, with nothing stored: no ids, and no word of the credit."""
    yield from ({"record": line.number, "refused": line.problem} for line in survey.bad)
    are_known = known_traces(provider=provider, traces=survey.traces)
    numbers = [line.number for line in survey.good for _ in line.traces]
    yield from ({"record": number, "is_new": not was} for number, was in zip(numbers, are_known, strict=True))
    count = Counter(opened=are_known.count(False), known=are_known.count(True), refused=len(survey.bad))
    yield summary_of(survey=survey, count=count)


def summary_of(*, survey: Survey, count: Counter[str]) -> Row:
    """The last row of an answer; ignored: fields of records that no trace holds."""
    return {**{word: count[word] for word in COUNTED}, "ignored": list(survey.ignored[:MOST_IGNORED])}


def _submitted(
    traces: Sequence[Trace], submit_some: Callable[[Sequence[Trace]], Sequence[Submission]]
) -> list[Submission | str]:
    """What became of each; where not all of them can be taken, one after the other is tried."""
    try:
        return list(submit_some(traces))
    except (CampaignClosedError, PriceNotCoveredError) as error:
        if len(traces) == 1:
            return [str(error)]
        return [done for trace in traces for done in _submitted([trace], submit_some)]


def import_traces(
    *,
    provider: User,
    campaign: Campaign,
    traces: Iterable[Trace],
    tell: Callable[[int], None] = lambda done: None,
    whole_to_models: bool = False,
    decomposer: str = RULES,
    tags: Sequence[str] = (),
) -> Imported:
    """Submit all in one transaction: all or none. `tell` is called with the number done; the rest as in submit."""
    done: list[Submission] = []
    coming = iter(traces)
    try:
        with transaction.atomic():
            while some := list(islice(coming, AT_ONCE)):
                done += submit(
                    provider=provider,
                    traces=some,
                    campaign=campaign,
                    whole_to_models=whole_to_models,
                    decomposer=decomposer,
                    tags=tags,
                )
                tell(len(done))
    except PriceNotCoveredError as error:
        covered = sum(submission.is_new for submission in done) + error.covered
        # By now nothing of the file is paid: the credit is what it was before, and the message says for how many.
        credit = credit_of(provider=provider)
        raise PriceNotCoveredError(price=error.price, credit=credit, covered=covered) from error
    opened = sum(submission.is_new for submission in done)
    return Imported(opened, len(done) - opened)
