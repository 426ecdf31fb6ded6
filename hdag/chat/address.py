"""Which addresses a model may live at: the guard against server-side request forgery (SSRF; docs/threats.md 45).

Public hosts over https are allowed. A private or loopback host, and plain http, only where the environment lists that
very origin. Names are resolved here and the connection goes to the address that was checked, so a name that resolves
to another address between check and connection (DNS rebinding) gains nothing.
"""

import ipaddress
import re
import socket
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from hdag.chat.errors import AddressRefusedError
from hdag.chat.ranges import Ip, inner_addresses, is_never_called, is_public

__all__ = [
    "Origin",
    "base_of",
    "check_base_url",
    "check_leads_outside",
    "leads_elsewhere",
    "read_allowlist",
    "resolve_all_checked",
    "resolve_checked",
    "server_of",
]

Resolver = Callable[[str, int], list[str]]
_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\Z")
_VERSION = re.compile(r"api-version=\d{4}-\d{2}-\d{2}(-preview)?\Z")  # Azure's addresses before /openai/v1
_PORTS = {"http": 80, "https": 443}
# Names that are never those of a public host (RFC 6761, RFC 6762, RFC 8375, RFC 9476, ICANN's .internal).
_INNER_NAMES = (
    "localhost",
    "local",
    "internal",
    "intranet",
    "lan",
    "home",
    "corp",
    "home.arpa",
    "test",
    "invalid",
    "alt",
)
_LOOK_UP_SECONDS = 3.0  # how long a form waits for a name; a call has its own deadline


class UnresolvedError(AddressRefusedError):
    """The name has no address now."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Scheme, host and port."""

    scheme: str
    host: str
    port: int


def read_allowlist(text: str) -> frozenset[Origin]:
    """Origins from an environment variable, comma separated. Raises AddressRefusedError naming a bad entry.

    >>> sorted(o.port for o in read_allowlist("http://127.0.0.1:8080, https://models.internal"))
    [443, 8080]
    """
    return frozenset(_read_origin(entry.strip()) for entry in text.split(",") if entry.strip())


def check_base_url(*, url: str, allowed: Iterable[Origin] = ()) -> Origin:
    """The origin of an endpoint's base URL. Raises AddressRefusedError with the reason; resolves nothing."""
    origin = _read_origin(url)
    # The operator listed this origin: plain http and private hosts are then meant.
    if origin in frozenset(allowed):
        return origin
    if origin.scheme != "https":
        raise AddressRefusedError(f"{origin.host}: plain http is only for origins in TRUST_CHAT_ALLOWED_ORIGINS")
    literal = _find_ip(origin.host)
    if literal is not None:
        _check_public(origin.host, literal)
    elif "." not in origin.host or origin.host.endswith(tuple(f".{name}" for name in _INNER_NAMES)):
        raise AddressRefusedError(f"{origin.host} is a name inside this machine or network")
    return origin


def check_leads_outside(*, url: str, allowed: frozenset[Origin] = frozenset(), resolve: Resolver | None = None) -> None:
    """What a call would refuse, asked beforehand, for a form. Raises AddressRefusedError.

    A name that has no address now passes: it may get one, and every call asks again.
    """
    origin = check_base_url(url=url, allowed=allowed)
    # getaddrinfo knows no deadline: a thread may outlive the form, the form does not wait for it.
    pool = ThreadPoolExecutor(1)
    looking = pool.submit(resolve_checked, origin=origin, allowed=allowed, resolve=resolve)
    try:
        looking.result(timeout=_LOOK_UP_SECONDS)
    except (TimeoutError, UnresolvedError):
        return
    finally:
        pool.shutdown(wait=False)


def base_of(*, url: str) -> str:
    """The address that calls begin with, where documentation shows that of a whole call; a version stays behind it.

    >>> base_of(url="https://a.example/openai/deployments/d/chat/completions?api-version=2024-10-21")
    'https://a.example/openai/deployments/d?api-version=2024-10-21'
    """
    path, mark, version = url.partition("?")
    return f"{path.removesuffix('/').removesuffix('/chat/completions')}{mark}{version}"


def leads_elsewhere(*, before: str, after: str) -> bool:
    """Whether two addresses lead to different schemes, hosts or ports.

    >>> leads_elsewhere(before="https://a.example/v1", after="https://a.example:443/v2")
    False
    """
    try:
        return _read_origin(before) != _read_origin(after)
    except AddressRefusedError:  # what stands there is no address any more: nothing that was meant for it goes on
        return True


