"""What a reviewer reads for one verdict, by segments and by passages, and how often a premise has to be withheld.

Run from the repository root: python -m benchmarks.passage_seats [--per-file N] [--reviewers R]. Pure: the graphs and
the rules of the draw are the system's, the draw is a seeded shuffle. A premise is withheld where nobody of the R
reviewers may be shown a unit with all that it takes from others, so that the trusted pool would be asked. Minutes are
words at 238 a minute (Brysbaert 2019, silent reading of English); time for thinking is not in them.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from auditing.core.consensus.planning import PassageState, plan_rules, plan_wave
from auditing.core.policy import DEFAULT, PAPER, PRIVATE, Policy
from benchmarks.passages import is_unread
from benchmarks.public_traces import records
from hdag.core.disclosure import Disclosed, budget, digest, outside_problem, reserved, whole
from hdag.core.passages import coarsen, digest_text, plan_passages, taken_steps
from hdag.core.values import Graph, Segment, Source, Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers.records import read_record

WORDS_A_MINUTE = 238
LEAST_LETTERS = 12  # of a trace
SEED = 17
STORIES = 4  # simulated right and wrong traces of each trace


@dataclass(frozen=True, slots=True)
class Form:
    """What one seat shows: the text that is judged, and its premises outside the problem."""

    text: str
    needed: Disclosed
    premises: tuple[Segment, ...]

    @property
    def words(self) -> int:
        """Words of the text and of its premises."""
        return sum(len(text.split()) for text in (self.text, *(premise.content for premise in self.premises)))


def segment_forms(*, graph: Graph) -> list[Form]:
    """One form a step and a lone operation, as an audit of segments asks."""
    premises, by_id = graph.premises(), {segment.id: segment for segment in graph.segments}
    asked = [s for s in graph.segments if s.source is not Source.PROBLEM and s.level.value in ("step", "operation")]
    forms = []
    for segment in asked:
        bases = _outside([by_id[key] for key in premises[segment.id]])
        forms.append(Form(segment.content, reserved(current=whole(segment=segment), dependencies=bases), bases))
    return forms


def passage_forms(*, trace: Trace, graph: Graph) -> list[Form]:
    """One form a unit, as an audit of passages asks."""
    plan = plan_passages(trace=trace, graph=graph)
    coarse = coarsen(trace=trace, graph=graph, plan=plan)
    premises, by_id = coarse.premises(), {segment.id: segment for segment in coarse.segments}
    passages = {passage.id: passage for passage in plan.passages}
    takes = taken_steps(graph=graph, plan=plan)
    seats = {seat.id: seat for seat in plan.plan_seats}
    forms = []
    for key, unit in plan.units().items():
        if unit.why:
            continue
        if key in passages:
            carried = [by_id[label] for label in unit.carries]
            current = Disclosed()
            for segment in (by_id[key], *carried):
                current |= whole(segment=segment)
            text = "\n\n".join((unit.text, *(segment.content for segment in carried)))
            bases = _outside([by_id[label] for label in premises[key]])
            taken = [stretch for label in (key, *unit.carries) for stretch in takes[label]]
            forms.append(Form(text, reserved(current=current, dependencies=bases, takes=taken), bases))
        else:
            text = digest_text(seat=seats[key], passages=passages)
            forms.append(Form(unit.text, digest(label=key, text=text, trace=trace), ()))
    return forms


def count_withheld(*, trace: Trace, forms: Sequence[Form], policy: Policy, seats: int, reviewers: int) -> int:
    """Seats of all `forms` that no reviewer may take with the premises, `seats` of each form being drawn."""
    characters = outside_problem(trace=trace)
    if characters <= policy.short_trace_characters:
        return 0
    limit, cap = _limit(characters, policy), policy.disclosure_share * len(forms)
    rng = random.Random(SEED)
    seen = [Disclosed() for _ in range(reviewers)]
    held: list[set[int]] = [set() for _ in range(reviewers)]
    withheld = 0
    for position, form in enumerate(forms):
        needed = form.needed
        order = rng.sample(range(reviewers), reviewers)
        fit = [who for who in order if len(held[who]) + 1 <= cap and (seen[who] | needed).characters <= limit]
        if not policy.neighbours:
            fit = [who for who in fit if not held[who] & {position - 1, position + 1}]
        for who in fit[:seats]:
            seen[who] |= needed
            held[who].add(position)
        withheld += max(0, seats - len(fit))
    return withheld


def count_withheld_in_waves(
    *, trace: Trace, forms: Sequence[Form], policy: Policy, reviewers: int, stories: int = STORIES
) -> Counter[str]:
    """Of a right and a wrong trace asked about in waves, `stories` times: seats, how many are "withheld", how many
    find "nobody" because all reviewers have voted on the form.

    Votes are right with the planned accuracy, the wrong form is drawn. A withheld seat is one that nobody who has not
    voted there may take with its premises: the trusted pool's. Every trace has votes and an order of the draw of its
    own, else one unlucky order would be counted as often as there are traces of the same length.
    """
    rules, counts = plan_rules(policy=policy), Counter[str]()
    rng = random.Random(f"{SEED} {trace.thinking} {trace.answer}")
    for story in range(2 * stories):
        wrong = rng.randrange(len(forms)) if story % 2 else None
        room = _Room(trace, forms, policy, reviewers, rng)
        states = [PassageState(passage=str(number)) for number in range(len(forms))]
        while (plan := plan_wave(passages=states, rules=rules)).outcome is None and not plan.adjudicates:
            for name, seats in plan.seats.items():
                number = int(name)
                counts.update(room.take(number) for _ in range(seats))
                margin = sum((1 if rng.random() < rules.accuracy else -1) for _ in range(seats))
                ratio = states[number].ratio * rules.step ** (-margin if number == wrong else margin)
                states[number] = replace(states[number], ratio=ratio, seats=states[number].seats + seats)
    return counts


def _limit(characters: int, policy: Policy) -> int:
    return budget(characters=characters, share=policy.disclosure_share, least=policy.short_trace_characters)


class _Room:
    """Who of the reviewers may still sit where, by the rules of the draw."""

    def __init__(self, trace: Trace, forms: Sequence[Form], policy: Policy, reviewers: int, rng: random.Random) -> None:
        characters = outside_problem(trace=trace)
        self._forms, self._policy, self._rng = forms, policy, rng
        self._limit, self._cap = math.inf, math.inf
        if characters > policy.short_trace_characters:
            self._limit = _limit(characters, policy)
            self._cap = float(policy.disclosure_share) * len(forms)
        self._seen = [Disclosed() for _ in range(reviewers)]
        self._held: list[set[int]] = [set() for _ in range(reviewers)]

    def take(self, position: int) -> str:
        """Seat the first of a shuffle who may sit: "seated"; else "withheld", or "nobody" where all have voted."""
        needed = self._forms[position].needed
        for who in self._rng.sample(range(len(self._seen)), len(self._seen)):
            held = self._held[who]
            if position in held or len(held) + 1 > self._cap or (self._seen[who] | needed).characters > self._limit:
                continue
            if not self._policy.neighbours and held & {position - 1, position + 1} and self._limit < math.inf:
                continue
            self._seen[who] |= needed
            held.add(position)
            return "seated"
        return "nobody" if all(position in held for held in self._held) else "withheld"


def _outside(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    return tuple(segment for segment in segments if segment.source is not Source.PROBLEM)


def _withheld(trace: Trace, before: Sequence[Form], after: Sequence[Form], reviewers: int) -> Counter[str]:
    """Seats withheld by policy: 1, 3 and 5 of each form, and in waves."""
    row = Counter[str]()
    for seats in (1, 3, 5):
        for policy in (PAPER, DEFAULT, PRIVATE):
            forms = before if policy is PAPER else after
            key = f"{policy.name} {seats}"
            row[key] = count_withheld(trace=trace, forms=forms, policy=policy, seats=seats, reviewers=reviewers)
            row[f"{key} of"] = seats * len(forms)
    for policy in (DEFAULT, PRIVATE):
        counts = count_withheld_in_waves(trace=trace, forms=after, policy=policy, reviewers=reviewers)
        row.update({f"{policy.name} waves {name}": count for name, count in counts.items()})
    return row


def main() -> None:
    """One line a set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-file", type=int, default=20)
    parser.add_argument("--reviewers", type=int, default=8)
    chosen = parser.parse_args()
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for name, record in records(per_file=chosen.per_file):
        text = record.get("thinking") or " ".join(record.get("steps", ()))
        if is_unread(record["problem"]) or sum(map(str.isalnum, text)) < LEAST_LETTERS:
            continue
        trace = read_record(record, where="benchmark")
        graph = RulesDecomposer().decompose(trace)
        before, after = segment_forms(graph=graph), passage_forms(trace=trace, graph=graph)
        row = Counter(
            traces=1,
            long=outside_problem(trace=trace) > DEFAULT.short_trace_characters,
            before=len(before),
            after=len(after),
            words_before=sum(form.words for form in before),
            words_after=sum(form.words for form in after),
        )
        row.update(_withheld(trace, before, after, chosen.reviewers))
        for key in (name, "all"):
            sums[key].update(row)
    for name, c in sums.items():
        shares = "  ".join(
            f"{policy.name} {seats}: {c[f'{policy.name} {seats}'] / max(1, c[f'{policy.name} {seats} of']):.1%}"
            for policy in (PAPER, DEFAULT, PRIVATE)
            for seats in (1, 3, 5)
        )
        for policy in (DEFAULT, PRIVATE):
            counted = [c[f"{policy.name} waves {name}"] for name in ("withheld", "nobody", "seated")]
            count = max(1, sum(counted))
            shares += (
                f"  {policy.name} in waves: {counted[0] / count:.1%} (nobody left {counted[1] / count:.1%}) of {count}"
            )
        print(
            f"{name:20s} {c['traces']:4d} traces ({c['long']} long)  forms {c['before'] / c['traces']:.1f} -> "
            f"{c['after'] / c['traces']:.1f}  words a form {c['words_before'] / max(1, c['before']):.0f} -> "
            f"{c['words_after'] / max(1, c['after']):.0f}, a trace {c['words_before'] / c['traces']:.0f} -> "
            f"{c['words_after'] / c['traces']:.0f} ({c['words_before'] / c['traces'] / WORDS_A_MINUTE:.1f} -> "
            f"{c['words_after'] / c['traces'] / WORDS_A_MINUTE:.1f} min)  withheld {shares}"
        )


if __name__ == "__main__":
    main()
