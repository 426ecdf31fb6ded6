"""One audit through the services of docker-compose.yml, from `migrate` to proof and export (see containers.py)."""

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from benchmarks.faults.world import OPEN_AUDITS, OPEN_SEATS, SETUP, VOTES
from benchmarks.interop.containers import HOST, Image, World, wait_for

ADMIN = """
import json
from accounts.models import User
from accounts.services.tokens import make_token
print(json.dumps(make_token(user=User.objects.get(email="admin@example.org"), name="walk")[1]))
"""
COUNT = "from django.db import connection as c; k = c.cursor(); k.execute({!r}); print(k.fetchone()[0])"
SECRETS = "ls /run/secrets; touch /app/x /etc/x /x 2>/dev/null && echo WRITABLE; id -u"
CLIENT = {
    "Host": HOST,
    "X-Forwarded-Proto": "https",
    "X-Forwarded-For": "192.0.2.7",
    "Content-Type": "application/json",
}


def ask(path: str, body: Any = None, token: str = "") -> tuple[int, bytes]:
    """One request, as the TLS proxy in front would pass it on."""
    headers = CLIENT | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:8000/{path}", data, headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
    except OSError as error:
        return 0, str(error).encode()


def walk(image: Image, folder: Path) -> dict[str, Any]:
    """Start, submit, vote, record, prove, export; what was seen. The image is built already: here is no network."""
    world = World(image, folder)
    seen: dict[str, Any] = {}
    world.start_postgres()
    world.start_redis()
    migrated = world.run("migrate", *world.compose["services"]["migrate"]["command"])
    assert migrated.returncode == 0, migrated.stderr[:3000]
    for name in ("web", "worker", "beat", "witness", "sequencer", "revealer"):
        world.start(name)
    seen["web answers after s"] = round(wait_for(lambda: ask("healthz")[0] == 200, "health"), 1)
    test = world.compose["services"]["web"]["healthcheck"]["test"][1:]
    seen["health check of the container"] = world.run("web", *test).returncode
    seen["confined"] = {
        name: world.run(name, "sh", "-c", SECRETS).stdout.split() for name in ("web", "beat", "sequencer")
    }
    front = ask("")[1].decode()
    style = front.split('rel="stylesheet" href="/')[1].split('"')[0]
    seen["front page and its style"] = (ask("")[0], style, ask(style)[0])
    _audit(world, seen)
    _ledger(world, seen)
    _export(world, seen)
    checked = world.run("web", "python", "manage.py", "ledger_fsck")
    seen["ledger_fsck"] = (checked.returncode, (checked.stdout + checked.stderr).strip().splitlines()[-2:])
    seen["ended by themselves"] = {name: one.poll() for name, one in world.children.items() if one.poll() is not None}
    seen["said in the logs"] = world.say_errors()
    return seen


def _shell(world: World, code: str) -> Any:
    """Code in the web server's container, with the tests' people and voters beside it."""
    ran = world.run("web", "python", "manage.py", "shell", "-v", "0", "-c", code, tests=True)
    assert ran.returncode == 0, ran.stderr[-2_000:]
    return json.loads(ran.stdout.strip().splitlines()[-1])


def _audit(world: World, seen: dict[str, Any]) -> None:
    provider, *reviewers = _shell(world, SETUP)
    tokens = {f"reviewer{number}@example.org": token for number, token in enumerate(reviewers)}
    record = {"problem": "What is 7 + 2?", "steps": ["We add.", "7 + 2 = 9."], "answer": "It is 9."}
    seen["submitted"] = ask("api/v1/traces", record, provider)[0]
    votes: list[int] = []

    def recorded() -> bool:
        if _shell(world, COUNT.format(OPEN_SEATS)):
            for email, seat, body in _shell(world, VOTES.replace("LIMIT", "60")):
                votes.append(ask(f"api/v1/seats/{seat}/commitment", body, tokens[email])[0])
        return bool(_shell(world, COUNT.format(OPEN_AUDITS)) == 0)

    seen["recorded after s"] = round(wait_for(recorded, "the outcome", 240), 1)
    seen["votes"] = {code: votes.count(code) for code in set(votes)}


def _ledger(world: World, seen: dict[str, Any]) -> None:
    note = ask("ledger/v1/checkpoint")[1].decode()
    seen["checkpoint"] = note.splitlines()[:2]
    seen["signed by"] = [line.split()[1] for line in note.splitlines() if line.startswith("—")]
    seen["proof"] = ask("ledger/v1/proof/0.tlog-proof")[0]


def _export(world: World, seen: dict[str, Any]) -> None:
    admin = _shell(world, ADMIN)
    status, said = ask("api/v1/exports", {"dataset": "votes", "format": "jsonl"}, admin)
    job = json.loads(said)
    seen["export asked"] = status
    wait_for(lambda: json.loads(ask(f"api/v1/exports/{job['id']}", token=admin)[1])["state"] == "done", "the export")
    status, data = ask(f"api/v1/exports/{job['id']}/file", token=admin)
    seen["export taken"] = (status, len(data.splitlines()))
