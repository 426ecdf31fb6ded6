"""Reading the environment: every secret, address and switch of the system passes through here."""

import hashlib
import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

DEVELOPMENT_SECRET = "development-only-secret-key-never-for-production-0123456789"  # noqa: S105
_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off", ""})


def find_text(name: str) -> str | None:
    """Value of NAME, or the content of the file that NAME_FILE points at (container secrets), or None."""
    value = os.environ.get(name)
    if value:
        return value
    path = os.environ.get(f"{name}_FILE")
    if not path:
        return None
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(
            f"{name}_FILE points at {path}, which cannot be read ({error}). Mend the path."
        ) from error


def get_text(name: str, default: str) -> str:
    """Value of NAME or the default."""
    value = find_text(name)
    return default if value is None else value


def get_key(name: str, secret: str) -> bytes:
    """32 bytes from NAME as 64 hex digits; in development, derived from the application's secret."""
    text = find_text(name)
    if text is None:
        # The name is part of the hash, so that two keys derived from one secret are independent of each other;
        # "v1" is there so that another derivation could be told from this one.
        return hashlib.sha256(f"TRUST/{name}/v1/{secret}".encode()).digest()
    return _parse_key(name, text)


def find_own_key(name: str, secret: str) -> bytes | None:
    """The same; but in production nothing is derived: None for a program that was not given the key."""
    return find_key(name) if is_production() else get_key(name, secret)


def find_key(name: str) -> bytes | None:
    """32 bytes from NAME as 64 hex digits, or None: for a key that only some processes hold."""
    text = find_text(name)
    return None if text is None else _parse_key(name, text)


def get_keys(name: str) -> list[bytes]:
    """Several keys from NAME, comma-separated, each 64 hex digits; none when it is not set."""
    return [_parse_key(name, digits) for digits in get_list(name, [])]


def get_choice(name: str, choices: list[str]) -> str:
    """NAME, which must be one of `choices`; the first is the default."""
    value = get_text(name, choices[0])
    if value not in choices:
        raise ImproperlyConfigured(f"{name}={value!r} is unknown. Set it to one of: {', '.join(choices)}.")
    return value


def _parse_key(name: str, text: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""  # falls through to the one message below, which never repeats the text: it may be half a secret
    if len(key) != 32:
        raise ImproperlyConfigured(f"{name} must be 64 hexadecimal digits (32 bytes). Make one: openssl rand -hex 32")
    return key


def is_on(name: str, *, default: bool = False) -> bool:
    """Whether the switch NAME is on; anything but 1/0, true/false, yes/no, on/off is refused."""
    value = os.environ.get(name)  # set but empty means off
    if value is None:
        value = find_text(name)
    if value is None:
        return default
    if value.strip().lower() in _TRUE:
        return True
    if value.strip().lower() in _FALSE:
        return False
    raise ImproperlyConfigured(f"{name}={value!r} is neither on nor off. Set it to 1 or 0.")


def get_number(name: str, default: int) -> int:
    """Whole number NAME or the default."""
    value = find_text(name)
    if value is None:
        return default
    try:
        return int(value)
    except ValueError:
        raise ImproperlyConfigured(
            f"{name}={value!r} is not a whole number. Set it to one, for example {default}."
        ) from None


def get_list(name: str, default: list[str]) -> list[str]:
    """Comma-separated NAME or the default."""
    value = find_text(name)
    # Set but empty means "none", unset means the default: WITNESSES="" switches witnesses off.
    return list(default) if value is None else [entry.strip() for entry in value.split(",") if entry.strip()]


def is_production() -> bool:
    """Whether this process serves strangers: TRUST_MODE=production; `development` is the default."""
    mode = get_text("TRUST_MODE", "development")
    if mode not in {"development", "production"}:
        raise ImproperlyConfigured(f"TRUST_MODE={mode!r} is unknown. Set it to development or production.")
    return mode == "production"


def development_secret(run_dir: Path) -> str:
    """The secret that `serve` made in its run directory, or a public one."""
    return read_key(run_dir / "keys" / "secret_key") or DEVELOPMENT_SECRET


def read_key(path: Path) -> str:
    """Content of a key file that `serve` made, or nothing."""
    try:
        return path.read_text(encoding="ascii").strip()
    except OSError:
        return ""
