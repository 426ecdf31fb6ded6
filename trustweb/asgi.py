"""The ASGI application: pages and API over HTTP, live notices over websockets."""

import os

import django
from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings")
django.setup(set_prefix=False)  # loads the apps, which the socket routes below import

from auditing.sockets import websocket_urlpatterns  # noqa: E402
from trustweb.middleware.handler import OneThreadHandler  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": OneThreadHandler(),
        "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))),
    }
)
