"""Which addresses a model may live at: the guard against server-side request forgery (SSRF; docs/threats.md 45).

Public hosts over https are allowed. A private or loopback host, and plain http, only where the environment lists that
very origin. Names are resolved here and the connection goes to the address that was checked, so a name that resolves
to another address between check and connection (DNS rebinding) gains nothing.
"""

import ipaddress
import re
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from hdag.chat.errors import AddressRefusedError

__all__ = ["Origin", "check_base_url", "read_allowlist", "resolve_checked"]

Ip = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolver = Callable[[str, int], list[str]]
_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\Z")
_PORTS = {"http": 80, "https": 443}


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
    return origin


def resolve_checked(*, origin: Origin, allowed: frozenset[Origin], resolve: Resolver | None = None) -> str:
    """The address to connect to. Raises AddressRefusedError unless every address of the host is one we may call."""
    addresses = [_read_ip(text) for text in (resolve or _resolve)(origin.host, origin.port)]
    if not addresses:
        raise AddressRefusedError(f"{origin.host} has no address")
    # All of them, not the first: a name with one public and one private address must not slip through.
    for ip in addresses:
        if origin in allowed:
            _check_listed(origin.host, ip)
        else:
            _check_public(origin.host, ip)
    return str(addresses[0])


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
    if parts.query or parts.fragment or "%" in parts.netloc:
        raise AddressRefusedError("an address must not hold a query, a fragment or escapes in its host")


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


def _read_ip(text: str) -> Ip:
    """The address in `text`; one that wraps an IPv4 address (::ffff:127.0.0.1) counts as the inner one."""
    # "fe80::1%eth0" names an interface behind the percent sign.
    ip = ipaddress.ip_address(text.split("%", 1)[0])
    inner = ip.ipv4_mapped or ip.sixtofour if isinstance(ip, ipaddress.IPv6Address) else None
    return inner or ip


def _check_public(host: str, ip: Ip) -> None:
    # An IPv6 address that carries an IPv4 one could lead inside by a gateway's translation.
    is_wrapped = isinstance(ip, ipaddress.IPv6Address) and (ip.ipv4_mapped or ip.sixtofour or ip.teredo)
    is_nat64 = isinstance(ip, ipaddress.IPv6Address) and ip in ipaddress.ip_network("64:ff9b::/96")
    if is_wrapped or is_nat64 or not ip.is_global or ip.is_multicast:
        raise AddressRefusedError(f"{host} leads to {ip}, which is not a public address")


def _check_listed(host: str, ip: Ip) -> None:
    """Even a listed host may not lead to link-local addresses, where clouds keep their credentials."""
    if ip.is_link_local or ip.is_multicast or ip.is_unspecified:
        raise AddressRefusedError(f"{host} leads to {ip}, which is never called")


def _resolve(host: str, port: int) -> list[str]:
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        raise AddressRefusedError(f"{host} cannot be resolved") from None
    # one entry for each socket type and address; dict keeps the resolver's order
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))
