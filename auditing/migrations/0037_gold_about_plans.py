"""Gold about plans: a draft may ask whether a plan answers its problem."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('auditing', '0036_strict_commitments'),
        ('hdag', '0010_tags'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='goldsegment',
            name='gold_about_a_whole_has_its_trace',
        ),
        migrations.AlterField(
            model_name='decoy',
            name='change',
            field=models.CharField(blank=True, choices=[('far_off', 'far off'), ('off_by_one', 'off by one'), ('sign', 'sign'), ('copied_number', 'copied number'), ('unit', 'unit'), ('question', 'question')], max_length=16),
        ),
        migrations.AddConstraint(
            model_name='goldsegment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('original__isnull', True), ('unit', '')), models.Q(('original__isnull', False), ('unit__in', ['goal', 'strategy', 'answer'])), _connector='OR'), name='gold_about_a_whole_has_its_trace'),
        ),
    ]
