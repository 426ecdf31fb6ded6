"""Settings of every process; secrets, addresses and switches come from the environment (trustweb/env.py)."""

from pathlib import Path

from trustweb import addresses, content_policy, env, logs, safety, schedule
from trustweb.serve import embedded

BASE_DIR = Path(__file__).resolve().parent.parent
RUN_DIR = embedded.run_directory()
PRODUCTION = env.is_production()
DEBUG = env.is_on("DEBUG")

# Safe only where strangers cannot come: trustweb/safety.py refuses it in production.
SECRET_KEY = env.get_text("SECRET_KEY", "" if PRODUCTION else env.development_secret(RUN_DIR))
ALLOWED_HOSTS = env.get_list("ALLOWED_HOSTS", [] if PRODUCTION else ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.get_list("CSRF_TRUSTED_ORIGINS", [])

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "trustweb.static_files.CollectedFiles",
    "django.forms",
    "csp",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "trustweb.celery.Wiring",
    "accounts",
    "hdag",
    "auditing",
    "auditing.research",
]

# The order is that of the way in; the way out is the reverse. RequestId is outermost, so that every answer has its id.
MIDDLEWARE = [
    "trustweb.middleware.failures.RequestId",
    "trustweb.middleware.failures.NotNow",
    "trustweb.middleware.lost_content.LostContent",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "trustweb.middleware.compression.Compression",  # inside WhiteNoise, whose files are compressed ahead
    "trustweb.middleware.content_headers.ContentPolicy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "trustweb.middleware.failures.WrongMethod",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "trustweb.middleware.failures.NoStore",  # inside sessions: it asks whether somebody is signed in
    "allauth.account.middleware.AccountMiddleware",
    "accounts.second_factor.SecondFactor",  # after authentication: it must know who asks
    "trustweb.middleware.enumeration_throttle.EnumerationThrottle",
    "django_htmx.middleware.HtmxMiddleware",
    "trustweb.middleware.reader_zone.ReaderZone",
]
ROOT_URLCONF = "trustweb.urls"
ASGI_APPLICATION = "trustweb.asgi.application"
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.context.page",
                "trustweb.context.page",
            ],
        },
    },
]

# PostgreSQL and Redis: the environment's, or the embedded ones of this run directory.
_running = embedded.find_addresses(RUN_DIR)
DATABASE_URL = env.get_text("DATABASE_URL", _running.get("database_url", "postgres://postgres@localhost/trust"))
_served = {} if env.find_text("DATABASE_URL") else _running  # these two are for `migrate` alone (trustweb/roles.py)
DATABASE_OWNER_URL = env.get_text("DATABASE_OWNER_URL", _served.get("database_owner_url", ""))
DATABASE_SEQUENCER_URL = env.get_text("DATABASE_SEQUENCER_URL", _served.get("database_sequencer_url", ""))
DATABASES = {"default": addresses.database(DATABASE_URL, kept=env.is_on("TRUST_DB_POOL"))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# Redis carries task messages (Celery), notices to open pages (Channels) and rate limits (cache). Nothing in it is of
# record: it may be emptied at any time, and the periodic tasks find all work again in PostgreSQL.
REDIS_URL = addresses.redis(env.get_text("REDIS_URL", _running.get("redis_url", "redis://localhost:6379/0")))
REDIS_PREFIX = env.get_text("TRUST_REDIS_PREFIX", "trust")
CACHES = {
    "default": {
        "BACKEND": "trustweb.cache.TolerantRedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": f"{REDIS_PREFIX}:cache",
        # never pickle, and a Redis that hangs is soon found out: trustweb/cache.py
        "OPTIONS": {"serializer": "trustweb.cache.Plain", "socket_timeout": 2, "socket_connect_timeout": 2},
    },
}
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.core.RedisChannelLayer",
        # redis-py gives up after 5 s, exactly as long as channels-redis waits: an idle page would lose its socket.
        "CONFIG": {
            "hosts": [{"address": REDIS_URL, "socket_timeout": None}],
            "prefix": f"{REDIS_PREFIX}:channels",
            "serializer_format": "msgpack",
        },
    },
}

