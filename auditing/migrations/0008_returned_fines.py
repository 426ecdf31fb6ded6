"""Fines are given back where windows of people were too short to come."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("auditing", "0007_claims_by_seat")]

    operations = [
        migrations.AlterField(
            "transfer",
            "kind",
            models.CharField(
                choices=[
                    ("reward", "Reward"),
                    ("slash", "Slash"),
                    ("no_show", "no-show"),
                    ("agreement", "Agreement"),
                    ("stake", "Stake"),
                    ("staking", "Staking"),
                    ("withdrawal", "Withdrawal"),
                    ("grant", "Grant"),
                    ("price", "Price"),
                    ("conduct", "Conduct"),
                    ("release", "Release"),
                    ("reversal", "Reversal"),
                    ("returned", "fine returned"),
                ],
                max_length=24,
            ),
        ),
    ]
