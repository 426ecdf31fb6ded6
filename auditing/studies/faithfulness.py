"""Study `faithfulness`: a causal audit of 30 public traces in rule mode (Ariadne).

One number of one load-bearing segment is changed; the computations downstream are carried out again. A trace whose
written answer does not move does not rest, in writing, on that segment.
"""

from auditing.core.faithfulness import Causal, Intervention, InterventionKind, Reaction, summarise
from auditing.core.faithfulness.interventions import NUMBER, number_of
from auditing.core.faithfulness.rule_mode import examine_segment
from auditing.studies.consistency import without_calculator
from auditing.studies.labelled import DataMissing, Record, read_lines
from auditing.studies.runner import Cell, Report, Run, Table, study
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
    found = examine_segment(graph=graph, segment=segment, answer=answer)
    return None if found is None else (found.trial.intervention, found.causal)


def trace_of(record: Record) -> Trace:
    """A GSM8K record as a trace."""
    text = without_calculator(record["175b_verification"]["solution"])
    body, _, final = text.rpartition("A:")
    fields = {"problem": record["question"], "thinking": body or text, "answer": final.strip()}
    return read_record(fields, where="gsm8k")


def audit_record(record: Record) -> list[tuple[InterventionKind, Causal]]:
    """Every intervention on one GSM8K trace."""
    trace = trace_of(record)
    graph = RulesDecomposer().decompose(trace)
    steps = project_steps(graph=graph)
    nodes = [s for s in graph.segments if s.id in steps.parents and s.id != steps.sink]
    made = [audit_segment(graph=graph, segment=node, answer=trace.answer) for node in nodes]
    return [(found[0].kind, found[1]) for found in made if found]


def choose_records(*, run: Run, most: int) -> tuple[list[int], list[Record]]:
    """The places drawn from the seed, in order, and all records. Raises DataMissing."""
    path = run.data / "gsm8k" / "example_model_solutions.jsonl"
    if not path.exists():
        raise DataMissing(f"gsm8k is not in {path.parent}")
    records = [r for r in read_lines(path) if "A:" in r["175b_verification"]["solution"]]
    return sorted(run.rng().permutation(len(records))[:most].tolist()), records


def public_traces(*, run: Run, most: int) -> list[tuple[str, Trace]]:
    """The traces of the study by name; none when the set is not here, which the batch then shows as fewer trials."""
    try:
        chosen, records = choose_records(run=run, most=most)
    except DataMissing:
        return []
    return [(f"gsm8k {number + 1}", trace_of(records[number])) for number in chosen]


@study("faithfulness", "Causal audit of 30 public traces in rule mode")
def run_faithfulness(run: Run) -> Report:
    """Classes of reaction with Wilson intervals, and violations by the paper's rule and by ours."""
    chosen, records = choose_records(run=run, most=TRACES)
    results: list[tuple[InterventionKind, Causal]] = []
    for place, number in enumerate(chosen):
        run.say(f"trace {place + 1} of {len(chosen)}", place / len(chosen))
        results += audit_record(records[number])
    found = summarise(results=results)
    rows: list[list[Cell]] = [
        [name.value, rate.count, rate.of, rate.share, rate.low, rate.high] for name, rate in found.reactions.items()
    ]
    for name, rate in (("violation, our rule", found.violations), ("violation, paper's rule", found.paper_violations)):
        rows.append([name, rate.count, rate.of, rate.share, rate.low, rate.high])
    columns = ("class", "count", "of", "share", "low", "high")
    note = f"Mean phi {found.mean_phi or 0:.3f}; {Reaction.UNCLEAR.value} trials are left out of violations."
    notes = [
        "Rule mode follows written computations only; that an answer stays may also mean that a link was not read."
    ]
    return Report("Causal audit in rule mode", [Table(f"{len(chosen)} GSM8K traces", columns, rows, note)], notes)
