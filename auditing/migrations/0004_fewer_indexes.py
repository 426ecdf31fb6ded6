"""Indexes that begin as another one of their table: each row paid for both."""

import accounts.models.tables
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


# Their foreign keys stay as they are, which AlterField would make anew.
DROPPED = """
    auditing_audit_campaign_id_f46f675b
    auditing_auditevent_audit_id_a12b2ed8
    auditing_leaf_audit_id_a2d24852
    auditing_notice_user_id_cb6219f6
    auditing_posting_transfer_id_46d78ac3
    auditing_reputationstep_auditor_id_5d3c350e
    newest_reputation
    auditing_roster_audit_id_459bd16a
    auditing_round_audit_id_74db35a6
    auditing_route_audit_id_d486a046
    auditing_seat_auditor_id_251f8327
    auditing_seat_round_id_91988009
    auditing_segmentoutcome_audit_id_9503a705
"""
# And the second one of every text, for searches by how it begins (trustweb/postgresql/base.py makes none since).
SECOND = r"""
DO $$
DECLARE second text;
BEGIN
    FOR second IN
        SELECT indexrelid::regclass FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        WHERE relname LIKE '%\_like' AND indclass[0] IN (
            SELECT oid FROM pg_opclass WHERE opcname IN ('varchar_pattern_ops', 'text_pattern_ops')
        ) AND relnamespace = 'public'::regnamespace
    LOOP
        EXECUTE 'DROP INDEX ' || second;
    END LOOP;
END $$
"""


class Migration(migrations.Migration):

    dependencies = [
        ('auditing', '0003_claim_functions'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        accounts.models.tables.Undrawn(
            database_operations=[
                migrations.RunSQL(f"DROP INDEX IF EXISTS {', '.join(DROPPED.split())}", migrations.RunSQL.noop),
                migrations.RunSQL(SECOND, migrations.RunSQL.noop),
            ],
            state_operations=[
                migrations.RemoveIndex(
                    model_name='reputationstep',
                    name='newest_reputation',
                ),
                migrations.AlterField(
                    model_name='audit',
                    name='campaign',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='audits', to='auditing.campaign'),
                ),
                migrations.AlterField(
                    model_name='auditevent',
                    name='audit',
                    field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='auditing.audit'),
                ),
                migrations.AlterField(
                    model_name='leaf',
                    name='audit',
                    field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='leaves', to='auditing.audit'),
                ),
                migrations.AlterField(
                    model_name='notice',
                    name='user',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL),
                ),
                migrations.AlterField(
                    model_name='posting',
                    name='transfer',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='postings', to='auditing.transfer'),
                ),
                migrations.AlterField(
                    model_name='reputationstep',
                    name='auditor',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='reputation_steps', to='auditing.auditor'),
                ),
                migrations.AlterField(
                    model_name='roster',
                    name='audit',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='rosters', to='auditing.audit'),
                ),
                migrations.AlterField(
                    model_name='round',
                    name='audit',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='rounds', to='auditing.audit'),
                ),
                migrations.AlterField(
                    model_name='route',
                    name='audit',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='routes', to='auditing.audit'),
                ),
                migrations.AlterField(
                    model_name='seat',
                    name='auditor',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='auditing.auditor'),
                ),
                migrations.AlterField(
                    model_name='seat',
                    name='round',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='auditing.round'),
                ),
                migrations.AlterField(
                    model_name='segmentoutcome',
                    name='audit',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='segment_outcomes', to='auditing.audit'),
                ),
            ],
        ),
    ]
