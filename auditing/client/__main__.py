"""Hand a file of traces in from a shell: TRUST_TOKEN=trust_... python -m auditing.client hand-in FILE --base URL.

It prints a JSON line for each record as the server answers; the exit code is 1 where a record was refused.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import httpx

from auditing.client.session import ApiError, TrustClient

OPTIONS = ("campaign", "kind", "preset", "tags", "decomposer")
TIMEOUT = 600.0  # seconds: the server reads the whole file before its first line


def main(arguments: Sequence[str]) -> int:
    """The exit code: 0, 1 with refused records, 2 where the file was refused as a whole or never arrived."""
    asked = _parser().parse_args(arguments)
    # Not an argument: whoever lists the processes of a machine would read it.
    token = os.environ.get("TRUST_TOKEN", "")
    if not token:
        print("TRUST_TOKEN holds no token; it is made on API tokens.", file=sys.stderr)
        return 2
    options = {name: value for name in OPTIONS if (value := getattr(asked, name))}
    options |= {name: "true" for name in ("whole_to_models", "dry_run") if getattr(asked, name)}
    last: dict[str, object] = {}
    try:
        with TrustClient(base=asked.base, token=token, timeout=TIMEOUT) as client:
            for last in client.submit_file(path=asked.file, **options):
                print(json.dumps(last, ensure_ascii=False), flush=True)
    except (ApiError, httpx.HTTPError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    if "opened" not in last:
        print("The answer ended before its last line: send the file again.", file=sys.stderr)
        return 2
    return 1 if last.get("refused") else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m auditing.client")
    commands = parser.add_subparsers(required=True)
    hand_in = commands.add_parser("hand-in", help="hand in JSON lines, a document, an .eval log or a zip of such files")
    hand_in.add_argument("file", type=Path)
    hand_in.add_argument("--base", required=True, help="address of the server, as http://127.0.0.1:8000")
    for name in OPTIONS:
        hand_in.add_argument(f"--{name}", default="")
    hand_in.add_argument("--whole-to-models", action="store_true")
    hand_in.add_argument("--dry-run", action="store_true", help="say what would happen, and store nothing")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
