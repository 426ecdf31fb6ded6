"""Settings of every process; secrets and addresses come from the environment (trustweb/env.py)."""

from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent
SECRET_KEY = "development-only"  # noqa: S105  the infrastructure room replaces this
INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "accounts",
    "hdag",
    "auditing",
]
USE_TZ = True
TIME_ZONE = "UTC"
AUTH_USER_MODEL = "accounts.User"
