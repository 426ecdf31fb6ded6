"""The Merkle log: leaves in the order the sequencer gave them, and the signed checkpoints."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.models.intake.audit import Audit


class Leaf(models.Model):
    """One canonical-JSON entry. Append-only by trigger: only `index` may go from NULL to a number, once."""

    id = models.BigAutoField(primary_key=True)
    index = models.BigIntegerField(null=True, unique=True)
    kind = models.CharField(max_length=24)
    body = models.BinaryField(max_length=16384)
    audit = models.ForeignKey(Audit, models.PROTECT, null=True, related_name="leaves")
    created = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [
            models.Index(fields=["id"], condition=Q(index__isnull=True), name="leaves_to_sequence"),
            models.Index(fields=["audit", "id"]),
        ]

    def __str__(self) -> str:
        return f"{self.kind} leaf {self.index}"


class Checkpoint(models.Model):
    """A signed tree head. `note` is the C2SP signed note as published."""

    size = models.BigIntegerField(primary_key=True)
    root = models.BinaryField(max_length=32)
    note = models.TextField()
    created = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"checkpoint of {self.size} leaves"


class PublicKey(models.Model):
    """A public key that a process of its own announced: the newest of its purpose is in force."""

    purpose = models.CharField(max_length=20)  # reveal, receipt
    value = models.BinaryField(max_length=200)
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["purpose", "value"], name="one_row_a_public_key")]

    def __str__(self) -> str:
        return f"{self.purpose} key"


class Witness(models.Model):
    """A witness that the sequencer asks to cosign. Its key is configured, or was pinned at the first contact."""

    url = models.CharField(max_length=300, unique=True)
    vkey = models.CharField(max_length=300, blank=True)
    is_pinned = models.BooleanField(default=False)  # the key was learned from the witness itself
    size = models.BigIntegerField(default=0)  # of the checkpoint it cosigned last
    cosigned_at = models.DateTimeField(null=True)
    trouble = models.CharField(max_length=300, blank=True)
    trouble_since = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.vkey.partition("+")[0] or self.url


class Anchoring(models.Model):
    """A signed head on its way to a chain, or there. Open ones are work; a confirmed one has its anchor leaf."""

    size = models.BigIntegerField()
    root = models.BinaryField(max_length=32)
    chain = models.CharField(max_length=60)
    contract = models.CharField(max_length=80)
    transaction = models.CharField(max_length=100, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    trouble = models.CharField(max_length=300, blank=True)
    lease_until = models.DateTimeField(null=True)
    created = models.DateTimeField(db_default=Now())
    sent_at = models.DateTimeField(null=True)
    confirmed_at = models.DateTimeField(null=True)
    leaf = models.OneToOneField(Leaf, models.PROTECT, null=True, related_name="anchoring")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["chain", "contract", "size"], name="one_anchoring_a_size"),
            models.UniqueConstraint(
                fields=["chain", "contract"],
                condition=Q(confirmed_at__isnull=True),
                name="one_open_anchoring_a_contract",
            ),
        ]

    def __str__(self) -> str:
        return f"anchor of {self.size} leaves"
