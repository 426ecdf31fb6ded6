"""By which premises a soundness run judges its claims: earlier runs by those that are declared."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("auditing", "0004_passages")]

    operations = [
        migrations.AddField("soundnessrun", "premises", models.CharField(default="declared", max_length=20)),
        migrations.AlterField("soundnessrun", "premises", models.CharField(default="declared first", max_length=20)),
    ]
