"""Addresses of the websockets, mounted by trustweb/asgi.py."""

from django.urls import path

from auditing.consumers import LiveConsumer

websocket_urlpatterns = [path("ws/live", LiveConsumer.as_asgi())]
