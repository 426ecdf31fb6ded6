"""What is written down: one line a record, with the name of its request, to where the program was started."""

from typing import Any


def to_console(*, level: str) -> dict[str, Any]:
    """Django's LOGGING."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"request_id": {"()": "trustweb.middleware.failures.AddRequestId"}},
        "formatters": {"line": {"()": "trustweb.middleware.failures.OneLine"}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["request_id"]}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            "uvicorn.access": {"level": "WARNING"},
            "django.server": {"handlers": [], "level": "INFO", "propagate": True},
        },
    }
