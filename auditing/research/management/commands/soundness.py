"""manage.py soundness: the soundness of every claim of a trace, with its certificate."""

import json
import os
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from auditing.core.soundness.claims import Chain
from auditing.core.soundness.entailment import EntailmentModel, ExternalScores
from auditing.core.soundness.parc_alarms import parc_alarms
from auditing.core.soundness.particles import Certificate
from auditing.research.policy_lab.selectors.model_calls import forecast_claims
from auditing.research.soundness.core.graph_claims import chain_of
from auditing.research.soundness.core.holes import WithHoles, without_unanswered
from auditing.research.soundness.core.second_look import Premises, certify_by
from auditing.research.soundness.core.temperature import at_temperature
from auditing.research.soundness.core.thresholds import best_of
from auditing.research.soundness.services.entailments import Asking, entailment_of
from auditing.services.model_tier.judges.entailment import AnswerTally
from hdag.chat.address import read_allowlist
from hdag.chat.errors import ChatError
from hdag.core.errors import HdagError
from hdag.core.strict_json import read_json
from hdag.core.values import Graph
from hdag.decomposers.rules import RulesDecomposer
from hdag.models import Endpoint
from hdag.readers.records import read_record

PARTIAL = 3  # exit code of a run with holes, as of studies
# What a claim can be called, as the last line counts them.
ORDER = ("sound", "open", "local error", "propagated error", "unsound")


@dataclass(frozen=True, slots=True)
class Scored:
    """A chain, the problem that it solves, and the scores that came with its record."""

    chain: Chain
    problem: str
    scores: Mapping[str, float]


