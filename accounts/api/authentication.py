"""How a program proves who it is: `Authorization: Bearer TOKEN`, in the header and nowhere else."""

from typing import Any

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, ParseError
from rest_framework.request import Request

from accounts import pace
from accounts.models import ApiToken, User
from accounts.services import tokens

TOKEN_NAMES = frozenset({"access_token", "token", "api_token", "api_key", "apikey", "bearer", "authorization"})


class TokenExpiredError(AuthenticationFailed):
    """The token's end has come: said by name, for a program that ran for months is to be told why it stopped."""


class TokenAuthentication(BaseAuthentication):
    """Reads the bearer token of a request; a token in the address is refused, because addresses are logged."""

    keyword = b"bearer"

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The person behind the token, or None when the request carries none."""
        # RFC 6750, section 2.3, allows tokens in the query and warns of it; RFC 9700, section 4.3.2, forbids them.
        if any(name.lower() in TOKEN_NAMES for name in request.query_params):
            raise ParseError("Send the token in the Authorization header; a token in the address is refused.")
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != self.keyword:
            return None
        if len(words) != 2:
            raise AuthenticationFailed("Write the header as: Authorization: Bearer TOKEN")
        try:
            token = tokens.use_token(secret=words[1].decode("ascii", "replace"), now=timezone.now())
        except tokens.TokenExpiredError as error:
            raise TokenExpiredError(str(error)) from None
        if token is None:
            # One sentence for both: "revoked" alone would confirm that a stolen token was once good.
            raise AuthenticationFailed("This token is unknown or revoked; make another one on API tokens.")
        # The first limit that is counted asks for these in its trip; where none is, the middleware asks at the end.
        limits = pace.take_postponed(request._request) | {pace.person_key(token.user_id): 1}
        pace.postpone(request._request, limits=limits)
        return token.user, token

    def authenticate_header(self, request: Any) -> str:
        """What a 401 answer asks for."""
        return 'Bearer realm="TRUST"'
