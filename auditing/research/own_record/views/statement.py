"""An auditor's own statement of points, with both columns of reputation."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.permissions import Role, get_person, requires_role
from auditing.core.ledger.leaves import Column
from auditing.research.downloads import csv_answer
from auditing.selectors.points.reputations import newest_steps
from auditing.selectors.points.statement import balances_of, statement_of, statement_rows
from auditing.services.seating.auditors import auditor_of

SHOWN = 200


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_GET
def statement(request: HttpRequest) -> HttpResponse:
    """Balances, lines newest first, reputation."""
    auditor = auditor_of(user=get_person(request))
    lines = list(statement_of(auditor=auditor))
    context = {
        "balances": balances_of(auditors=[auditor])[auditor.pk],
        "lines": lines[::-1][:SHOWN],
        "total": len(lines),
        "columns": [(column, newest_steps(auditors=[auditor], column=column).get(auditor.pk)) for column in Column],
    }
    return render(request, "auditing/points/statement.html", context)


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_GET
def statement_csv(request: HttpRequest) -> HttpResponse:
    """The whole statement as CSV."""
    auditor = auditor_of(user=get_person(request))
    return csv_answer(rows=statement_rows(lines=statement_of(auditor=auditor)), name="points.csv")