class Command(BaseCommand):
    """Without an endpoint the computer tier alone is the entailment model, and neither database nor network is used."""

    help = "Soundness of each claim of traces (JSONL or JSON records, or plain text as thinking), with a certificate."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """FILE and the parameters of the certificate."""
        parser.add_argument("files", nargs="+", metavar="FILE", help="JSONL of traces, JSON of one trace, or text")
        parser.add_argument("--endpoint", default="", help="name of an endpoint to ask where the checkers are silent")
        parser.add_argument("--epsilon", type=float, default=0.1, help="half-width of the intervals")
        parser.add_argument("--delta", type=float, default=0.1, help="1 - simultaneous confidence")
        parser.add_argument("--prior", type=float, default=1.0, help="probability of each fact of the problem")
        parser.add_argument("--threshold", type=float, default=0.5, help="claims below it count as unsound")
        parser.add_argument(
            "--premises",
            choices=[str(mode) for mode in Premises],
            default=str(Premises.DECLARED_FIRST),
            help="what a claim may lean on; 'all' is the mode of the paper",
        )
        parser.add_argument("--once", action="store_true", help="ask the endpoint once, not again in other words")
        parser.add_argument("--binary", action="store_true", help="yes or no instead of seven words")
        parser.add_argument(
            "--temperature", type=float, default=1.0, help="divides the log-odds of each answer; study wordings fits it"
        )
        parser.add_argument(
            "--scores", action="store_true", help="take the entailments from `step_scores` of each record (a PRM's)"
        )
        parser.add_argument(
            "--limit-money", type=Decimal, default=None, help="no call that could carry the run over it"
        )
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--json", action="store_true", help="print JSON, one object a trace")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints a line for each claim, then the certificate; of several traces also which is the best.

        A line of a JSONL file that cannot be used is named, and the command ends with 1 after the others; with 3 where
        questions were left unanswered, which the first line of such a trace says.
        """
        if not options["temperature"] > 0:
            raise CommandError(f"--temperature must be above 0, not {options['temperature']:g}")
        traces = list(_traces_of([Path(name) for name in options["files"]], options))
        single = len(traces) == 1
        # An account of this run alone: what earlier ones spent is no part of its cap.
        options["account"] = f"command:soundness:{uuid4().hex[:12]}"
        self._tell_forecast(traces, options)
        done: list[tuple[str, str, Certificate]] = []
        refused, self._holes = 0, 0
        for name, scored in tqdm(traces, unit="trace", disable=True if single else None):
            certificate = self._certify(name, scored, options, single=single)
            if certificate is None:
                refused += 1
                continue
            done.append((scored.problem if isinstance(scored, Scored) else "", name, certificate))
            self._print(name, certificate, options, single=single)
        if done and not options["json"]:
            self._print_ending(done)
        if refused:
            raise CommandError(f"{refused} of {len(traces)} traces have no certificate")
        if self._holes:
            raise CommandError("partial: asked again within a day, answers are not paid twice", returncode=PARTIAL)

    def _tell_forecast(self, traces: list[tuple[str, Scored | Exception]], options: dict[str, Any]) -> None:
        """What will be asked, and where the texts go, before anything is asked."""
        claims = sum(len(scored.chain.derived) for _, scored in traces if isinstance(scored, Scored))
        try:
            rows = _endpoints(options["endpoint"])
        except ValueError as error:
            raise CommandError(str(error)) from None
        # The computer tier alone asks nobody, and needs no database.
        for forecast in forecast_claims(claims=claims, endpoints=rows) if rows else ():
            self.stderr.write(f"forecast: {forecast.sentence}; the texts go to {forecast.endpoint.base_url}")

    def _print(self, name: str, certificate: Certificate, options: dict[str, Any], *, single: bool) -> None:
        if options["json"]:
            self.stdout.write(_as_json(certificate, name, options["threshold"], compact=not single))
            return
        if not single:
            self.stdout.write(name)
        self.stdout.write(_as_lines(certificate, options["threshold"]))

    def _print_ending(self, done: list[tuple[str, str, Certificate]]) -> None:
        """Once for all traces: what is known of false alarms, and the best of several traces of one problem."""
        if alarms := parc_alarms(premises=done[0][2].premises):
            self.stdout.write(alarms.sentence)
        problems: dict[str, list[tuple[str, Certificate]]] = {}
        for problem, name, certificate in done:
            problems.setdefault(problem, []).append((name, certificate))
        # Traces of different problems do not compete: the surest of them is only the easiest.
        for several in (traces for traces in problems.values() if len(traces) > 1):
            by_mean = best_of(means=[certificate.mean for _, certificate in several])
            by_last = best_of(means=[certificate.last for _, certificate in several])
            self.stdout.write(f"{len(several)} traces of one problem, best by mean: {several[by_mean][0]}")
            self.stdout.write(f"{len(several)} traces of one problem, best by last claim: {several[by_last][0]}")

    def _certify(
        self, name: str, scored: Scored | Exception, options: dict[str, Any], *, single: bool
    ) -> Certificate | None:
        """The certificate; None where there is none and other traces follow, which is said."""
        try:
            if isinstance(scored, Exception):
                raise scored
            tally = AnswerTally()
            with _model(scored, options, tally) as inner:
                model = WithHoles(inner, scored.chain, repr)
                certificate = certify_by(
                    chain=scored.chain,
                    model=model,
                    seed=options["seed"],
                    premises=Premises(options["premises"]),
                    limits=(options["epsilon"], options["delta"]),
                    threshold=options["threshold"],
                )
            return self._filled(name, scored.chain, certificate, model, tally, options)
        except (HdagError, ChatError, ValueError) as error:
            if single:
                raise CommandError(f"{name}: {error}") from None
            self.stderr.write(f"{name}: {error}")
            return None

    def _filled(
        self,
        name: str,
        chain: Chain,
        certificate: Certificate,
        model: WithHoles,
        tally: AnswerTally,
        options: dict[str, Any],
    ) -> Certificate:
        """The certificate of what was answered, after a first line that counts the holes. Raises ValueError."""
        if not model.missing:
            return certificate
        why, threshold = tally.failures[-1], options["threshold"]
        partial = without_unanswered(certificate=certificate, chain=chain, missing=model.missing, threshold=threshold)
        if not (tally.answered and partial.claims):  # nothing that the checkers alone would not have said
            raise ValueError(why)
        self._holes += 1
        counts = model.counts(certified=len(partial.claims), claims=len(chain.derived))
        told = ", ".join(f"{key} {value}" for key, value in counts.items() if key != "coverage")
        line = f"partial: {told}, coverage {100 * counts['coverage']:.1f} % ({why})"
        (self.stderr if options["json"] else self.stdout).write(f"{name}: {line}")
        return partial


@contextmanager
def _model(scored: Scored, options: dict[str, Any], tally: AnswerTally) -> Iterator[EntailmentModel]:
    """The scores that came with the trace, or the checkers and the endpoint."""
    if options["scores"]:
        yield at_temperature(model=ExternalScores(scored.scores), temperature=options["temperature"])
        return
    allowed = read_allowlist(os.environ.get("TRUST_CHAT_ALLOWED_ORIGINS", ""))
    asking = Asking(not options["once"], not options["binary"], tally=tally, temperature=options["temperature"])
    rows = _endpoints(options["endpoint"])
    cap, account = options["limit_money"], options["account"]
    with entailment_of(endpoints=rows, account=account, allowed=allowed, asking=asking, cap=cap) as model:
        yield model


def _traces_of(paths: list[Path], options: dict[str, Any]) -> Iterator[tuple[str, Scored | Exception]]:
    """(name, chain or what is wrong with it) of every trace. Raises CommandError for a file that cannot be read."""
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8-sig")
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror or error}") from None
        except UnicodeDecodeError:
            raise CommandError(f"{path} is not UTF-8") from None
        if path.suffix != ".jsonl":
            yield str(path), _scored(text, path.name, options, is_json=path.suffix == ".json")
            continue
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield f"{path} line {number}", _scored(line, f"line {number}", options, is_json=True)


def _scored(text: str, where: str, options: dict[str, Any], *, is_json: bool) -> Scored | Exception:
    try:
        record = read_json(text, where=where) if is_json else {"problem": "", "thinking": text}
        trace = read_record(record, where=where)
        graph = RulesDecomposer().decompose(trace)
        chain = chain_of(trace=trace, graph=graph, prior=options["prior"])
        scores = _scores(record, graph, chain) if options["scores"] else {}
    except (HdagError, ValueError) as error:
        return error
    return Scored(chain, trace.problem, scores) if chain.derived else ValueError("the trace derives no claim")


def _scores(record: Any, graph: Graph, chain: Chain) -> dict[str, float]:
    """The score of each claim's step. Raises ValueError for a step without one."""
    scores = record.get("step_scores") if isinstance(record, dict) else None
    if not isinstance(scores, list) or not all(isinstance(n, int | float) and 0 <= n <= 1 for n in scores):
        raise ValueError("step_scores must be a list of numbers from 0 to 1, one a step")
    step_of = {segment.id: segment.step for segment in graph.segments}
    # A claim that stands in no step is the answer: it is as good as the last step.
    index = {claim.id: len(scores) - 1 if (step := step_of[claim.id]) is None else step for claim in chain.derived}
    if not scores or max(index.values()) >= len(scores):
        raise ValueError(f"step_scores holds {len(scores)} numbers, there are {max(index.values()) + 1} steps")
    return {key: float(scores[step]) for key, step in index.items()}