CELERY_BROKER_URL = addresses.celery_broker(REDIS_URL)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "global_keyprefix": f"{REDIS_PREFIX}:celery:",
    # A message that no worker acknowledged within this time is delivered again. It must exceed CELERY_TASK_TIME_LIMIT,
    # else a slow task would run twice at once.
    "visibility_timeout": 300,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_timeout": None,
    "max_retries": 0,  # who sends a message does not try for seconds; workers and beat come back by themselves
}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER, CELERY_ACCEPT_CONTENT = "json", ["json"]
# At least once: acknowledged after its task, so a killed worker's run again, each deciding by a conditional UPDATE.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1  # hoard no messages behind a task that takes minutes
# Bounds what leaks add up to; the first tasks of a process, and those that connect to the database, cost most.
CELERY_WORKER_MAX_TASKS_PER_CHILD, CELERY_DB_REUSE_MAX = 2000, 2000
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_SOFT_TIME_LIMIT, CELERY_TASK_TIME_LIMIT = 120, 150
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_QUEUES: dict[str, dict[str, str]] = {name: {} for name in ("computer", "llm", "default", "sweep", "export")}
CELERY_TIMEZONE = "UTC"

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
] + [{"NAME": f"accounts.passwords.{name}"} for name in ("ContextWordsValidator", "BreachedPasswordsValidator")]
TRUST_BREACHED_PASSWORDS = env.get_text("TRUST_BREACHED_PASSWORDS", "")  # a file of SHA-1 digests in order
LOGIN_URL, LOGIN_REDIRECT_URL, LOGOUT_REDIRECT_URL = "account_login", "/", "/"
ACCOUNT_ADAPTER = "accounts.adapter.SignupAdapter"
ACCOUNT_SIGNUP_FORM_CLASS = "accounts.joining_forms.SignupWishes"
TRUST_SIGNUP_OPEN = env.is_on("TRUST_SIGNUP_OPEN")
MFA_SUPPORTED_TYPES, MFA_TOTP_ISSUER = ["totp", "recovery_codes"], "TRUST"
MFA_TOTP_TOLERANCE = 0  # a code lives 30 seconds, also where a telephone's clock is off (OWASP ASVS 5.0, 6.5.5)
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_FORMS = {"authenticate": "accounts.forms.SignInCodeForm", "reauthenticate": "accounts.forms.SignInAgainCodeForm"}
MFA_ALLOW_UNVERIFIED_EMAIL = True  # people are invited; createsuperuser makes the first admin without a mail
ACCOUNT_SESSION_REMEMBER = False
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = env.get_text("TRUST_EMAIL_VERIFICATION", "mandatory" if PRODUCTION else "none")
# How many entries of X-Forwarded-For, from the right, our own proxies wrote; a stranger can forge all others.
ALLAUTH_TRUSTED_PROXY_COUNT = env.get_number("TRUST_PROXIES", 0)
ACCOUNT_PREVENT_ENUMERATION = True  # sign-up and reset answer alike whether or not the address has an account
ACCOUNT_RATE_LIMITS = {"login": "30/m/ip", "login_failed": "10/5m/key,30/5m/ip", "signup": "20/m/ip"}
EMAIL_BACKEND = env.get_text(
    "EMAIL_BACKEND",
    "trustweb.mail.GuardedBackend" if PRODUCTION else "django.core.mail.backends.console.EmailBackend",
)
EMAIL_HOST = env.get_text("EMAIL_HOST", "localhost")
EMAIL_PORT, EMAIL_USE_TLS, EMAIL_TIMEOUT = env.get_number("EMAIL_PORT", 25), env.is_on("EMAIL_USE_TLS"), 20
EMAIL_HOST_USER = env.get_text("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = env.get_text("EMAIL_HOST_PASSWORD", "")
TRUST_SITE_URL = env.get_text("TRUST_SITE_URL", "")  # what links in mails begin with (services/digests.py)
DEFAULT_FROM_EMAIL = env.get_text("DEFAULT_FROM_EMAIL", "trust@localhost")

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.api.authentication.TokenAuthentication",  # first: whoever is refused is told 401 and how to sign in
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["accounts.api.parsers.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "trustweb.docs.ScopedSchema",
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.LimitOffsetPagination",
    "PAGE_SIZE": 50,
    "DEFAULT_THROTTLE_CLASSES": [
        "accounts.api.throttles.AnonRateThrottle",
        "accounts.api.throttles.UserRateThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {"anon": "60/min", "user": "600/min", "commitments": "100/min"},
    "NUM_PROXIES": env.get_number("TRUST_PROXIES", 0),
    "STRICT_JSON": True,  # NaN and Infinity are no JSON (RFC 8259)
    "EXCEPTION_HANDLER": "auditing.api.errors.answer",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "TRUST",
    "DESCRIPTION": "Three-tier auditing of the reasoning of language models.",
    "VERSION": "1.0.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SCHEMA_PATH_PREFIX": "/api/v[0-9]+",
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "trustweb.docs.describe_refusals"],
    "ENUM_NAME_OVERRIDES": {"InclusionEnum": ["any", "only", "without"], "SeesEnum": ["segments only", "whole traces"]},
}

# Keys of the rooms: 32 bytes as hex; derived from SECRET_KEY in development only. None where production gives none.
CONTENT_MASTER_KEY = env.find_own_key("CONTENT_MASTER_KEY", SECRET_KEY)
CONTENT_MASTER_KEYS_BEFORE = env.get_keys("CONTENT_MASTER_KEYS_BEFORE")  # during a rotation: docs/guides/operating.md
BLOCK_STORE = env.get_choice("BLOCK_STORE", ["database", "files", "ipfs"])  # where stored texts lie (hdag/store/blocks)
BLOCK_STORES_BEFORE = env.get_list("BLOCK_STORES_BEFORE", [])  # where they may still lie (manage.py move_blocks)
BLOCK_DIR = Path(env.get_text("BLOCK_DIR", str(RUN_DIR / "blocks")))
IPFS_API_URL = env.get_text("IPFS_API_URL", "http://127.0.0.1:5001")
ERASURE_NEEDS_ADMIN = env.is_on("ERASURE_NEEDS_ADMIN", default=True)  # off: a provider's request is carried out
PSEUDONYM_KEY = env.find_own_key("PSEUDONYM_KEY", SECRET_KEY)
RECEIPT_KEY = env.find_key("RECEIPT_KEY")  # the web server's alone (trustweb/keys.py)
ANCHOR_BACKEND = env.get_choice("ANCHOR_BACKEND", ["none", "eth"])  # auditing/research/anchoring/chain; worker only
ANCHOR_RPC_URL, ANCHOR_KEY = env.get_text("ANCHOR_RPC_URL", ""), env.get_text("ANCHOR_KEY", "")
ANCHOR_CONTRACT, ANCHOR_CONFIRMATIONS = env.get_text("ANCHOR_CONTRACT", ""), env.get_number("ANCHOR_CONFIRMATIONS", 12)
CELERY_BEAT_SCHEDULE = schedule.periodic_tasks(is_anchoring=ANCHOR_BACKEND != "none", has_demo=not PRODUCTION)
LEDGER_ORIGIN = env.get_text("LEDGER_ORIGIN", "localhost/ledger/v1")
WITNESSES = env.get_list("WITNESSES", [])  # "URL" or "URL VKEY" each; asked by the sequencer
LEDGER_DIR = Path(env.get_text("LEDGER_DIR", str(RUN_DIR / "ledger")))
LEDGER_LATE_SECONDS = 60  # as long as a receipt promises: when merging is later, nothing new is promised
LEDGER_STATE_KEPT_SECONDS = 5  # pages look at most so often whether the ledger is signed
DISK_LEAST_FREE = env.get_number("DISK_LEAST_FREE_MB", 64) * 2**20  # with less room nothing new is promised

# Finished exports; web servers and workers share it.
EXPORT_DIR = Path(env.get_text("EXPORT_DIR", str(RUN_DIR / "exports")))
POLICY_LAB_TRIALS = 600  # right traces, and as many wrong ones, at each point of the policy lab's curves
# Public sets that studies read, one folder a set; whoever runs studies puts them there (docs/guides/research.md).
STUDY_DATA_DIR = Path(env.get_text("STUDY_DATA_DIR", str(RUN_DIR / "study-data")))

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N, USE_TZ = False, True

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.get_text("STATIC_ROOT", str(RUN_DIR / "staticfiles")))
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "trustweb.fonts.MathFontFinder",
]
COLLECTED = PRODUCTION or env.is_on("TRUST_MANIFEST")  # collectstatic has run
_plain = "django.contrib.staticfiles.storage.StaticFilesStorage"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "trustweb.static_files.HashedStaticFiles" if COLLECTED else _plain},
}
WHITENOISE_USE_FINDERS, WHITENOISE_KEEP_ONLY_HASHED_FILES = not COLLECTED, not DEBUG  # it names plain files
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_ADD_HEADERS_FUNCTION = content_policy.close_static_file

