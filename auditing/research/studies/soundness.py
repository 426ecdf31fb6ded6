"""Study `soundness`: from which soundness on a step counts as sound, measured on public step labels.

Options: dataset (processbench), file (one of its files, e.g. gsm8k), chains (most chains a file, 40), endpoint (names,
comma separated; none: the computer tier alone), store=yes (pages use the threshold from then on). Steps after the first
error are left out: their labels are not given. A step is as sound as the least sound of its claims.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditing.core.soundness.entailment import EntailmentModel
from auditing.core.soundness.graph_claims import chain_of
from auditing.core.soundness.particles import certify
from auditing.core.soundness.thresholds import Calibration, calibrate, macro_f1
from auditing.research.studies.instruments.baselines import BASELINES
from auditing.research.studies.instruments.labelled import DataMissingError, Labelled, files_of, read_labelled
from auditing.research.studies.instruments.runner import Cell, Report, Run, Table, study
from auditing.services.soundness.entailments import entailment_of
from auditing.services.soundness.runs import store_threshold
from hdag.chat.address import read_allowlist
from hdag.core.errors import HdagError
from hdag.decomposers.rules import RulesDecomposer
from hdag.models import Endpoint

Scores = NDArray[np.float64]
Labels = NDArray[np.bool_]
OURS = "Soundness"
SHOWN = ("Entail-Prev", "Entail-Base", "LLM-Judge")


@dataclass(frozen=True, slots=True)
class Measured:
    """Scores of each method and labels of one chain's steps."""

    scores: dict[str, Scores]
    sound: Labels


@study("soundness", "The threshold of soundness, on public step labels")
def run_soundness(run: Run) -> Report:
    """Macro-F1 over five folds of every method, the threshold, and how it would be stored."""
    name = run.options.get("dataset", "processbench")
    chosen, data = _chains(run, name)
    allowed = read_allowlist(os.environ.get("TRUST_CHAT_ALLOWED_ORIGINS", ""))
    with entailment_of(endpoints=_endpoints(run), account="study:soundness", allowed=allowed) as model:
        chains = list(_measure(run, chosen, model))
        model_name = model.name
    sound = [chain.sound for chain in chains]
    calibrations = {
        method: calibrate(scores=[chain.scores[method] for chain in chains], sound=sound, seed=run.seed)
        for method in (OURS, *SHOWN)
    }
    # Pages use it from now on, so it is never stored without being asked for.
    if run.options.get("store") == "yes":
        store_threshold(found=calibrations[OURS], model=model_name, data=data)
    return _report(calibrations, sound, model_name, data, run)


def _chains(run: Run, name: str) -> tuple[list[Labelled], str]:
    """Labelled traces and the words for where they come from. Raises DataMissingError."""
    files = [path for path in files_of(name=name, data=run.data) if run.options.get("file", path.stem) == path.stem]
    if not files:
        raise DataMissingError(f"{name} has no file {run.options['file']!r}")
    most = int(run.options.get("chains", 10**9 if run.full else 40))
    chosen = [labelled for path in files for labelled in read_labelled(name=name, path=path, most=most)]
    return chosen, f"{name} {', '.join(path.stem for path in files)}"


def _endpoints(run: Run) -> list[Endpoint]:
    endpoint_names = [
        endpoint_name.strip() for endpoint_name in run.options.get("endpoint", "").split(",") if endpoint_name.strip()
    ]
    rows = (
        {row.name: row for row in Endpoint.objects.filter(enabled=True, name__in=endpoint_names)}
        if endpoint_names
        else {}
    )
    if missing := [endpoint_name for endpoint_name in endpoint_names if endpoint_name not in rows]:
        raise DataMissingError(f"there is no enabled endpoint named {missing[0]!r}")
    return [rows[endpoint_name] for endpoint_name in endpoint_names]


def _measure(run: Run, chosen: Sequence[Labelled], model: EntailmentModel) -> Iterator[Measured]:
    for index, labelled in enumerate(chosen):
        run.say(f"chain {index + 1} of {len(chosen)}", index / len(chosen))
        piece = run.piece(key=f"chain {index}", make=partial(_as_json, labelled, model, run.seed))
        if piece is not None:
            # A step is as sound as the least sound of its claims.
            scores = {name: np.array(values) for name, values in piece["scores"].items()}
            yield Measured(scores, np.array(piece["sound"], dtype=np.bool_))


def _as_json(labelled: Labelled, model: EntailmentModel, seed: int) -> dict[str, Any] | None:
    measured = measure(labelled=labelled, model=model, seed=seed)
    if measured is None:
        return None
    scores = {name: values.tolist() for name, values in measured.scores.items()}
    return {"scores": scores, "sound": measured.sound.tolist()}


def measure(*, labelled: Labelled, model: EntailmentModel, seed: int) -> Measured | None:
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
    # tell_local=False spares the questions about each claim with its premises granted: only tau is needed.
    certificate = certify(chain=chain, model=model, seed=seed, tell_local=False)
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
            min(calibration.folded.thresholds),
            max(calibration.folded.thresholds),
        ]
        for name, calibration in calibrations.items()
    ]
    rows.append(["calling every step sound", all_sound, None, None, None, None])
    columns = ("method", "macro-F1", "deviation", "threshold", "lowest of a fold", "highest of a fold")
    notes = [
        f"Entailment model: {model}. {ours.chains} chains, {ours.claims} steps, {ours.unsound} of them first errors.",
        "Macro-F1 is over five folds: each threshold is chosen on four fifths of the chains and scored on the rest.",
        "The threshold is stored: pages use it for certificates of this entailment model."
        if run.options.get("store") == "yes"
        else "The threshold is not stored; the option store=yes stores it.",
    ]
    return Report("Threshold of soundness", [Table(data, columns, rows)], notes)