def _endpoints(name: str) -> list[Endpoint]:
    """The endpoint of that name, none for "". Raises ValueError when there is none that is enabled."""
    if not name:
        return []
    row = Endpoint.objects.filter(name=name, enabled=True).first()
    if row is None:
        raise ValueError(f"there is no enabled endpoint named {name!r}")
    return [row]


def _as_lines(certificate: Certificate, threshold: float) -> str:
    words = Counter(claim.verdict(threshold) for claim in certificate.claims)
    rows = [
        f"{claim.id:<6} {claim.tau:.3f}  [{claim.low:.3f}, {claim.high:.3f}]  {claim.verdict(threshold)}"
        for claim in certificate.claims
    ]
    counts = ", ".join(f"{words[word]} {word}" for word in sorted(words, key=ORDER.index))
    figures = f"{counts}; mean {certificate.mean:.3f}, last {certificate.last:.3f}"
    return "\n".join([*rows, figures, certificate.statement])


def _as_json(certificate: Certificate, name: str, threshold: float, *, compact: bool) -> str:
    claims = [{**asdict(claim), "word": claim.verdict(threshold)} for claim in certificate.claims]
    names = ("model", "premises", "epsilon", "delta", "particles", "calls", "settled")
    head = {"trace": name, **{key: getattr(certificate, key) for key in names}}
    if certificate.of is not None:
        head["coverage"] = len(certificate.claims) / certificate.of
    alarms = parc_alarms(premises=certificate.premises)
    head |= {"threshold": threshold, "false_alarms_on_parc": alarms.as_json() if alarms else None}
    whole = {**head, "statement": certificate.statement, "claims": claims}
    return json.dumps(whole, indent=None if compact else 1)
