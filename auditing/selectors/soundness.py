"""Soundness of an audit's claims (ARES): the newest certificate, its threshold, and endpoints that may be asked.

Reads SoundnessRun, SoundnessThreshold, Endpoint, ModelConsent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.prepared import PreparedQuery
from auditing.core.model_tier.families import is_own_family
from auditing.core.soundness.parc_alarms import ParcAlarms, parc_alarms
from auditing.core.soundness.particles import ClaimSoundness
from auditing.models import Audit, SoundnessRun, SoundnessThreshold
from auditing.selectors.model_tier.consents import agreed_endpoints
from hdag.models import Endpoint
from hdag.selectors import load_trace

UNCALIBRATED = 0.5  # the threshold that pages show where none was measured; it bounds no outcome
FEW_ALARMS = 0.02  # share of right steps called unsound, on labelled data held out, below which a certificate may bound
SAYS = {
    "sound": "It follows, as far as this entailment model can tell.",
    "open": "This entailment model cannot tell: its answer, or the interval of its figure, lies on the threshold.",
    "local error": "It does not follow even when everything that it leans on is granted.",
    "propagated error": "It would follow, but it leans on something that is not sound.",
    "unsound": "It is below the threshold.",
}


@dataclass(frozen=True, slots=True)
class ClaimLine:
    """One claim: its figure, whether it is sound, and what that means."""

    tau: float
    low: float
    high: float
    local: float | None
    word: str
    context: str = ""  # by which premises
    declared: float | None = None  # by declared premises, where everything earlier gave the higher figure

    @property
    def says(self) -> str:
        """The word in a sentence."""
        return SAYS[self.word]

    @property
    def is_unsound(self) -> bool:
        """Whether the certificate says so: neither sound nor open."""
        return self.word not in ("sound", "open")

    @property
    def half(self) -> float:
        """Half-width of the interval where it is not cut off at 0 or 1."""
        return max(self.high - self.tau, self.tau - self.low)

    def as_json(self) -> dict[str, Any]:
        """For the report as data."""
        figures = {"tau": self.tau, "low": self.low, "high": self.high, "local": self.local, "word": self.word}
        return {**figures, "context": self.context, "declared": self.declared}


@dataclass(frozen=True, slots=True)
class Soundness:
    """The newest certificate of an audit, read at the threshold that was calibrated for its entailment model."""

    run: SoundnessRun
    threshold: SoundnessThreshold | None
    claims: Mapping[str, ClaimLine]

    @property
    def cut(self) -> float:
        """The threshold in use."""
        return self.threshold.threshold if self.threshold else UNCALIBRATED

    @property
    def false_alarms(self) -> float | None:
        """How many right steps of labelled data were called unsound; None where nobody measured it."""
        return self.threshold.body.get("false_alarms") if self.threshold else None

    @property
    def parc(self) -> ParcAlarms | None:
        """False alarms on PARC with the premises of this certificate."""
        return parc_alarms(premises=self.run.certificate.get("premises"))

    @property
    def may_bound(self) -> bool:
        """Whether so few right steps are called unsound that the certificate may bound a trace's posterior."""
        return self.false_alarms is not None and self.false_alarms < FEW_ALARMS

    @property
    def counts(self) -> dict[str, int]:
        """How many claims stand under each word, none left out."""
        by_word = dict.fromkeys(("sound", "open", "local error", "propagated error"), 0)
        for line in self.claims.values():
            by_word[line.word] = by_word.get(line.word, 0) + 1
        return by_word

    def as_json(self) -> dict[str, Any]:
        """The certificate for the report as data; the claims stand with their segments."""
        threshold = self.threshold
        return {
            "model": self.run.model,
            "statement": self.run.statement,
            "delta": self.run.delta,
            **self.run.certificate,
            "threshold": self.cut,
            "calibrated_on": threshold.data if threshold else None,
            "macro_f1": threshold.macro_f1 if threshold else None,
            "false_alarms": self.false_alarms,
            "false_alarms_on_parc": self.parc.as_json() if self.parc else None,
            "computed": self.run.finished_at.isoformat() if self.run.finished_at else None,
            "counts": self.counts,
        }


def soundness_of(*, audit: Audit) -> Soundness | None:
    """The newest finished certificate: two queries, one where there is none."""
    return certificate_of(runs=newest_runs(audit=audit))


def newest_runs(*, audit: Audit) -> list[SoundnessRun]:
    """The newest run in each state, the newest of all first."""
    return sorted(_newest.rows(audit=audit.pk), key=lambda run: run.created, reverse=True)


@PreparedQuery
def _newest(audit: UUID) -> QuerySet[SoundnessRun]:
    return SoundnessRun.objects.filter(audit=audit).order_by("state", "-created").distinct("state")


def certificate_of(*, runs: Sequence[SoundnessRun]) -> Soundness | None:
    """The certificate of the finished one among the newest runs of an audit; one query where there is one."""
    run = next((run for run in runs if run.state == "done"), None)
    if run is None:
        return None
    # A threshold belongs to its entailment model: .5 of one says nothing about .5 of another.
    threshold = _threshold_of(run.model)
    cut = threshold.threshold if threshold else UNCALIBRATED
    return Soundness(run, threshold, {label: _line(label, figures, cut) for label, figures in run.claims.items()})


def cut_for(*, model: str) -> float:
    """The threshold at which claims under this entailment model are called unsound."""
    threshold = _threshold_of(model[:400])
    return threshold.threshold if threshold else UNCALIBRATED


def _threshold_of(model: str) -> SoundnessThreshold | None:
    return SoundnessThreshold.objects.filter(model=model).order_by("-created").first()


def newest_run(*, audit: Audit) -> SoundnessRun | None:
    """The run that was asked for last, whatever became of it."""
    return SoundnessRun.objects.filter(audit=audit).order_by("-created").first()


def askable_endpoints(*, audit: Audit, author: str | None = None) -> list[Endpoint]:
    """Endpoints that may be asked about all claims of a trace: whole traces, with consent, never the author's family.

    Both agreed: the trace's provider that models see it whole, and whoever runs the campaign that it goes to that
    server.

    `author`: the model that wrote the trace, where the caller has read it already.
    """
    # Consent comes first: without it no endpoint is even listed.
    if not audit.trace.whole_to_models:
        return []
    enabled = Endpoint.objects.filter(enabled=True, may_see=Endpoint.MaySee.TRACES).order_by("created", "pk")
    rows = agreed_endpoints(audit=audit, rows=enabled, whole=True)
    if not rows:
        return []
    # Reading a trace decrypts it: only now, when there is somebody to ask.
    wrote = load_trace(audit.trace).model_name if author is None else author
    return [
        endpoint for endpoint in rows if not is_own_family(family=endpoint.family, model=endpoint.model, author=wrote)
    ]


def _line(label: str, figures: Mapping[str, Any], cut: float) -> ClaimLine:
    claim = ClaimSoundness(label, **figures)
    figures_of_claim = (claim.tau, claim.low, claim.high, claim.local)
    return ClaimLine(*figures_of_claim, claim.verdict(cut), claim.context, claim.declared)


def find_run(*, key: UUID) -> SoundnessRun | None:
    """A run with its audit, trace and graph; None when it was taken away."""
    return SoundnessRun.objects.select_related("audit__trace__payload", "audit__decomposition").filter(pk=key).first()
