"""Potato (potato-annotation): Flask with its state in memory, as `potato start` serves it.

The next item is the page that its front end asks for; a vote is the JSON that its front end sends.
"""

import contextlib
import http.client
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.peers.installing import install, started

PACKAGES = ("potato-annotation==2.12.1",)
ITEMS = 6_000
_ID = re.compile(rb'id="instance_id"[^>]*value="([^"]+)"|name="instance_id"[^>]*value="([^"]+)"')
_CONFIGURATION = """\
annotation_task_name: bench
task_dir: .
server_name: potato
port: {port}
output_annotation_dir: out/
output_annotation_format: json
data_files: [items.jsonl]
item_properties: {{id_key: id, text_key: text}}
user_config: {{allow_all_users: true, users: []}}
require_password: false
alert_time_each_instance: 10000000
assignment_strategy: fixed_order
max_annotations_per_item: 1
max_annotations_per_user: 100000
annotation_schemes:
  - annotation_type: radio
    name: verdict
    description: Is the segment right?
    labels: [pass, fail]
site_dir: default
"""


@dataclass
class Potato:
    """What a client does over and over: look at the next item, mark it as right."""

    name: str = "potato"
    hands_out_once: bool = False  # it gives the same item to several people
    cookies: dict[int, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    shown: dict[int, str] = field(default_factory=dict)

    def cycle(self, web: http.client.HTTPConnection, client: int) -> str | None:
        """The page of the next item, then the vote; None when an answer is not what was asked for."""
        if client not in self.shown:
            form = urlencode({"email": f"u{client}", "pass": ""})
            self._ask(web, client, "POST", "/auth", form, "application/x-www-form-urlencoded")
            status, page = self._ask(web, client, "GET", "/annotate")
        else:
            move = json.dumps({"action": "next_instance", "instance_id": self.shown[client]})
            status, page = self._ask(web, client, "POST", "/annotate", move, "application/json")
        match = _ID.search(page)
        if status != 200 or match is None:
            return None
        self.shown[client] = item = next(group for group in match.groups() if group).decode()
        vote = {"instance_id": item, "annotations": {"verdict:::pass": "pass"}, "span_annotations": []}
        status, body = self._ask(web, client, "POST", "/updateinstance", json.dumps(vote), "application/json")
        return item if status == 200 and json.loads(body).get("status") == "success" else None

    def _ask(
        self, web: http.client.HTTPConnection, client: int, method: str, path: str, body: str = "", kind: str = ""
    ) -> tuple[int, bytes]:
        cookies = self.cookies[client]
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())} if cookies else {}
        web.request(method, path, body or None, headers | ({"Content-Type": kind} if kind else {}))
        answer = web.getresponse()
        for line in answer.msg.get_all("Set-Cookie", []):
            name, _, value = line.partition(";")[0].partition("=")
            cookies[name] = value
        return answer.status, answer.read()


@contextlib.contextmanager
def serve(place: Path, port: int, _: str) -> Iterator[tuple[Potato, int]]:
    """The target and the process number of its server."""
    programs = install(place, *PACKAGES)
    rows = (json.dumps({"id": f"s{number}", "text": f"Segment {number} follows."}) for number in range(ITEMS))
    (place / "items.jsonl").write_text("\n".join(rows) + "\n")
    (place / "task.yaml").write_text(_CONFIGURATION.format(port=port))
    command: list[str | Path] = [programs / "potato", "start", "task.yaml", "--host", "127.0.0.1", "-p", str(port)]
    with started(command, place, port, {}) as pid:
        yield Potato(), pid
