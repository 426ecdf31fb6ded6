"""One self-contained HTML page for a set of audited traces: opened from disk, it asks nobody for anything.

Reads records of audit_trace, or reports of the server, and writes text. Everything that came from a trace passes the
templates' escaping or the renderer of trace texts; the page's own policy (CSP in a meta element) names the digests of
its one style sheet and one script, so that nothing else could run even if a text slipped through.
"""

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from auditing.core.values import Choice, Tier
from auditing.research.reports.core import verdict
from auditing.research.reports.core.words import Place, accuse, in_plain_signs, name_places
from hdag.core.values import Trace
from hdag.rendering.text import render_afresh
from hdag.rendering.titles import one_line

STYLES = ("css/tokens.css", "css/base.css", "css/components.css", "css/trace.css", "css/offline.css")
SCRIPT = "js/offline.js"
MOST_FORMULAS = 200  # of one trace that are set as mathematics; later ones stand as written
QUARTERS = ("first quarter", "second quarter", "third quarter", "last quarter")
STATE_OF_CHOICE = {Choice.PASS: "pass", Choice.FAIL: "fail", Choice.ABSTAIN: "pending"}
ASKED_NEXT = {Tier.COMPUTER: "the computer", Tier.LLM: "a model", Tier.HUMAN: "a person"}


@dataclass(frozen=True, slots=True)
class Row:
    """One segment in the reader; the lines of a step stand in it and are no rows of their own."""

    id: str
    level: str
    state: str
    where: str
    html: SafeString
    note: str  # what was said of it, in a sentence
    premises: tuple[str, ...]
    lines: tuple["Row", ...] = ()

    @property
    def word(self) -> str:
        """What the badge says: a segment that nobody decided is open."""
        return "open" if self.mark == "pending" else ""

    @property
    def mark(self) -> str:
        """The state that the map shows: a step fails with a line of it."""
        return "fail" if any(line.state == "fail" for line in self.lines) else self.state


@dataclass(frozen=True, slots=True)
class PageTrace:
    """One trace of the page."""

    number: int
    id: str
    title: str
    outcome: str
    verdict: verdict.Verdict
    problem: SafeString
    answer: SafeString
    rows: tuple[Row, ...]
    kind_of_error: str
    quarter: str  # of the trace, in which it first fails
    error: str = ""  # why it could not be audited

    @property
    def judged(self) -> int:
        """Segments with an outcome."""
        return sum(row.state in ("pass", "fail") for row in self.flat)

    @property
    def flat(self) -> tuple[Row, ...]:
        """Rows and their lines, in reading order."""
        return tuple(each for row in self.rows for each in (row, *row.lines))


def trace_of_record(*, number: int, record: Mapping[str, Any], trace: Trace | None) -> PageTrace:
    """One record of `manage.py audit` with the trace that it is of; None where the line could not be read."""
    title = one_line(text=trace.title) if trace is not None else ""
    name = str(record.get("id", ""))
    # A line that could not be read keeps its place on the page: who counts them must find all.
    if "error" in record or trace is None:
        nothing = verdict.give_verdict(segments=(), outcome="")
        error = str(record.get("error", ""))
        return PageTrace(number, name, title, "error", nothing, SafeString(), SafeString(), (), "", "", error)
    children = _children(record["edges"])
    places = [
        Place(row["id"], row["level"], row["source"], row["step"], children.get(row["id"], ()))
        for row in record["segments"]
    ]
    wheres = name_places(places=places)
    judged = [_judged(row, wheres[row["id"]], children.get(row["id"], ())) for row in record["segments"]]
    card = verdict.give_verdict(segments=judged, outcome=record["outcome"])
    states = {segment.id: segment.state for segment in judged}
    return PageTrace(
        number=number,
        id=name,
        title=title,
        outcome=record["outcome"],
        verdict=card,
        problem=text_html(trace.problem),
        answer=text_html(trace.answer),
        rows=_rows(record["segments"], states, wheres, children),
        kind_of_error=_kind_of_error(record["segments"], card.leading),
        quarter=quarter_of([row["id"] for row in record["segments"]], card.leading),
    )


def write_page(*, traces: Sequence[PageTrace], title: str, notice: str) -> Iterator[str]:
    """The page in pieces, for a file."""
    style, script = _style(), _static(SCRIPT)
    context = {
        "title": title,
        "notice": notice,
        "policy": "; ".join(
            (
                "default-src 'none'",
                f"style-src 'sha256-{_digest(style)}'",
                f"script-src 'sha256-{_digest(script)}'",
                "base-uri 'none'",
                "form-action 'none'",
            )
        ),
        # Whole elements: a space that the template added within would change the digest.
        "style": mark_safe(f"<style>{style}</style>"),  # noqa: S308  our own file
        "script": mark_safe(f"<script>{script}</script>"),  # noqa: S308  our own file
        "traces": traces,
        "outcomes": list(Counter(trace.outcome for trace in traces)),
        "plots": [
            _bars("Outcomes", "outcome", (trace.outcome for trace in traces)),
            _bars("What is wrong", "check", (trace.kind_of_error for trace in traces if trace.kind_of_error)),
            _bars("Where it first fails", "place", (trace.quarter for trace in traces if trace.quarter), QUARTERS),
        ],
    }
    head, _, tail = render_to_string("research/offline/page.html", context).partition("<!-- traces -->")
    yield head
    for trace in traces:  # one after another: the readers of a large set are most of the file
        yield render_to_string("research/offline/_trace.html", {"trace": trace})
    yield tail


