"""Lists as files to download."""

import csv
from collections.abc import Sequence

from django.http import HttpResponse


def csv_answer(*, rows: Sequence[Sequence[object]], name: str) -> HttpResponse:
    """Rows as a CSV download."""
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    csv.writer(answer).writerows(rows)
    return answer
