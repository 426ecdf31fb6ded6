"""Study `table2`: authors x judges: accuracy and self-preference of single judges, ensembles and passages; table 2.

Options: endpoint (the judges, comma separated), authors (endpoints that write the solutions; without it, recorded
solutions of four models), traces (problems, 15). The votes are written as a file that `study bias --file` reads.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from auditing.core.values import Choice, Tier
from auditing.research.studies.arms.asked import endpoint_names, model_votes, tell_arms
from auditing.research.studies.arms.cuts import PASSAGES, WHOLE, Unit, cut_by
from auditing.research.studies.arms.design import Recording
from auditing.research.studies.arms.favour import Opinion, as_judgements, favour_of, read_opinion, spread_of
from auditing.research.studies.arms.printed import TABLE2
from auditing.research.studies.arms.recording import ArmVote, Case
from auditing.research.studies.arms.simulated import computer_votes
from auditing.research.studies.arms.simulated_judges import FAVOURS, simulated_votes
from auditing.research.studies.arms.solutions import (
    Solution,
    family,
    read_solution,
    recorded_solutions,
    written_solutions,
)
from auditing.research.studies.arms.table1 import arm_rows
from auditing.research.studies.instruments.labelled import Record
from auditing.research.studies.instruments.model_tier import in_parallel, open_clients
from auditing.research.studies.instruments.own_file import own_records
from auditing.research.studies.instruments.runner import Cell, OptionError, Report, Run, Table, study

__all__ = ["run_table2"]

ACCOUNT = "study:table2"
WHOLE_ARM, PASSAGE_ARM = f"{WHOLE}, models", f"TRUST, {PASSAGES}, no judge of the author's family"
COLUMNS = (
    "method",
    "traces",
    "accuracy",
    "low",
    "high",
    "self-preference",
    "standard error",
    "at equal truth",
    "standard error of that",
    "authors apart at equal truth",
)


@dataclass(frozen=True, slots=True)
class Judging:
    """Every judge's word on every solution, the cases of the passages, and the words for where they come from."""

    opinions: Sequence[Opinion]
    passages: Sequence[Case]
    source: str
    simulated: str = ""


@study(
    "table2",
    "Authors x judges: accuracy and self-preference, TRUST table 2",
    reads="authors",
    options=("endpoint", "authors", "traces"),
)
def run_table2(run: Run) -> Report:
    """One row a judge, an ensemble, and the passages; whoever judges, the authors of all traces are known."""
    judging = _judging(run)
    authors = {opinion.trace: opinion.author for opinion in judging.opinions}
    arms = {WHOLE_ARM: _cases(judging.opinions), PASSAGE_ARM: judging.passages}
    recording = Recording({arm: cases for arm, cases in arms.items() if cases}, judging.source)
    rows, cells, verdicts = arm_rows(run=run, recording=recording)
    by_auditor: dict[str, list[Opinion]] = defaultdict(list)
    for opinion in judging.opinions:
        by_auditor[f"{WHOLE_ARM}: {opinion.auditor}"].append(opinion)
    table = list[list[Cell]]()
    for (name, cases, _), row, judged in zip(rows, cells, verdicts, strict=True):
        # Ensembles have no family: for them favour is empty, and the spread over authors says what there is.
        favour = favour_of(opinions=by_auditor.get(name, []))
        spread = spread_of(
            rows=((authors[case.trace], case.is_right, entry.passes) for case, entry in zip(cases, judged, strict=True))
        )
        figures = (favour.bias, favour.error, favour.at_equal_truth, favour.equal_error, spread)
        table.append([*row[:5], *(None if value is None else round(value, 4) for value in figures)])
    note = (
        f"{judging.source}. Self-preference: approval of own less that of others' traces. At equal truth right traces "
        "are compared with right ones and wrong with wrong ones: a family that solves more is rightly approved more."
    )
    printed: list[list[Cell]] = [[name, accuracy, bias] for name, (accuracy, bias) in TABLE2.items()]
    return Report(
        "Authors and judges",
        [
            Table("Table 2: judges, ensembles, passages", COLUMNS, table, note),
            Table("Printed", ("method", "accuracy, %", "bias, points"), printed),
        ],
        [f"Votes: {judging.source}. `study bias --file table2.votes.jsonl` reads them."],
        None,
        judging.simulated,
        items=_items(judging.opinions),
        votes=as_judgements(judging.opinions),
    )


def _items(opinions: Sequence[Opinion]) -> Table:
    """One line a judge and trace."""
    lines: list[list[Cell]] = [
        [opinion.trace, opinion.author, opinion.auditor, int(opinion.is_right), int(opinion.passed)]
        for opinion in opinions
    ]
    return Table("Items", ("trace", "author", "judge", "right", "passed"), lines)


