"""Try the bad inputs that an address is enough for, and say of each whether the instance holds.

    python -m benchmarks.attack http://127.0.0.1:8000

Meant for an instance of one's own: it signs in with the demo's logins unless others are given, hands in some traces and
takes seats. Ends with 1 when something did not hold.
"""

import argparse
import sys
from collections.abc import Callable

import httpx

from benchmarks.attack import members, strangers
from benchmarks.attack.visitor import AttackHitError, AttackSkippedError, Login, Target

_DEMO = "trust-the-steps"


def main() -> int:
    """Run every attack once."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("url")
    for role, email in (
        ("provider", "provider@demo.example"),
        ("reviewer", "reviewer1@demo.example"),
        ("other-reviewer", "reviewer2@demo.example"),
        ("admin", "admin@demo.example"),
    ):
        reader.add_argument(f"--{role}", default=f"{email}:{_DEMO}", help="address:password")
    reader.add_argument("--only", type=int, nargs="*", default=[], help="numbers of docs/threats.md")
    given = reader.parse_args()
    target = Target(
        given.url.rstrip("/"),
        _login(given.provider),
        (_login(given.reviewer), _login(given.other_reviewer)),
        _login(given.admin),
    )
    return attack(target, given.only)


def attack(target: Target, only: list[int]) -> int:
    """Say what held; 1 when something did not, 2 when nothing could be tried."""
    firsts = sorted({**strangers.ATTACKS, **members.ATTACKS}.items())
    lasts = sorted({**strangers.LAST, **members.LAST}.items())
    verdicts: list[str] = []
    for number, try_it in [*firsts, *lasts]:
        if not only or number in only:
            verdicts.append(_verdict(target, number, try_it))
    counts = {word: verdicts.count(word) for word in ("holds", "skipped", "FALLS")}
    print(f"{counts['holds']} hold, {counts['FALLS']} fall, {counts['skipped']} skipped.")
    return 1 if counts["FALLS"] else 0 if counts["holds"] else 2


def _verdict(target: Target, number: int, try_it: Callable[[Target], None]) -> str:
    title = (try_it.__doc__ or "").strip().rstrip(".")
    try:
        try_it(target)
    except AttackSkippedError as reason:
        verdict, because = "skipped", f": {reason}"
    except AttackHitError as hit:
        verdict, because = "FALLS", f": {hit}"
    except httpx.HTTPError as error:
        verdict, because = "FALLS", f": the connection broke ({type(error).__name__}: {error})"
    else:
        verdict, because = "holds", ""
    finally:
        target.forget()
    print(f"{verdict:<8} {title}{because}", flush=True)
    return verdict


def _login(text: str) -> Login:
    email, _, password = text.partition(":")
    return Login(email, password)


if __name__ == "__main__":
    sys.exit(main())
