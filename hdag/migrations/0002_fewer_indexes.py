"""Indexes that begin as another one of their table: each row paid for both."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


# Their foreign keys stay as they are, which AlterField would make anew.
DROPPED = """
    hdag_edge_source_id_da5e6422
    hdag_segment_decomposition_id_15b70eea
    hdag_trace_provider_id_a4439c60
"""


class Migration(migrations.Migration):

    dependencies = [
        ('hdag', '0001_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(f"DROP INDEX IF EXISTS {', '.join(DROPPED.split())}", migrations.RunSQL.noop),
            ],
            state_operations=[
                migrations.AlterField(
                    model_name='edge',
                    name='source',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='edges_out', to='hdag.segment'),
                ),
                migrations.AlterField(
                    model_name='segment',
                    name='decomposition',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='segments', to='hdag.decomposition'),
                ),
                migrations.AlterField(
                    model_name='trace',
                    name='provider',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='traces', to=settings.AUTH_USER_MODEL),
                ),
            ],
        ),
    ]
