"""The static files are listed once a test process, and not for each client.

Each `Client` of a test loads the middleware at its first request, and WhiteNoise's looks at every static file: forty
milliseconds, which thousands of tests would spend. A program that serves loads it once.
"""

from typing import Any

from django.conf import settings
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]


def list_once() -> None:
    """From here on all clients share what the first one listed, as long as the same settings name the files."""
    listed: dict[str, dict[str, Any]] = {}
    list_all = WhiteNoiseMiddleware.add_files_from_finders

    def add_files(middleware: Any) -> None:
        named = repr((settings.STATIC_URL, settings.STATICFILES_DIRS, settings.STATICFILES_FINDERS, settings.STORAGES))
        if named not in listed:
            list_all(middleware)
            listed[named] = dict(middleware.files)
        middleware.files.update(listed[named])

    WhiteNoiseMiddleware.add_files_from_finders = add_files
