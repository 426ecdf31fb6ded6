"""A report as one HTML file that needs nothing beside it, and as JSON of its figures."""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string

from auditing.research.exports.tables import csv_text
from auditing.research.studies.instruments.coverage import Coverage
from auditing.research.studies.instruments.figures import charts_of
from auditing.research.studies.instruments.runner import Report, Run, Table

_SHEETS = ("tokens.css", "base.css", "components.css", "chart.css", "research.css")


def head_of(*, name: str, run: Run) -> dict[str, Any]:
    """What makes a run the same again."""
    own = {"file": run.file.name, "limit": run.limit, "lines": asdict(run.reading)} if run.file else {}
    return {"study": name, "seed": run.seed, "full": run.full, "options": dict(run.options), **own}


def report_from(values: Mapping[str, Any]) -> Report:
    """A report from its JSON."""
    # Plots came later than the first kept reports.
    tables = [
        Table(
            title=table["title"],
            columns=table["columns"],
            rows=table["rows"],
            note=table["note"],
            curve=table.get("curve", ()),
            plot=table.get("plot", ""),
        )
        for table in values["tables"]
    ]
    return Report(
        values["title"],
        tables,
        values["notes"],
        values["passed"],
        values.get("simulated", ""),
        Coverage.from_json(values.get("coverage")),
    )


def as_html(*, report: Report, head: Mapping[str, Any]) -> str:
    """The whole page, its style sheets inside."""
    folder = Path(settings.BASE_DIR, "static", "css")
    context = {
        "report": report,
        "head": head,
        "charts": charts_of(report.tables),
    }
    body = render_to_string("research/studies/report.html", context)
    style = "\n".join((folder / name).read_text(encoding="utf-8") for name in _SHEETS)
    # Style sheets go into the file: it is read without a server.
    return body.replace("</head>", f"<style>{style}</style></head>", 1)


def write_report(*, report: Report, run: Run, name: str, folder: Path) -> list[Path]:
    """Write NAME.json, NAME.html and, where the study has them, NAME.items.csv and NAME.votes.jsonl; the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    head = head_of(name=name, run=run)
    json_path, html_path = folder / f"{name}.json", folder / f"{name}.html"
    # Votes stand in a file of their own, line by line.
    whole = {**head, **asdict(replace(report, votes=()))}
    json_path.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    html_path.write_text(as_html(report=report, head=head), encoding="utf-8")
    paths = [json_path, html_path]
    if report.items is not None:
        paths.append(folder / f"{name}.items.csv")
        paths[-1].write_text(csv_text(table=report.items), encoding="utf-8", newline="")
    if report.votes:
        paths.append(folder / f"{name}.votes.jsonl")
        # A file is read again without its report: what chance cast must say so itself.
        marked = {"simulated": True} if report.simulated else {}
        lines = (json.dumps({**vote, **marked}, ensure_ascii=False) + "\n" for vote in report.votes)
        paths[-1].write_text("".join(lines), encoding="utf-8")
    return paths
