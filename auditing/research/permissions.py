"""Who works here: researchers and admins. The decorator of a view shuts everybody else out."""

from django.http import HttpRequest
from rest_framework.request import Request

from accounts.models import Role, User

RESEARCHERS = (Role.RESEARCHER, Role.ADMIN)


def researcher_of(request: HttpRequest | Request) -> User:
    """The person who asks, in a view behind `requires_role(*RESEARCHERS)`."""
    assert isinstance(request.user, User)
    return request.user
