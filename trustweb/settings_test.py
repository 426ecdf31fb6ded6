"""Settings of the tests: the same system, with a fast password hash and a Redis prefix of its own per test process."""

import os

from trustweb.settings import *  # noqa: F403
from trustweb.settings import BASE_DIR, CACHES, CELERY_BROKER_TRANSPORT_OPTIONS, CHANNEL_LAYERS, RUN_DIR

_worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
CACHES["default"]["KEY_PREFIX"] = f"test-{_worker}:cache"
CHANNEL_LAYERS["default"]["CONFIG"]["prefix"] = f"test-{_worker}:channels"  # type: ignore[index]
CELERY_BROKER_TRANSPORT_OPTIONS["global_keyprefix"] = f"test-{_worker}:celery:"

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STUDY_DATA_DIR = BASE_DIR.parent / "shared" / "data"  # tests of public sets are skipped where it is absent
RECEIPT_KEY = b"r" * 32
STATIC_ROOT = RUN_DIR / "staticfiles"
STATIC_ROOT.mkdir(parents=True, exist_ok=True)

TRUST_UNKNOWN_PER_MINUTE = 100_000  # tests that walk every address would be shut out; the limit has its own test
# A page of the lab waits for seconds of simulation; what it shows is measured in tests/unit/consensus.
POLICY_LAB_TRIALS = 5
# A test sequences when it wants to; the tests of late merging say what is late.
LEDGER_LATE_SECONDS = 10**6
LEDGER_STATE_KEPT_SECONDS = 10**6  # so that counts of queries do not hang on the clock
