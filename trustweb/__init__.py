"""Wiring only: environment, settings, URLs, ASGI, Celery and the embedded services."""
