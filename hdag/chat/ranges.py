"""Which IP addresses lie on the public Internet: IANA's special-purpose registries, and addresses inside addresses.

Sources: IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890 and what updates it), IANA IPv6 Address Space.
Written out, because what Python's `is_global` knows differs from version to version and says nothing of wrapped ones.
"""

import ipaddress

__all__ = ["Ip", "inner_addresses", "is_never_called", "is_public"]

Ip = ipaddress.IPv4Address | ipaddress.IPv6Address
SPECIAL_4 = tuple(
    ipaddress.IPv4Network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
# Everything outside 2000::/3 is special, unassigned, multicast or wraps an IPv4 address.
GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
SPECIAL_6 = tuple(
    ipaddress.IPv6Network(text)
    for text in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
)
# Prefixes behind which the last 32 bits are an IPv4 address: compatible, mapped, translated, and the two of NAT64.
ENDS_IN_IPV4 = tuple(
    ipaddress.IPv6Network(text)
    for text in ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48")
)
_ISATAP = (0x00005EFE, 0x02005EFE)  # third quarter of an address that ends in an IPv4 one (RFC 5214)


def is_public(ip: Ip) -> bool:
    """Whether it is an ordinary address of the Internet that wraps no other one.

    >>> [is_public(ipaddress.ip_address(text)) for text in ("8.8.8.8", "::127.0.0.1", "2002:7f00:1::", "10.1.2.3")]
    [True, False, False, False]
    """
    if isinstance(ip, ipaddress.IPv4Address):
        return not any(ip in network for network in SPECIAL_4)
    return ip in GLOBAL_UNICAST and not any(ip in network for network in SPECIAL_6) and not inner_addresses(ip)


def inner_addresses(ip: Ip) -> tuple[ipaddress.IPv4Address, ...]:
    """The IPv4 addresses that a gateway or the kernel may read out of an IPv6 one.

    >>> inner_addresses(ipaddress.ip_address("64:ff9b::a9fe:a9fe"))
    (IPv4Address('169.254.169.254'),)
    """
    if isinstance(ip, ipaddress.IPv4Address):
        return ()
    last = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    if any(ip in network for network in ENDS_IN_IPV4) or (int(ip) >> 32) & 0xFFFFFFFF in _ISATAP:
        return (last,)
    if ip.sixtofour is not None:
        return (ip.sixtofour,)
    return ip.teredo or ()


def is_never_called(ip: Ip) -> bool:
    """Link-local (where clouds hand out credentials), multicast, unspecified: not even where an operator lists it."""
    return any(each.is_link_local or each.is_multicast or each.is_unspecified for each in (ip, *inner_addresses(ip)))
