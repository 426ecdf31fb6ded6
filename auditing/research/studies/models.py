"""Runs of studies as rows of work, and the finished pieces that a resumed run finds again."""

from django.db import models

from auditing.models.jobs import Job


class StudyRun(Job):
    """One run of a study with its seed; `report` is the study's report as JSON."""

    task = "auditing.run_study"

    study = models.CharField(max_length=40)
    seed = models.PositiveIntegerField(default=1)
    full = models.BooleanField(default=False)
    options = models.JSONField(default=dict)
    report = models.JSONField(null=True)
    passed = models.BooleanField(null=True)


class StudyPiece(models.Model):
    """A finished piece of a run that is not over: a run that is taken up again finds it. Forgotten at the end."""

    run = models.ForeignKey(StudyRun, models.CASCADE, related_name="pieces")
    key = models.CharField(max_length=200)
    value = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "key"], name="one_study_piece_a_key")]

    def __str__(self) -> str:
        return self.key
