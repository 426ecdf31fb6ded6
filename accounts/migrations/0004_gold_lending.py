"""Whether passages of a provider's traces may become gold."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_request_keys'),
    ]

    operations = [
        migrations.AddField(
            model_name='profile',
            name='lends_gold',
            field=models.BooleanField(db_default=True, default=True),
        ),
    ]
