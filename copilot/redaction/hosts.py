"""Which host names and addresses are evidence and stay, and which would give a person away."""

import ipaddress
import re

from copilot.redaction.words import listed

_PUBLIC = listed("hosts", "public")
_SPECIMEN = re.compile(
    r"(?:www|api|proxy|registry|mirror|gateway|mail|smtp|cdn|docs|your-\w+|my-\w+|host|server)\.(?:[\w-]+\.)*(?:example|test|invalid)"
    r"|(?:[\w-]+\.){0,2}example\.(?:com|org|net)"
)
"""Names reserved for documentation (RFC 2606) with a label that says no more than what the machine does."""
_RESOLVERS = listed("hosts", "resolver")
_DOCUMENTATION = tuple(
    ipaddress.ip_network(n) for n in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
)


def stays(host: str) -> bool:
    """True for hosts of public services and for names without a dot (compose services, container ids)."""
    name = host.lower().strip(".")
    if "." not in name or name.rsplit(".", 1)[-1].isdigit():
        return True
    if _SPECIMEN.fullmatch(name):
        return True
    labels = name.split(".")
    return any(".".join(labels[i:]) in _PUBLIC for i in range(len(labels)))


def public_address(address: str) -> bool:
    """An IP address that belongs to somebody: neither private, loopback, link-local nor a well-known resolver."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    if any(parsed in network for network in _DOCUMENTATION):
        return True
    return parsed.is_global and not parsed.is_multicast and address not in _RESOLVERS
