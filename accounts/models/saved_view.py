"""Views of lists that a person keeps: how a list was narrowed, sorted and which columns it showed."""

from django.db import models
from django.db.models.functions import Now

from accounts.models.person import User


class SavedView(models.Model):
    """One kept view: the list by the name of its address, and the rest of the address."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="saved_views")
    page = models.CharField(max_length=80)
    name = models.CharField(max_length=60)
    query = models.CharField(max_length=1000, blank=True)
    created = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "page", "name"), name="saved_view_once"),)

    def __str__(self) -> str:
        return f"{self.name} of {self.page}"
