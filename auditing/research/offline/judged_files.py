"""A file of traces before judges of one endpoint: forecast, progress, resumption, and what was not answered.

Reads the input file and the notebook of an earlier run; writes the output file and that notebook.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import CommandError

from auditing.core.model_tier.families import family_of
from auditing.core.values import Tier
from auditing.research.offline.archived import read_archived
from auditing.research.offline.batches import Line
from auditing.research.offline.judges import Forecast, Judges, Record, forecast
from auditing.research.offline.one_trace import audit_line, trace_in, with_id
from auditing.research.studies.instruments.coverage import Tally
from auditing.research.studies.instruments.model_tier import CountingClient, KeptAnswers, ModelTier
from auditing.research.studies.instruments.runner import FileNotebook
from auditing.services.model_tier.questions import judge_examples
from hdag.chat.address import Origin, check_base_url, read_allowlist
from hdag.chat.book import MemoryBook
from hdag.chat.client import ChatClient
from hdag.chat.dialects.table import DIALECTS, UNKNOWN, find_dialect
from hdag.chat.endpoint import EndpointSettings, EnvironmentKey, MaySee, NoKey
from hdag.chat.errors import AddressRefusedError
from hdag.chat.probing.probe import probe
from hdag.chat.usage import NOTHING_SPENT, Prices, Spent
from hdag.core.errors import ForeignFileError
from hdag.core.strict_json import read_json
from hdag.readers.archives.traces import is_archive

ACCOUNT = "command:audit"
NO_LIMIT = Decimal(10**9)
USUAL_SECONDS = 4.0  # of one call, before one was measured
TIERS = (Tier.COMPUTER, Tier.LLM)


def judge_file(*, options: Mapping[str, Any], out: Any, told: Any) -> None:
    """Judge every trace of a file. Raises CommandError where a record failed or an answer is missing (exit 1)."""
    source, target = Path(options["input"]), Path(options["output"])
    if "-" in (options["input"], options["output"]):
        raise CommandError("with a model, input and output are files: the run goes on after a stop", returncode=2)
    settings = _settings(options)
    allowed = read_allowlist(settings.base_url)  # named by the person who runs this, on this machine
    settings = _probed(settings, options, allowed)
    records = list(_records(source))
    plan = forecast(records=records, endpoint=settings, judges=options["judges"])
    _tell_forecast(plan, settings, told)
    # Beside the output: whoever runs the same command again pays for nothing twice.
    notebook, tally = FileNotebook(target.with_name(f".{target.name}.answers.jsonl")), Tally(asks=settings.model)
    with (
        CountingClient(settings, MemoryBook(), KeptAnswers(notebook), allowed, tally=tally) as client,
        target.open("w", encoding="utf-8") as file,
    ):
        judges = Judges(ModelTier(client, ACCOUNT), options["judges"])
        bad, spent = _write(judges.judge(records), file, plan)
    coverage = tally.coverage()
    out.write(coverage.sentence if coverage else "complete: nothing was left open by the computer")
    usage = spent.usage
    out.write(
        f"{len(records)} records, {bad} failed; {usage.tokens_in} + {usage.tokens_out} tokens "
        f"({usage.tokens_cached} cached), cost {spent.cost:f}"
    )
    if bad or (coverage and coverage.is_partial):
        raise CommandError("some records or answers are missing; run the same command again for them", returncode=1)
    notebook.forget()


def _records(source: Path) -> Iterator[tuple[Record, str]]:
    """Every line before the computer tier, with the problem of its trace; a bad one is a record that says so."""
    try:
        with source.open("rb") as file:
            lines = read_archived(source=file) if is_archive(lines=file) else _lines(file.read())
    except OSError as error:
        raise CommandError(f"{source}: {error.strerror or error}", returncode=1) from None
    except ForeignFileError as error:
        raise CommandError(f"{source}: nothing was asked: {error}", returncode=1) from None
    for where, named, _ in lines:
        record = audit_line(line=named, where=where, tiers=TIERS)
        problem = "" if "error" in record else trace_in(record=read_json(named, where=where), where=where).problem
        yield record, problem


def _lines(data: bytes) -> list[Line]:
    return [
        (f"line {number}", with_id(line=line, number=number), 0)
        for number, line in enumerate(data.splitlines(), 1)
        if line.strip()
    ]


def _settings(options: Mapping[str, Any]) -> EndpointSettings:
    dialect = DIALECTS.get(options["dialect"]) or find_dialect(base_url=options["url"], model=options["model"])
    url, variable = options["url"] or dialect.base_url, options["key_variable"] or dialect.key_variable
    _check(options, url)
    limit = NO_LIMIT if options["limit_money"] is None else options["limit_money"]
    return EndpointSettings(
        name=options["model"],
        base_url=url,
        model=options["model"],
        key=EnvironmentKey(variable) if variable else NoKey(),
        family=family_of(model=options["model"]),
        prices=Prices(options["price_in"], options["price_out"]),
        max_concurrency=options["concurrency"],
        timeout_seconds=float(options["timeout"]),
        deadline_seconds=options["timeout"] * 1.7,
        daily_cap=limit,
        account_cap=limit,
        may_see=MaySee.TRACES,
        answer_mode=dialect.answer_mode,
        limit_field=dialect.limit_field,
        sends_temperature=dialect.sends_temperature,
        thinking_tokens=dialect.thinking_tokens,
        most_tokens=dialect.most_tokens,
        reasoning_effort=dialect.reasoning_effort,
        extra_body=dialect.extra_body,
        answers_as=dialect.answers_as,
        context_tokens=dialect.context_tokens,
    )


def _probed(settings: EndpointSettings, options: Mapping[str, Any], allowed: frozenset[Origin]) -> EndpointSettings:
    """A server of no known dialect as it can be asked: a small question on several terms, a judge's in each mode."""
    dialect = DIALECTS.get(options["dialect"]) or find_dialect(base_url=settings.base_url, model=settings.model)
    if dialect is not UNKNOWN:
        return settings
    report = probe(
        endpoint=settings,
        client_of=lambda terms: ChatClient(terms, MemoryBook(), allowed=allowed),
        questions=judge_examples()[:1],
    )
    if report.best is None:
        raise CommandError(f"partial: nothing was asked: {settings.model} gives no usable answer: {report.reason}")
    return report.best


