"""Label Studio as `label-studio start` serves it: its own server, its own SQLite file, one token a person."""

import contextlib
import http.client
import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.installing import install, started

PACKAGES = ("label-studio==1.23.2",)
ITEMS, PEOPLE = 3_000, 32
ADMIN = "0123456789abcdef0123456789abcdef01234567"
_INTERFACE = (
    '<View><Text name="text" value="$text"/><Choices name="verdict" toName="text" choice="single">'
    '<Choice value="pass"/><Choice value="fail"/></Choices></View>'
)
_RESULT = [{"from_name": "verdict", "to_name": "text", "type": "choices", "value": {"choices": ["pass"]}}]
_PEOPLE = f"""
from organizations.models import Organization, OrganizationMember
from rest_framework.authtoken.models import Token
from users.models import User
organization = Organization.objects.first()
organization.jwt.legacy_api_tokens_enabled = True
organization.jwt.save()
for number in range({PEOPLE}):
    user, _ = User.objects.get_or_create(email=f"a{{number}}@example.com", defaults=dict(username=f"a{{number}}"))
    user.active_organization = organization
    user.save()
    OrganizationMember.objects.get_or_create(user=user, organization=organization)
    Token.objects.filter(user=user).delete()
    Token.objects.create(user=user, key=f"{{number:040x}}")

"""  # the empty line ends the loop for an interactive console, which else forgets it


@dataclass
class LabelStudio:
    """What a client does over and over: ask for the next task, send an annotation."""

    project: int
    name: str = "label studio"
    hands_out_once: bool = False

    def cycle(self, web: http.client.HTTPConnection, client: int) -> str | None:
        """GET next, POST annotations; None when an answer is not what was asked for."""
        token = f"{client % PEOPLE:040x}"
        status, task = ask(web, "GET", f"/api/projects/{self.project}/next", None, token)
        if status != 200:
            return None
        vote = {"result": _RESULT, "lead_time": 3.2}
        status, _ = ask(web, "POST", f"/api/tasks/{task['id']}/annotations/?project={self.project}", vote, token)
        return str(task["id"]) if status == 201 else None


def ask(
    web: http.client.HTTPConnection, method: str, path: str, body: object, token: str
) -> tuple[int, dict[str, int]]:
    """One request with a token; (status, answer)."""
    headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
    web.request(method, path, None if body is None else json.dumps(body), headers)
    answer = web.getresponse()
    text = answer.read()
    return answer.status, json.loads(text) if text[:1] == b"{" else {}


@contextlib.contextmanager
def serve(place: Path, port: int, _: str) -> Iterator[tuple[LabelStudio, int]]:
    """The target and the process number of its server."""
    programs = install(place, *PACKAGES)
    settings = {
        "LABEL_STUDIO_BASE_DATA_DIR": str(place / "data"),
        "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
        "LABEL_STUDIO_USERNAME": "admin@example.com",
        "LABEL_STUDIO_PASSWORD": "bench-pass-1",
        "LABEL_STUDIO_USER_TOKEN": ADMIN,
        "COLLECT_ANALYTICS": "False",
        "LATEST_VERSION_CHECK": "False",
        "SENTRY_DSN": "",
        "FRONTEND_SENTRY_DSN": "",
        "LOG_LEVEL": "WARNING",
        "DEBUG": "False",
        "PYTHONWARNINGS": "ignore",
    }
    command: list[str | Path] = [programs / "label-studio", "start", "--no-browser", "--port", str(port)]
    with started([*command, "--internal-host", "127.0.0.1"], place, port, settings) as pid:
        subprocess.run(
            [programs / "label-studio", "shell"], input=_PEOPLE, text=True, check=True, cwd=place, env=settings
        )
        web = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        made = {"title": "bench", "label_config": _INTERFACE, "maximum_annotations": 1}
        _, project = ask(web, "POST", "/api/projects/", made, ADMIN)
        rows = [{"data": {"text": f"Segment {number} follows."}} for number in range(ITEMS)]
        status, _ = ask(web, "POST", f"/api/projects/{project['id']}/import", rows, ADMIN)
        assert status == 201, status
        target = LabelStudio(project["id"])
        assert target.cycle(web, 0) is not None, "its people may not vote: see server.log"
        yield target, pid
