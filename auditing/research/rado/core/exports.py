"""Audited evaluations as training rows: preference pairs, tool dialogues and GRPO groups, with provenance.

The paper pairs evaluations "with a score of 1 from the reward model"; what must be meant, and is done here, is the
score of the audit.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, cycle, islice, product
from typing import Any, TypeVar

from auditing.research.rado.core.evaluations import Audited
from auditing.research.rado.core.rewards import group_advantages
from auditing.research.rado.core.tags import Dialogue, Part, PartKind, write_dialogue

Item = TypeVar("Item")
Row = dict[str, Any]
_REPLIES = (PartKind.DOC, PartKind.RESULT)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where rows come from, repeated in the meta of each; models differ between iterations, the version does not."""

    reward_model: str
    audit_model: str
    version: str  # of the data set


Sources = Mapping[int, Provenance]  # by iteration


def _digest(*texts: str) -> str:
    whole = hashlib.sha256()
    for text in texts:
        # Each text after its length, so that ("ab", "c") and ("a", "bc") differ.
        whole.update(len(text.encode()).to_bytes(8, "big") + text.encode())
    return whole.hexdigest()


def _meta(audited: Audited, sources: Sources) -> Row:
    correction, provenance = audited.correction, sources[audited.iteration]
    return {
        "problem": audited.problem,
        "iteration": audited.iteration,
        "reward_model": provenance.reward_model,
        "audit_model": provenance.audit_model,
        "version": provenance.version,
        "corrected_by": correction.corrector if correction else None,
        "tags": sorted(correction.tags) if correction else [],
    }


def preference_pairs(*, samples: Iterable[Audited], sources: Sources, most: int = 4) -> list[Row]:
    """DPO rows {prompt, chosen, rejected, meta}: an evaluation found right against one found wrong, on one prompt.

    A person's positive sample joins the right ones. A prompt with only one kind gives nothing, nor does a text that
    was found right and wrong: it is not better than itself. Equal pairs are kept once; at most `most` pairs a prompt,
    taken in order of id.
    """
    prompts: dict[str, list[Audited]] = defaultdict(list)
    for sample in sorted(samples, key=lambda sample: sample.id):
        prompts[sample.prompt].append(sample)
    rows: dict[str, Row] = {}
    for prompt, group in prompts.items():
        # Every right evaluation against every wrong one of the same prompt, in the order of their ids.
        pairs = product(_texts(group, right=True), _texts(group, right=False))
        distinct = [(right, wrong) for right, wrong in pairs if right[0] != wrong[0]]
        for (chosen, good), (rejected, bad) in distinct[:most]:
            meta = _meta(bad, sources) | {"chosen_id": good.id, "rejected_id": bad.id}
            # The class of the rejected evaluation: pairs are balanced by the kind of mistake.
            meta["score_class"] = list(bad.evaluation.score_class)
            row = {"prompt": prompt, "chosen": chosen, "rejected": rejected, "meta": meta}
            # Two samples may hold the same texts; the first pair stays.
            rows.setdefault(_digest(prompt, chosen, rejected), row)
    return list(rows.values())


def _texts(group: Sequence[Audited], *, right: bool) -> list[tuple[str, Audited]]:
    """Distinct evaluation texts found right (or wrong), each with its sample."""
    texts: dict[str, Audited] = {}
    for sample in group:
        if bool(sample.label) is right:
            texts.setdefault(sample.evaluation.text, sample)
        # A corrected evaluation is right even where the given one was wrong.
        if right and sample.correction and sample.correction.evaluation:
            texts.setdefault(sample.correction.evaluation.text, sample)
    return list(texts.items())


def dialogue_row(*, audited: Audited, sources: Sources, system: str = "") -> Row:
    """An SFT row {messages, meta}: the auditor sees the item and the evaluation; tools answer in turns of their own.

    A trainer masks turns of the role `tool` from the loss, so that a model learns to call, not to invent a reply.

    The paper's prompt shows the auditor the evaluation alone; ours shows the problem and the response too.
    """
    opening = f"{audited.prompt}\n\nEvaluation to audit:\n{audited.evaluation.text}"
    turns = [{"role": "system", "content": system}] if system else []
    turns.append({"role": "user", "content": opening})
    turns.extend({"role": role, "content": text} for role, text in _turns(audited.final_audit))
    return {"messages": turns, "meta": _meta(audited, sources) | {"id": audited.id, "label": audited.label}}


