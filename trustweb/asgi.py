"""The ASGI application: pages and API over HTTP, live notices over websockets."""

import os
from importlib import import_module
from importlib.util import find_spec

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings")
http = get_asgi_application()  # loads the apps, which the socket routes below import

sockets = import_module("auditing.sockets").websocket_urlpatterns if find_spec("auditing.sockets") else []

application = ProtocolTypeRouter(
    {"http": http, "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(sockets)))}
)
