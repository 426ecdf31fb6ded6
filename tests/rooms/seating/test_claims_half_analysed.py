"""A claim reads its own rows alone, whichever tables the planner knows the size of."""

from itertools import combinations

import pytest
from django.db import connection

from auditing.models import Seat
from auditing.services.seating.assignment import claim
from tests.factories.worlds import World

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plans_as_in_use")]

TABLES = ("auditing_seat", "auditing_round", "auditing_audit")
COPIES = 600
# as many rows as a claim may look at: every open round and audit would be hundreds
FEW = 60

# A segment, its open round and the offered seats of the round, as often as asked; all belong to the same audit.
GROW = """
WITH pattern AS (
    SELECT round, segment, block FROM auditing_round AS round
    JOIN hdag_segment AS segment ON segment.id = round.segment_id
    JOIN hdag_block AS block ON block.cid = segment.block_id
    WHERE round.stage = 'committing' ORDER BY round.id LIMIT 1
), fresh AS MATERIALIZED (
    SELECT n, gen_random_uuid() AS round, gen_random_uuid() AS segment FROM generate_series(1, %s) AS n
), blocks AS (
    INSERT INTO hdag_block SELECT (jsonb_populate_record((pattern.block), jsonb_build_object(
        'cid', 'copy' || n))).* FROM pattern, fresh
), segments AS (
    INSERT INTO hdag_segment SELECT (jsonb_populate_record((pattern.segment), jsonb_build_object(
        'id', fresh.segment, 'block_id', 'copy' || n, 'label', 'copy' || n,
        'position', 1000 + n))).* FROM pattern, fresh
), rounds AS (
    INSERT INTO auditing_round SELECT (jsonb_populate_record((pattern.round), jsonb_build_object(
        'id', fresh.round, 'segment_id', fresh.segment))).* FROM pattern, fresh
)
INSERT INTO auditing_seat SELECT (jsonb_populate_record(seat, jsonb_build_object(
    'id', gen_random_uuid(), 'round_id', fresh.round))).*
FROM pattern JOIN auditing_seat AS seat ON seat.round_id = (pattern.round).id, fresh
"""


def rows_read() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(seq_tup_read + idx_tup_fetch)::bigint FROM pg_stat_xact_user_tables WHERE relname = ANY(%s)",
            [[*TABLES, "auditing_campaign", "hdag_segment"]],
        )
        return int(cursor.fetchone()[0])


@pytest.mark.parametrize("analysed", [chosen for n in range(4) for chosen in combinations(TABLES, n)])
def test_a_claim_reads_few_rows_beside_half_made_statistics(waiting_hens: World, analysed: tuple[str, ...]) -> None:
    person = waiting_hens.reviewers[0]
    Seat.objects.filter(stage="offered").update(shown={})
    with connection.cursor() as cursor:
        cursor.execute(GROW, [COPIES])
        for table in analysed:
            cursor.execute(f"ANALYZE {table}")
    mine = Seat.objects.filter(auditor__user=person, stage="offered").order_by("pk")
    mine.exclude(pk=mine[0].pk).delete()
    before = rows_read()
    assert claim(person=person.pk) is not None
    assert rows_read() - before < FEW