# Limits of one request, in bytes and counts: what a stranger may make this process hold in memory.
DATA_UPLOAD_MAX_MEMORY_SIZE = 12 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000
DATA_UPLOAD_MAX_NUMBER_FILES = 100
TRUST_UNKNOWN_PER_MINUTE = env.get_number("TRUST_UNKNOWN_PER_MINUTE", 30)  # 404 answers before 429
TRUST_MAX_TRACE_BYTES = env.get_number("TRUST_MAX_TRACE_BYTES", 2 * 1024 * 1024)

CONTENT_SECURITY_POLICY = {"DIRECTIVES": content_policy.ENFORCED}
CONTENT_SECURITY_POLICY_REPORT_ONLY = {"DIRECTIVES": content_policy.REPORTED}
# For browsers that do not read frame-ancestors of the policy above.
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_ENGINE = "accounts.models.session"
SESSION_SERIALIZER = "django.contrib.sessions.serializers.JSONSerializer"
SESSION_COOKIE_HTTPONLY, SESSION_COOKIE_SAMESITE = True, "Lax"
SESSION_COOKIE_AGE = 12 * 3600
CSRF_COOKIE_HTTPONLY = False  # htmx and the vote script send the token as a header
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "trustweb.middleware.failures.show_csrf_failure"
if PRODUCTION:
    # "__Host-": browsers take such a cookie only over HTTPS and for this very host, so that a neighbour under the same
    # domain cannot plant one (RFC 6265bis, section 4.1.3).
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = env.is_on("SECURE_SSL_REDIRECT", default=True)
    SECURE_REDIRECT_EXEMPT = [r"^healthz(/reading)?$"]
    # Two years; preload lists ask for one or more.
    SECURE_HSTS_SECONDS = env.get_number("SECURE_HSTS_SECONDS", 63_072_000)
    SECURE_HSTS_INCLUDE_SUBDOMAINS, SECURE_HSTS_PRELOAD = True, True
    # Only behind a proxy of ours: otherwise a stranger sends the header and plain HTTP passes for HTTPS.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.is_on("TRUST_BEHIND_PROXY") else None

LOGGING = logs.to_console(level=env.get_text("LOG_LEVEL", "INFO"))

if PRODUCTION:
    safety.check_production(globals())
