"""One audit through the services of docker-compose.yml, from `migrate` to proof and export (see containers.py)."""

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from benchmarks.faults.town import OPEN_AUDITS, OPEN_SEATS, SETUP, VOTES
from benchmarks.interop.containers import HOST, Image, Town, wait_for

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
    town = Town(image, folder)
    seen: dict[str, Any] = {}
    town.start_postgres()
    town.start_redis()
    migrated = town.run("migrate", *town.compose["services"]["migrate"]["command"])
    assert migrated.returncode == 0, migrated.stderr[:3000]
    for name in ("web", "worker", "beat", "witness", "sequencer", "revealer"):
        town.start(name)
    seen["web answers after s"] = round(wait_for(lambda: ask("healthz")[0] == 200, "health"), 1)
    test = town.compose["services"]["web"]["healthcheck"]["test"][1:]
    seen["health check of the container"] = town.run("web", *test).returncode
    seen["confined"] = {
        name: town.run(name, "sh", "-c", SECRETS).stdout.split() for name in ("web", "beat", "sequencer")
    }
    front = ask("")[1].decode()
    style = front.split('rel="stylesheet" href="/')[1].split('"')[0]
    seen["front page and its style"] = (ask("")[0], style, ask(style)[0])
    _audit(town, seen)
    _ledger(town, seen)
    _export(town, seen)
    checked = town.run("web", "python", "manage.py", "ledger_fsck")
    seen["ledger_fsck"] = (checked.returncode, (checked.stdout + checked.stderr).strip().splitlines()[-2:])
    seen["ended by themselves"] = {name: one.poll() for name, one in town.children.items() if one.poll() is not None}
    seen["said in the logs"] = town.say_errors()
    return seen


def _shell(town: Town, code: str) -> Any:
    """Code in the web server's container, with the tests' people and voters beside it."""
    ran = town.run("web", "python", "manage.py", "shell", "-v", "0", "-c", code, tests=True)
    assert ran.returncode == 0, ran.stderr[-2_000:]
    return json.loads(ran.stdout.strip().splitlines()[-1])


def _audit(town: Town, seen: dict[str, Any]) -> None:
    provider, *reviewers = _shell(town, SETUP)
    tokens = {f"reviewer{number}@example.org": token for number, token in enumerate(reviewers)}
    record = {"problem": "What is 7 + 2?", "steps": ["We add.", "7 + 2 = 9."], "answer": "It is 9."}
    seen["submitted"] = ask("api/v1/traces", record, provider)[0]
    votes: list[int] = []

    def recorded() -> bool:
        if _shell(town, COUNT.format(OPEN_SEATS)):
            for email, seat, body in _shell(town, VOTES.replace("LIMIT", "60")):
                votes.append(ask(f"api/v1/seats/{seat}/commitment", body, tokens[email])[0])
        return bool(_shell(town, COUNT.format(OPEN_AUDITS)) == 0)

    seen["recorded after s"] = round(wait_for(recorded, "the outcome", 240), 1)
    seen["votes"] = {code: votes.count(code) for code in set(votes)}


def _ledger(town: Town, seen: dict[str, Any]) -> None:
    note = ask("ledger/v1/checkpoint")[1].decode()
    seen["checkpoint"] = note.splitlines()[:2]
    seen["signed by"] = [line.split()[1] for line in note.splitlines() if line.startswith("—")]
    seen["proof"] = ask("ledger/v1/proof/0.tlog-proof")[0]


def _export(town: Town, seen: dict[str, Any]) -> None:
    admin = _shell(town, ADMIN)
    status, said = ask("api/v1/exports", {"dataset": "votes", "format": "jsonl"}, admin)
    job = json.loads(said)
    seen["export asked"] = status
    wait_for(lambda: json.loads(ask(f"api/v1/exports/{job['id']}", token=admin)[1])["state"] == "done", "the export")
    status, data = ask(f"api/v1/exports/{job['id']}/file", token=admin)
    seen["export taken"] = (status, len(data.splitlines()))
