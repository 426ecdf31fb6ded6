"""`manage.py serve`: one command, no orphan, the data kept."""

import contextlib
import hashlib
import http.client
import re
import signal
import socket
import subprocess
import urllib.parse
import urllib.request

import psutil
import pytest

from tests.tools import system
from tests.tools.patience import PATIENCE, wait_for
from tests.tools.sweeping import sampled
from trustweb.serve.postgres import forget_dead_server

PROGRAMS = {  # words of each program's title, and the private key that it holds
    "trustweb.serve.warm": set(),
    "trustweb.serve.web": {"receipt_key"},
    "-A trustweb worker": set(),
    "-A trustweb beat": set(),
    "manage.py sequencer": {"ledger_signing_key"},
    "manage.py revealer": {"reveal_key"},
}


@pytest.fixture(scope="module")
def run_dir(tmp_path_factory):
    return tmp_path_factory.mktemp("serve")


@pytest.fixture(scope="module")
def used_run_dir(run_dir):
    """A run directory in which a system has run, also where a test runs alone."""
    if not (run_dir / "logs" / "migrate.log").exists():
        with system.started_system(run_dir, "--empty"):
            pass
    return run_dir


@pytest.fixture(scope="module")
def running(run_dir):
    (run_dir / f"demo-{hashlib.sha256(b'embedded').hexdigest()[:12]}").touch()  # as after a start that loaded the demo
    with system.started_system(run_dir, "--empty", TRUST_MANIFEST="1") as running:
        yield running


def is_healthy(url):
    try:
        with urllib.request.urlopen(f"{url}/healthz", timeout=PATIENCE) as answer:
            return answer.status == 200
    except OSError:
        return False