def server_of(*, base_url: str) -> str:
    """Scheme, host and port, as people read them; empty for an address that is none.

    >>> server_of(base_url="https://API.example.com:443/v1"), server_of(base_url="http://127.0.0.1:8000/v1")
    ('https://api.example.com', 'http://127.0.0.1:8000')
    """
    try:
        origin = _read_origin(base_url)
    except AddressRefusedError:
        return ""
    port = "" if origin.port == _PORTS[origin.scheme] else f":{origin.port}"
    return f"{origin.scheme}://{origin.host}{port}"


def resolve_checked(*, origin: Origin, allowed: frozenset[Origin], resolve: Resolver | None = None) -> str:
    """The address to connect to. Raises AddressRefusedError unless every address of the host is one we may call."""
    return resolve_all_checked(origin=origin, allowed=allowed, resolve=resolve)[0]


def resolve_all_checked(
    *, origin: Origin, allowed: frozenset[Origin], resolve: Resolver | None = None
) -> tuple[str, ...]:
    """Every address of the host, in the resolver's order. Raises AddressRefusedError unless we may call all of them."""
    # "fe80::1%eth0" names an interface behind the percent sign.
    texts = (resolve or _resolve)(origin.host, origin.port)
    addresses = [ipaddress.ip_address(text.split("%", 1)[0]) for text in texts]
    if not addresses:
        raise UnresolvedError(f"{origin.host} has no address")
    # All of them, not the first: a name with one public and one private address must not slip through.
    for ip in addresses:
        if origin in allowed:
            _check_listed(origin.host, ip)
        else:
            _check_public(origin.host, ip)
    return tuple(map(str, addresses))


def _read_origin(url: str) -> Origin:
    """Scheme, host and port of an address that every parser reads in one way. Raises AddressRefusedError."""
    # Blanks, controls, backslashes and other scripts are read differently by different parsers: refused unread.
    if len(url) > 500 or not url.isascii() or any(c.isspace() or ord(c) < 33 or c in "\\\x7f" for c in url):
        raise AddressRefusedError("the address holds characters that have no place in it")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise AddressRefusedError("the address cannot be read") from None
    _check_parts(parts)
    # "localhost." with its root dot is the same host as without.
    host = (parts.hostname or "").removesuffix(".")
    if _find_ip(host) is None:
        _check_name(host)
    return Origin(parts.scheme, host, _PORTS[parts.scheme] if port is None else port)


def _check_parts(parts: SplitResult) -> None:
    if parts.scheme not in _PORTS:
        raise AddressRefusedError(f"{parts.scheme[:20] or 'no scheme'}: only https and, where listed, http are allowed")
    if "@" in parts.netloc:
        raise AddressRefusedError("an address must not hold a user name or password")
    if parts.fragment or "%" in parts.netloc or (parts.query and not _VERSION.match(parts.query)):
        raise AddressRefusedError(
            "an address must not hold a fragment, escapes in its host, or a query other than api-version=2024-10-21"
        )


def _check_name(host: str) -> None:
    """A name made of proper labels whose last one is not a number: 0x7f000001, 2130706433 and 127.1 are no names."""
    labels = host.split(".")
    if len(host) > 253 or not all(_NAME.match(label) for label in labels) or labels[-1][:1].isdigit():
        raise AddressRefusedError(f"{host[:80] or 'nothing'} is neither a host name nor a plainly written IP address")


def _find_ip(host: str) -> Ip | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _check_public(host: str, ip: Ip) -> None:
    if not is_public(ip):
        inside = "".join(f" ({inner})" for inner in inner_addresses(ip))
        raise AddressRefusedError(f"{host} leads to {ip}{inside}, which is not a public address")


def _check_listed(host: str, ip: Ip) -> None:
    """Even a listed host may not lead to link-local addresses, where clouds keep their credentials."""
    if is_never_called(ip):
        raise AddressRefusedError(f"{host} leads to {ip}, which is never called")


def _resolve(host: str, port: int) -> list[str]:
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        raise UnresolvedError(f"{host} cannot be resolved") from None
    # one entry for each socket type and address; dict keeps the resolver's order
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))
