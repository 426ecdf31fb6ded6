"""Study `soundness`: from which soundness on a step counts as sound, measured on public step labels.

Options: dataset (processbench; parc: the false alarms of a simulated judge by what it may lean on), file (one of its
files, e.g. gsm8k), chains (most chains a file, 40), endpoint (names, comma separated; none: the computer tier alone),
premises (declared first, all, declared), ask=once (not again in other words), scale=binary (yes or no), temperature
(divides the log-odds of each answer; study `wordings` fits it), store=yes (pages use the threshold from then on). Steps
after the first error are left out: their labels are not given. A step is as sound as the least sound of its claims.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditing.core.soundness.entailment import EntailmentModel
from auditing.core.soundness.parc_alarms import parc_alarms
from auditing.research.soundness.core.graph_claims import chain_of
from auditing.research.soundness.core.second_look import Premises, certify_by
from auditing.research.soundness.core.thresholds import Calibration, calibrate, macro_f1
from auditing.research.soundness.services.entailments import Asking, entailment_by
from auditing.research.soundness.services.runs import store_threshold
from auditing.research.studies.chains.whole_judge import WholeChains
from auditing.research.studies.instruments.baselines import BASELINES
from auditing.research.studies.instruments.false_alarms import report_false_alarms
from auditing.research.studies.instruments.forecasts import tell_forecast
from auditing.research.studies.instruments.labelled import DataMissingError, Labelled
from auditing.research.studies.instruments.model_tier import in_parallel, open_clients, premises_of
from auditing.research.studies.instruments.own_file import labelled_sets
from auditing.research.studies.instruments.plots import precision_recall, reliability
from auditing.research.studies.instruments.runner import Cell, OptionError, Report, Run, Table, study
from hdag.chat.errors import NoAnswerError
from hdag.core.errors import HdagError
from hdag.decomposers.rules import RulesDecomposer

Scores = NDArray[np.float64]
Labels = NDArray[np.bool_]
OURS = "Soundness"
FOLDS = 5
ACCOUNT = "study:soundness"
SHOWN = ("Entail-Prev", "Entail-Base", "LLM-Judge")


@dataclass(frozen=True, slots=True)
class Measured:
    """Scores of each method and labels of one chain's steps."""

    scores: dict[str, Scores]
    sound: Labels


@study(
    "soundness",
    "The threshold of soundness, on public step labels",
    reads="steps",
    options=("dataset", "file", "chains", "endpoint", "store", "premises", "ask", "scale", "temperature"),
)
def run_soundness(run: Run) -> Report:
    """Macro-F1 over five folds of every method, the threshold, and how it would be stored."""
    name = run.options.get("dataset", "processbench")
    # PARC has the premises of each step annotated: there the false alarms of a judge can be told from its premises.
    if name == "parc" and run.file is None:
        return report_false_alarms(run)
    chosen, data = _chains(run, name)
    with open_clients(run=run, names=_endpoint_names(run), account=ACCOUNT) as clients:
        for client in clients:
            # A claim is asked about with all its premises, in several wordings, and again at a second look.
            claims = sum(len(labelled.trace.steps) for labelled in chosen)
            size = sum(len(labelled.trace.thinking) for labelled in chosen)
            tell_forecast(run=run, client=client, purpose="entailment", calls=4 * claims, characters=4 * size)
        asking = Asking(
            run.options.get("ask") != "once", run.options.get("scale") != "binary", temperature=_temperature(run)
        )
        model = entailment_by(clients=clients, account=ACCOUNT, asking=asking)
        if clients:
            # LLM-Judge is one question for the whole chain, to the first of them.
            model = WholeChains(model, clients[0], ACCOUNT)
        # Side by side, as far as the endpoint that allows the fewest calls.
        workers = min((client.endpoint.max_concurrency for client in clients), default=1)
        chains = _measure(run, chosen, model, workers)
        model_name = model.name
    if len(chains) < FOLDS:
        raise DataMissingError(
            f"a threshold over {FOLDS} folds needs {FOLDS} traces whose steps hold claims, "
            f"{len(chains)} of {len(chosen)} were measured"
        )
    sound = [chain.sound for chain in chains]
    calibrations = {
        method: calibrate(scores=[chain.scores[method] for chain in chains], sound=sound, seed=run.seed)
        for method in (OURS, *SHOWN)
    }
    # Pages use it from now on, so it is never stored without being asked for.
    if run.options.get("store") == "yes":
        store_threshold(found=calibrations[OURS], model=model_name, data=data)
    report = _report(calibrations, sound, model_name, data, run)
    return replace(report, tables=[*report.tables, *_plots(chains)], items=_items(chains))


def _items(chains: Sequence[Measured]) -> Table:
    """One line a step up to the first wrong one: whether it is right, and what each method gives it."""
    lines: list[list[Cell]] = [
        [number, place + 1, int(chain.sound[place]), *(round(float(row[place]), 4) for row in chain.scores.values())]
        for number, chain in enumerate(chains, 1)
        for place in range(len(chain.sound))
    ]
    return Table("Items", ("trace", "step", "right", *(chains[0].scores if chains else ())), lines)


def _plots(chains: Sequence[Measured]) -> list[Table]:
    """How far soundness can be taken at its word, and what each method finds at which price in false alarms."""
    labels = [bool(label) for chain in chains for label in chain.sound]

    def scores_of(method: str) -> list[float]:
        return [float(score) for chain in chains for score in chain.scores[method]]

    tables = [reliability(pairs=zip(scores_of(OURS), labels, strict=True), of="soundness, steps that are right")]
    for method in (OURS, *SHOWN):
        scored = [(1 - score, not label) for score, label in zip(scores_of(method), labels, strict=True)]
        tables.append(precision_recall(scored=scored, of=method))
    return tables


