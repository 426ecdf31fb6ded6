"""Audits of the server on the page of a set of traces. Works on reports that were read already."""

from auditing.research.offline.pages import MOST_FORMULAS, PageTrace, Row, quarter_of, text_html
from auditing.research.reports.selectors.lines import SegmentLine
from auditing.research.reports.selectors.report import Report
from hdag.core.levels import Level
from hdag.core.values import Source


def trace_of_report(*, number: int, report: Report) -> PageTrace:
    """One audit of the server, as its page shows it."""
    by_id, judged = report.by_id, {segment.id: segment for segment in report.judged}
    budget = [MOST_FORMULAS]

    def row_of(line: SegmentLine, lines: tuple[Row, ...] = ()) -> Row:
        segment = judged[line.value.id]
        state, note = line.state, segment.accusation or line.because
        if line.fails_as:
            state, note = "undecided", f"The same words fail at {line.fails_as}."
        html = text_html(line.value.content, budget)
        return Row(segment.id, str(line.value.level), state, segment.where, html, note, line.premises, lines)

    # An operation is shown inside its step and not once more beside it.
    in_steps = {name for line in report.lines if line.value.level == Level.STEP for name in line.children}
    return PageTrace(
        number=number,
        id=str(report.audit.pk),
        title=report.audit.trace.title,
        outcome=report.outcome.outcome if report.outcome else "pending",
        verdict=report.verdict,
        problem=text_html(report.problem),
        answer=text_html(report.answer),
        rows=tuple(
            row_of(line, tuple(row_of(by_id[name]) for name in line.children if name in in_steps))
            for line in report.lines
            if line.value.id not in in_steps and line.value.source != Source.PROBLEM
        ),
        kind_of_error="",
        quarter=quarter_of([line.value.id for line in report.lines], report.verdict.leading),
    )
