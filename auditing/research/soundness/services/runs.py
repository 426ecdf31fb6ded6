"""Soundness certificates (ARES) as long jobs, and the thresholds that were measured for their models.

Nothing here decides a segment: the certificate stands beside the votes, and bounds a trace's posterior where it calls a
claim unsound (selectors/consensus/outcomes.py). An endpoint is asked only where it may see whole traces and the trace's
provider agreed.

Reads the graph of an audit, Endpoint; writes SoundnessRun, SoundnessThreshold, AuditEvent.
"""

import hmac
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.models import User
from auditing import broadcast
from auditing.core.events import EventKind
from auditing.core.soundness.claims import Chain
from auditing.core.soundness.entailment import EntailmentModel, Query
from auditing.core.soundness.particles import Certificate
from auditing.models import Audit, SoundnessRun, SoundnessThreshold
from auditing.research.soundness.core.graph_claims import chain_of
from auditing.research.soundness.core.holes import WithHoles, without_unanswered
from auditing.research.soundness.core.second_look import Premises, certify_by
from auditing.research.soundness.core.thresholds import Calibration
from auditing.research.soundness.services.entailments import Asking, entailment_of
from auditing.selectors.soundness import askable_endpoints, cut_for
from auditing.services import jobs
from auditing.services.events import record_event
from auditing.services.model_tier.judges.entailment import AnswerTally
from hdag.chat.address import Origin
from hdag.chat.errors import ChatError
from hdag.models import Endpoint
from hdag.selectors import load_graph, load_trace
from hdag.services.call_book import spent_by
from hdag.store import master_key
from hdag.store.content import ContentGoneError

MOST_CLAIMS = 2_000
QUESTIONS_A_STEP = 16  # between two renewals of the lease


class SoundnessRefusedError(ValueError):
    """Soundness cannot be computed for this audit."""


