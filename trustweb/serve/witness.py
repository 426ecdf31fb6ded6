"""The witness that `serve` starts beside the ledger: its program, its name, and a port that stays the same."""

import socket
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2] / "auditing" / "verifier" / "witness.py"
NAME = "localhost/witness/self"


def find_port(run_dir: Path) -> int:
    """The port of the last start if it is free, else another one: the witness is known by its address."""
    record = run_dir / "witness" / "port"
    before = int(record.read_text(encoding="ascii")) if record.exists() else 0
    port = _free(before) or _free(0)
    record.parent.mkdir(parents=True, exist_ok=True)
    record.write_text(str(port), encoding="ascii")
    return port


def _free(port: int) -> int:
    with socket.socket() as listener:
        # Without it the port of a witness that ended a moment ago counts as taken for a minute (TIME_WAIT).
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return 0
        return int(listener.getsockname()[1])  # asked for port 0, the kernel has chosen one
