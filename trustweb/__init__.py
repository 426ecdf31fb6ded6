"""Wiring only: how the apps are configured, started and watched."""

from trustweb.celery import app as celery_app

__all__ = ["celery_app"]