@dataclass
class Watched:
    """Tells after every few questions how far it is: each claim is walked once, and again if chance has a say."""

    model: EntailmentModel
    tell: Callable[[int, int], None]  # claims met, questions answered
    asked: int = 0
    met: dict[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    def entail(self, queries: Sequence[Query]) -> list[float]:
        """The model's answers."""
        answers: list[float] = []
        for start in range(0, len(queries), QUESTIONS_A_STEP):
            few = queries[start : start + QUESTIONS_A_STEP]
            answers += self.model.entail(few)
            self.asked += len(few)
            self.tell(sum(self.met.values()), self.asked)
        for name in {query.hypothesis_id for query in queries}:
            # A claim counts twice at most: alone, and once more where particles have to decide it.
            self.met[name] = min(2, self.met.get(name, 0) + 1)
        return answers


def ask(
    *,
    audit: Audit,
    owner: User,
    endpoints: Sequence[Endpoint] = (),
    premises: Premises = Premises.DECLARED_FIRST,
    limit_money: Decimal | None = None,
) -> SoundnessRun:
    """Queue a run, or find the one that is open already. Raises SoundnessRefusedError naming what is not allowed.

    limit_money: no call goes out that could carry the run over it. Such a run is partial, as one whose server failed:
    what was answered is certified and kept, and the next run asks the rest.
    """
    if audit.decomposition is None or audit.decomposition.state != "done":
        raise SoundnessRefusedError("the graph of this trace is not made yet")
    allowed = {row.pk for row in askable_endpoints(audit=audit)}
    for row in endpoints:
        if row.pk not in allowed:
            raise SoundnessRefusedError(f"{row.name} may not be asked about this trace")
    try:
        with transaction.atomic():
            run = SoundnessRun.objects.create(audit=audit, owner=owner, premises=premises, limit_money=limit_money)
            run.endpoints.set(endpoints)
            record_event(
                audit=audit, kind=EventKind.SOUNDNESS_ASKED, actor=owner, job=str(run.pk), endpoints=len(endpoints)
            )
            jobs.enqueue(job=run)
    except IntegrityError:  # one open run an audit
        return SoundnessRun.objects.get(audit=audit, state__in=["waiting", "running"])
    return run


def run(*, run: SoundnessRun, now: datetime, allowed: frozenset[Origin]) -> str:
    """Compute and store the certificate; says how the job ended. Pages of the audit are told."""

    def work() -> None:
        chain = _chain(run.audit)
        tally = AnswerTally()
        with _model(run, chain, allowed, tally) as model:
            cut = cut_for(model=model.name)
            certificate = certify_by(
                chain=chain,
                model=model,
                seed=run.seed,
                premises=Premises(run.premises),
                limits=(run.epsilon, run.delta),
                threshold=cut,
            )
        certificate = without_unanswered(certificate=certificate, chain=chain, missing=model.missing, threshold=cut)
        why = tally.failures[-1] if tally.failures else ""
        if model.missing and not (tally.answered and certificate.claims):
            # Nothing that the checkers alone would not have said; what an earlier run was answered is kept.
            SoundnessRun.objects.filter(pk=run.pk).update(answers=model.kept)
            raise SoundnessRefusedError(why)
        counts = model.counts(certified=len(certificate.claims), claims=len(chain.derived))
        jobs.finish(job=run, answers=model.kept if model.missing else {}, **_stored(certificate, counts | {"why": why}))

    # What can go wrong with a model or a missing text is told to the person who asked, in the words of the error.
    state = jobs.run(job=run, now=now, work=work, refusals=(SoundnessRefusedError, ChatError, ContentGoneError))
    broadcast.tell_audit(run.audit_id)
    return state


def store_threshold(*, found: Calibration, model: str, data: str) -> SoundnessThreshold:
    """Keep a threshold with the data that it was measured on; the newest of a model is the one pages use."""
    return SoundnessThreshold.objects.create(
        model=model[:400],
        data=data[:200],
        chains=found.chains,
        threshold=found.threshold,
        macro_f1=found.folded.mean,
        deviation=found.folded.deviation,
        body={
            "folds": list(found.folded.thresholds),
            "claims": found.claims,
            "unsound": found.unsound,
            "false_alarms": found.folded.false_alarms,
        },
    )


def _chain(audit: Audit) -> Chain:
    """The claims of the trace in order, each with what it is derived from. Raises SoundnessRefusedError."""
    chain = chain_of(trace=load_trace(audit.trace), graph=load_graph(audit.job).graph)
    if not chain.derived:
        raise SoundnessRefusedError("The trace derives no claim.")
    if len(chain.derived) > MOST_CLAIMS:
        raise SoundnessRefusedError(f"The trace derives {len(chain.derived)} claims; the limit is {MOST_CLAIMS}.")
    return chain


@contextmanager
def _model(run: SoundnessRun, chain: Chain, allowed: frozenset[Origin], tally: AnswerTally) -> Iterator[WithHoles]:
    """The run's model, which notes progress, renews the lease, and has the answers that a partial run left."""

    def tell(met: int, asked: int) -> None:
        jobs.step(job=run, done=met, total=2 * len(chain.derived), says=f"{asked} questions answered")

    endpoints = list(run.endpoints.order_by("name"))
    # Asked again: consent may have been taken back since the run was queued.
    permitted = {row.pk for row in askable_endpoints(audit=run.audit)}
    if any(row.pk not in permitted for row in endpoints):
        raise SoundnessRefusedError("An endpoint of this run may not be asked any more.")
    account = f"audit:{run.audit_id}"
    # What the audit had spent before: a run that a second worker takes over has what the first one left of its limit.
    before = Decimal(0) if run.limit_money is None else spent_by(Q(account=account, created__lt=run.created))
    cap = None if run.limit_money is None else before + run.limit_money
    asking = Asking(tally=tally)
    with entailment_of(endpoints=endpoints, account=account, allowed=allowed, asking=asking, cap=cap) as model:
        yield WithHoles(Watched(model, tell), chain, partial(_key, model.name), _answers_before(run))


def _key(model: str, query: Query) -> str:
    """A name for a question that tells nothing of it to whoever lacks the master key: answers stay, texts do not."""
    told = json.dumps([model, query.premises, query.hypothesis, query.withheld, query.wording])
    return hmac.digest(master_key.derived(label=b"TRUST/soundness-answers/v1"), told.encode(), "sha256").hex()


def _answers_before(run: SoundnessRun) -> dict[str, float]:
    """What the last run of the audit that was answered anything left, where it had holes."""
    told = Q(state=SoundnessRun.State.DONE) | ~Q(answers={})
    earlier = SoundnessRun.objects.filter(told, audit_id=run.audit_id, created__lt=run.created).order_by("-created")
    return dict(earlier.values_list("answers", flat=True).first() or {})


def _stored(certificate: Certificate, counts: dict[str, Any]) -> dict[str, Any]:
    claims = {
        claim.id: {key: value for key, value in asdict(claim).items() if key != "id"} for claim in certificate.claims
    }
    figures = ("epsilon", "particles", "calls", "batches", "settled", "mean", "last", "premises")
    counted = {name: getattr(certificate, name) for name in figures}
    return {
        "model": certificate.model[:400],
        "statement": certificate.statement,
        "claims": claims,
        "certificate": counted | counts,
    }
