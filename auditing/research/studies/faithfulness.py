"""Study `faithfulness`: a causal audit of 30 public traces in rule mode (Ariadne).

Each step is changed by each type that fits; the computations downstream are carried out again. A trace whose written
answer does not move does not rest, in writing, on that step. Options: traces (30), mode (each, adaptive, random),
endpoint (an agent runs on from each change, with tools, and writes the reasoning of a line that holds a query alone),
critic (an endpoint that changes thoughts and compares answers in prose).
"""

from dataclasses import asdict
from typing import Any

from auditing.core.consensus.proportions import Rate
from auditing.research.causal.core import (
    Causal,
    Design,
    Intervention,
    InterventionKind,
    Mode,
    Reaction,
    plan_trials,
    summarise,
)
from auditing.research.causal.core.interventions import NUMBER, number_of
from auditing.research.causal.core.rule_mode import examine_segment, examine_segments
from auditing.research.causal.core.summary import phi_histogram
from auditing.research.studies.consistency import without_calculator
from auditing.research.studies.instruments.labelled import DataMissingError, Record, get_public_file, read_lines
from auditing.research.studies.instruments.own_file import own_records
from auditing.research.studies.instruments.runner import Cell, OptionError, Report, Run, Table, shown, study
from auditing.research.studies.steps.agent_trials import AgentTrial, agent_trials
from hdag.core.steps import project_steps
from hdag.core.values import Graph, Segment, Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers.records import read_record

TRACES = 30


def same_number(first: str, second: str) -> bool | None:
    """Whether the last numbers of two answers are equal; None when one has none."""
    a, b = NUMBER.findall(first), NUMBER.findall(second)
    return number_of(a[-1]) == number_of(b[-1]) if a and b else None


def audit_segment(*, graph: Graph, segment: Segment, answer: str) -> tuple[Intervention, Causal] | None:
    """One intervention of one segment; None when it has no number."""
    examined = examine_segment(graph=graph, segment=segment, answer=answer)
    return None if examined is None else (examined.trial.intervention, examined.causal)


def trace_of(record: Record) -> Trace:
    """A GSM8K record as a trace; a record of one's own as it is read everywhere."""
    if "175b_verification" not in record:
        return read_record(record, where="record")
    text = without_calculator(record["175b_verification"]["solution"])
    # GSM8K's sampled solutions end in "A: 18".
    body, _, final = text.rpartition("A:")
    fields = {"problem": record["question"], "thinking": body or text, "answer": final.strip()}
    return read_record(fields, where="gsm8k")


Result = tuple[InterventionKind, Causal]


def audit_record(record: Record, *, design: Design | None = None, name: str = "") -> list[Result]:
    """Every planned intervention on one GSM8K trace; the last number of each step without a design."""
    trace = trace_of(record)
    graph = RulesDecomposer().decompose(trace)
    steps = project_steps(graph=graph)
    by_id = {segment.id: segment for segment in graph.segments}
    plan = plan_trials(
        texts={key: by_id[key].content for key in steps.nodes},
        sink=steps.sink,
        bearing=steps.ancestors(),
        design=design or Design(mode=Mode.FIXED, kind=InterventionKind.FACT_REVERSAL),
        trace=name,
    )
    results = []
    for planned in plan:
        segments = [by_id[key] for key in planned.segments]
        # None where no rule could carry the plan out.
        made = examine_segments(graph=graph, segments=segments, answer=trace.answer, kinds=planned.kinds)
        results += [(planned.kinds[0], made.causal)] if made else []
    return results


def _results_of_record(run: Run, number: int, record: Record, mode: Mode) -> list[Result]:
    """The results of one record, one piece of the run."""
    design = Design(mode=mode, seed=run.seed)

    def make() -> list[Any]:
        return [
            [change_type, asdict(causal)]
            for change_type, causal in audit_record(record, design=design, name=str(number))
        ]

    rows = run.piece(key=f"{mode} {number}", make=make)
    return [
        (InterventionKind(change_type), Causal(**{**fields, "reaction": Reaction(fields["reaction"])}))
        for change_type, fields in rows
    ]


def choose_records(*, run: Run, most: int) -> tuple[list[int], list[Record]]:
    """The places drawn from the seed, in order, and all records. Raises DataMissingError."""
    if run.file is not None:
        records = own_records(run=run, make=_query_or_trace if run.options.get("endpoint") else _checked)
        return list(range(len(records))), records
    path = get_public_file(name="gsm8k", file="example_model_solutions.jsonl", data=run.data)
    # Without "A:" the model broke off before its answer.
    records = [r for r in read_lines(path) if "A:" in r["175b_verification"]["solution"]]
    most = most if run.limit is None else run.limit
    return sorted(run.rng().permutation(len(records))[:most].tolist()), records


def _query_or_trace(record: Record) -> Record:
    """A trace with an answer, or a query alone. Raises ValueError."""
    if "thinking" in record or "steps" in record:
        return _checked(record)
    if not isinstance(record.get("problem"), str) or not record["problem"].strip():
        raise ValueError("problem is missing")
    return record


def _checked(record: Record) -> Record:
    """The record, if it is a trace with an answer. Raises ValueError."""
    if not str(record.get("answer", "")).strip() or not read_record(record, where="record").answer.strip():
        raise ValueError("answer is missing")
    return record


