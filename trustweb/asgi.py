"""The ASGI application: pages and API over HTTP, live notices over websockets."""

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings")
http = get_asgi_application()  # loads the apps, which the socket routes below import

from auditing.sockets import websocket_urlpatterns  # noqa: E402

application = ProtocolTypeRouter(
    {"http": http, "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)))}
)
