"""Azure's addresses with a version, as learn.microsoft.com/azure/ai-foundry/openai/reference says (read 2026-11-23).

POST .../openai/deployments/NAME/chat/completions?api-version=..., with the key in the header api-key.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from hdag.chat.address import AddressRefusedError, Origin, check_base_url
from hdag.chat.client import ChatClient
from hdag.chat.endpoint import EndpointSettings, EnvironmentKey
from hdag.chat.errors import NoAnswerError
from hdag.chat.question import Message, Question, closed_object
from tests.tools.patience import PATIENCE

VERSION = "2024-10-21"
DOOR = f"/openai/deployments/our-judge/chat/completions?api-version={VERSION}"
ASKED = Question("test", (Message("user", "How many?"),), closed_object({"number": {"type": "integer"}}))


class Azure(BaseHTTPRequestHandler):
    """Another address is a missing resource; a bearer that is no token of Entra, or another key, is refused."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        if self.path != DOOR:
            return self.answer(404, {"error": {"code": "404", "message": "Resource not found"}})
        if "Authorization" in self.headers or self.headers["api-key"] != "azure-secret":
            message = "Access denied due to invalid subscription key or wrong API endpoint."
            return self.answer(401, {"error": {"code": "401", "message": message}})
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": '{"number": 4}'}}
        usage = {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14}
        whole = {"id": "c", "object": "chat.completion", "created": 1, "model": "gpt-4o-2024-08-06"}
        return self.answer(200, {**whole, "choices": [choice], "usage": usage})

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *words):
        """Nothing."""


@pytest.fixture(scope="module")
def azure():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Azure)
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    yield server.server_port
    server.shutdown()
    serving.join()
    server.server_close()


def ask(monkeypatch, port, key):
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", key)
    url = f"http://127.0.0.1:{port}{DOOR}"  # as Azure's page shows it, to be copied
    held = EnvironmentKey("AZURE_OPENAI_API_KEY")
    endpoint = EndpointSettings("azure", url, "our-judge", key=held, timeout_seconds=PATIENCE, answers_as="*")
    with ChatClient(endpoint, allowed=frozenset({Origin("http", "127.0.0.1", port)})) as client:
        return client.ask(question=ASKED, account="test")


def test_a_deployment_is_asked_at_its_version_with_its_key(monkeypatch, azure):
    assert ask(monkeypatch, azure, "azure-secret").data == {"number": 4}


def test_a_wrong_key_is_said(monkeypatch, azure):
    with pytest.raises(NoAnswerError, match="refuses the key"):
        ask(monkeypatch, azure, "another")


def test_no_other_query_may_stand_in_an_address():
    check_base_url(url=f"https://ours.openai.azure.com/openai/deployments/d?api-version={VERSION}-preview")
    for query in ("api-version=1", f"api-version={VERSION}&key=1", "key=1"):
        with pytest.raises(AddressRefusedError, match="query"):
            check_base_url(url=f"https://ours.openai.azure.com/openai/deployments/d?{query}")