def _check(options: Mapping[str, Any], url: str) -> None:
    """Raise CommandError for what cannot be asked."""
    refusals = {
        "say the model's name with --model": not options["model"],
        "say where the server is with --url": not url,
        "--judges is 1 to 9": not 1 <= options["judges"] <= 9,
        "--concurrency is at least 1": options["concurrency"] < 1,
        "--limit-money needs --price-in and --price-out": options["limit_money"] is not None
        and not (options["price_in"] or options["price_out"]),
    }
    for sentence, holds in refusals.items():
        if holds:
            raise CommandError(sentence, returncode=2)
    try:
        check_base_url(url=url, allowed=read_allowlist(url))
    except AddressRefusedError as error:
        raise CommandError(str(error), returncode=2) from None


def _tell_forecast(plan: Forecast, settings: EndpointSettings, told: Any) -> None:
    seconds = plan.calls * USUAL_SECONDS / max(1, settings.max_concurrency)
    told.write(
        f"{plan.records} traces, at most {plan.calls} calls to {settings.model} at {settings.base_url}, "
        f"about {plan.usage.tokens_in} + {plan.usage.tokens_out} tokens, cost about {plan.spent.cost:.4f}, "
        f"{seconds:.0f} s if a call takes {USUAL_SECONDS:.0f} s ({settings.max_concurrency} at once)"
    )


def _write(judged: Iterator[tuple[Record, Spent]], file: TextIO, plan: Forecast) -> tuple[int, Spent]:
    """(records with an error, what was spent)"""
    from tqdm import tqdm

    bad, spent = 0, NOTHING_SPENT
    for record, cost in tqdm(judged, total=plan.records, unit="trace", disable=not sys.stderr.isatty()):
        bad += "error" in record
        spent += cost
        file.write(json.dumps(record, ensure_ascii=True, separators=(",", ":")) + "\n")
        file.flush()
    return bad, spent