def _children(edges: Iterable[Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    children: dict[str, tuple[str, ...]] = {}
    for edge in edges:
        if edge["relation"] == "decomposes_to":
            children[edge["from"]] = (*children.get(edge["from"], ()), edge["to"])
    return children


def _judged(row: Mapping[str, Any], where: str, children: tuple[str, ...]) -> verdict.Segment:
    state = _state(row)
    refuted = _refutation(row)
    return verdict.Segment(
        id=row["id"],
        state=state,
        text=row["content"],
        where=where,
        premises=tuple(row["premises"]),
        children=children,
        level=row["level"],
        decided_by="computer" if state in ("pass", "fail") else "",
        accusation=accuse(read=refuted["read"], details=refuted["details"], sentence=refuted["sentence"])
        if refuted
        else row["reason"],
        is_proved=state == "fail",
        votes={"computer": (1, 1)} if state in ("pass", "fail") else {},
    )


def _state(row: Mapping[str, Any]) -> str:
    return "given" if row["source"] == "problem" else STATE_OF_CHOICE[Choice(row["vote"])]


def _refutation(row: Mapping[str, Any]) -> Mapping[str, Any] | None:
    certain = (
        finding for finding in row["evidence"] if finding["verdict"] == "refuted" and finding["grade"] == "certain"
    )
    return next(certain, None)


def _rows(
    segments: Sequence[Mapping[str, Any]],
    states: Mapping[str, str],
    wheres: Mapping[str, str],
    children: Mapping[str, tuple[str, ...]],
) -> tuple[Row, ...]:
    by_id = {row["id"]: row for row in segments}
    budget = [MOST_FORMULAS]

    def row_of(row: Mapping[str, Any], lines: tuple[Row, ...] = ()) -> Row:
        note = "" if states[row["id"]] == "given" else _note(row)
        html = text_html(row["content"], budget)
        return Row(
            row["id"], row["level"], states[row["id"]], wheres[row["id"]], html, note, tuple(row["premises"]), lines
        )

    lines = {
        name
        for parent, names in children.items()
        if by_id[parent]["level"] == "step"
        for name in names
        if name in by_id
    }
    return tuple(
        row_of(
            row,
            tuple(row_of(by_id[name]) for name in children.get(row["id"], ()) if name in lines)
            if row["level"] == "step"
            else (),
        )
        for row in segments
        # The goal is the problem, which stands above.
        if row["id"] not in lines and row["source"] != "problem"
    )


def _note(row: Mapping[str, Any]) -> str:
    refuted = _refutation(row)
    if refuted is not None:
        return accuse(read=refuted["read"], details=refuted["details"], sentence=refuted["sentence"])
    if row["vote"] == Choice.ABSTAIN:
        return f"{in_plain_signs(text=row['reason'])} {ASKED_NEXT[Tier(row['tier'])].capitalize()} would be asked."
    return in_plain_signs(text=row["reason"])


def _kind_of_error(segments: Sequence[Mapping[str, Any]], leading: str) -> str:
    for row in segments:
        if row["id"] == leading and (refuted := _refutation(row)) is not None:
            return str(refuted["rule"])
    return ""


def quarter_of(order: Sequence[str], leading: str) -> str:
    """In which quarter of a trace a segment stands; "" for none."""
    return QUARTERS[order.index(leading) * len(QUARTERS) // len(order)] if leading else ""


def _bars(title: str, head: str, values: Iterable[str], order: Sequence[str] = ()) -> dict[str, Any]:
    """A table of counts whose bars are as long as their share of the largest."""
    counts = Counter(values)
    names = [name for name in order if counts[name]] or [name for name, _ in counts.most_common()]
    most = max(counts.values(), default=1)
    rows = [{"name": name, "count": counts[name], "length": round(100 * counts[name] / most)} for name in names]
    return {"title": title, "head": head, "rows": rows}


def text_html(text: str, budget: list[int] | None = None) -> SafeString:
    """A text of a trace as safe HTML; `budget` holds how many formulas may still be set as mathematics."""
    rendered = render_afresh(text=text, most_formulas=MOST_FORMULAS if budget is None else budget[0])
    if budget is not None:
        budget[0] = max(0, budget[0] - rendered.formulas)
    return mark_safe(rendered.html)  # noqa: S308  escaped by the renderer, as on the server's pages


def _style() -> str:
    sheets = "\n".join(_static(name) for name in STYLES)
    # A file on a disk has no fonts beside it; the browser's own font for mathematics serves.
    return re.sub(r"@font-face\s*\{[^}]*\}", "", sheets)


def _static(name: str) -> str:
    return (settings.BASE_DIR / "static" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """As Content Security Policy writes the digest of an inline element (CSP Level 3, section 2.3.1)."""
    return b64encode(sha256(text.encode()).digest()).decode("ascii")
