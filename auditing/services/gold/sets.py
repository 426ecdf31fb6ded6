"""Gold segments, whose truth is known, are added one by one or as a JSONL file; all of a file or nothing.

Whoever hands gold in is its author, and a second editor reviews it (reviews.py): each segment by itself, or a file that
is large and says where it comes from by a sample.

Gold for calibration is shown as such; a honeypot is mixed among live segments. Reads GoldSegment; writes GoldSegment,
Block, AuditEvent.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.models import User
from auditing.core.errors import CoreError
from auditing.core.events import EventKind
from auditing.core.values import Choice
from auditing.core.voting.rationale import ErrorType
from auditing.models import GoldSegment
from auditing.services.events import record_event
from hdag.core.errors import HdagError
from hdag.core.strict_json import read_json
from hdag.store import content

FIELDS = (
    "name",
    "domain",
    "purpose",
    "problem",
    "premises",
    "text",
    "truth",
    "error_type",
    "explanation",
    "place",
    "implications",
    "model_votes",
)
OF_LISTS = ("premises", "implications", "model_votes")
LONGEST = 20_000  # characters of a text
MOST_LINES = 10_000
FEWEST_OF_A_FILE = 50  # segments of a file that is reviewed by a sample
LONGEST_PROVENANCE = 200  # characters
MOST_FAULTS, MOST_PREMISES = 12, 50
BOM = b"\xef\xbb\xbf"  # the byte order mark that some editors write before UTF-8


class BadGoldError(CoreError):
    """This gold segment cannot be read; the message names the place and the field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """One gold segment as handed in."""

    name: str
    domain: str
    text: str
    truth: Choice
    problem: str = ""
    premises: tuple[str, ...] = ()
    implications: tuple[str, ...] = ()
    explanation: str = ""
    place: str = ""  # words of a wrong text in which the error stands
    error_type: str = ""
    purpose: str = GoldSegment.Purpose.CALIBRATION
    model_votes: tuple[str, ...] = ()  # pass or fail, as models were recorded to judge it elsewhere
    where: str = ""  # the line it stands on


def read_gold(*, record: Any, where: str) -> Gold:
    """One record. Raises BadGoldError."""
    if not isinstance(record, Mapping):
        raise BadGoldError(f"{where}: must be an object")
    # Refused, not ignored: a misspelt "premise" would make gold that nobody can judge.
    if unknown := record.keys() - set(FIELDS):
        raise BadGoldError(f"{where}: unknown field {min(map(str, unknown))[:60]!r}")
    texts = {name: record.get(name, "") for name in FIELDS if name not in OF_LISTS}
    for name, value in texts.items():
        if not _is_text(value):
            raise BadGoldError(f"{where}: {name} must be a text of at most {LONGEST} characters")
    lists = {name: record.get(name, []) for name in ("premises", "implications")}
    for name, value in lists.items():
        if not isinstance(value, list) or len(value) > MOST_PREMISES or not all(map(_is_text, value)):
            raise BadGoldError(f"{where}: {name} must be a list of at most {MOST_PREMISES} texts")
    votes = record.get("model_votes", [])
    # Abstentions of models mislead nobody, so that gold does not record them.
    if not isinstance(votes, list) or len(votes) > MOST_PREMISES or any(vote not in ("pass", "fail") for vote in votes):
        raise BadGoldError(f"{where}: model_votes must be a list of at most {MOST_PREMISES} of pass and fail")
    checked = _checked(texts, tuple(lists["premises"]), where)
    return replace(checked, implications=tuple(lists["implications"]), model_votes=tuple(votes))


def add_all(
    *, records: Iterable[Gold], actor: User | None, author: User | None = None, file: str = "", provenance: str = ""
) -> int:
    """Store gold segments, all or none; with an author out of use, until a second editor has confirmed them.

    file: the digest of one that is reviewed by a sample. Raises BadGoldError naming every name that is taken, in
    the file or before it.
    """
    listed = list(records)
    taken = set(GoldSegment.objects.filter(name__in=[gold.name for gold in listed]).values_list("name", flat=True))
    # All faults are named at once; names that stand twice in the file are among them.
    faults = []
    for gold in listed:
        if gold.name in taken:
            faults.append(f"{gold.where}: the name {gold.name!r} is taken")
        taken.add(gold.name)
    _refuse(faults)
    with transaction.atomic():
        for gold in listed:
            _insert(gold, author, file, provenance)
        told = {"file": file, "provenance": provenance} if file or provenance else {}
        record_event(audit=None, actor=actor, kind=EventKind.GOLD_ADDED, count=len(listed), **told)
    return len(listed)


