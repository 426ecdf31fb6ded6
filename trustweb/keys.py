"""Which program may hold which secret; the keys of the embedded system, made once and readable by their owner only."""

import os
import secrets
from pathlib import Path

from trustweb import env

# Three keys in three programs, so that whoever takes over one of them can forge one kind of statement only: the web
# server can promise inclusion but sign no checkpoint, the sequencer can order leaves but open no sealed vote.
HOLDERS = {"LEDGER_SIGNING_KEY": "sequencer", "REVEAL_KEY": "revealer", "RECEIPT_KEY": "web"}
"""Each private key and the one program that may hold it."""
OPTIONAL = {"ANCHOR_KEY": "worker", "LEDGER_ML_DSA_KEY": "sequencer"}
"""Likewise, for keys that are never made by themselves."""
_TEXTS = frozenset({"CONTENT_MASTER_KEY", "PSEUDONYM_KEY"})
_SERVICES = frozenset({"DATABASE_URL", "REDIS_URL"})
NEEDS = {
    "migrate": frozenset({"DATABASE_OWNER_URL", "DATABASE_URL", "DATABASE_SEQUENCER_URL"}),
    "web": _SERVICES | _TEXTS | {"SECRET_KEY", "RECEIPT_KEY"},
    "worker": _SERVICES | _TEXTS,
    "beat": frozenset({"REDIS_URL"}),  # it only sends task messages: no text and no row ever passes through it
    # No key of texts: the sequencer orders hashes, and must not be able to read what they are hashes of.
    "sequencer": _SERVICES | {"LEDGER_SIGNING_KEY"},
    "revealer": _SERVICES | _TEXTS | {"REVEAL_KEY"},
}
"""The secrets of each program of a production that says which one it is (TRUST_PROGRAM); it is given no other."""
MAY_HOLD = {
    "web": frozenset({"CONTENT_MASTER_KEYS_BEFORE", "EMAIL_HOST_PASSWORD"}),
    "worker": frozenset({"CONTENT_MASTER_KEYS_BEFORE", "EMAIL_HOST_PASSWORD", "ANCHOR_KEY"}),
    "revealer": frozenset({"CONTENT_MASTER_KEYS_BEFORE"}),
    "sequencer": frozenset({"LEDGER_ML_DSA_KEY"}),
}
"""Secrets that a program may be given besides: while a master key is changed, for mail, a chain, a second signature."""
SECRETS = frozenset().union(*NEEDS.values(), *MAY_HOLD.values())
CALLERS = frozenset({"web", "worker"})
"""The programs that call models (the web server where an admin tries one); they alone are given endpoints' keys."""
_HELPERS = {
    "load_demo": NEEDS["worker"],
    "witness": frozenset[str](),
    "collectstatic": frozenset[str](),
    "warm": frozenset[str](),  # each program reads the real mode after its fork
}
"""What `serve` starts besides, and needs."""


def is_endpoint_key(name: str) -> bool:
    """Whether an environment variable may hold the key of a model's endpoint (hdag/chat/endpoint.py)."""
    return name.removesuffix("_FILE").endswith("_API_KEY")


def is_needless(program: str, name: str) -> bool:
    """Whether a variable holds a secret that this program has no use for; of an unknown program nothing is known."""
    needed = (NEEDS | _HELPERS).get(program)
    if is_endpoint_key(name):
        return program not in CALLERS
    secret = name.removesuffix("_FILE")
    return needed is not None and secret in SECRETS - needed - MAY_HOLD.get(program, frozenset())


# In development the keys of texts are derived from SECRET_KEY, so whoever reads texts must have the same one.
_DERIVING = frozenset(program for program, secrets_of in (NEEDS | _HELPERS).items() if secrets_of >= _TEXTS)


def ensure_key(run_dir: Path, name: str) -> Path:
    """File with 32 random bytes as 64 hexadecimal digits; made when absent, never replaced."""
    path = run_dir / "keys" / name.lower()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        # Written beside, synced, then renamed: a crash leaves no key or a whole one, never half of one. The mode is
        # set by open itself, because a chmod afterwards would leave a moment in which others could read the key.
        fresh = path.with_suffix(".new")
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32))
            file.flush()
            os.fsync(file.fileno())
        fresh.rename(path)
    return path


def environment_of(program: str, run_dir: Path, environment: dict[str, str]) -> dict[str, str]:
    """The environment with exactly those secrets that this program may hold."""
    # Remove all first, then add what is due: a key that is new in the tables is withheld from everybody by default.
    private = {variable for name in (*HOLDERS, *OPTIONAL) for variable in (name, f"{name}_FILE")}
    private |= {name for name in environment if is_needless(program, name)}
    if not env.is_production() and program in _DERIVING:
        private -= {"SECRET_KEY", "SECRET_KEY_FILE"}
    cleaned = {name: value for name, value in environment.items() if name not in private}
    if env.is_production() and program in NEEDS:
        cleaned["TRUST_PROGRAM"] = program  # so that it asks for its own secrets and for no others
    if program not in NEEDS and not _HELPERS.get(program, _TEXTS):
        cleaned["TRUST_MODE"] = "development"  # it serves nobody, and has none of the keys that production asks for
    for name, holder in (HOLDERS | OPTIONAL).items():
        if holder != program:
            continue
        inherited = {key: environment[key] for key in (name, f"{name}_FILE") if key in environment}
        # Handed on as a file: /proc/PID/environ and crash reports show variables, but not what a path leads to.
        made = {} if inherited or name in OPTIONAL else {f"{name}_FILE": str(ensure_key(run_dir, name))}
        cleaned |= inherited | made
    return cleaned