def reward_row(*, audited: Audited, sources: Sources, system: str = "") -> Row | None:
    """An SFT row {messages, meta} of the reward model: its prompt, and an evaluation that an audit found right.

    None where none was: neither the given evaluation nor a person's correction of it. Source: RADO, section 3.1.
    """
    correction = audited.correction
    corrected = correction.evaluation if correction else None
    evaluation = corrected or (audited.evaluation if audited.label == 1 else None)
    if evaluation is None:
        return None
    turns = [{"role": "system", "content": system}] if system else []
    turns += [{"role": "user", "content": audited.prompt}, {"role": "assistant", "content": evaluation.text}]
    meta = {"id": audited.id, "score_class": list(evaluation.score_class)}
    return {"messages": turns, "meta": _meta(audited, sources) | meta}


def _turns(dialogue: Dialogue) -> list[tuple[str, str]]:
    """Alternating turns: what the auditor writes up to a reply, then the reply."""
    turns: list[tuple[str, str]] = []
    pending: list[Part] = []
    for segment in dialogue.parts:
        # A reply ends the auditor's turn and is the tool's turn: that is how tools answer at inference.
        if segment.kind in _REPLIES:
            turns += [("assistant", _tagged(pending)), ("tool", _tagged([segment]))]
            pending = []
        else:
            pending.append(segment)
    whole = write_dialogue(Dialogue(tuple(pending), dialogue.score, thinks=False))
    turns.append(("assistant", whole))
    if not dialogue.thinks:
        return turns
    # The thought spans all turns: it opens in the first and closes right before the answer in the last.
    first, last = turns[0][1], turns[-1][1].replace("<answer>", "</think><answer>")
    if len(turns) == 1:
        return [("assistant", "<think>" + last)]
    return [("assistant", "<think>" + first), *turns[1:-1], ("assistant", last)]


def _tagged(parts: Sequence[Part]) -> str:
    whole = write_dialogue(Dialogue(tuple(parts), 0, thinks=False))
    return whole.removesuffix("<answer>0</answer>")


def group_rows(*, prompt: str, responses: Sequence[str], rewards: Sequence[int], meta: Row) -> list[Row]:
    """GRPO rows of one group: {prompt, completion, reward, advantage, meta}. Raises ValueError for unequal lengths."""
    advantages = group_advantages(rewards)
    return [
        {"prompt": prompt, "completion": response, "reward": reward, "advantage": advantage, "meta": meta}
        for response, reward, advantage in zip(responses, rewards, advantages, strict=True)
    ]


def balance_classes(*, items: Iterable[Item], key: Callable[[Item], str], of: Callable[[Item], Hashable]) -> list[Item]:
    """Equally many items of each class that occurs, by repeating those of rarer classes; none is lost.

    Which ones are repeated follows the hash of their key, so that their order does not matter. Source: RADO, appendix D
    (each of the four score classes a quarter), where classes are cut down instead: 40 pairs can become 4.

    >>> balance_classes(items=["a1", "b1", "b2"], key=str, of=lambda item: item[0])
    ['b2', 'b1', 'a1', 'a1']
    """
    classes: dict[Hashable, list[Item]] = defaultdict(list)
    for member in sorted(items, key=lambda member: _digest(key(member))):
        classes[of(member)].append(member)
    # The most frequent class sets the size of all.
    size = max(map(len, classes.values()), default=0)
    return [member for members in classes.values() for member in islice(cycle(members), size)]


def split_of(*, problem: str, seed: str, validation: float = 0.1, test: float = 0.1) -> str:
    """train, validation or test by the hash of the problem: all rows of a problem fall together, in every iteration.

    >>> split_of(problem="p1", seed="s") == split_of(problem="p1", seed="s")
    True
    """
    # 13 hexadecimal digits are 52 bits, which a double holds exactly: a uniform number in [0, 1).
    fraction = int(_digest(seed, problem)[:13], 16) / 16**13
    if fraction < test:
        return "test"
    return "validation" if fraction < test + validation else "train"


def accumulate(*, iterations: Sequence[Sequence[Audited]]) -> list[Audited]:
    """S^(k) = D^(0) + ... + D^(k), each sample once: a later correction of a sample replaces the earlier one.

    A sample is its id, prompt and evaluation: ids come again with every iteration that asks about the same responses,
    and what another model says of them is another sample. Handed in again, it does not lose a person's word.

    Source: RADO, section 3.2, step 3. Its D_rm^(0) is rewritten in every loop, taken for a misprint of D_rm^(k).
    """
    newest: dict[str, Audited] = {}
    for sample in chain.from_iterable(iterations):
        key = _digest(sample.id, sample.prompt, sample.evaluation.text)
        if key not in newest or sample.correction or not newest[key].correction:
            newest[key] = sample
    return list(newest.values())
