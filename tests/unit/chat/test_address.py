"""Where a model may live (docs/threats.md 45)."""

import urllib.error

import pytest

from hdag.chat.address import (
    check_base_url,
    check_leads_outside,
    leads_elsewhere,
    read_allowlist,
    resolve_checked,
)
from hdag.chat.client import ChatClient
from hdag.chat.endpoint import EndpointSettings
from hdag.chat.errors import AddressRefusedError, Failure, NoAnswerError
from hdag.chat.outgoing import connect_named, guarded_opener
from hdag.chat.question import Message, Question
from tests.tools.patience import PATIENCE
from trustweb.mail import GuardedBackend

LISTED = read_allowlist("http://127.0.0.1:8000, http://models.internal:8000")


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest",
        "https://169.254.169.254",
        "http://localhost:6379",
        "https://127.0.0.1",
        "file:///etc/passwd",
        "gopher://example.org",
        "ftp://example.org",
        "//example.org",
        "example.org",
        "",
        "http://[::1]",
        "https://[::1]",
        "https://[::ffff:127.0.0.1]",
        "https://[fe80::1]",
        "https://[64:ff9b::7f00:1]",
        "https://0x7f000001",
        "https://2130706433",
        "https://127.1",
        "https://0177.0.0.1",
        "https://127.0.0.1.",
        "https://user:pass@example.org",
        "https://example.org@127.0.0.1",
        "https://example.org#@127.0.0.1",
        "https://example.org?x=1",
        "https://exam ple.org",
        "https://example.org\\@evil.example",
        "https://exämple.org",
        "https://example.org:99999",
        "https://-bad.example",
        "https://example.org/%0d%0aHost:x\r\n",
        "https://%31.example",
        "http://example.org",
        "http://127.0.0.1:8001",
        "https://10.0.0.5",
        "https://192.168.1.1",
        "https://100.64.0.1",
        "https://224.0.0.1",
        "https://0.0.0.0",
        "https://255.255.255.255",
        "https://[::127.0.0.1]/",
        "https://[::7f00:1]",
        "https://[::ffff:0:127.0.0.1]",
        "https://[64:ff9b:1::7f00:1]",
        "https://[2002:7f00:1::]",
        "https://[2001:0:7f00:1::]",
        "https://[2606:4700::5efe:127.0.0.1]",
        "https://[100::1]",
        "https://[2001:db8::1]",
        "https://[3fff::1]",
        "https://[5f00::1]",
        "https://[fec0::1]",
        "https://[ff02::1]",
        "https://[::]",
        "https://198.18.0.1",
        "https://192.0.0.170",
        "https://192.88.99.1",
        "https://203.0.113.7",
        "https://240.0.0.1",
        "https://localhost",
        "https://localhost.",
        "https://LOCALHOST/v1",
        "https://api.localhost",
        "https://redis",
        "https://printer.local",
        "https://metadata.google.internal",
        "https://router.home.arpa",
    ],
)
def test_an_odd_or_inner_address_is_refused(url):
    with pytest.raises(AddressRefusedError):
        check_base_url(url=url, allowed=LISTED)


@pytest.mark.parametrize("url", ["https://api.example.org/v1", "http://127.0.0.1:8000/v1", "https://8.8.8.8/v1"])
def test_public_and_listed_addresses_are_allowed(url):
    assert check_base_url(url=url, allowed=LISTED).host in url


@pytest.mark.parametrize(
    "ip",
    [
        "127.0.0.1",
        "10.1.2.3",
        "169.254.169.254",
        "::1",
        "fd00::1",
        "::ffff:10.0.0.1",
        "0.0.0.0",
        "::127.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "2002:a9fe:a9fe::1",
        "fe80::1%eth0",
    ],
)
def test_a_public_name_that_leads_inside_is_refused(ip):
    origin = check_base_url(url="https://api.example.org")
    with pytest.raises(AddressRefusedError, match="not a public address"):
        resolve_checked(origin=origin, allowed=LISTED, resolve=lambda host, port: ["8.8.8.8", ip])


def test_a_listed_name_may_lead_inside_but_never_to_link_local():
    origin = check_base_url(url="http://models.internal:8000", allowed=LISTED)
    assert resolve_checked(origin=origin, allowed=LISTED, resolve=lambda *_: ["10.0.0.9"]) == "10.0.0.9"
    with pytest.raises(AddressRefusedError, match="never called"):
        resolve_checked(origin=origin, allowed=LISTED, resolve=lambda *_: ["169.254.169.254"])


