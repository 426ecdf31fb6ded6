"""How many right steps a judge calls unsound, by what it may lean on: measured on the annotated premises of PARC.

The judge is simulated and errs at stated rates: it answers by the annotation, so that every false alarm of a perfect
one comes from the premises that it was shown. Rates of a real judge (GPT-4o-mini, recorded): .6 % wrong on complete
questions, 17.6 % where only a premise is missing, which it then does not notice.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from auditing.core.consensus.proportions import wilson_interval
from auditing.core.soundness.claims import Chain
from auditing.core.soundness.entailment import Confirmed, EntailmentModel, Query
from auditing.core.soundness.particles import ClaimSoundness
from auditing.research.soundness.core.graph_claims import chain_of
from auditing.research.soundness.core.second_look import Premises, certify_by
from auditing.research.studies.instruments.labelled import Record, missing_set, read_lines
from auditing.research.studies.instruments.runner import Cell, Report, Run, Table
from hdag.core.errors import HdagError
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers.records import read_record

__all__ = ["AnnotatedChain", "AnnotatedJudge", "chains_of_parc", "report_false_alarms"]

THRESHOLD = 0.5
RECORDED = (0.006, 0.176)  # error rates on complete questions, and where a premise is missing
SEEDS = (1, 2, 3, 4, 5)
SIMULATED = "the judge: it answers by the annotation of PARC and errs at the stated rates."


@dataclass(frozen=True, slots=True)
class AnnotatedChain:
    """The chain that the product makes of a trace, with the annotation of its steps."""

    name: str
    chain: Chain
    step_of: Mapping[str, int]  # of each claim, numbered from 1
    premises: Mapping[int, frozenset[int]]  # annotated, between steps
    wrong: frozenset[int]

    @property
    def first_wrong(self) -> int:
        """The first wrong step; behind the last for none."""
        return min(self.wrong, default=10**9)


@dataclass(frozen=True, slots=True)
class AnnotatedJudge:
    """Says yes when every annotated premise of a right step is shown; errs at a rate for either sort of question.

    Whether it errs is decided by a hash of the question and the seed. With probability `correlation` a question in
    other words errs as the question itself does.
    """

    annotated: AnnotatedChain
    complete_error: float = 0.0
    incomplete_error: float = 0.0
    correlation: float = 0.0
    seed: int = 0
    asked: list[int] = field(default_factory=lambda: [0])

    @property
    def name(self) -> str:
        """Name with its rates."""
        return f"annotated judge ({self.complete_error:g} and {self.incomplete_error:g} wrong)"

    def entail(self, queries: Sequence[Query]) -> list[float]:
        """1 or 0 for each query."""
        self.asked[0] += len(queries)
        return [self._answer(query) for query in queries]

    def _answer(self, query: Query) -> float:
        step = self.annotated.step_of[query.hypothesis_id]
        steps = {self.annotated.step_of.get(key, 0) for key in query.premise_ids} | {step}
        is_complete = self.annotated.premises[step] <= steps
        truth = is_complete and step not in self.annotated.wrong
        rate = self.complete_error if is_complete else self.incomplete_error
        return float(truth != (self._draw(query) < rate))

    def _draw(self, query: Query) -> float:
        question = (self.seed, self.annotated.name, query.premise_ids, query.hypothesis_id)
        is_shared = _uniform((*question, query.wording, "shared")) < self.correlation
        return _uniform(question if is_shared else (*question, query.wording))


def chains_of_parc(*, data: Path, most: int) -> list[AnnotatedChain]:
    """The traces of PARC, at most `most` of a file, as the rules decompose them. Raises DataMissingError."""
    folder = data / "parc"
    paths = sorted(folder.glob("*.jsonl"))
    if not paths:
        raise missing_set(name="parc", folder=folder, files="*_positives.jsonl and the others")
    named = ((f"{path.stem} {n}", record) for path in paths for n, record in enumerate(list(read_lines(path))[:most]))
    return [chain for name, record in named if (chain := annotated_chain(name=name, record=record)) is not None]


def annotated_chain(*, name: str, record: Record) -> AnnotatedChain | None:
    """The chain of one record; None where it has no claim or no annotation of its steps."""
    labels = record["error_annotation"]["error_annotations"]["step_level"]
    texts = list(record["steps"])
    rows = [row for row in record["premise_annotation"]["steps"] if 1 <= int(row["step_number"]) <= len(texts)]
    if len(labels) != len(texts) or len(rows) != len(texts):
        return None
    try:
        trace = read_record({"problem": record["question"], "steps": texts}, where=name)
        graph = RulesDecomposer().decompose(trace)
        chain = chain_of(trace=trace, graph=graph)
    except (HdagError, ValueError):
        return None
    step_of = {segment.id: segment.step + 1 for segment in graph.segments if segment.step is not None}
    if not chain.derived or any(claim.id not in step_of for claim in chain.derived):
        return None
    # Step 0 is the problem, which is always shown; a premise that does not come before its step is no premise.
    cited = {int(row["step_number"]): {int(premise[0]) for premise in row["premises"]} for row in rows}
    premises = {step: frozenset(p for p in numbers if 0 < p < step) for step, numbers in cited.items()}
    wrong = frozenset(int(row["step_number"]) for row in labels if row["has_error"])
    return AnnotatedChain(name, chain, step_of, premises, wrong)


@dataclass(slots=True)
class Counts:
    """Steps by what they are and what they were called."""

    right: int = 0
    alarms: int = 0
    wrong: int = 0
    caught: int = 0
    still_open: int = 0
    clean_traces: int = 0
    accused: int = 0  # right traces with a false alarm
    questions: int = 0

    def add(self, annotated: AnnotatedChain, claims: Sequence[ClaimSoundness]) -> None:
        """Count the steps up to the first wrong one; what follows rests on it."""
        by_step: dict[int, list[str]] = {}
        for claim in claims:
            by_step.setdefault(annotated.step_of[claim.id], []).append(claim.verdict(THRESHOLD))
        alarms = 0
        for step, words in by_step.items():
            is_unsound = any(word not in ("sound", "open") for word in words)
            # Behind the first error nothing is labelled: a step may be wrong by itself or only rest on it.
            if step < annotated.first_wrong:
                self.right += 1
                alarms += is_unsound
                self.still_open += not is_unsound and "open" in words
            elif step == annotated.first_wrong:
                self.wrong += 1
                self.caught += is_unsound
        self.alarms += alarms
        if not annotated.wrong:
            self.clean_traces += 1
            self.accused += alarms > 0


def count_alarms(
    *, chains: Sequence[AnnotatedChain], premises: Premises, judge: tuple[float, float, float], seed: int, again: bool
) -> Counts:
    """What one judge (its two error rates and their correlation) calls the steps; `again`: asked in other words."""
    counts = Counts()
    for annotated in chains:
        asked = AnnotatedJudge(annotated, *judge, seed=seed)
        model: EntailmentModel = Confirmed(asked) if again else asked
        certificate = certify_by(chain=annotated.chain, model=model, seed=seed, premises=premises, threshold=THRESHOLD)
        counts.add(annotated, certificate.claims)
        counts.questions += asked.asked[0]
    return counts


def report_false_alarms(run: Run) -> Report:
    """Right steps called unsound and wrong ones caught, by premises and judge. Option chains: most traces a file."""
    chains = chains_of_parc(data=run.data, most=run.number("chains", 10**9 if run.full else 8))
    judges: list[tuple[str, tuple[float, float, float], bool, tuple[int, ...]]] = [
        ("perfect", (0.0, 0.0, 0.0), False, (run.seed,))
    ]
    for correlation in (0.0, 0.5, 0.7, 1.0):
        judges.append((f"recorded rates, correlation {correlation:g}", (*RECORDED, correlation), True, SEEDS))
    judges.append(("recorded rates, asked once", (*RECORDED, 0.0), False, SEEDS))
    rows: list[list[Cell]] = []
    for number, (name, judge, again, seeds) in enumerate(judges):
        run.say(name, number / len(judges))
        for premises in (Premises.DECLARED, Premises.DECLARED_FIRST, Premises.ALL):
            counts = [
                count_alarms(chains=chains, premises=premises, judge=judge, seed=seed, again=again) for seed in seeds
            ]
            rows.append([name, str(premises), *_cells(counts, len(chains))])
    of_right = ("right steps", "unsound", "low", "high", "right traces accused", "open")
    columns = ("judge", "premises", *of_right, "wrong steps", "caught", "questions a trace")
    notes = [
        f"{len(chains)} traces of PARC, decomposed by rules; threshold {THRESHOLD}; seeds {SEEDS[0]} to {SEEDS[-1]}.",
        "Right steps stand before the first wrong one; a wrong step is the first of its trace. The annotations are "
        "model-assisted and checked in part by people.",
        f"Recorded rates: {100 * RECORDED[0]:g} % wrong on complete questions, {100 * RECORDED[1]:g} % where a premise "
        "is missing; correlation: how often a question in other words errs as the question itself.",
    ]
    return Report(
        "False alarms of soundness on PARC", [Table("By judge and premises", columns, rows)], notes, None, SIMULATED
    )


def _cells(counts: Sequence[Counts], traces: int) -> list[Cell]:
    """Shares over all seeds; the interval takes the steps of one seed, because seeds repeat them."""
    total = Counts(*(sum(getattr(c, name) for c in counts) for name in Counts.__slots__))
    size = len(counts)
    rate = wilson_interval(count=round(total.alarms / size), of=total.right // size)
    return [
        total.right // size,
        total.alarms / max(1, total.right),
        rate.low,
        rate.high,
        total.accused / max(1, total.clean_traces),
        total.still_open / max(1, total.right),
        total.wrong // size,
        total.caught / max(1, total.wrong),
        round(total.questions / size / max(1, traces), 1),
    ]


def _uniform(key: tuple[object, ...]) -> float:
    """A number in [0, 1) that the key determines."""
    return int.from_bytes(hashlib.blake2b(repr(key).encode(), digest_size=8).digest(), "big") / 2.0**64
