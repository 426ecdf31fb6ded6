"""The RADO loop read back: samples as values, the queue of people, figures, PROOF scores."""

from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean
from uuid import UUID

from django.db.models import Avg, Count, Exists, OuterRef, Q, QuerySet, Sum

from auditing.research.models import Correction, Evaluation, Iteration, ProofScore, TrainingLoop
from auditing.research.rado.core import Audited, Rates, parse_dialogue, parse_evaluation, rates_of
from auditing.research.rado.core import Evaluation as EvaluationValue
from auditing.research.rado.core.evaluations import Correction as CorrectionValue
from auditing.research.rado.core.evaluations import CorrectionTag
from auditing.research.rado.core.proof import Alignment, Proof, Scores, compare_with_experts, proof_score
from hdag.store import content


def newest_loops() -> QuerySet[TrainingLoop]:
    """Everybody's loops, newest first."""
    return TrainingLoop.objects.order_by("-created")


def find_loop(*, loop_id: UUID) -> TrainingLoop | None:
    """One loop, None when there is none of this id."""
    return TrainingLoop.objects.filter(pk=loop_id).first()


def find_iteration(*, iteration_id: str) -> Iteration | None:
    """An iteration for its worker, with its endpoints and the responses to evaluate."""
    return Iteration.objects.select_related("endpoint", "reward_endpoint", "items").filter(pk=iteration_id).first()


def find_audited(*, evaluation_id: UUID) -> Evaluation | None:
    """An evaluation that has an audit, with both texts; None for any other."""
    audited = Evaluation.objects.select_related("iteration__loop", "given", "audit").filter(audit__isnull=False)
    return audited.filter(pk=evaluation_id).first()


def value_of(evaluation: Evaluation, correction: Correction | None = None) -> Audited:
    """One audited evaluation with its texts opened."""
    texts = content.read_json(evaluation.given)
    # Callers select audited evaluations only.
    assert evaluation.audit is not None
    return Audited(
        id=evaluation.key,
        problem=evaluation.problem,
        prompt=texts["prompt"],
        evaluation=EvaluationValue(evaluation.reason, evaluation.answer, texts["rationale"]),
        audit=parse_dialogue(content.read(evaluation.audit)),
        audit_confidence=evaluation.audit_confidence,
        iteration=evaluation.iteration.number,
        correction=_correction(correction) if correction else None,
        question=texts.get("question", ""),
        response=texts.get("response", ""),
    )


def _correction(row: Correction) -> CorrectionValue:
    texts = content.read_json(row.block)
    return CorrectionValue(
        label=row.label,
        corrector=row.corrector.pseudonym,
        dialogue=parse_dialogue(texts["audit"]) if texts.get("audit") else None,
        evaluation=parse_evaluation(texts["evaluation"]) if texts.get("evaluation") else None,
        tags=frozenset(CorrectionTag(tag) for tag in row.tags),
    )


def samples_of(*, iteration: Iteration) -> list[Audited]:
    """All audited evaluations of one iteration, each with its newest correction."""
    # In order of id, so the last one of each evaluation stays.
    newest = {row.evaluation_id: row for row in _corrections(iteration)}
    audited = iteration.evaluations.filter(audit__isnull=False).select_related("iteration", "given", "audit")
    return [value_of(row, newest.get(row.pk)) for row in audited.order_by("key")]


def _corrections(iteration: Iteration) -> QuerySet[Correction]:
    corrections = Correction.objects.filter(evaluation__iteration=iteration).order_by("id")
    return corrections.select_related("block", "corrector")


def queue_of(*, loop: TrainingLoop) -> QuerySet[Evaluation]:
    """Hard samples that no person has looked at: disagreements and doubtful ones first, then the other high scores."""
    seen = Correction.objects.filter(evaluation=OuterRef("pk"))
    # "disagreement", "doubtful_high_score", "high_score": ordering by the alphabet is ordering by urgency.
    hard = Evaluation.objects.filter(iteration__loop=loop).exclude(hard="").filter(~Exists(seen))
    return hard.select_related("iteration", "given", "audit").order_by("hard", "iteration__number", "key")


@dataclass(frozen=True, slots=True)
class IterationFigures:
    """One iteration in numbers."""

    iteration: Iteration
    evaluations: int
    audited: int
    unaudited: dict[str, int]  # why there is no audit -> evaluations
    hard: dict[str, int]
    corrected: int
    confirmed: int
    tools: Rates  # over the audits that were made here


def figures_of(*, loop: TrainingLoop) -> list[IterationFigures]:
    """A line an iteration, by aggregates."""
    figures = []
    for iteration in loop.iterations.order_by("number"):
        rows = iteration.evaluations
        # Reason -> number of samples.
        because = rows.exclude(no_audit_because="").values_list("no_audit_because")
        hard = dict(rows.exclude(hard="").values_list("hard").annotate(n=Count("pk")).order_by("hard"))
        looked = Correction.objects.filter(evaluation__iteration=iteration)
        figures.append(
            IterationFigures(
                iteration,
                rows.count(),
                rows.filter(audit__isnull=False).count(),
                dict(because.annotate(n=Count("pk")).order_by("no_audit_because")),
                hard,
                looked.values("evaluation").distinct().count(),
                looked.filter(confirms=True).values("evaluation").distinct().count(),
                _tools_of(iteration),
            )
        )
    return figures


def _tools_of(iteration: Iteration) -> Rates:
    counts = iteration.evaluations.filter(tool_calls__isnull=False).aggregate(
        audits=Count("pk"),
        calls=Sum("tool_calls", default=0),
        refused=Sum("refused_calls", default=0),
        corrections=Sum("corrected_answers", default=0),
        conflicts=Count("pk", filter=Q(is_conflict=True)),
    )
    return rates_of(**counts)


@dataclass(frozen=True, slots=True)
class ProofFigures:
    """PROOF of each item over its model judges (and its audits), and models beside experts; None without both."""

    items: dict[str, Proof]
    alignment: Alignment | None
    beside: list[tuple[str, str, float, float]]  # item, dimension, mean of the experts, mean of the models


def proof_of(*, loop: TrainingLoop) -> ProofFigures:
    """Scores by item; the audits of a problem join as a judge of 1 + 6 a, a their share that found it right."""
    judges: dict[str, dict[str, Scores]] = defaultdict(dict)
    experts: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    models: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in ProofScore.objects.filter(loop=loop).order_by("item", "judge"):
        for name in ("rc", "ds", "fa"):
            if row.is_expert:
                experts[row.item, name][row.judge] = getattr(row, name)
            else:
                models[row.item, name].append(float(getattr(row, name)))
        # Experts are compared with the models, they are no judges of the score.
        if not row.is_expert:
            judges[row.item][row.judge] = Scores(row.rc, row.ds, row.fa)
    audits = _audit_scores(loop)
    items = {
        evaluation: proof_score(judges=by, audit_score=audits.get(evaluation)) for evaluation, by in judges.items()
    }
    shared = sorted(experts.keys() & models.keys())
    alignment = (
        compare_with_experts(
            experts=[experts[key] for key in shared], models=[sum(models[key]) / len(models[key]) for key in shared]
        )
        if shared
        else None
    )
    beside = [
        (evaluation, name, fmean(experts[evaluation, name].values()), fmean(models[evaluation, name]))
        for evaluation, name in shared
    ]
    return ProofFigures(items, alignment, beside)


def _audit_scores(loop: TrainingLoop) -> dict[str, float]:
    rows = Evaluation.objects.filter(iteration__loop=loop, audit_score__isnull=False)
    return dict(rows.values_list("problem").annotate(a=Avg("audit_score")))
