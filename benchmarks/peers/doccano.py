"""doccano under gunicorn with as many workers as it starts by default, on the PostgreSQL that serves us and the floor.

It hands nothing out: its page asks for the first example that its reader has not confirmed, so that all people get the
same ones. A vote is a category and a state.
"""

import contextlib
import http.client
import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from benchmarks.peers.installing import install, started

# The versions that load beside each other: what pip resolves alone does not start.
PACKAGES, INSTEAD = ("doccano==1.8.4", "psycopg2-binary", "marshmallow<4", "setuptools<81"), ("pandas>=2.2,<2.3",)
ITEMS, PEOPLE = 1_500, 32
PASSWORD = "bench-pass-1"
Answer = tuple[int, dict[str, object]]
_PEOPLE = f"""
import json
from django.contrib.auth import get_user_model
from rest_framework.authtoken.models import Token
from roles.models import Role
users = [get_user_model().objects.create_user(f"a{{number}}") for number in range({PEOPLE})]
tokens = [Token.objects.create(user=user).key for user in users]
print(json.dumps([Role.objects.get(name="annotator").pk, [user.pk for user in users], tokens]))
"""


@dataclass
class Doccano:
    """What a client does over and over: ask for an unconfirmed example, say "pass", confirm it."""

    project: int
    label: int
    tokens: list[str]
    name: str = "doccano"
    hands_out_once: bool = False
    turns: dict[int, int] = field(default_factory=dict)

    def cycle(self, web: http.client.HTTPConnection, client: int) -> str | None:
        """GET the example, POST category and state; None when an answer is not what was asked for."""
        base, token = f"/v1/projects/{self.project}/examples", self.tokens[client % PEOPLE]
        status, page = ask(web, "GET", f"{base}?limit=1&offset=0&confirmed=false", None, token)
        rows = page.get("results")
        if status != 200 or not isinstance(rows, list) or not rows:
            return None
        key = rows[0]["id"]
        status, _ = ask(web, "POST", f"{base}/{key}/categories", {"label": self.label}, token)
        confirmed, _ = ask(web, "POST", f"{base}/{key}/states", {}, token)
        return str(key) if status == confirmed == 201 else None


def ask(web: http.client.HTTPConnection, method: str, path: str, body: object, token: str = "") -> Answer:
    """One request; (status, answer)."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Token {token}"} if token else {})
    web.request(method, path, None if body is None else json.dumps(body), headers)
    answer = web.getresponse()
    text = answer.read()
    return answer.status, json.loads(text) if text[:1] == b"{" else {}


@contextlib.contextmanager
def serve(place: Path, port: int, database_url: str) -> Iterator[tuple[Doccano, int]]:
    """The target and the process number of its server. database_url: of a server where it gets a database."""
    programs = install(place, *PACKAGES, instead=INSTEAD)
    backend = next((place / "venv" / "lib").glob("python*/site-packages/backend"))
    address = urlsplit(database_url).netloc.split("@")[-1]
    with psycopg.connect(f"postgres://postgres@{address}/postgres", autocommit=True) as connection:
        connection.execute("CREATE DATABASE doccano")
        host, database_port = connection.info.host, str(connection.info.port)
    settings = {
        "DOCCANO_HOME": str(place / "home"),
        # Its reader of addresses knows no socket in the file system; the driver's own variables do.
        "DATABASE_URL": "postgres://postgres@/doccano?sslmode=disable",
        "PGHOST": host,
        "PGPORT": database_port,
        "MEDIA_ROOT": str(place / "home" / "media"),
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "PYTHONPATH": str(backend),
        "STANDALONE": "True",
        "DEBUG": "False",
        "PYTHONWARNINGS": "ignore",
    }
    environment = {**os.environ, **settings}
    for words in (["init"], ["createuser", "--username", "admin", "--password", PASSWORD]):
        subprocess.run([programs / "doccano", *words], cwd=place, env=environment, check=True)
    shell: list[str | Path] = [programs / "python", backend / "manage.py", "shell", "-c", _PEOPLE]
    told = subprocess.run(shell, cwd=place, env=environment, check=True, capture_output=True, text=True).stdout
    role, people, tokens = json.loads(told.splitlines()[-1])
    workers = str(2 * (os.cpu_count() or 1) + 1)
    command: list[str | Path] = [programs / "gunicorn", "config.wsgi", "-b", f"127.0.0.1:{port}", "--workers", workers]
    with started(command, place, port, settings) as pid:
        web = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        _, signed_in = ask(web, "POST", "/v1/auth/login/", {"username": "admin", "password": PASSWORD})
        project, label = _project(web, str(signed_in["key"]), [{"user": key, "role": role} for key in people])
        yield Doccano(project, label, tokens), pid


def _project(web: http.client.HTTPConnection, token: str, members: list[dict[str, object]]) -> tuple[int, int]:
    """Keys of a project with members, and of its one category, its items in place."""
    made = {
        "name": "bench",
        "description": "bench",
        "guideline": "",
        "project_type": "DocumentClassification",
        "resourcetype": "TextClassificationProject",
        "random_order": False,
        "collaborative_annotation": False,
        "single_class_classification": True,
        "tags": [],
    }
    _, project = ask(web, "POST", "/v1/projects", made, token)
    base = f"/v1/projects/{project['id']}"
    for member in members:
        ask(web, "POST", f"{base}/members", member, token)
    kind = {"text": "pass", "prefix_key": None, "suffix_key": "p", "background_color": "#209cee"}
    _, label = ask(web, "POST", f"{base}/category-types", {**kind, "text_color": "#ffffff"}, token)
    for number in range(ITEMS):
        status, _ = ask(web, "POST", f"{base}/examples", {"text": f"Segment {number} follows.", "meta": {}}, token)
        assert status == 201, status
    return int(str(project["id"])), int(str(label["id"]))
