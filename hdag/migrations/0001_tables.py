"""Tables: traces, their graphs, encrypted blocks, endpoints of models and the book of calls."""

import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Endpoint',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=60, unique=True)),
                ('base_url', models.URLField(max_length=300)),
                ('model', models.CharField(max_length=120)),
                ('family', models.CharField(max_length=60)),
                ('key_variable', models.CharField(blank=True, max_length=60)),
                ('wrapped_key', models.BinaryField(blank=True, null=True)),
                ('may_see', models.CharField(choices=[('segments only', 'Segments'), ('whole traces', 'Traces')], default='segments only', max_length=14)),
                ('price_in', models.DecimalField(decimal_places=6, default=0, max_digits=12)),
                ('price_out', models.DecimalField(decimal_places=6, default=0, max_digits=12)),
                ('max_concurrency', models.PositiveSmallIntegerField(default=4)),
                ('timeout_seconds', models.PositiveSmallIntegerField(default=60)),
                ('daily_cap', models.DecimalField(decimal_places=4, default=10, max_digits=12)),
                ('audit_cap', models.DecimalField(decimal_places=4, default=1, max_digits=12)),
                ('enabled', models.BooleanField(default=True)),
                ('asks', models.CharField(choices=[('judge', 'one answer'), ('tools', 'several turns with tools'), ('entails', 'does it follow, in seven words')], default='judge', max_length=8)),
                ('searches', models.BooleanField(default=False)),
                ('failures_in_a_row', models.PositiveIntegerField(default=0)),
                ('circuit_opened', models.DateTimeField(null=True)),
                ('paused_until', models.DateTimeField(null=True)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='Block',
            fields=[
                ('cid', models.CharField(max_length=80, primary_key=True, serialize=False)),
                ('ciphertext', models.BinaryField(null=True)),
                ('wrapped_key', models.BinaryField(null=True)),
                ('is_manifest', models.BooleanField(db_default=False, default=False)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('part_of', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='hdag.block')),
            ],
        ),
        migrations.CreateModel(
            name='Decomposition',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('decomposer', models.CharField(max_length=40)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed')], default='waiting', max_length=10)),
                ('done_share', models.FloatField(default=0)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('lease_until', models.DateTimeField(null=True)),
                ('metrics', models.JSONField(default=dict)),
                ('took_ms', models.PositiveIntegerField(null=True)),
                ('error', models.TextField(blank=True)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('notes', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.block')),
            ],
        ),
        migrations.CreateModel(
            name='ChatCall',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('account', models.CharField(db_index=True, max_length=80)),
                ('purpose', models.CharField(max_length=40)),
                ('state', models.CharField(default='open', max_length=12)),
                ('tokens_in', models.PositiveIntegerField(default=0)),
                ('tokens_out', models.PositiveIntegerField(default=0)),
                ('bytes_sent', models.PositiveIntegerField(default=0)),
                ('cost', models.DecimalField(decimal_places=8, default=0, max_digits=14)),
                ('took_ms', models.PositiveIntegerField(null=True)),
                ('error', models.CharField(blank=True, max_length=200)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True)),
                ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='calls', to='hdag.endpoint')),
            ],
        ),
        migrations.CreateModel(
            name='Segment',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('label', models.CharField(max_length=12)),
                ('position', models.PositiveIntegerField()),
                ('level', models.CharField(choices=[('goal', 'goal'), ('strategy', 'strategy'), ('tactic', 'tactic'), ('step', 'step'), ('operation', 'operation')], max_length=10)),
                ('source', models.CharField(choices=[('problem', 'problem'), ('thinking', 'thinking'), ('answer', 'answer'), ('tool_call', 'tool call')], max_length=10)),
                ('source_index', models.PositiveIntegerField(default=0)),
                ('start', models.PositiveIntegerField()),
                ('end', models.PositiveIntegerField()),
                ('step', models.PositiveIntegerField(null=True)),
                ('kind', models.CharField(blank=True, max_length=40)),
                ('complexity', models.CharField(choices=[('low', 'low'), ('medium', 'medium'), ('high', 'high')], max_length=6)),
                ('features', models.JSONField(default=dict)),
                ('primary', models.CharField(choices=[('computer', 'computer'), ('llm', 'llm'), ('human', 'human')], max_length=8)),
                ('secondaries', models.JSONField(default=list)),
                ('salt', models.BinaryField(max_length=32, null=True)),
                ('entirely_childrens', models.BooleanField(default=False)),
                ('block', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.block')),
                ('decomposition', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='segments', to='hdag.decomposition')),
            ],
            options={
                'ordering': ['position'],
            },
        ),
        migrations.CreateModel(
            name='Edge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('relation', models.CharField(choices=[('decomposes_to', 'decomposes to'), ('depends_on', 'depends on'), ('enables', 'enables'), ('validates', 'validates'), ('exemplifies', 'exemplifies'), ('refines', 'refines'), ('contradicts', 'contradicts')], max_length=14)),
                ('strength', models.CharField(choices=[('strong', 'strong'), ('medium', 'medium'), ('weak', 'weak')], max_length=6)),
                ('confidence', models.FloatField()),
                ('decomposition', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='edges', to='hdag.decomposition')),
                ('source', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='edges_out', to='hdag.segment')),
                ('target', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='edges_in', to='hdag.segment')),
            ],
        ),
        migrations.CreateModel(
            name='Trace',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('title', models.CharField(max_length=200)),
                ('domain', models.CharField(blank=True, db_index=True, max_length=60)),
                ('digest', models.BinaryField(max_length=32)),
                ('copy', models.PositiveIntegerField(default=0)),
                ('characters', models.PositiveIntegerField()),
                ('whole_to_models', models.BooleanField(default=False)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True)),
                ('erased_at', models.DateTimeField(null=True)),
                ('payload', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.block')),
                ('provider', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='traces', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddField(
            model_name='decomposition',
            name='trace',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='decompositions', to='hdag.trace'),
        ),
        migrations.AddConstraint(
            model_name='segment',
            constraint=models.UniqueConstraint(fields=('decomposition', 'label'), name='one_segment_a_label'),
        ),
        migrations.AddConstraint(
            model_name='segment',
            constraint=models.CheckConstraint(condition=models.Q(('end__gte', models.F('start'))), name='span_runs_forward'),
        ),
        migrations.AddConstraint(
            model_name='edge',
            constraint=models.UniqueConstraint(fields=('source', 'target', 'relation'), name='one_edge_a_relation'),
        ),
        migrations.AddConstraint(
            model_name='edge',
            constraint=models.CheckConstraint(condition=models.Q(('source', models.F('target')), _negated=True), name='no_edge_to_itself'),
        ),
        migrations.AddConstraint(
            model_name='edge',
            constraint=models.CheckConstraint(condition=models.Q(('confidence__gte', 0), ('confidence__lte', 1)), name='confidence_is_a_share'),
        ),
        migrations.AddConstraint(
            model_name='trace',
            constraint=models.UniqueConstraint(fields=('provider', 'digest', 'copy'), name='same_trace_twice_is_one'),
        ),
    ]
