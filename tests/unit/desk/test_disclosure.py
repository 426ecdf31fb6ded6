"""No sequence of seats shows an auditor more of a trace than the policy's share."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from hdag.core.disclosure import (
    Degree,
    Disclosed,
    DisclosedSpan,
    are_neighbours,
    budget,
    choose_degree,
    conclusion,
    current_alone,
    digest,
    joined,
    reserved,
    shown_of,
    views,
)
from hdag.core.levels import Level
from hdag.core.own_text import own_text
from hdag.core.units import Stretch
from hdag.core.values import Segment, Source, Trace

TEXT = "".join(f"Step {number} follows. So x = {number}.\n" for number in range(40))


def step(start: int, end: int, name: str = "ST1", level: Level = Level.STEP) -> Segment:
    return Segment(name, level, TEXT[start:end], Source.THINKING, start, end, summary=TEXT[start:end][:12])


spans = st.tuples(st.integers(0, 300), st.integers(1, 60)).map(
    lambda at: DisclosedSpan("thinking", at[0], at[0] + at[1])
)
segments = st.tuples(st.integers(0, 600), st.integers(1, 120)).map(lambda at: step(at[0], at[0] + at[1], f"ST{at[0]}"))
seats = st.tuples(segments, st.lists(segments, max_size=3), st.lists(segments, max_size=3))


@given(st.lists(seats, max_size=12), st.decimals("0.05", "0.9", places=2))
def test_the_budget_holds_after_every_sequence_of_seats(drawn: list[tuple], share: Decimal) -> None:
    limit = budget(characters=len(TEXT), share=share)
    seen = Disclosed()
    for segment, before, after in drawn:
        current = current_alone(segment=segment, children=())
        if (seen | current).characters > limit:  # the draw passes over
            continue
        offered = views(current=current, dependencies=before, implications=after)
        degree = choose_degree(seen=seen, views=offered, budget=limit)
        assert degree is not None
        seen = seen | offered[degree]
        assert seen.characters <= limit <= share * len(TEXT)


@given(segments, st.lists(segments, max_size=3), st.lists(segments, max_size=3))
def test_panes_only_ever_shrink(segment: Segment, before: list[Segment], after: list[Segment]) -> None:
    current = current_alone(segment=segment, children=())
    sizes = [one.characters for one in views(current=current, dependencies=before, implications=[]).values()]
    assert sizes == sorted(sizes, reverse=True)
    everything = views(current=current, dependencies=before, implications=after)
    assert list(everything) == list(Degree) == ["full", "summaries", "premises", "conclusions", "alone"]


@given(st.lists(spans, max_size=8))
def test_overlapping_spans_count_once(listed: list[DisclosedSpan]) -> None:
    characters = {place for span in listed for place in range(span.start, span.end)}
    assert Disclosed(tuple(listed)).characters == len(characters)
    assert joined(joined(listed)) == joined(listed)


def test_a_parent_discloses_its_own_words_and_its_childrens_summaries() -> None:
    child = step(20, 60, "ST2")
    parent = step(0, 80, "T1", Level.TACTIC)
    shown = current_alone(segment=parent, children=[child])
    assert shown.spans == (DisclosedSpan("thinking", 0, 20), DisclosedSpan("thinking", 60, 80))
    assert shown.summaries == {"ST2": len(child.summary)}
    assert own_text(segment=parent, children=[child]) == f"{TEXT[:20]}[ST2: {child.summary}]{TEXT[60:80]}"


def test_a_conclusion_is_the_last_sentence_and_never_longer_than_300_characters() -> None:
    assert conclusion(segment=step(0, len("Step 0 follows. So x = 0."))) == "So x = 0."
    long = Segment("ST9", Level.STEP, "y" * 900, Source.THINKING, 0, 900)
    assert len(conclusion(segment=long)) == 300


def test_neighbours_have_nothing_telling_between_them() -> None:
    text = "One. \n\n Two. Three."
    first, second, third = (DisclosedSpan("thinking", *at) for at in ((0, 4), (8, 12), (13, 19)))
    assert are_neighbours(left_spans=[first], right_spans=[second], text=text, name="thinking")
    assert not are_neighbours(left_spans=[first], right_spans=[third], text=text, name="thinking")


def test_a_unit_needs_the_conclusions_of_its_premises_and_the_steps_that_it_takes() -> None:
    premise, taken = step(0, 200), Stretch(Source.THINKING, 0, 30, 50)
    elsewhere = Stretch(Source.THINKING, 0, 600, 640)
    needed = reserved(current=Disclosed(), dependencies=[premise], takes=[taken, elsewhere])
    assert DisclosedSpan("thinking", 30, 50) in needed.spans
    assert all(span.end <= 200 for span in needed.spans)
    assert shown_of(segment=premise, takes=[taken]).startswith(TEXT[30:50])
    stated = views(current=Disclosed(), dependencies=[premise], implications=(), takes=[taken])[Degree.CONCLUSIONS]
    assert stated == needed


def test_where_nobody_wrote_down_what_is_taken_premises_are_needed_whole() -> None:
    assert reserved(current=Disclosed(), dependencies=[step(0, 200)]).spans == (DisclosedSpan("thinking", 0, 200),)


def test_a_digest_costs_nothing_where_its_lines_were_read() -> None:
    trace = Trace("x?", "We add. So x = 2.\n\n## Then\n\nWe double. So 2x = 4.", "4")
    shown = digest(label="S1", text="P1: So x = 2.\n## Then\nP2: So 2x = 4.\nP3: not of the trace", trace=trace)
    assert [trace.thinking[span.start : span.end] for span in shown.spans] == ["So x = 2.", "## Then", "So 2x = 4."]
    assert shown.summaries == {"plan S1": len("not of the trace")}
    read = Disclosed((DisclosedSpan("thinking", 0, len(trace.thinking)),))
    assert (read | shown).characters == read.characters + len("not of the trace")


def test_a_longer_trace_never_shows_less_than_one_that_may_be_read_whole() -> None:
    limits = [budget(characters=size, share=Decimal("0.6"), least=3_000) for size in range(2_990, 9_000, 7)]
    assert limits == sorted(limits)
    assert limits[2] == 3_000  # of 3,004 characters, not 1,802
    assert limits[-1] == int(Decimal("0.6") * 8_996)


def test_a_line_of_a_digest_counts_where_it_stands_though_its_blanks_were_line_breaks() -> None:
    trace = Trace("x?", "We add both.\nSo the sum\n  is 7 and x is 4. Then more.")
    seen = digest(label="S1", text="P1: So the sum is 7 and x is 4.\nP2: Words that stand nowhere.", trace=trace)
    assert [trace.thinking[span.start : span.end] for span in seen.spans] == ["So the sum\n  is 7 and x is 4."]
    assert seen.summaries == {"plan S1": len("Words that stand nowhere.")}
