"""The Celery application: its messages only say "look now"; the work is rows in PostgreSQL (docs/decisions/0002).

A lost message therefore costs seconds, until the next periodic sweep (trustweb/schedule.py), and never a vote.
"""

import os
import time

from celery import Celery

from trustweb import env

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings")

# Beat only sends messages by name: without models and tasks it needs a third of the memory.
SENDS_ONLY = env.is_on("TRUST_SENDS_ONLY")
app = Celery("trust", fixups=[] if SENDS_ONLY else None)
app.config_from_object("django.conf:settings", namespace="CELERY")
# One queue for each kind of slowness, so that minutes of waiting for a model or writing an export never delay the
# milliseconds in which the computer tier examines a trace.
app.conf.task_routes = {
    "auditing.advance_audit": {"queue": "computer"},
    "auditing.ask_model": {"queue": "llm"},
    "auditing.run_iteration": {"queue": "llm"},
    "auditing.run_*": {"queue": "export"},  # an exact name, such as run_iteration above, wins over a pattern
}
if not SENDS_ONLY:
    app.autodiscover_tasks()

ANSWERED = "worker_answered"  # in the cache: when a worker last did what beat asked


@app.task(name="trustweb.answer", ignore_result=True)
def answer() -> None:
    """A sign of life, which /healthz reads; kept for ever, so that after a long silence it still says since when."""
    from django.core.cache import cache

    cache.set(ANSWERED, time.time(), None)
