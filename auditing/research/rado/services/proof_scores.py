"""PROOF scores of judges and experts are taken in. Writes ProofScore."""

from collections.abc import Iterable, Mapping
from typing import Any

from auditing.research.models import ProofScore, TrainingLoop
from auditing.research.rado.records import EvaluationsRefusedError


def take_proof_scores(*, loop: TrainingLoop, records: Iterable[Mapping[str, Any]]) -> int:
    """PROOF scores {item, judge, expert, rc, ds, fa}: all or none; a judge's newer scores replace the earlier."""
    rows, problems = [], []
    for number, record in enumerate(records, start=1):
        try:
            marks = {name: int(record[name]) for name in ("rc", "ds", "fa")}
            proof, judge = str(record["item"])[:120], str(record["judge"])[:60]
            if not proof or not judge or not all(1 <= mark <= 7 for mark in marks.values()):
                raise ValueError
        except (KeyError, TypeError, ValueError):
            problems.append(f"record {number}: needs item, judge, and rc, ds, fa from 1 to 7")
        else:
            is_expert = str(record.get("expert", "")).lower() in ("1", "true", "yes")
            rows.append(ProofScore(loop=loop, item=proof, judge=judge, is_expert=is_expert, **marks))
    if problems or not rows:
        raise EvaluationsRefusedError(problems or ["there is no score"])
    fields = ["is_expert", "rc", "ds", "fa"]
    ProofScore.objects.bulk_create(
        # The last line of an item and judge wins within one file, and the newer file over the older.
        {(row.item, row.judge): row for row in rows}.values(),
        update_conflicts=True,
        update_fields=fields,
        unique_fields=["loop", "item", "judge"],
    )
    return len(rows)
