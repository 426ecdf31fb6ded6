"""Where passages end: the cheapest cut of a text's atoms into runs, by dynamic programming over borders.

cost of a run = cost of its size + cost of the border behind it. A run is cheap between `least` and `most` characters; a
border is cheap at a heading, dearer inside a paragraph, and all but forbidden inside a formula, a list item or behind a
line that announces. A run has at most eight steps, so each border looks back over a bounded number of atoms: linear.

    "We have:" | "x + 1 = 3" | "so x = 2."     -> one run: the first two borders are forbidden, the third is the end
"""

import bisect
import re
from collections.abc import Sequence

from hdag.core.passages.asking import announces
from hdag.core.passages.atoms import Atom
from hdag.core.passages.phrases import phrases
from hdag.core.passages.values import PassageLimits
from hdag.core.spans import Span

FORBIDDEN = 100.0
MOST_ATOMS = 16  # of a run, pieces of containers included
AT_BLANK_LINE, AT_LINE, IN_PARAGRAPH = 0.1, 0.35, 0.6
BOND = 0.4
CHAIN = 3.0  # what a formula that begins with "=" costs to be parted from the one that it goes on from
_FOLLOWS = phrases(
    r"""
    (?:so|thus|hence|therefore|then|which|this|that|because|since|and|but)\b
    (?:in )?total\b|sum\s?[:=]|altogether\b|together\b|in both cases\b
    (?:daher|somit|folglich|donc|ainsi|d'où|por (?:lo )?tanto|así que)\b
    所以|因此|よって|したがって
    """
)
_GOES_ON = re.compile(
    r"[\s$&]{0,9}(?:\\[\[(]|\\begin\{\w{1,20}\*?\})?[\s$&]{0,9}"
    r"(?:[=≤≥<>≈≡⇒→⟹]|\\(?:le|ge|leq|geq|approx|equiv|implies|Rightarrow|iff)\b)"
)
_OPEN = re.compile(r"[^\W\d_]{2,}\s*,?$")
_DISPLAYED = re.compile(r"\$\$|\\\[|\\begin\{|```|\|")


def cut(
    *, text: str, atoms: Sequence[Atom], blocks: Sequence[Span], limits: PassageLimits, is_edge: Sequence[bool]
) -> list[range]:
    """The runs of atoms (as ranges of their positions) whose total cost is least; ties go to the longer last run.

    is_edge: atoms that claim nothing and are set apart at the ends of a run; they count only between two that claim.
    """
    count = len(atoms)
    border = [_cost_of_border(text, atoms, blocks, is_edge, index) for index in range(count)]
    # first[i]: where the first claim from atom i on starts; last[i]: where the last claim up to atom i ends.
    first, last = [len(text)] * (count + 1), [0] * (count + 1)
    for index in range(count - 1, -1, -1):
        first[index] = first[index + 1] if is_edge[index] else atoms[index].start
    for index in range(count):
        last[index + 1] = last[index] if is_edge[index] else atoms[index].end
    best, back = [0.0] + [float("inf")] * count, [0] * (count + 1)
    for stop in range(1, count + 1):
        steps = 0
        for start in range(stop - 1, max(-1, stop - 1 - MOST_ATOMS), -1):
            steps += atoms[start].is_step
            if steps > limits.most_steps:
                break
            size = last[stop] - first[start]
            cost = best[start] + _size_cost(size, stop - start, limits) + border[stop - 1]
            if cost < best[stop]:
                best[stop], back[stop] = cost, start
    runs, stop = [], count
    while stop:
        runs.append(range(back[stop], stop))
        stop = back[stop]
    return runs[::-1]


def _size_cost(size: int, atoms: int, limits: PassageLimits) -> float:
    if size <= 0:
        return 0.0
    # Each run costs 1, so that no more runs are made than sizes and borders ask for.
    if size < limits.least:
        return 1.0 + 1.5 * (1 - size / limits.least)
    # An atom that is too long alone is nobody's fault.
    if size > limits.most and atoms > 1:
        return 1.0 + 20.0 * (size - limits.most) / limits.most + 4.0
    return 1.0


def _cost_of_border(
    text: str, atoms: Sequence[Atom], blocks: Sequence[Span], is_edge: Sequence[bool], index: int
) -> float:
    """What a border behind atom `index` costs."""
    if index + 1 == len(atoms):
        return 0.0
    here, after = atoms[index], atoms[index + 1]
    # A heading goes with what stands below it, an announcing line with what it announces.
    if announces(text=here.text) or is_held(blocks=blocks, here=here, after=after):
        return FORBIDDEN
    if is_edge[index] and not is_edge[index + 1]:
        return AT_LINE
    gap = text[here.end : after.start]
    cost = AT_BLANK_LINE if gap.count("\n") > 1 else AT_LINE if "\n" in gap else IN_PARAGRAPH
    return cost + _bonds(here, after)


def _bonds(here: Atom, after: Atom) -> float:
    """What binds two neighbours: consequence and reason, question and answer, "= ..."; less across containers."""
    cost = BOND if _FOLLOWS.match(after.text) else 0.0
    # "Suppose it holds for n. Then" [a displayed formula]: the sentence goes on.
    goes_on = _GOES_ON.match(after.text) or (_DISPLAYED.match(after.text) and _OPEN.search(here.text[-80:]))
    cost += CHAIN if goes_on else 0.0
    cost += BOND if here.text.rstrip("*_ ").endswith("?") else 0.0
    return cost - 0.3 if here.holders != after.holders else cost


def is_held(*, blocks: Sequence[Span], here: Atom, after: Atom) -> bool:
    """Whether a block reaches over the gap between two neighbours."""
    at = bisect.bisect_right(blocks, Span(here.end, -1)) - 1
    near = blocks[max(at, 0) : at + 2]
    return any(block.start < here.end and after.start < block.end for block in near)
