"""Static files under names that carry their digest, compressed ahead, so that a browser asks for each once."""

from django.contrib.staticfiles.apps import StaticFilesConfig
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]


class CollectedFiles(StaticFilesConfig):
    """What collectstatic leaves out: the API framework's own pages, which are off, and the htmx that no page loads."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "rest_framework", "htmax-*", "htmx-4*", "hx-*", "*-compat-*"]


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """The imports of ES modules carry the digest too: else a new script would run with a remembered old one."""

    support_js_module_import_aggregation = True
