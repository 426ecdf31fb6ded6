"""When a person closed the own account."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_token_scopes")]

    operations = [
        migrations.AddField("user", "left_at", models.DateTimeField(editable=False, null=True)),
        migrations.AddConstraint(
            "user",
            models.CheckConstraint(
                condition=Q(left_at__isnull=True) | Q(is_active=False), name="who_has_left_is_shut_out"
            ),
        ),
    ]
