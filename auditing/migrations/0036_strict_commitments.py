"""The votes that only their auditors can open are looked for at each closing: an index of them alone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("auditing", "0035_stakes")]

    operations = [
        migrations.AddIndex(
            model_name="commitment",
            index=models.Index(
                models.F("seat"), condition=models.Q(("sealed__isnull", True)), name="commitment_strict"
            ),
        ),
    ]
