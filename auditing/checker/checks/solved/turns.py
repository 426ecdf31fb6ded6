"""Turns: where a text that thinks aloud leaves what it was about and takes up something else.

A trial, a case, a second look, another way: what is written behind such a word need not agree with what stands before
it, for one of the two is given up, or they hold apart. "Test x = 1: ... Wait, maybe the length is 1 cm" contradicts
nothing.
"""

from __future__ import annotations

from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.reading.passages import Passage, Script

# a trial or a case; a look back; another way; what holds for every one of many
_TURNS = any_of("""
    wait hmm* actually alternatively otherwise maybe perhaps instead what_if suppose assum* tr(?:y|ies|ied|ying)
    test* cases? double.check* check_again re-?check* re-?examine* re-?visit* re-?consider* re-?calculat* re-?think
    start_over another_(?:way|approach|method|idea|case|possibility|one|option|combination|example)
    mistak* misread* misappl* misunderst* earlier similarly likewise (?:second|other|next|first)_(?:case|option|pair)
    for_(?:all|every|any|each) possible_(?:pairs?|values?|combinations?|cases?|roots?|integers?)
    (?:third|fourth|fifth)(?=,) scenario option
    let['’]s_(?:say|pick|set) either if_(?:i|we|it|the|that) not_(?:equal|satisfy) this_time
    subproblem part_[b-h]
""")
# characters before a line in which a turn is looked for when nothing else in the trace stands on the other side
_NEAR, _FARTHEST = 240, 6000


def turns_between(script: Script, earlier: Passage | None, end: int, passage: Passage, start: int) -> bool:
    """Whether the trace turns to something else between a place of one passage and a place of a later one.

    earlier is None where the other line stands in the problem: then what stands directly before counts.

    >>> from auditing.checker.reading.passages import script_of
    >>> from hdag.core.values import Trace
    >>> script = script_of(Trace("", "So a = 5.\\n\\nWait, maybe it is shorter.\\n\\nThen a = 3."))
    >>> first, _, last = script.passages
    >>> turns_between(script, first, 9, last, 5), turns_between(script, last, 0, last, 5)
    (True, False)
    """
    text, here = script.trace.source_text(passage.source, passage.source_index), passage.start + start
    from_here = here - _NEAR
    if earlier is not None and earlier.source is passage.source:
        from_here = max(earlier.start + end, here - _FARTHEST)
    return bool(_TURNS.search(text, max(0, from_here), here))
