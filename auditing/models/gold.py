"""Gold: what is known beforehand, in sets, in calibration, in decoys among ordinary audits; and disputes about it."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from auditing.checker.planting import Change, Grade, Origin
from auditing.core.ledger.leaves import Truth
from auditing.core.values import Choice
from auditing.core.voting.rationale import ErrorType
from auditing.models.choices import choices
from auditing.models.seating.round import Auditor
from hdag.core.values import Source
from hdag.models import Block, Segment, Trace


class GoldSegment(models.Model):
    """A segment with its truth, kept for calibration or as a honeypot.

    `gold_is_right_or_wrong`: never undecided; `right_gold_has_no_error`: only a wrong one has an error type;
    `hand_made_gold_waits_for_a_second`: out of use until confirmed; `a_second_editor_reviews`: not its author;
    `gold_about_a_whole_has_its_trace`: and is about its reading or its answer.
    """

    class Review(models.TextChoices):
        WAITING = "", "waits for a second editor"  # or nobody made it by hand
        CONFIRMED = "confirmed"
        REFUSED = "refused"

    class Purpose(models.TextChoices):
        CALIBRATION = "calibration"
        HONEYPOT = "honeypot"
        PRACTICE = "practice"  # in the sandbox alone

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80, unique=True)  # of the segment within the sets that admins import
    domain = models.CharField(max_length=60, db_index=True)
    purpose = models.CharField(max_length=12, choices=Purpose, default=Purpose.CALIBRATION)
    truth = models.CharField(max_length=8, choices=choices(Choice)[:2])
    error_type = models.CharField(max_length=24, choices=choices(ErrorType), blank=True)  # why a wrong one is wrong
    block = models.OneToOneField(Block, models.PROTECT, related_name="+")  # problem, premises, text, explanation
    is_active = models.BooleanField(default=True)  # False: retired, asked no more, its answers stay
    is_overturned = models.BooleanField(default=False, db_default=False)  # after a dispute: its answers teach nothing
    # whose text it is made of, with what stands in `block` changed; NULL: a text of its own
    original = models.ForeignKey(Trace, models.PROTECT, null=True, related_name="gold_drafts")
    unit = models.CharField(max_length=8, blank=True, db_default="")  # goal, strategy or answer, of a whole trace
    file = models.CharField(max_length=64, blank=True, db_default="")  # digest of a file that is reviewed by a sample
    provenance = models.CharField(max_length=200, blank=True, db_default="")  # where its author has that file from
    # who wrote it by hand or handed it in; NULL: it came with the system
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    review = models.CharField(max_length=9, choices=Review, blank=True, db_default="")
    reviewed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    reviewed_at = models.DateTimeField(null=True)
    review_why = models.CharField(max_length=300, blank=True, db_default="")
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(author__isnull=True) | Q(is_active=False) | Q(review="confirmed"),
                name="hand_made_gold_waits_for_a_second",
            ),
            models.CheckConstraint(
                condition=Q(review="", reviewed_by__isnull=True, reviewed_at__isnull=True)
                | (
                    Q(author__isnull=False, reviewed_by__isnull=False, reviewed_at__isnull=False)
                    & ~Q(review="")
                    & ~Q(reviewed_by=F("author"))
                ),
                name="a_second_editor_reviews",
            ),
            models.CheckConstraint(condition=Q(truth__in=["pass", "fail"]), name="gold_is_right_or_wrong"),
            models.CheckConstraint(
                condition=Q(unit="", original__isnull=True)
                | Q(unit__in=["goal", "strategy", "answer"], original__isnull=False),
                name="gold_about_a_whole_has_its_trace",
            ),
            models.CheckConstraint(
                condition=Q(truth="pass", error_type="") | Q(truth="fail"), name="right_gold_has_no_error"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class GoldAnswer(models.Model):
    """A reviewer's answer on a gold segment; `attempt` counts the calibrations in its domain, from 1.

    `one_answer_an_attempt`: nobody answers again after the truth was shown.
    """

    auditor = models.ForeignKey(Auditor, models.PROTECT, related_name="gold_answers")
    gold = models.ForeignKey(GoldSegment, models.PROTECT, related_name="answers")
    attempt = models.PositiveSmallIntegerField(default=1)
    choice = models.CharField(max_length=8, choices=choices(Choice))
    confidence = models.PositiveIntegerField(null=True)  # basis points, 5000 to 10000; NULL for abstain
    step = models.PositiveSmallIntegerField(null=True)  # that was named as the first wrong one, from 1
    is_right = models.BooleanField()  # as the segment's truth at that time
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["auditor", "gold", "attempt"], name="one_answer_an_attempt")]

    def __str__(self) -> str:
        return f"{self.choice} on {self.gold_id}"


class Qualification(models.Model):
    """Whether a reviewer may hold live seats in one domain: one row for each, moved by calibration."""

    class State(models.TextChoices):
        STARTED = "started"
        PASSED = "passed"
        LAPSED = "lapsed"

    auditor = models.ForeignKey(Auditor, models.PROTECT, related_name="qualifications")
    domain = models.CharField(max_length=60)
    state = models.CharField(max_length=8, choices=State, default=State.STARTED)
    attempt = models.PositiveSmallIntegerField(default=1)  # the current one, from 1
    why = models.CharField(max_length=200, blank=True)  # of a lapse, as the reviewer reads it
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["auditor", "domain"], name="one_standing_a_domain")]

    def __str__(self) -> str:
        return f"{self.state} in {self.domain}"


class GoldTruth(models.Model):
    """The truth of a segment of a trace, known to the system alone before anybody voted on it. Final by trigger."""

    segment = models.OneToOneField(Segment, models.PROTECT, primary_key=True, related_name="gold_truth")
    truth = models.CharField(max_length=8, choices=choices(Choice)[:2])
    source = models.CharField(max_length=80)  # where the truth comes from, such as the data set
    grade = models.CharField(max_length=8, choices=choices(Grade), blank=True, db_default="")  # of an error
    # NULL: entered by no person
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(truth__in=["pass", "fail"]), name="a_truth_is_pass_or_fail")]

    def __str__(self) -> str:
        return f"{self.segment_id}: {self.truth}"


class Decoy(models.Model):
    """A trace of the system's own, audited like any other, of which one passage is gold. Final by trigger.

    `a_decoy_has_a_source`: a trace that was handed in, a gold segment of a set, or both (a draft about that trace as a
    whole). `a_decoy_is_right_or_wrong`: but
    for a passage that comes again to whoever judged it, of which no truth is known.
    """

    trace = models.OneToOneField(Trace, models.PROTECT, primary_key=True, related_name="decoy")
    # whose text it repeats; nobody is seated on both
    original = models.ForeignKey(Trace, models.PROTECT, null=True, related_name="decoys")
    gold = models.ForeignKey(GoldSegment, models.PROTECT, null=True, related_name="decoys")
    origin = models.CharField(max_length=12, choices=choices(Origin))
    truth = models.CharField(max_length=8, choices=choices(Choice)[:2], blank=True)
    change = models.CharField(max_length=16, choices=choices(Change), blank=True)  # what was planted
    grade = models.CharField(max_length=8, choices=choices(Grade), blank=True)
    misleads_models = models.BooleanField(default=False, db_default=False)  # most qualified models judged it wrongly
    # The passage in the decoy's text, in code points, half open; the error begins at `at`.
    source = models.CharField(max_length=10, choices=choices(Source))
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    at = models.PositiveIntegerField()
    explanation = models.OneToOneField(Block, models.PROTECT, related_name="+")  # shown when the gold is opened
    apart = models.JSONField(default=list, db_default=[])  # by how much its shape is not what was asked; [] of a whole
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(original__isnull=False) | Q(gold__isnull=False),
                name="a_decoy_has_a_source",
            ),
            models.CheckConstraint(
                condition=Q(truth__in=["pass", "fail"]) & ~Q(origin="repeated")
                | Q(truth="", origin="repeated", original__isnull=False),
                name="a_decoy_is_right_or_wrong",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.origin} decoy: {self.truth}"


class GoldOverturn(models.Model):
    """A truth was none: nothing is judged by it any more, and every vote on it is paid as right. Final by trigger.

    One row a truth, so that nothing is paid again twice.
    """

    truth = models.OneToOneField(GoldTruth, models.PROTECT, primary_key=True, related_name="overturn")
    stands = models.CharField(max_length=4, choices=choices(Truth))  # what is known now; none: nobody can tell
    # NULL: it repeats a text that was overturned elsewhere
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.truth_id} is overturned: {self.stands}"


class GoldDispute(models.Model):
    """A reviewer says that gold is wrong; somebody else decides. Of a decoy (`truth`) or of a set (`gold`).

    `one_dispute_a_person_*`; `a_dispute_is_of_one_gold`; `a_dispute_is_decided_by_somebody`.
    """

    class Decision(models.TextChoices):
        UPHELD = "upheld", "the gold stands"
        OVERTURNED = "overturned", "the other word is right"
        UNCLEAR = "unclear", "nobody can tell"

    truth = models.ForeignKey(GoldTruth, models.PROTECT, null=True, related_name="disputes")
    gold = models.ForeignKey(GoldSegment, models.PROTECT, null=True, related_name="disputes")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    block = models.OneToOneField(Block, models.PROTECT, related_name="+")  # what they wrote
    decision = models.CharField(max_length=10, choices=Decision, blank=True, db_default="")  # "": open
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    why = models.CharField(max_length=300, blank=True, db_default="")
    decided_at = models.DateTimeField(null=True)
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["truth", "by"], name="one_dispute_a_person_and_truth"),
            models.UniqueConstraint(fields=["gold", "by"], name="one_dispute_a_person_and_gold"),
            models.CheckConstraint(
                condition=Q(truth__isnull=False, gold__isnull=True) | Q(truth__isnull=True, gold__isnull=False),
                name="a_dispute_is_of_one_gold",
            ),
            models.CheckConstraint(
                condition=Q(decision="", decided_by__isnull=True, decided_at__isnull=True)
                | (~Q(decision="") & Q(decided_by__isnull=False, decided_at__isnull=False)),
                name="a_dispute_is_decided_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"dispute {self.pk}: {self.decision or 'open'}"
