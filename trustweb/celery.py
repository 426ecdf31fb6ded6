"""The Celery application: a doorbell only, PostgreSQL is the queue of record (docs/decisions/0002)."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings")

app = Celery("trust")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.task_routes = {
    "auditing.advance_audit": {"queue": "computer"},
    "auditing.ask_model": {"queue": "llm"},
    "auditing.run_iteration": {"queue": "llm"},
    "auditing.run_*": {"queue": "export"},
}
app.autodiscover_tasks()
