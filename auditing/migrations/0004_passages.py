"""Policies that say what is judged, and what reviewers remark of a passage beside their votes."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('auditing', '0003_indexes'),
        ('hdag', '0004_passages'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Remark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('missing_premise', 'a premise is missing'), ('badly_cut', 'badly cut passage')], max_length=16)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.AddConstraint(
            model_name='policyversion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('body__has_key', 'grain'), _negated=True), ('body__grain__in', ['passage', 'segment']), _connector='OR'), name='a_policy_says_what_is_judged'),
        ),
        migrations.AddField(
            model_name='remark',
            name='seat',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='remarks', to='auditing.seat'),
        ),
        migrations.AddField(
            model_name='remark',
            name='segment',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='hdag.segment'),
        ),
        migrations.AddConstraint(
            model_name='remark',
            constraint=models.UniqueConstraint(condition=models.Q(('segment__isnull', False)), fields=('seat', 'segment'), name='one_premise_a_seat'),
        ),
        migrations.AddConstraint(
            model_name='remark',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'badly_cut')), fields=('seat',), name='one_bad_cut_a_seat'),
        ),
        migrations.AddConstraint(
            model_name='remark',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'missing_premise'), ('segment__isnull', False)), models.Q(('kind', 'badly_cut'), ('segment__isnull', True)), _connector='OR'), name='a_missing_premise_names_it'),
        ),
    ]
