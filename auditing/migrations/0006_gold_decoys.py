"""Decoys: audits of the system's own in which gold meets reviewers; like every truth, a decoy is never changed."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

# As in 0002_guards: a truth that could be edited after the votes would be none.
FINAL = """
CREATE TRIGGER row_is_final BEFORE UPDATE OR DELETE ON auditing_decoy
    FOR EACH ROW EXECUTE FUNCTION trust_row_is_final();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('auditing', '0005_methods_soundness_premises'),
        ('hdag', '0004_passages'),
    ]

    operations = [
        migrations.AddField(
            model_name='goldtruth',
            name='grade',
            field=models.CharField(blank=True, choices=[('obvious', 'obvious'), ('subtle', 'subtle'), ('domain', 'domain')], db_default='', max_length=8),
        ),
        migrations.CreateModel(
            name='Decoy',
            fields=[
                ('trace', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='decoy', serialize=False, to='hdag.trace')),
                ('origin', models.CharField(choices=[('computed', 'computed'), ('perturbed', 'perturbed'), ('adjudicated', 'adjudicated'), ('imported', 'imported')], max_length=12)),
                ('truth', models.CharField(choices=[('fail', 'fail'), ('pass', 'pass')], max_length=8)),
                ('change', models.CharField(blank=True, choices=[('far_off', 'far off'), ('off_by_one', 'off by one'), ('sign', 'sign'), ('copied_number', 'copied number'), ('unit', 'unit')], max_length=16)),
                ('grade', models.CharField(blank=True, choices=[('obvious', 'obvious'), ('subtle', 'subtle'), ('domain', 'domain')], max_length=8)),
                ('source', models.CharField(choices=[('problem', 'problem'), ('thinking', 'thinking'), ('answer', 'answer'), ('tool_call', 'tool call')], max_length=10)),
                ('start', models.PositiveIntegerField()),
                ('end', models.PositiveIntegerField()),
                ('at', models.PositiveIntegerField()),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('explanation', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.block')),
                ('gold', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='decoys', to='auditing.goldsegment')),
                ('original', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='decoys', to='hdag.trace')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('gold__isnull', True), ('original__isnull', False)), models.Q(('gold__isnull', False), ('original__isnull', True)), _connector='OR'), name='a_decoy_has_one_source'), models.CheckConstraint(condition=models.Q(('truth__in', ['pass', 'fail'])), name='a_decoy_is_right_or_wrong')],
            },
        ),
        migrations.RunSQL(FINAL, reverse_sql="DROP TRIGGER row_is_final ON auditing_decoy"),
    ]
