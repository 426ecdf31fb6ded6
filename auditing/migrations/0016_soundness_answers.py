from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("auditing", "0015_routed_by")]

    operations = [
        migrations.AddField(
            model_name="soundnessrun",
            name="answers",
            field=models.JSONField(db_default={}, default=dict),
        ),
    ]
