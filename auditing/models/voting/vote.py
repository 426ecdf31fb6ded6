"""Sealed votes and their openings. A commitment is final; a vote exists only once it is opened."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from auditing.core.values import Choice
from auditing.models.campaigns import Guidelines
from auditing.models.choices import choices
from auditing.models.seating.round import Seat
from hdag.models import Block


class Commitment(models.Model):
    """The SHA-256 commitment of one seat's vote, and its opening, encrypted. One a seat, by its key.

    Final by trigger, but for `sealed` and `kept`, which erasure may empty. A digest is unique: a copied commitment is
    refused.
    """

    seat = models.OneToOneField(Seat, models.PROTECT, primary_key=True)
    digest = models.BinaryField(max_length=32, unique=True)  # SHA-256 of the 248-byte preimage (core.voting.commitment)
    rationale_digest = models.BinaryField(max_length=32)  # lets a text that came with it be checked before the reveal
    sealed = models.BinaryField(max_length=65536, null=True)  # to the revealer's key; NULL in strict mode
    kept = models.BinaryField(max_length=70_000, null=True)  # strict mode: the opening under its auditor's own key
    # the version that the auditor saw
    guidelines = models.ForeignKey(Guidelines, models.PROTECT, null=True, related_name="+")
    raw_ms = models.PositiveIntegerField(default=0)  # from taking the seat to sealing
    active_ms = models.PositiveIntegerField(default=0)  # of that, with the page in use
    shown = models.CharField(max_length=20, blank=True)  # degree of disclosure when it was sealed
    receipt = models.TextField(blank=True)  # signed promise that its vote.commit leaf will stand in the ledger
    committed_at = models.DateTimeField(db_default=Now())

    class Meta:
        # Those that only their auditors can open: few, and looked for at each closing.
        indexes = [models.Index("seat", name="commitment_strict", condition=models.Q(sealed__isnull=True))]

    def __str__(self) -> str:
        return f"commitment of {self.seat_id}"


class DeskSigns(models.Model):
    """What the voter's browser counted at the desk: numbers alone, optional, deciding nothing. Final."""

    commitment = models.OneToOneField(Commitment, models.PROTECT, primary_key=True, related_name="signs")
    left = models.PositiveIntegerField()  # how often the window lost the focus
    away_ms = models.PositiveIntegerField()  # for how long in all
    pastes = models.PositiveIntegerField()  # into the reason
    pasted = models.PositiveIntegerField()  # characters that they brought; which is known to nobody
    edits = models.PositiveIntegerField()  # of the reason, by hand

    def __str__(self) -> str:
        return f"signs at {self.commitment_id}"


class Vote(models.Model):
    """An opened vote, checked against its commitment. Final by trigger, but for the nonce that erasure may empty.

    `confidence_is_5000_to_10000_or_abstain`: a vote below one half would be one for the other side.
    """

    seat = models.OneToOneField(Seat, models.PROTECT, primary_key=True)
    choice = models.CharField(max_length=8, choices=choices(Choice))
    confidence = models.PositiveIntegerField(null=True)  # basis points, 5000 to 10000; NULL for abstain
    rationale = models.OneToOneField(Block, models.PROTECT, related_name="+")  # reason and evidence, encrypted
    error_type = models.CharField(max_length=24, blank=True)  # why the segment fails; empty for pass and abstain
    is_propagated = models.BooleanField(default=False)  # the error comes from a premise
    criteria = models.JSONField(default=dict)  # criterion -> yes, no or na
    nonce = models.BinaryField(max_length=32)  # opens the commitment
    rationale_nonce = models.BinaryField(max_length=32)  # empty: the text was lost or erased, the vote counts
    revealed_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(choice="abstain", confidence__isnull=True)
                | (~Q(choice="abstain") & Q(confidence__gte=5000, confidence__lte=10000)),
                name="confidence_is_5000_to_10000_or_abstain",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.choice} by {self.seat_id}"
