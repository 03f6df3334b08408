"""Addresses: every block of the registries of special-purpose addresses, with what is decided on it and why.

Sources: IANA's registries of special-purpose addresses (RFC 6890), of multicast and of IPv6 address space.
"""

from __future__ import annotations

import ipaddress
from typing import Final

import pytest

from interlingua.resolve.addresses import is_public

# Blocks that are never public. The registries call those of the last group globally reachable; they are refused all the
# same: the nearest node answers, which may be one of this network, and none is a place for pictures.
REFUSED: Final[tuple[tuple[str, str], ...]] = (
    ("0.0.0.0/8", "this network"),
    ("0.0.0.0/32", "this host"),
    ("10.0.0.0/8", "private use"),
    ("100.64.0.0/10", "shared address space of providers"),
    ("127.0.0.0/8", "loopback"),
    ("169.254.0.0/16", "link local: services of clouds"),
    ("172.16.0.0/12", "private use"),
    ("192.0.0.0/24", "protocol assignments"),
    ("192.0.0.0/29", "IPv4 service continuity"),
    ("192.0.0.8/32", "dummy address"),
    ("192.0.0.170/32", "discovery of NAT64"),
    ("192.0.0.171/32", "discovery of NAT64"),
    ("192.0.2.0/24", "documentation"),
    ("192.88.99.0/24", "6to4 relay, deprecated"),
    ("192.88.99.2/32", "6a44 relay"),
    ("192.168.0.0/16", "private use"),
    ("198.18.0.0/15", "benchmarking"),
    ("198.51.100.0/24", "documentation"),
    ("203.0.113.0/24", "documentation"),
    ("224.0.0.0/4", "multicast"),
    ("240.0.0.0/4", "reserved"),
    ("255.255.255.255/32", "limited broadcast"),
    ("::/128", "unspecified"),
    ("::1/128", "loopback"),
    ("::/96", "IPv4-compatible, deprecated"),
    ("::ffff:0:0:0/96", "IPv4-translated, for one's own translator"),
    ("64:ff9b:1::/48", "translation in one's own network"),
    ("100::/64", "discard only"),
    ("100:0:0:1::/64", "dummy prefix"),
    ("2001::/23", "protocol assignments, but for Teredo"),
    ("2001:2::/48", "benchmarking"),
    ("2001:10::/28", "ORCHID, deprecated"),
    ("2001:db8::/32", "documentation"),
    ("3fff::/20", "documentation"),
    ("4000::/2", "not handed out"),
    ("8000::/2", "not handed out"),
    ("5f00::/16", "segment routing"),
    ("fc00::/7", "unique local"),
    ("fe80::/10", "link local"),
    ("fec0::/10", "site local, deprecated"),
    ("ff00::/8", "multicast"),
    ("192.0.0.9/32", "anycast of port control: the nearest router"),
    ("192.0.0.10/32", "anycast of TURN: the nearest relay"),
    ("192.31.196.0/24", "AS112: the nearest name server for private names"),
    ("192.52.193.0/24", "AMT: the nearest relay of multicast"),
    ("192.175.48.0/24", "AS112: the nearest name server for private names"),
    ("2001:1::1/128", "anycast of port control: the nearest router"),
    ("2001:1::2/128", "anycast of TURN: the nearest relay"),
    ("2001:1::3/128", "anycast of service registration"),
    ("2001:3::/32", "AMT: the nearest relay of multicast"),
    ("2001:4:112::/48", "AS112: the nearest name server for private names"),
    ("2001:20::/28", "ORCHIDv2: names of hosts, not places"),
    ("2001:30::/28", "remote identification: names of drones, not places"),
    ("2620:4f:8000::/48", "AS112: the nearest name server for private names"),
)
# What stands before and behind them, and is of the internet.
PUBLIC: Final = (
    *("1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0"),
    *("169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.255", "192.0.3.0"),
    *("192.31.195.255", "192.31.197.0", "192.52.192.255", "192.52.194.0", "192.88.98.255", "192.88.100.0"),
    *("192.167.255.255", "192.169.0.0", "192.175.47.255", "192.175.49.0", "198.17.255.255", "198.20.0.0"),
    *("198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "8.8.8.8", "1.1.1.1"),
    *("2000::", "2001:200::", "2001:db7:ffff::1", "2001:db9::", "2003::1", "2606:4700::1", "2001:4860:4860::8888"),
    *("2620:4f:7fff:ffff::1", "2620:4f:8001::", "3ffe:ffff::1", "3fff:1000::"),
)
# Blocks of IPv6 that stand for IPv4, each with its form for an address, and for an inverted one, in hexadecimal.
WRAPPING: Final = (
    ("::ffff:0:0/96", "::ffff:{0}"),
    ("64:ff9b::/96", "64:ff9b::{0}"),
    ("2002::/16", "2002:{0}::1"),
    ("2001::/32 (server)", "2001:0:{0}:0:0:f7f7:f7f7"),
    ("2001::/32 (client)", "2001:0:808:808:0:0:{1}"),
)


def halves(number: int) -> str:
    return f"{number >> 16:x}:{number & 0xFFFF:x}"


def wrapped(form: str, inner: str) -> ipaddress.IPv6Address:
    number = int(ipaddress.IPv4Address(inner))
    return ipaddress.IPv6Address(form.format(halves(number), halves(number ^ 0xFFFFFFFF)))


@pytest.mark.parametrize(("block", "why"), REFUSED)
def test_no_ip_address_of_a_special_purpose_block_is_public(block: str, why: str) -> None:
    network = ipaddress.ip_network(block)
    for address in (network[0], network[network.num_addresses // 2], network[-1]):
        assert not is_public(address), why


@pytest.mark.parametrize("number", PUBLIC)
def test_an_ip_address_next_to_a_special_purpose_block_is_public(number: str) -> None:
    assert is_public(ipaddress.ip_address(number))


@pytest.mark.parametrize(("block", "form"), WRAPPING)
def test_an_embedded_ip_address_is_public_if_the_inner_one_is(block: str, form: str) -> None:
    network = ipaddress.ip_network(block.partition(" ")[0])
    for special, _why in REFUSED:
        if ":" not in special:
            address = wrapped(form, special.partition("/")[0])
            assert address in network
            assert not is_public(address), special
    assert [inner for inner in PUBLIC if ":" not in inner and not is_public(wrapped(form, inner))] == []
    assert not is_public(ipaddress.IPv6Address(f"{wrapped(form, '8.8.8.8')}%1"))
