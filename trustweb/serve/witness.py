"""The witness that `serve` starts beside the ledger: its program, its name, and a port that stays the same."""

import socket
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2] / "auditing" / "verifier" / "witness.py"
NAME = "localhost/witness/self"


def find_port(run_dir: Path) -> int:
    """The port of the last start if it is free, else another one: the witness is known by its address."""
    kept = run_dir / "witness" / "port"
    before = int(kept.read_text(encoding="ascii")) if kept.exists() else 0
    port = _free(before) or _free(0)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(str(port), encoding="ascii")
    return port


def _free(port: int) -> int:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return 0
        return int(listener.getsockname()[1])
