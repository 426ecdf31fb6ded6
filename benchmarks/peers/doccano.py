"""doccano under gunicorn with as many workers as it starts by default, on its own SQLite file.

It hands nothing out: its page asks for the first example that is not confirmed. A vote is a category and a state.
"""

import contextlib
import http.client
import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.peers.installing import install, started

# The versions that load beside each other: what pip resolves alone does not start.
PACKAGES = ("doccano==1.8.4", "psycopg2-binary", "marshmallow<4", "setuptools<81")
ITEMS = 1_500
PASSWORD = "bench-pass-1"
Answer = tuple[int, dict[str, object]]


@dataclass
class Doccano:
    """What a client does over and over: ask for an unconfirmed example, say "pass", confirm it."""

    project: int
    label: int
    token: str
    name: str = "doccano"
    hands_out_once: bool = False
    turns: dict[int, int] = field(default_factory=dict)

    def cycle(self, web: http.client.HTTPConnection, client: int) -> str | None:
        """GET the example, POST category and state; None when an answer is not what was asked for."""
        base = f"/v1/projects/{self.project}/examples"
        status, page = ask(web, "GET", f"{base}?limit=1&offset=0&confirmed=false", None, self.token)
        rows = page.get("results")
        if status != 200 or not isinstance(rows, list) or not rows:
            return None
        key = rows[0]["id"]
        status, _ = ask(web, "POST", f"{base}/{key}/categories", {"label": self.label}, self.token)
        confirmed, _ = ask(web, "POST", f"{base}/{key}/states", {}, self.token)
        return str(key) if status == confirmed == 201 else None


def ask(web: http.client.HTTPConnection, method: str, path: str, body: object, token: str = "") -> Answer:
    """One request; (status, answer)."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Token {token}"} if token else {})
    web.request(method, path, None if body is None else json.dumps(body), headers)
    answer = web.getresponse()
    text = answer.read()
    return answer.status, json.loads(text) if text[:1] == b"{" else {}


@contextlib.contextmanager
def serve(place: Path, port: int) -> Iterator[tuple[Doccano, int]]:
    """The target and the process number of its server."""
    programs = install(place, *PACKAGES)
    backend = next((place / "venv" / "lib").glob("python*/site-packages/backend"))
    settings = {
        "DOCCANO_HOME": str(place / "home"),
        "DATABASE_URL": f"sqlite:///{place / 'doccano.db'}",
        "MEDIA_ROOT": str(place / "home" / "media"),
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "PYTHONPATH": str(backend),
        "STANDALONE": "True",
        "DEBUG": "False",
        "PYTHONWARNINGS": "ignore",
    }
    for words in (["init"], ["createuser", "--username", "admin", "--password", PASSWORD]):
        subprocess.run([programs / "doccano", *words], cwd=place, env={**os.environ, **settings}, check=True)
    workers = str(2 * (os.cpu_count() or 1) + 1)
    command: list[str | Path] = [programs / "gunicorn", "config.wsgi", "-b", f"127.0.0.1:{port}", "--workers", workers]
    with started(command, place, port, settings) as pid:
        web = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        _, signed_in = ask(web, "POST", "/v1/auth/login/", {"username": "admin", "password": PASSWORD})
        token = str(signed_in["key"])
        made = {
            "name": "bench",
            "description": "bench",
            "guideline": "",
            "project_type": "DocumentClassification",
            "resourcetype": "TextClassificationProject",
            "random_order": False,
            "collaborative_annotation": True,
            "single_class_classification": True,
            "tags": [],
        }
        _, project = ask(web, "POST", "/v1/projects", made, token)
        base = f"/v1/projects/{project['id']}"
        kind = {"text": "pass", "prefix_key": None, "suffix_key": "p", "background_color": "#209cee"}
        _, label = ask(web, "POST", f"{base}/category-types", {**kind, "text_color": "#ffffff"}, token)
        for number in range(ITEMS):
            status, _ = ask(web, "POST", f"{base}/examples", {"text": f"Segment {number} follows.", "meta": {}}, token)
            assert status == 201, status
        yield Doccano(int(str(project["id"])), int(str(label["id"])), token), pid
