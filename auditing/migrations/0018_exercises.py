"""What a reviewer named as the first wrong step in calibration; gold for practice."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('auditing', '0017_disputes'),
    ]

    operations = [
        migrations.AddField(
            model_name='goldanswer',
            name='step',
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AlterField(
            model_name='goldsegment',
            name='purpose',
            field=models.CharField(choices=[('calibration', 'Calibration'), ('honeypot', 'Honeypot'), ('practice', 'Practice')], default='calibration', max_length=12),
        ),
    ]
