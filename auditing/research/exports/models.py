"""Exports as rows of work: which data set, in which format, and the file that came of it."""

import uuid

from django.db import models
from django.db.models import Q

from auditing.models.jobs import Job


class ExportJob(Job):
    """A data set to write. `filters` is exports.selectors.scope.Filters as JSON; the file lies in EXPORT_DIR."""

    task = "auditing.run_export"
    lease_seconds = 120

    dataset = models.CharField(max_length=40)
    format = models.CharField(max_length=20)
    filters = models.JSONField(default=dict)
    with_text = models.BooleanField(default=False)  # decrypted content and reasons go along
    bundle = models.UUIDField(default=uuid.uuid4, db_index=True)  # salt of its pseudonyms: one bundle joins
    rows = models.PositiveBigIntegerField(null=True)
    size = models.PositiveBigIntegerField(null=True)  # bytes of the file
    content_hash = models.CharField(max_length=64, blank=True)
    file = models.CharField(max_length=120, blank=True)  # name within EXPORT_DIR

    class Meta(Job.Meta):
        constraints = [
            *Job.Meta.constraints,
            models.CheckConstraint(
                condition=~Q(state="done") | (~Q(file="") & ~Q(content_hash="")), name="a_done_export_has_a_file"
            ),
        ]
