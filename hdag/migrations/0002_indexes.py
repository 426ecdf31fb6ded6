"""Indexes: what hot lists and sweeps read by."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('hdag', '0001_tables'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='block',
            index=models.Index(condition=models.Q(('part_of__isnull', False)), fields=['part_of'], name='parts_of_a_block'),
        ),
        migrations.AddIndex(
            model_name='trace',
            index=models.Index(fields=['-created', 'id'], name='hdag_trace_created_625183_idx'),
        ),
        migrations.AddIndex(
            model_name='trace',
            index=models.Index(fields=['digest'], name='traces_of_one_text'),
        ),
    ]
