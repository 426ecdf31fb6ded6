"""Passage graphs: a graph derived from a finer one, and what of it is judged."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('hdag', '0003_endpoint_dialects'),
    ]

    operations = [
        migrations.AddField(
            model_name='decomposition',
            name='derived_from',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='derived', to='hdag.decomposition'),
        ),
        migrations.AddField(
            model_name='segment',
            name='members',
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name='segment',
            name='numbering',
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name='segment',
            name='carries',
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name='segment',
            name='unasked',
            field=models.CharField(blank=True, db_default='', max_length=24),
        ),
        migrations.AddField(
            model_name='segment',
            name='unit',
            field=models.CharField(blank=True, choices=[('passage', 'passage'), ('goal', 'goal'), ('strategy', 'strategy'), ('answer', 'answer')], db_default='', max_length=10),
        ),
    ]
