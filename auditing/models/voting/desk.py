"""What a reviewer keeps at the desk before a vote is sealed: drafts, and the key of strict mode."""

from django.db import models
from django.db.models.functions import Now

from auditing.models.seating.round import Auditor, Seat


class Draft(models.Model):
    """An unfinished vote, encrypted in the reviewer's browser under a key that never leaves it; deleted at commit."""

    seat = models.OneToOneField(Seat, models.CASCADE, primary_key=True)
    version = models.PositiveIntegerField()  # only a higher one replaces it
    body = models.BinaryField(max_length=250_028)  # ciphertext; the server never had its key
    saved_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"draft {self.version} of {self.seat_id}"


class OwnKey(models.Model):
    """Strict mode of one reviewer, whose openings are encrypted under a key that only their browsers ever held."""

    auditor = models.OneToOneField(Auditor, models.CASCADE, primary_key=True, related_name="own_key")
    check_value = models.BinaryField(max_length=32)  # HMAC of a fixed text: tells the right key, opens nothing
    is_on = models.BooleanField(default=True)
    made = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"own key of {self.auditor_id}"
