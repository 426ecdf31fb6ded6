"""Who: people and roles, how they come in, their tokens and profiles."""

from accounts.models.joining import Invitation, JoiningRule, JoinRequest
from accounts.models.person import Role, RoleEvent, RoleGrant, User
from accounts.models.profile import Profile
from accounts.models.request_key import RequestKey
from accounts.models.saved_view import SavedView
from accounts.models.session import PersonSession
from accounts.models.token import ApiToken, Scope

__all__ = [
    "ApiToken",
    "Invitation",
    "JoinRequest",
    "JoiningRule",
    "PersonSession",
    "Profile",
    "RequestKey",
    "Role",
    "RoleEvent",
    "RoleGrant",
    "SavedView",
    "Scope",
    "User",
]
