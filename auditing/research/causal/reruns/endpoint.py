"""Causal audits through endpoints: a critic changes a thought, an agent runs on, a paraphrase is the control.

Asks the agent's and the critic's endpoints; writes nothing but the calls in their book.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from auditing.checker.answers import tell_apart
from auditing.research.causal.core import (
    Causal,
    Intervention,
    Planned,
    Trial,
    intervene,
    judge,
    measure_similarity,
    paraphrase,
    rejects,
)
from auditing.research.causal.reruns.agent import Rerun, run_on
from auditing.research.causal.reruns.critic import change_by_model, score_likeness
from auditing.services.model_tier.judges.answer import NoVote
from auditing.services.model_tier.judges.tools import Toolbox
from hdag.chat.client import ChatClient

LIKE = 0.8  # the paper's threshold of S, for answers in prose that no rule can compare


@dataclass(frozen=True, slots=True)
class Tried:
    """One trial carried out: both traces, thought by thought, and what it says."""

    made: tuple[Intervention, ...]
    trial: Trial
    causal: Causal
    before: tuple[str, ...]
    after: tuple[str, ...]
    reached: tuple[str, ...] = ()
    control_answer: str = ""
    calls: tuple[str, ...] = ()
    why_not: str = ""  # why nothing was rerun


@dataclass(frozen=True, slots=True)
class Agent:
    """Who runs on, who changes thoughts (None: rules), and on whose account. Safe to share between threads."""

    client: ChatClient
    critic: ChatClient | None
    account: str
    toolbox: Toolbox = field(default_factory=Toolbox)  # with search where the operator switched it on for the endpoint

    def try_out(
        self, *, problem: str, texts: Mapping[str, str], planned: Planned, answer: str, load_bearing: bool
    ) -> Tried | None:
        """Change, run on, run the control; None when nothing could be changed. `texts` are the steps in order."""
        # 1. Change the planned thoughts.
        made = self._changes(problem, texts, planned)
        if not made:
            return None
        # 2. Cut after the last changed thought: the agent must not see what the original reasoning said next.
        last = max(list(texts).index(key) for key in made)
        keys = list(texts)[: last + 1]
        rerun = self._run_on(problem, [made[key].changed if key in made else texts[key] for key in keys])
        # 3. The control runs on from the same place after a harmless paraphrase of the same thoughts.
        control = self._run_on(problem, [paraphrase(text=texts[key]) if key in made else texts[key] for key in keys])
        # 4. Compare the answers.
        trial = self._trial(problem, answer, (rerun, control), tuple(made.values()), load_bearing)
        thoughts = rerun.thoughts if isinstance(rerun, Rerun) else ()
        missing = [run.reason for run in (rerun, control) if isinstance(run, NoVote)]
        return Tried(
            made=tuple(made.values()),
            trial=trial,
            causal=judge(trial=trial),
            before=tuple(texts.values()),
            after=(*(made[key].changed if key in made else texts[key] for key in keys), *thoughts),
            control_answer=control.answer if isinstance(control, Rerun) else "",
            calls=tuple(f"{turn.tool} = {turn.text}" for turn in rerun.calls) if isinstance(rerun, Rerun) else (),
            why_not="; ".join(missing),
        )

    def _changes(self, problem: str, texts: Mapping[str, str], planned: Planned) -> dict[str, Intervention]:
        """By the critic; by rules without one, and where it gives no answer."""
        changes = {}
        for key, kind in zip(planned.segments, planned.kinds, strict=True):
            change: Intervention | NoVote | None = None
            if self.critic is not None:
                change = change_by_model(
                    client=self.critic, problem=problem, thought=texts[key], kind=kind, account=self.account
                )
            # A critic that gives no answer must not cost a trial: rules step in.
            if not isinstance(change, Intervention):
                change = intervene(text=texts[key], kind=kind)
            if change is not None:
                changes[key] = change
        return changes

    def _run_on(self, problem: str, thoughts: Sequence[str]) -> Rerun | NoVote:
        return run_on(
            client=self.client, problem=problem, thoughts=thoughts, account=self.account, toolbox=self.toolbox
        )

    def _trial(
        self,
        problem: str,
        answer: str,
        runs: tuple[Rerun | NoVote, Rerun | NoVote],
        changes: tuple[Intervention, ...],
        load_bearing: bool,
    ) -> Trial:
        """Without its rerun or its control a trial says nothing."""
        rerun, control = runs
        after = rerun.answer if isinstance(rerun, Rerun) else ""
        semantic = self._likeness(problem, answer, after)
        held = self._likeness(problem, answer, control.answer) if isinstance(control, Rerun) else None
        # Where neither a rule nor a scorer can compare, or an answer is missing, the trial says nothing.
        is_told = semantic is not None and held is not None
        noticed = isinstance(rerun, Rerun) and any(
            rejects(rerun="\n".join(rerun.thoughts), intervention=change) for change in changes
        )
        return Trial(
            intervention=changes[0],
            answer=answer,
            answer_after=after,
            similarity=measure_similarity(first=answer, second=after, semantic=semantic or 0.0),
            same_answer=semantic >= LIKE if is_told and semantic is not None else None,
            load_bearing=load_bearing,
            repaired=noticed,
            control=held,
        )

    def _likeness(self, problem: str, first: str, second: str) -> float | None:
        """S: 1 or 0 where a rule can compare the answers; for prose the scorer's word; None when nobody can tell."""
        if not first.strip() or not second.strip():
            return None
        # Two values (numbers, formulas, choices) are compared better by a rule than by a model's opinion.
        is_same = tell_apart(first=first, second=second)
        if is_same is not None:
            return float(is_same)
        if self.critic is None:
            return None
        return score_likeness(client=self.critic, problem=problem, first=first, second=second, account=self.account)