def test_a_name_that_rebinds_gains_nothing(server, monkeypatch):
    """The address that was checked is the one that is called: after the check no other lookup takes place."""
    answers = iter([["8.8.8.8"], ["127.0.0.1"]])
    origin = check_base_url(url="https://api.example.org")
    assert resolve_checked(origin=origin, allowed=frozenset(), resolve=lambda *_: next(answers)) == "8.8.8.8"
    with pytest.raises(AddressRefusedError):
        resolve_checked(origin=origin, allowed=frozenset(), resolve=lambda *_: next(answers))


def test_the_client_checks_every_connection(server, allowed, monkeypatch):
    import hdag.chat.address as address

    monkeypatch.setattr(address, "_resolve", lambda host, port: ["169.254.169.254"])
    question = Question("test", (Message("user", "hi"),), {"type": "object"})
    client = ChatClient(EndpointSettings("e", "https://api.example.org/v1", "m"), allowed=allowed)
    with pytest.raises(NoAnswerError) as caught:
        client.ask(question=question, account="a")
    assert caught.value.failure is Failure.REFUSED_ADDRESS


def test_an_unlisted_loopback_server_gets_no_call(server):
    question = Question("test", (Message("user", "hi"),), {"type": "object"})
    client = ChatClient(EndpointSettings("e", server.url("unlisted"), "m"))
    with pytest.raises(NoAnswerError) as caught:
        client.ask(question=question, account="a")
    assert caught.value.failure is Failure.REFUSED_ADDRESS
    assert server.stats("unlisted")["calls"] == 0


@pytest.mark.parametrize(
    "ip", ["::a9fe:a9fe", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::", "::"]
)
def test_a_listed_name_may_not_lead_to_link_local_in_disguise(ip):
    origin = check_base_url(url="http://models.internal:8000", allowed=LISTED)
    with pytest.raises(AddressRefusedError, match="never called"):
        resolve_checked(origin=origin, allowed=LISTED, resolve=lambda *_: [ip])


def test_the_form_refuses_what_a_call_would_refuse():
    with pytest.raises(AddressRefusedError, match="not a public address"):
        check_leads_outside(url="https://api.example.org", resolve=lambda *_: ["8.8.8.8", "10.0.0.1"])
    check_leads_outside(url="https://api.example.org", resolve=lambda *_: ["8.8.8.8"])


def test_the_form_takes_a_name_that_has_no_address_yet_and_waits_for_no_resolver():
    check_leads_outside(url="https://api.example.org", resolve=lambda *_: [])


@pytest.mark.parametrize(
    ("before", "after", "elsewhere"),
    [
        ("https://a.example/v1", "https://A.example:443/v2/", False),
        ("https://a.example", "https://b.example", True),
        ("https://a.example", "https://a.example.evil.example", True),
        ("https://a.example", "http://a.example", True),
        ("https://a.example", "https://a.example:8443", True),
        ("nonsense", "https://a.example", True),
    ],
)
def test_another_scheme_host_or_port_is_another_server(before, after, elsewhere):
    assert leads_elsewhere(before=before, after=after) is elsewhere


@pytest.mark.parametrize("address", ["169.254.169.254", "::ffff:169.254.169.254", "::", "0.0.0.0", "ff02::1"])
def test_what_the_operator_names_is_judged_too_and_the_judged_address_is_called(address):
    with pytest.raises(OSError, match="never called"):
        connect_named((address, 25), 1.0)


def test_a_witness_and_the_mail_server_are_called_through_the_guard(monkeypatch, server):
    monkeypatch.setattr("hdag.chat.address._resolve", lambda host, port: ["169.254.169.254"])
    with pytest.raises(urllib.error.URLError, match="never called"):
        guarded_opener().open(server.origin, timeout=1)
    with pytest.raises(OSError, match="never called"):
        GuardedBackend(host="mail.example.org", timeout=1).open()
    with pytest.raises(OSError, match="never called"):
        GuardedBackend(host="mail.example.org", timeout=1, use_ssl=True).open()


def test_a_server_that_knows_one_address_of_its_name_is_reached(monkeypatch, server):
    monkeypatch.setattr("hdag.chat.address._resolve", lambda host, port: ["127.9.9.9", "127.0.0.1"])
    port = int(server.origin.rsplit(":", 1)[1])
    connect_named(("mail.internal", port), PATIENCE).close()


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:text/plain,x"])
def test_the_opener_knows_no_other_scheme(url):
    with pytest.raises(urllib.error.URLError):
        guarded_opener().open(url, timeout=1)
