"""Tables that grow with every trace have no index that another one makes needless: each row pays for all of them."""

import pytest
from django.db import connection

from auditing import models as auditing
from hdag import models as hdag

pytestmark = pytest.mark.django_db

GROWING = (
    *(hdag.Block, hdag.Trace, hdag.Decomposition, hdag.Segment, hdag.Edge),
    *(auditing.Audit, auditing.AuditEvent, auditing.Leaf, auditing.Roster, auditing.Route, auditing.Round),
    *(auditing.Seat, auditing.Commitment, auditing.Vote, auditing.SegmentOutcome, auditing.TraceOutcome),
    *(auditing.Transfer, auditing.Posting, auditing.ReputationStep, auditing.Notice),
)
# An index that holds for all rows, without a rule of its own, and whose columns another such one begins with.
NEEDLESS = """
SELECT needless.indexrelid::regclass::text, other.indexrelid::regclass::text
FROM pg_index AS needless JOIN pg_index AS other USING (indrelid)
WHERE indrelid = ANY(%s::regclass[]) AND needless.indexrelid <> other.indexrelid AND NOT needless.indisunique
    AND needless.indpred IS NULL AND other.indpred IS NULL AND needless.indexprs IS NULL
    AND other.indkey::text || ' ' LIKE needless.indkey::text || ' %%'
"""
ORDERED = {("hdag_trace_created_041ea908", "hdag_trace_created_625183_idx")}  # newest first there, oldest first here


def needless() -> set[tuple[str, str]]:
    """Each needless index beside the one that makes it so."""
    with connection.cursor() as cursor:
        cursor.execute(NEEDLESS, [[model._meta.db_table for model in GROWING]])
        return set(cursor.fetchall()) - ORDERED


def test_no_index_begins_as_another():
    assert needless() == set()


def test_an_index_too_many_is_seen():
    with connection.cursor() as cursor:
        cursor.execute("CREATE INDEX once_more ON auditing_seat (round_id)")
        cursor.execute("CREATE INDEX by_beginning ON hdag_block (cid varchar_pattern_ops)")
    assert {name for name, _ in needless()} == {"once_more", "by_beginning"}