def _chains(run: Run, name: str) -> tuple[list[Labelled], str]:
    """Labelled traces and the words for where they come from. Raises DataMissingError."""
    most = run.number("chains", 10**9 if run.full else 40)
    wanted = "" if run.file else run.options.get("file", "")
    sets = [(stem, items) for stem, items in labelled_sets(run=run, name=name, most=most) if wanted in ("", stem)]
    if not sets:
        raise DataMissingError(f"{name} has no file {wanted!r}")
    chosen = [labelled for _, items in sets for labelled in items]
    source = f"own file {run.file.name}" if run.file else f"{name} {', '.join(stem for stem, _ in sets)}"
    return chosen, source


def _temperature(run: Run) -> float:
    try:
        value = float(run.options.get("temperature", 1))
    except ValueError:
        value = 0.0
    if not value > 0:
        raise OptionError("the option temperature is a number above 0")
    return value


def _endpoint_names(run: Run) -> list[str]:
    return [name.strip() for name in run.options.get("endpoint", "").split(",") if name.strip()]


def _measure(run: Run, chosen: Sequence[Labelled], model: EntailmentModel, workers: int) -> list[Measured]:
    done = itertools.count(1)

    def piece_of(index: int) -> Any:
        try:
            piece = run.piece(key=f"chain {index}", make=partial(_as_json, chosen[index], model, run))
        # Counted by the client; a chain with an open question is not measured.
        except NoAnswerError:
            piece = None
        number = next(done)
        run.say(f"chain {number} of {len(chosen)}", number / len(chosen))
        return piece

    pieces = in_parallel(work=piece_of, items=range(len(chosen)), workers=workers)
    return [
        # A step is as sound as the least sound of its claims.
        Measured(
            {name: np.array(values) for name, values in piece["scores"].items()},
            np.array(piece["sound"], dtype=np.bool_),
        )
        for piece in pieces
        if piece is not None
    ]


def _as_json(labelled: Labelled, model: EntailmentModel, run: Run) -> dict[str, Any] | None:
    measured = measure(labelled=labelled, model=model, seed=run.seed, premises=premises_of(run))
    if measured is None:
        return None
    scores = {name: values.tolist() for name, values in measured.scores.items()}
    return {"scores": scores, "sound": measured.sound.tolist()}


def measure(
    *, labelled: Labelled, model: EntailmentModel, seed: int, premises: Premises = Premises.DECLARED_FIRST
) -> Measured | None:
    """The scores of a trace's steps up to its first error; None for a trace whose steps hold no claim."""
    try:
        graph = RulesDecomposer().decompose(labelled.trace)
        chain = chain_of(trace=labelled.trace, graph=graph)
    # A trace that cannot be decomposed, or whose claims form no chain.
    except (HdagError, ValueError):
        return None
    steps = {segment.id: segment.step for segment in graph.segments}
    # Steps after the first error have no label.
    last = labelled.first_error if labelled.first_error is not None else 10**9
    steps_of_claims = [
        step if (step := steps[claim.id]) is not None and step <= last else None for claim in chain.derived
    ]
    steps_kept = sorted({step_index for step_index in steps_of_claims if step_index is not None})
    if not steps_kept:
        return None
    certificate = certify_by(chain=chain, model=model, seed=seed, premises=premises)
    by_claim = {OURS: np.array([claim.tau for claim in certificate.claims])}
    by_claim |= {name: BASELINES[name](chain, model) for name in SHOWN}
    scores = {
        name: np.array(
            [
                min(values[k] for k, step_index in enumerate(steps_of_claims) if step_index == step)
                for step in steps_kept
            ]
        )
        for name, values in by_claim.items()
    }
    return Measured(scores, np.array([step != labelled.first_error for step in steps_kept]))


def _report(calibrations: dict[str, Calibration], sound: Sequence[Labels], model: str, data: str, run: Run) -> Report:
    ours, labels = calibrations[OURS], np.concatenate(list(sound))
    # The trivial baseline that every method has to beat.
    all_sound = macro_f1(scores=np.ones(len(labels)), sound=labels, threshold=0.5)
    rows: list[list[Cell]] = [
        [
            name,
            calibration.folded.mean,
            calibration.folded.deviation,
            calibration.threshold,
            calibration.folded.false_alarms,
            min(calibration.folded.thresholds),
            max(calibration.folded.thresholds),
        ]
        for name, calibration in calibrations.items()
    ]
    rows.append(["calling every step sound", all_sound, None, None, 0.0, None, None])
    columns = (
        "method",
        "macro-F1",
        "deviation",
        "threshold",
        "right steps called unsound",
        "lowest of a fold",
        "highest of a fold",
    )
    notes = [
        f"Entailment model: {model}. {ours.chains} chains, {ours.claims} steps, {ours.unsound} of them first errors.",
        "Macro-F1 is over five folds: each threshold is chosen on four fifths of the chains and scored on the rest.",
        *([alarms.sentence] if (alarms := parc_alarms(premises=str(premises_of(run)))) else []),
        "A certificate bounds a trace's posterior only where fewer than 2 % of right steps are called unsound.",
        "The threshold is stored: pages use it for certificates of this entailment model."
        if run.options.get("store") == "yes"
        else "The threshold is not stored; the option store=yes stores it.",
    ]
    return Report("Threshold of soundness", [Table(data, columns, rows)], notes)