def _judging(run: Run) -> Judging:
    own = own_records(run=run, make=_opinion_or_solution) if run.file is not None else []
    opinions = [entry for entry in own if isinstance(entry, Opinion)]
    judges = endpoint_names(run)
    if opinions:
        # Votes and traces in one file: nobody could say which rows of the table were asked and which recorded.
        if judges or len(opinions) < len(own):
            raise OptionError("a file of recorded votes holds votes alone, and asks no endpoint")
        return Judging(opinions, (), f"recorded votes of {run.file.name if run.file else ''}")
    solutions = [entry for entry in own if isinstance(entry, Solution)]
    if judges:
        return _asked(run, judges, solutions)
    if endpoint_names(run, "authors"):
        raise OptionError("the option authors needs --endpoint: somebody has to judge what they write")
    source = run.file.name if run.file else "recorded solutions of four models (GSM8K)"
    solutions = solutions or recorded_solutions(run=run, problems=_problems(run))
    votes, passages = simulated_votes(solutions=solutions, seed=run.seed)
    authors = {solution.author for solution in solutions}
    favours = [f"{value:+g} for {name}" for name, value in FAVOURS.items() if name in authors]
    planted = ", ".join(favours) or "none, so that whatever stands there is chance"
    return Judging(votes, passages, source, f"the judges' votes; planted self-preference: {planted}.")


def _opinion_or_solution(record: Record) -> Opinion | Solution:
    return read_opinion(record) if "judge" in record else read_solution(record)


def _problems(run: Run) -> int:
    return run.number("traces", 50 if run.full else 15)


def _asked(run: Run, judges: Sequence[str], solutions: Sequence[Solution]) -> Judging:
    writers = endpoint_names(run, "authors")
    if writers and not solutions:
        with open_clients(run=run, names=writers, account=ACCOUNT) as authors:
            solutions = written_solutions(run=run, authors=authors, problems=_problems(run), account=ACCOUNT)
    solutions = solutions or recorded_solutions(run=run, problems=_problems(run))
    units = [_units(solution, run.seed, number) for number, solution in enumerate(solutions)]
    with open_clients(run=run, names=judges, account=ACCOUNT) as clients:
        flat = [unit for by_cut in units for cut in by_cut for unit in cut if unit.computer is Choice.ABSTAIN]
        tell_arms(run=run, clients=clients, units=flat)
        families = {client.endpoint.name: family(client) for client in clients}

        def votes_on(number: int) -> tuple[list[ArmVote], list[ArmVote]]:
            pieces, whole = units[number]
            # Nobody judges the traces of their own family, unless there is nobody else.
            strangers = [c for c in clients if families[c.endpoint.name] != solutions[number].author] or clients
            votes = computer_votes(pieces)
            for unit in pieces:
                if unit.computer is Choice.ABSTAIN:
                    votes += model_votes(unit=unit, clients=strangers, account=ACCOUNT)
            return model_votes(unit=whole[0], clients=clients, account=ACCOUNT), votes

        workers = min(client.endpoint.max_concurrency for client in clients)
        cast = in_parallel(work=votes_on, items=range(len(solutions)), workers=workers)
    opinions, passages = list[Opinion](), list[Case]()
    for solution, (pieces, _), (on_whole, on_pieces) in zip(solutions, units, cast, strict=True):
        opinions += [
            Opinion(v.auditor, families[v.auditor], solution.author, solution.id, solution.is_right, v.choice is PASS)
            for v in on_whole
            if v.choice is not Choice.ABSTAIN
        ]
        ids = tuple(unit.id for unit in pieces)
        if on_whole and {vote.unit for vote in on_pieces} == set(ids):
            passages.append(Case(solution.id, solution.is_right, tuple(on_pieces), ids))
    written = f"written by {', '.join(writers)}" if writers else "recorded"
    return Judging(opinions, passages, f"solutions {written}, judged by {', '.join(judges)}")


PASS = Choice.PASS


def _units(solution: Solution, seed: int, number: int) -> list[list[Unit]]:
    labelled = solution.labelled(first_error=None)
    return cut_by(cuts=[PASSAGES, WHOLE], labelled=labelled, seed=seed, number=number)


def _cases(opinions: Sequence[Opinion]) -> list[Case]:
    votes: dict[str, list[ArmVote]] = defaultdict(list)
    truths = {opinion.trace: opinion.is_right for opinion in opinions}
    for opinion in opinions:
        choice = Choice.PASS if opinion.passed else Choice.FAIL
        votes[opinion.trace].append(ArmVote("", opinion.auditor, Tier.LLM, choice))
    return [Case(trace, truths[trace], tuple(cast)) for trace, cast in votes.items()]
