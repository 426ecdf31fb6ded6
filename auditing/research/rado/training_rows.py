"""Training rows of a RADO loop, cumulative over its iterations: pairs, dialogues, groups, evaluations.

Reads Iteration, Evaluation, Correction.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.db.models import Q

from auditing.research.models import TrainingLoop
from auditing.research.rado.core import (
    Audited,
    Provenance,
    Response,
    Sources,
    Task,
    accumulate,
    balance_classes,
    check_row,
    dialogue_row,
    format_reward,
    group_rows,
    policy_rows,
    preference_pairs,
    reward_row,
    split_of,
    total_reward,
    write_dialogue,
)
from auditing.research.rado.core import Evaluation as EvaluationValue
from auditing.research.rado.core.evaluations import wrong_results
from auditing.research.rado.selectors import samples_of

SYSTEM = "You audit a judgement. Check it with your tools, think, and answer 1 if it is right and 0 if it is not."
REWARD_SYSTEM = (
    "You judge a response to a problem. Write two scores of 0 or 1, of its reasoning and of its answer, "
    "as [1, 0], then the reason."
)
SPLITS = ("train", "validation", "test")


def training_rows(
    *, loop: TrainingLoop, task: Task, upto: int | None = None, is_balanced: bool = False
) -> Iterator[dict[str, Any]]:
    """Rows of all iterations up to `upto`, deduplicated, split by problem.

    is_balanced: pairs (DPO) of rarer score classes are repeated until each class has equally many.
    Each row has passed check_row for its trainer. meta holds split, provenance and the iteration.
    """
    iterations = list(loop.iterations.filter(Q() if upto is None else Q(number__lte=upto)).order_by("number"))
    if not iterations:
        return
    samples = accumulate(iterations=[samples_of(iteration=iteration) for iteration in iterations])
    # The set is cumulative, so its name is that of the last iteration; models are those that made each sample.
    version = f"{loop.pk}-k{iterations[-1].number}"
    sources = {row.number: Provenance(row.reward_model, row.audit_model or "people", version) for row in iterations}
    rows = _ROWS[task](samples, sources)
    for row in _balanced(rows) if is_balanced and task is Task.DPO else rows:
        row["meta"]["split"] = split_of(problem=row["meta"]["problem"], seed=str(loop.pk))
        check_row(row=row, task=task)
        yield row


def _pairs(samples: list[Audited], sources: Sources) -> list[dict[str, Any]]:
    return preference_pairs(samples=samples, sources=sources)


def _balanced(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return balance_classes(
        items=rows,
        key=lambda row: row["prompt"] + row["chosen"] + row["rejected"],
        of=lambda row: tuple(row["meta"]["score_class"]),
    )


def _dialogues(samples: list[Audited], sources: Sources) -> list[dict[str, Any]]:
    """Dialogues that end in the label that stands: an audit overruled without a better one is left out."""
    consistent = [sample for sample in samples if sample.final_audit.score == sample.label]
    return [dialogue_row(audited=sample, sources=sources, system=SYSTEM) for sample in consistent]


def _groups(samples: list[Audited], sources: Sources) -> list[dict[str, Any]]:
    """GRPO: the audits of one evaluation, machine's and person's; r = format, no wrong tool result, label met."""
    rows = []
    for sample in samples:
        # The same audit twice, when nobody corrected it, is one response.
        audits = list(dict.fromkeys([sample.audit, sample.final_audit]))
        texts = [write_dialogue(audit) for audit in audits]
        rewards = [
            total_reward(
                format=format_reward(text),
                reason=int(not wrong_results(audit)),
                answer=int(audit.score == sample.label),
            )
            for audit, text in zip(audits, texts, strict=True)
        ]
        prompt = f"{sample.prompt}\n\nEvaluation to audit:\n{sample.evaluation.text}"
        source = sources[sample.iteration]
        meta = {
            "problem": sample.problem,
            "iteration": sample.iteration,
            "id": sample.id,
            "reward_model": source.reward_model,
            "audit_model": source.audit_model,
            "version": source.version,
        }
        rows += group_rows(prompt=prompt, responses=texts, rewards=rewards, meta=meta)
    return rows


def _policy_groups(samples: list[Audited], sources: Sources) -> list[dict[str, Any]]:
    """GRPO of the policy: the responses to one problem of one iteration, by the evaluations that stand.

    What a person found wrong and wrote no better scores nothing; a response without another evaluation has no row.
    """
    groups: dict[tuple[int, str, str], dict[str, list[EvaluationValue]]] = defaultdict(lambda: defaultdict(list))
    for sample in samples:
        if sample.question and sample.response:
            # A person's evaluation goes before the model's, as in all other rows.
            better = sample.correction.evaluation if sample.correction else None
            if better or sample.correction is None or sample.label == 1:
                place = (sample.iteration, sample.problem, sample.question)
                groups[place][sample.response].append(better or sample.evaluation)
    rows = []
    for (iteration, problem, question), responses in groups.items():
        meta = {
            "problem": problem,
            "iteration": iteration,
            "reward_model": sources[iteration].reward_model,
            "version": sources[iteration].version,
        }
        scored = [Response(text, tuple(evaluations)) for text, evaluations in responses.items()]
        rows += policy_rows(prompt=question, responses=scored, meta=meta)
    return rows


def _evaluations(samples: list[Audited], sources: Sources) -> list[dict[str, Any]]:
    """Right evaluations, for the reward model itself; several of one response may say the same."""
    rows = [reward_row(audited=sample, sources=sources, system=REWARD_SYSTEM) for sample in samples]
    distinct = {tuple(turn["content"] for turn in row["messages"]): row for row in rows if row is not None}
    return list(distinct.values())


_ROWS = {
    Task.DPO: _pairs,
    Task.SFT: _dialogues,
    Task.GRPO: _groups,
    Task.POLICY: _policy_groups,
    Task.REWARD: _evaluations,
}