def public_traces(*, run: Run, most: int) -> list[tuple[str, Trace]]:
    """The traces of the study by name; none when the set is not here, which the batch then shows as fewer trials."""
    try:
        chosen, records = choose_records(run=run, most=most)
    # A batch may also hold audits of one's own, which must not fail for want of a public set.
    except DataMissingError:
        return []
    return [(f"gsm8k {number + 1}", trace_of(records[number])) for number in chosen]


@study(
    "faithfulness",
    "Causal audit of traces or queries, in rule mode or by an agent",
    reads="answers",
    options=("traces", "mode", "endpoint", "critic"),
)
def run_faithfulness(run: Run) -> Report:
    """Classes of reaction with Wilson intervals, violations by both rules and phi by type, distribution of phi."""
    chosen, records = choose_records(run=run, most=run.number("traces", TRACES))
    mode = _mode(run)
    results, items = list[Result](), list[list[Cell]]()
    if run.options.get("endpoint"):
        traces = [(f"trace {number + 1}", _trace_or_query(records[number])) for number in chosen]
        design, critic = Design(mode=mode, seed=run.seed), run.options.get("critic", "")
        for trial in agent_trials(run=run, traces=traces, design=design, critic=critic):
            results.append((trial.kind, trial.causal))
            items.append(_item(trial))
    else:
        for index, number in enumerate(chosen):
            run.say(f"trace {index + 1} of {len(chosen)}", index / len(chosen))
            tried = _results_of_record(run, number, records[number], mode)
            results += tried
            items += [[f"trace {number + 1}", *_words(kind, causal), round(causal.phi, 4)] for kind, causal in tried]
    return _report(run, len(chosen), results, items)


def _trace_or_query(record: Record) -> Trace:
    if "thinking" in record or "steps" in record or "175b_verification" in record:
        return trace_of(record)
    return Trace(problem=str(record["problem"]), thinking="", answer="", steps=())


def _item(trial: AgentTrial) -> list[Cell]:
    words = _words(trial.kind, trial.causal)
    phi = round(trial.causal.phi, 4)
    return [trial.trace, trial.segment, *words, phi, trial.answer[:200], trial.answer_after[:200]]


def _words(kind: InterventionKind, causal: Causal) -> tuple[str, str]:
    return kind.value, causal.reaction.value


def _report(run: Run, traces: int, results: list[Result], items: list[list[Cell]]) -> Report:
    is_agent = bool(run.options.get("endpoint"))
    summary = summarise(results=results)
    columns = ("class", "count", "of", "share", "low", "high")
    classes = [_cells(name.value, rate) for name, rate in summary.reactions.items()]
    rules = [("violation, our rule", summary.violations), ("violation, paper's rule", summary.paper_violations)]
    classes += [_cells(name, rate) for name, rate in rules]
    by_type: list[list[Cell]] = []
    for change_type in InterventionKind:
        of_type = summarise(results=[result for result in results if result[0] is change_type])
        unclear, followed = of_type.reactions[Reaction.UNCLEAR], of_type.reactions[Reaction.FOLLOWED]
        violations = of_type.violations
        by_type.append(
            [
                str(change_type).replace("_", " "),
                of_type.trials,
                unclear.count,
                followed.count,
                violations.count,
                violations.share,
                violations.low,
                violations.high,
                of_type.paper_violations.share,
                of_type.mean_phi,
            ]
        )
    note = f"Mean phi {shown(summary.mean_phi)}; {Reaction.UNCLEAR.value} trials are left out of violations and means."
    columns_by_type = (
        *("type", "trials", "unclear", "followed", "violations", "share of clear", "low", "high"),
        *("share by the paper's rule", "mean phi"),
    )
    notes = [
        *(["Agent mode: a trial without its rerun or its control is unclear."] if is_agent else []),
        "Rule mode follows written computations only; that an answer stays may also mean that a link was not read.",
        "A change that no computation takes up (a negation, a swapped cause) is unclear here: it needs an agent.",
    ]
    tables = [
        Table(f"{traces} traces of {run.file.name if run.file else 'GSM8K'}", columns, classes, note),
        Table("By type of change", columns_by_type, by_type),
        _distribution(results),
    ]
    columns_of_items: tuple[str, ...] = ("trace", "segment", "type", "reaction", "phi", "answer", "answer after")
    if not is_agent:
        columns_of_items = ("trace", "type", "reaction", "phi")
    title = "Causal audit by an agent" if is_agent else "Causal audit in rule mode"
    return Report(title, tables, notes, items=Table("Items", columns_of_items, items))


def _distribution(results: list[Result]) -> Table:
    """Clear trials by phi, in ten bins; 1 falls into the last one."""
    phis = [causal.phi for _, causal in results if causal.reaction is not Reaction.UNCLEAR]
    rows: list[list[Cell]] = [list(row) for row in phi_histogram(phis=phis)]
    note = "Near 0 the answer did not move."
    return Table("Distribution of phi", ("phi from", "to", "trials"), rows, note, curve=("phi from", "trials"))


def _mode(run: Run) -> Mode:
    try:
        return Mode(run.options.get("mode", Mode.EACH))
    except ValueError:
        raise OptionError(f"the option mode is one of {', '.join(Mode)}") from None


def _cells(name: str, rate: Rate) -> list[Cell]:
    return [name, rate.count, rate.of, rate.share, rate.low, rate.high]
