"""Who may open a page: roles by name, for functions, class views and the API; the default is no."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.models import Role, Scope, User
from accounts.signed_out import Late, find_page, page_of_form

__all__ = [
    "Person",
    "Role",
    "Scope",
    "ask_to_sign_in",
    "check_role",
    "get_person",
    "has_role",
    "requires_person",
    "requires_role",
    "role_permission",
]

PRESSED = "You were signed out meanwhile, and nothing was changed. Sign in, then press the button again."
Person = User | AnonymousUser


def has_role(user: Person, *roles: str) -> bool:
    """Tell whether an active person holds at least one of `roles`; nobody holds none of no roles."""
    return isinstance(user, User) and user.is_active and not user.roles.isdisjoint(roles)


def get_person(request: HttpRequest | Request) -> User:
    """The person who is signed in; call it only behind a page that asks for a login."""
    assert isinstance(request.user, User)  # an AnonymousUser here is a view without its guard: our mistake
    return request.user


def check_role(user: Person, *roles: str) -> None:
    """Raise PermissionDenied unless the person holds one of `roles`."""
    if not has_role(user, *roles):
        raise PermissionDenied(refusal(user, roles, what="page"))


def refusal(user: Person, roles: Iterable[str], *, what: str) -> str:
    """Whom a page or an address is for, as whoever has none of `roles` is told."""
    if isinstance(user, User) and not user.roles:
        return f"You have no role at present, and this {what} needs one: an admin gives roles."
    return f"This {what} is for: {', '.join(Role(role).label for role in roles)}."


def ask_to_sign_in(request: HttpRequest) -> HttpResponse:
    """The login page; first, where somebody typed meanwhile, a page that shows what."""
    if request.method in ("GET", "HEAD"):
        return redirect_to_login(request.get_full_path())
    if page := find_page(request, why=Late.SIGNED_OUT):
        return page
    # Back to the page with the button: the address that it posts to shows nothing.
    if "HX-Request" not in request.headers:
        messages.warning(request, PRESSED)
    return redirect_to_login(page_of_form(request))


def requires_person(view: Callable[..., Any]) -> Callable[..., Any]:
    """View decorator: strangers are asked to sign in."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return view(request, *args, **kwargs) if request.user.is_authenticated else ask_to_sign_in(request)

    return guarded


def requires_role(*roles: str) -> Callable[..., Any]:
    """View decorator: strangers go to the login page, people without one of `roles` get 403."""
    # Through Role, so that a misspelt role fails when the module is imported instead of locking everybody out.
    names = tuple(Role(role).value for role in roles)

    def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if not request.user.is_authenticated:
                return ask_to_sign_in(request)
            check_role(request.user, *names)
            return view(request, *args, **kwargs)

        return guarded

    return decorate


def role_permission(*roles: str) -> type[BasePermission]:
    """A DRF permission class for `roles`: permission_classes = [role_permission("provider")]."""

    class HasRole(BasePermission):
        def has_permission(self, request: Any, view: Any) -> bool:
            self.message = refusal(request.user, roles, what="address")
            return has_role(request.user, *roles)

    return HasRole
