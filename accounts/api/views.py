"""What every address of the API has in common: it reads the parameters that it describes, and refuses all others; and a
token opens it only within its scopes."""

from collections.abc import Collection
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiParameter
from rest_framework import views
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from accounts.api.queries import check_names
from accounts.permissions import Scope

SAFE = ("GET", "HEAD", "OPTIONS")


class OutOfScopeError(PermissionDenied):
    """The token may be good, but it was not made for this."""

    def __init__(self, scopes: Collection[str]) -> None:
        """scopes: those of which one would do."""
        words = " or ".join(scopes)
        super().__init__(f"This token lacks the scope {words}: make one that has it on API tokens.")


class APIView(views.APIView):
    """A view of the API; `asked` describes what it reads in the address of a GET, and no other method reads any,
    unless its body is a file.

    scope: what a token needs for what is no reading. It may read there too, as may every token with `read`.
    """

    asked: ClassVar[tuple[OpenApiParameter, ...]] = ()
    asks_beside_a_file: ClassVar[bool] = False  # the body is a file: what else is said stands in the address
    scope: ClassVar[Scope] = Scope.MANAGE

    @classmethod
    def scopes_for(cls, method: str | None) -> list[str]:
        """Scopes of which a token needs one for this method."""
        return list(dict.fromkeys([Scope.READ.value, cls.scope.value] if method in SAFE else [cls.scope.value]))

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raises UnknownParameterError (400), to nobody but those who may ask at all."""
        super().initial(request, *args, **kwargs)
        is_asked = request.method in SAFE or self.asks_beside_a_file
        names = [parameter.name for parameter in self.asked] if is_asked else []
        check_names(request.query_params, names)

    def check_permissions(self, request: Request) -> None:
        """Roles, and the scopes of the token. Raises PermissionDenied, OutOfScopeError (403)."""
        super().check_permissions(request)
        # Whoever is signed in at a page has no token: the page itself is the scope.
        token: Any = request.auth
        if token is not None:
            self.check_scopes(token.scopes)

    def check_scopes(self, held: Collection[str]) -> None:
        """Raises OutOfScopeError (403) unless a token with these scopes may do what is asked."""
        needed = self.scopes_for(self.request.method)
        if not any(scope in held for scope in needed):
            raise OutOfScopeError(needed)
