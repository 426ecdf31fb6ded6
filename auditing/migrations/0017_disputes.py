"""Gold can be disputed and overturned; a step of reputation can be taken back."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

# As in 0002_guards: an overturn is the lock against paying twice.
FINAL = """
CREATE TRIGGER row_is_final BEFORE UPDATE OR DELETE ON auditing_goldoverturn
    FOR EACH ROW EXECUTE FUNCTION trust_row_is_final();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('auditing', '0016_soundness_answers'),
        ('hdag', '0007_responses_door'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='GoldDispute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('decision', models.CharField(blank=True, choices=[('upheld', 'the gold stands'), ('overturned', 'the other word is right'), ('unclear', 'nobody can tell')], db_default='', max_length=10)),
                ('why', models.CharField(blank=True, db_default='', max_length=300)),
                ('decided_at', models.DateTimeField(null=True)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='GoldOverturn',
            fields=[
                ('truth', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='overturn', serialize=False, to='auditing.goldtruth')),
                ('stands', models.CharField(choices=[('none', 'none'), ('pass', 'pass'), ('fail', 'fail')], max_length=4)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='reputationstep',
            name='one_step_a_seat_and_column',
        ),
        migrations.AddField(
            model_name='goldsegment',
            name='is_overturned',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='reputationstep',
            name='takes_back',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='taken_back_by', to='auditing.reputationstep'),
        ),
        migrations.AddConstraint(
            model_name='reputationstep',
            constraint=models.UniqueConstraint(condition=models.Q(('takes_back__isnull', True)), fields=('seat', 'column'), name='one_step_a_seat_and_column'),
        ),
        migrations.AddField(
            model_name='golddispute',
            name='block',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.block'),
        ),
        migrations.AddField(
            model_name='golddispute',
            name='by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='golddispute',
            name='decided_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='golddispute',
            name='gold',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='disputes', to='auditing.goldsegment'),
        ),
        migrations.AddField(
            model_name='golddispute',
            name='truth',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='disputes', to='auditing.goldtruth'),
        ),
        migrations.AddField(
            model_name='goldoverturn',
            name='by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='golddispute',
            constraint=models.UniqueConstraint(fields=('truth', 'by'), name='one_dispute_a_person_and_truth'),
        ),
        migrations.AddConstraint(
            model_name='golddispute',
            constraint=models.UniqueConstraint(fields=('gold', 'by'), name='one_dispute_a_person_and_gold'),
        ),
        migrations.AddConstraint(
            model_name='golddispute',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('gold__isnull', True), ('truth__isnull', False)), models.Q(('gold__isnull', False), ('truth__isnull', True)), _connector='OR'), name='a_dispute_is_of_one_gold'),
        ),
        migrations.AddConstraint(
            model_name='golddispute',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_at__isnull', True), ('decided_by__isnull', True), ('decision', '')), models.Q(models.Q(('decision', ''), _negated=True), ('decided_at__isnull', False), ('decided_by__isnull', False)), _connector='OR'), name='a_dispute_is_decided_by_somebody'),
        ),
        migrations.RunSQL(FINAL, reverse_sql="DROP TRIGGER row_is_final ON auditing_goldoverturn"),
    ]
