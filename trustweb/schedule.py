"""The periodic tasks that beat starts: each sweeps rows that are due, so that no lost task message loses work.

A sweep that could not be started in time expires, because the next one does the same work: messages do not pile up
while no worker runs. The one that advances audits runs most often: its period is the longest that a person
waits for a stage whose own message was lost.
"""

from typing import Any

from celery.schedules import crontab


def periodic_tasks(*, is_anchoring: bool, has_demo: bool) -> dict[str, dict[str, Any]]:
    """Celery's beat_schedule, periods in seconds; anchoring and the demo's people only where there are any.

    What runs nightly has an hour (UTC) and no period: a beat that forgets its file when it is started anew, as in a
    container, would count a period from its start, and one that is started every day would never come to its end.
    """
    schedule: dict[str, dict[str, Any]] = {
        "sweep": {"task": "auditing.advance_due", "schedule": 3.0, "options": {"expires": 6, "queue": "sweep"}},
        "life": {"task": "trustweb.answer", "schedule": 15.0, "options": {"expires": 30}},
        "jobs": {"task": "auditing.enqueue_jobs", "schedule": 10.0, "options": {"expires": 20}},
        "batches": {"task": "auditing.advance_batches", "schedule": 60.0, "options": {"expires": 60, "queue": "llm"}},
        "exports": {"task": "auditing.forget_exports", "schedule": 600.0, "options": {"expires": 600}},
        "windows": {"task": "auditing.end_forgotten_windows", "schedule": 60.0, "options": {"expires": 120}},
        "unfit": {"task": "auditing.pass_on_unfit", "schedule": 60.0, "options": {"expires": 120}},
        "release": {"task": "auditing.release_postings", "schedule": 60.0, "options": {"expires": 120}},
        "fines": {"task": "auditing.return_fines", "schedule": 60.0, "options": {"expires": 120}},
        "books": {
            "task": "auditing.nightly_books",
            "schedule": crontab(hour="2", minute="0"),
            "options": {"expires": 3600},
        },
        "measures": {
            "task": "auditing.nightly_measures",
            "schedule": crontab(hour="2", minute="20"),
            "options": {"expires": 3600},
        },
        # On the export queue, because reading the whole log takes minutes that nothing interactive may wait for.
        "ledger": {
            "task": "auditing.check_ledger",
            "schedule": crontab(hour="2", minute="40"),
            "options": {"expires": 3600, "queue": "export"},
        },
        "gold": {"task": "auditing.place_gold", "schedule": 20.0, "options": {"expires": 40}},
        "priors": {"task": "auditing.order_by_prior", "schedule": 30.0, "options": {"expires": 60}},
        "digests": {"task": "auditing.send_digests", "schedule": 300.0, "options": {"expires": 300}},
    }
    if has_demo:
        schedule["simulate"] = {"task": "auditing.simulate", "schedule": 10.0, "options": {"expires": 20}}
    if is_anchoring:
        schedule["anchor"] = {"task": "auditing.anchor_ledger", "schedule": 300.0, "options": {"expires": 300}}
    return schedule