def test_scripts_and_styles_are_named_by_digest_and_sent_compressed(running):
    def fetch(address):
        request = urllib.request.Request(f"{running.url}{address}", headers={"Accept-Encoding": "br"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.headers, answer.read()

    page = fetch("/accounts/login/")[1].decode()
    files = re.findall(r'(?:href|src)="(/static/(?:css|js|django_htmx)/[^"]+)"', page)
    sent = [fetch(file)[0] for file in files]
    assert len(sent) > 6
    assert {answer.get("Content-Encoding") for answer in sent if int(answer["Content-Length"]) > 500} == {"br"}
    assert all("immutable" in answer["Cache-Control"] for answer in sent)


def test_a_start_says_the_demo_logins(running):
    running.read_until("consumer@demo.example")
    assert sum("@demo.example" in line for line in running.lines) == 8


def read_memory(process):
    """Everything that the process can write to: what it was told, what it has read, what it has forgotten."""
    with open(f"/proc/{process.pid}/maps") as maps, open(f"/proc/{process.pid}/mem", "rb") as memory:
        for line in maps:
            span, rights, *_ = line.split()
            if rights.startswith("rw") and "[v" not in line:
                start, end = (int(bound, 16) for bound in span.split("-"))
                memory.seek(start)
                yield memory.read(end - start)


def test_a_private_key_reaches_its_one_holder_only(running, run_dir):
    """Programs are forks of one parent: neither it nor another program has seen a key, or where it lies."""
    names = set().union(*PROGRAMS.values())
    signs = {name: [f"keys/{name}".encode(), (run_dir / "keys" / name).read_bytes()] for name in names}
    held = {words: set() for words in PROGRAMS}
    for words, keys in held.items():
        for memory in read_memory(running.find(words)):
            keys |= {name for name in names if any(sign in memory for sign in signs[name])}
    assert held == PROGRAMS


def test_a_killed_program_comes_back(running):
    running.find("trustweb.serve.web").kill()
    running.read_until("web ended (code -9)")
    assert is_healthy(running.url)  # the socket stayed open: the request waited for the new process


def test_a_killed_parent_takes_its_programs_along_and_all_come_back(running):
    running.find("trustweb.serve.warm").kill()
    running.read_until("web ended")
    assert is_healthy(running.url)
    for words in PROGRAMS:
        assert running.find(words).is_running()


def test_a_killed_database_comes_back_at_the_same_address(running):
    running.find("bin/postgres").kill()
    running.read_until("PostgreSQL ended; started again")
    wait_for(lambda: is_healthy(running.url))


def test_ctrl_c_leaves_no_process(running):
    below = running.processes()
    assert len(below) > 8  # both services and their helpers, web, worker, beat
    assert running.end(signal.SIGINT) == 0
    assert system.wait_until_gone(below) == []


@pytest.mark.parametrize("number", sampled([signal.SIGKILL, signal.SIGTERM], one_in=2))
def test_a_stopped_system_leaves_no_process_and_keeps_its_data(used_run_dir, number):
    with system.started_system(used_run_dir, "--empty") as running:
        below = running.processes()
        running.end(number)
        assert system.wait_until_gone(below) == []
    assert "No migrations to apply" in (used_run_dir / "logs" / "migrate.log").read_text()


def test_a_production_starts_from_its_keys_without_a_demo_and_answers_its_own_name_only(run_dir):
    keys = ("CONTENT_MASTER_KEY", "LEDGER_SIGNING_KEY", "PSEUDONYM_KEY", "RECEIPT_KEY", "REVEAL_KEY", "SECRET_KEY")
    given = {name: hashlib.sha256(name.encode()).hexdigest() for name in keys}
    given |= {"TRUST_MODE": "production", "TRUST_BEHIND_PROXY": "1", "LEDGER_ORIGIN": "trust.example/ledger/v1"}
    given |= {"ALLOWED_HOSTS": "trust.example"}
    (run_dir / "production").mkdir()
    with system.started_system(run_dir / "production", TRUST_MANIFEST="1", **given) as running:
        statuses = [status_of(running.url, host) for host in ("trust.example", "localhost")]
    assert statuses == [200, 400]
    logs = {path.stem: path.read_text() for path in (run_dir / "production" / "logs").glob("*.log")}
    assert "Invalid HTTP_HOST header: 'localhost'" in logs["web"]
    assert [name for name, text in logs.items() if "Traceback" in text] == []


def status_of(url, host):
    """The status of /healthz for a visitor of `host`, as a TLS proxy passes him on."""
    address = urllib.parse.urlsplit(url)
    with contextlib.closing(http.client.HTTPConnection(address.hostname, address.port, timeout=PATIENCE)) as web:
        web.request("GET", "/healthz", headers={"Host": host, "X-Forwarded-Proto": "https"})
        return web.getresponse().status


def test_a_tree_killed_whole_starts_again_at_once(run_dir):
    with system.started_system(run_dir, "--empty") as running:
        for process in running.processes():
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        running.end(signal.SIGKILL)
        with system.started_system(run_dir, "--empty") as again:
            wait_for(lambda: is_healthy(again.url))  # ill until a worker has answered, where none did for minutes


@pytest.mark.parametrize("state", ["zombie", "another program", "nobody"])
def test_the_note_of_a_dead_server_is_forgotten(tmp_path, state):
    note = tmp_path / "postmaster.pid"
    with subprocess.Popen(["true"] if state == "zombie" else ["sleep", "600"], cwd="/") as child:
        if state == "zombie":
            wait_for(lambda: psutil.Process(child.pid).status() == psutil.STATUS_ZOMBIE)
        if state == "nobody":
            child.kill()
            child.wait()
        note.write_text(f"{child.pid}\n{tmp_path}\n")
        forget_dead_server(tmp_path)
        child.kill()
    assert not note.exists()


def test_the_note_of_a_server_that_lives_is_left_alone(tmp_path):
    note = tmp_path / "postmaster.pid"
    with subprocess.Popen(["sleep", "600"], cwd=tmp_path) as child:
        note.write_text(f"{child.pid}\n{tmp_path}\n")
        forget_dead_server(tmp_path)
        child.kill()
    assert note.exists()


def test_a_port_in_use_is_said_in_one_sentence(run_dir):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = system.run_command("serve", "--port", port, run_dir=run_dir)
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"Port {port} on 127.0.0.1 cannot be used")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("DATABASE_URL", "nonsense", "DATABASE_URL is no address of a PostgreSQL database"),
        ("DATABASE_URL", "postgres://me@127.0.0.1:1/none", "DATABASE_URL leads to no PostgreSQL"),
        ("REDIS_URL", "http://nowhere", "REDIS_URL is no address of a Redis"),
        ("REDIS_URL", "redis://127.0.0.1:1/0", "REDIS_URL leads to no Redis"),
    ],
)
def test_a_broken_address_is_said_in_one_sentence(run_dir, name, value, sentence):
    ended = system.run_command("serve", "--port", str(system.find_free_port()), run_dir=run_dir, **{name: value})
    assert ended.returncode == 1
    assert ended.stderr.startswith(sentence)
    assert ended.stderr.count("\n") == 1
