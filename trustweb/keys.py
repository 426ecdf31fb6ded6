"""Keys of the embedded system: made once, kept in the run directory, readable by their owner only."""

import os
import secrets
from pathlib import Path

HOLDERS = {"LEDGER_SIGNING_KEY": "sequencer", "REVEAL_KEY": "revealer", "RECEIPT_KEY": "web"}
"""Each private key and the one program that may hold it."""
OPTIONAL = {"ANCHOR_KEY": "worker"}
"""Likewise, for keys that are never made by themselves."""


def ensure_key(run_dir: Path, name: str) -> Path:
    """File with 32 random bytes as 64 hexadecimal digits; made when absent, never replaced."""
    path = run_dir / "keys" / name.lower()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        fresh = path.with_suffix(".new")
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32))
            file.flush()
            os.fsync(file.fileno())
        fresh.rename(path)
    return path


def environment_of(program: str, run_dir: Path, environment: dict[str, str]) -> dict[str, str]:
    """The environment with exactly those private keys that this program may hold."""
    private = {variable for name in (*HOLDERS, *OPTIONAL) for variable in (name, f"{name}_FILE")}
    cleaned = {name: value for name, value in environment.items() if name not in private}
    for name, holder in (HOLDERS | OPTIONAL).items():
        if holder != program:
            continue
        given = {key: environment[key] for key in (name, f"{name}_FILE") if key in environment}
        made = {} if given or name in OPTIONAL else {f"{name}_FILE": str(ensure_key(run_dir, name))}
        cleaned |= given | made
    return cleaned