def import_jsonl(*, lines: Iterable[bytes], actor: User | None, provenance: str = "") -> int:
    """One record a line; every bad line is named, up to a dozen, and nothing is stored. Raises BadGoldError.

    What a person hands in waits for a second editor; actor None: it comes with the system, and is in use at once.
    provenance: where the file comes from.
    """
    # Faults are gathered: a file is mended once, and not line by line.
    records, faults, digest = [], [], hashlib.sha256()
    for number, line in enumerate(lines, 1):
        if number > MOST_LINES:
            raise BadGoldError(f"line {number}: at most {MOST_LINES} lines a file")
        digest.update(line)
        text = line.removeprefix(BOM) if number == 1 else line
        if not text.strip():
            continue
        where = f"line {number}"
        try:
            records.append(read_gold(record=read_json(text, where=where), where=where))
        except (BadGoldError, HdagError) as error:
            faults.append(str(error))
    _refuse(faults)
    if not records:
        raise BadGoldError("the file is empty: it holds no gold segment")
    source = provenance.strip()[:LONGEST_PROVENANCE]
    # One line under a file's name is what a person wrote: only a large file that says whence it comes is a file.
    is_file = actor is not None and bool(source) and len(records) >= FEWEST_OF_A_FILE
    file = digest.hexdigest() if is_file else ""
    return add_all(records=records, actor=actor, author=actor, file=file, provenance=source)


def _refuse(faults: list[str]) -> None:
    if not faults:
        return
    more = f"; and {len(faults) - MOST_FAULTS} more" if len(faults) > MOST_FAULTS else ""
    raise BadGoldError("Nothing was stored. " + "; ".join(faults[:MOST_FAULTS]) + more)


def set_active(*, gold: GoldSegment, active: bool, actor: User) -> None:
    """Take a gold segment out of use, or back in; not one that was overturned, or that no second editor confirmed."""
    usable = GoldSegment.objects.filter(Q(author__isnull=True) | Q(review=GoldSegment.Review.CONFIRMED))
    with transaction.atomic():
        if not usable.filter(pk=gold.pk, is_overturned=False).update(is_active=active):
            return
        record_event(
            audit=None, actor=actor, kind=EventKind.GOLD_ACTIVE if active else EventKind.GOLD_RETIRED, gold=str(gold.pk)
        )


def _is_text(value: Any) -> bool:
    """Text that can be stored: no NUL, no half of a surrogate pair."""
    if not isinstance(value, str) or len(value) > LONGEST:
        return False
    return not any(sign == "\x00" or "\ud800" <= sign <= "\udfff" for sign in value)


def _checked(texts: dict[str, str], premises: tuple[str, ...], where: str) -> Gold:
    for name in ("name", "domain", "text"):
        if not texts[name].strip():
            raise BadGoldError(f"{where}: {name} is missing")
    if len(texts["name"]) > 80 or len(texts["domain"]) > 60:
        raise BadGoldError(f"{where}: name has at most 80 characters and domain 60")
    if texts["truth"] not in ("pass", "fail"):
        raise BadGoldError(f"{where}: truth must be pass or fail")
    # An error type says why something is wrong: a right segment has none.
    errors = set(ErrorType) if texts["truth"] == "fail" else set()
    if texts["error_type"] and texts["error_type"] not in errors:
        raise BadGoldError(f"{where}: error_type must be one of {', '.join(ErrorType)}, and only with truth fail")
    if texts["place"] and (texts["truth"] != "fail" or texts["place"] not in texts["text"]):
        raise BadGoldError(f"{where}: place must be words of the text, and only with truth fail")
    purpose = texts["purpose"] or GoldSegment.Purpose.CALIBRATION
    if purpose not in GoldSegment.Purpose.values:
        raise BadGoldError(f"{where}: purpose must be calibration, practice or honeypot")
    texts = {**texts, "name": texts["name"].strip(), "domain": texts["domain"].strip()}
    return Gold(**{**texts, "purpose": purpose, "truth": Choice(texts["truth"]), "premises": premises, "where": where})  # type: ignore[arg-type]


def _insert(gold: Gold, author: User | None, file: str, provenance: str) -> None:
    names = ("problem", "premises", "implications", "text", "explanation", "place", "model_votes")
    texts = {name: getattr(gold, name) for name in names}
    try:
        with transaction.atomic():
            GoldSegment.objects.create(
                name=gold.name,
                domain=gold.domain,
                purpose=gold.purpose,
                truth=gold.truth,
                error_type=gold.error_type,
                block=content.store_json(texts),
                author=author,
                file=file,
                provenance=provenance,
                is_active=author is None,
            )
    except IntegrityError:  # somebody else took the name since add_all looked
        raise BadGoldError(f"Nothing was stored. {gold.where}: the name {gold.name!r} is taken") from None
