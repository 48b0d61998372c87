"""Base URLs as people type them."""

import difflib
import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit, urlunsplit

from copilot.errors import UsageError

_PASTED = ("/chat/completions", "/completions", "/responses", "/embeddings", "/models")
"""Endings that belong to a request, not to a base URL."""
_LOCAL_SUFFIXES = (".local", ".internal", ".localhost", ".lan", ".home.arpa")


def normalise(typed: str) -> str:
    """The address without what does not belong to it: spaces, trailing slashes, a pasted request path, `0.0.0.0`.

    UsageError when it is no address, or holds a password.
    """
    text = typed.strip().strip("'\"")
    if "://" not in text:
        text = f"{'http' if is_private(_host(f'//{text}')) else 'https'}://{text}"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise UsageError("The base URL is no address.", "Write it like http://127.0.0.1:8000/v1.") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError("The base URL is no http address.", "Write it like http://127.0.0.1:8000/v1.")
    if parts.username or parts.password:
        raise UsageError(
            "The base URL holds a user name or password.",
            "Leave it out, and store the key with `copilot provider add`, or name its variable with `env_key`.",
        )
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(parts.hostname, parts.hostname)  # noqa: S104 - a listen address
    shown = f"[{host}]" if ":" in host else host
    netloc = shown if port is None else f"{shown}:{port}"
    return urlunsplit((parts.scheme, netloc, _path(parts.path), "", ""))


def _path(path: str) -> str:
    """The path without a request's ending and without slashes at the end."""
    path = path.rstrip("/")
    for ending in _PASTED:
        if path.endswith(ending):
            path = path[: -len(ending)].rstrip("/")
    return path


def candidates(typed: str) -> tuple[str, ...]:
    """The base URLs that the typed one may mean, the likeliest first."""
    base = normalise(typed)
    parts = urlsplit(base)
    root = urlunsplit((parts.scheme, parts.netloc, "", "", ""))
    tries = [base]
    if not base.endswith("/v1"):
        tries.append(f"{base}/v1")
    if not parts.path:
        tries.reverse()
    tries += [base.removesuffix("/v1"), f"{root}/v1", f"{root}/api/v1"]
    return tuple(dict.fromkeys(tries))


def origin(base_url: str) -> str:
    """Scheme, host and port: what a key belongs to."""
    parts = urlsplit(base_url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    host = (parts.hostname or "").lower()
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def _host(url: str) -> str:
    """The host of an address; empty when there is none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_private(host: str) -> bool:
    """Whether a host is this machine, a private address, or a name that only a private network knows."""
    if is_loopback(host) or host.endswith(_LOCAL_SUFFIXES):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return bool(host) and "." not in host
    return (address.is_private or address.is_link_local) and not address.is_unspecified


def check_plain(base_url: str, *, allowed: bool) -> None:
    """UsageError when evidence or a key would cross a public network unencrypted."""
    parts = urlsplit(base_url)
    if parts.scheme == "https" or allowed or is_private(parts.hostname or ""):
        return
    raise UsageError(
        f"{parts.hostname} is a public host, and http sends the log and the key unencrypted.",
        "Use https://, or say --allow-insecure (`allow_insecure = true` in its configuration).",
    )


def nearest(wanted: str, names: Iterable[str]) -> str | None:
    """The model name that was probably meant."""
    known = list(names)
    if len(known) == 1:
        return known[0]
    folded = {name.lower(): name for name in known}
    for name in known:
        if name.rsplit("/", 1)[-1].lower() == wanted.rsplit("/", 1)[-1].lower():
            return name
    close = difflib.get_close_matches(wanted.lower(), folded, n=1, cutoff=0.5)
    return folded[close[0]] if close else None
