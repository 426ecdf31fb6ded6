"""The transparency log: leaves, signed checkpoints, announced keys, witnesses, and anchors on a chain."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.models.intake.audit import Audit


class Leaf(models.Model):
    """One entry of the log.

    Append-only by trigger: only `index` may go from NULL to a number, once; another one gives a new leaf none.
    """

    id = models.BigAutoField(primary_key=True)
    index = models.BigIntegerField(null=True, unique=True)  # position in the log; NULL until the sequencer has come by
    kind = models.CharField(max_length=24)  # the leaf's type, such as vote.commit
    body = models.BinaryField(max_length=16384)  # the entry that is hashed: canonical JSON, at most 16 KiB
    audit = models.ForeignKey(
        Audit, models.PROTECT, null=True, related_name="leaves", db_index=False
    )  # NULL: a leaf about the system
    created = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [
            models.Index(fields=["id"], condition=Q(index__isnull=True), name="leaves_to_sequence"),
            models.Index(fields=["audit", "id"]),
        ]

    def __str__(self) -> str:
        return f"{self.kind} leaf {self.index}"


class Checkpoint(models.Model):
    """A signed tree head, one for each published size. Final by trigger."""

    size = models.BigIntegerField(primary_key=True)  # leaves of the tree
    root = models.BinaryField(max_length=32)  # RFC 6962 root hash
    note = models.TextField()  # the C2SP signed note as published
    created = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"checkpoint of {self.size} leaves"


class PublicKey(models.Model):
    """A public key announced by the one process that holds its private half; the newest of a purpose is in force."""

    purpose = models.CharField(max_length=20)  # reveal, receipt
    value = models.BinaryField(max_length=3000)  # raw point of a reveal key, text of a verifier key
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["purpose", "value"], name="one_row_a_public_key")]

    def __str__(self) -> str:
        return f"{self.purpose} key"


class Witness(models.Model):
    """A witness that the sequencer asks to cosign. Its key is configured, or was pinned at the first contact."""

    url = models.CharField(max_length=300, unique=True)
    vkey = models.CharField(max_length=300, blank=True)  # C2SP verifier key; empty before the first contact
    second_vkey = models.CharField(max_length=3000, blank=True, db_default="")  # its ML-DSA-44 key, where it has one
    is_pinned = models.BooleanField(default=False)  # the keys were learned from the witness itself
    size = models.BigIntegerField(default=0)  # of the checkpoint it cosigned last
    cosigned_at = models.DateTimeField(null=True)  # by our clock, of the newest cosignature
    trouble = models.CharField(max_length=300, blank=True)  # the last failure in words; empty while it answers
    trouble_since = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.vkey.partition("+")[0] or self.url


class Anchoring(models.Model):
    """A signed tree head on its way to a chain, or confirmed there.

    `one_open_anchoring_a_contract`: heads are written one after the other, as the contract demands.
    """

    size = models.BigIntegerField()
    root = models.BinaryField(max_length=32)
    chain = models.CharField(max_length=60)  # CAIP-2 name, such as eip155:11155111
    contract = models.CharField(max_length=80)
    transaction = models.CharField(max_length=100, blank=True)  # hash; empty until it was sent
    attempts = models.PositiveSmallIntegerField(default=0)  # submissions so far
    trouble = models.CharField(max_length=300, blank=True)
    lease_until = models.DateTimeField(null=True)  # a worker is on it until then
    created = models.DateTimeField(db_default=Now())
    sent_at = models.DateTimeField(null=True)
    confirmed_at = models.DateTimeField(null=True)
    # the anchor leaf, written once it is confirmed
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
