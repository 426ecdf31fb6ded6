"""The Celery application: a doorbell only, PostgreSQL is the queue of record (docs/decisions/0002)."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings")

app = Celery("trust")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
