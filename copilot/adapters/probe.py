"""Plain HTTP requests for looking at an endpoint: no redirect is followed, no retry is made, every wait has an end."""

import json
import socket
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from copilot.providers.address import is_loopback

LARGEST = 1_000_000
"""Bytes of a body that are read."""
_OK = 200


@dataclass(frozen=True)
class Response:
    """What came back, whatever the status."""

    status: int
    headers: Mapping[str, str]
    body: str
    seconds: float
    complete: bool = True
    """False: it did not end within the limits of time and size."""


class NoAnswer(Exception):
    """No response: `reason` in a few words, `kind` refused, timeout, name, tls, proxy or broken."""

    def __init__(self, kind: str, reason: str) -> None:
        """`kind`: the link that failed; `reason`: the operating system's words."""
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


class _Stay(urllib.request.HTTPRedirectHandler):
    """Redirects are answers: a key is not sent on to another address."""

    def redirect_request(self, *args: Any) -> None:
        del args


@dataclass
class Http:
    """`seconds` is the limit for a whole request; `headers` go with each of them."""

    seconds: float = 20.0
    headers: Mapping[str, str] = field(default_factory=dict)

    def get(self, url: str, headers: Mapping[str, str] | None = None) -> Response:
        """GET; NoAnswer when no response came."""
        return self._send(urllib.request.Request(url, headers=self._all(headers)))  # noqa: S310 - http(s) by normalise()

    def post(self, url: str, body: bytes, headers: Mapping[str, str] | None = None) -> Response:
        """POST of a JSON document; NoAnswer when no response came."""
        sent = {"Content-Type": "application/json", **self._all(headers)}
        return self._send(urllib.request.Request(url, data=body, headers=sent, method="POST"))  # noqa: S310 - as above

    def _all(self, headers: Mapping[str, str] | None) -> dict[str, str]:
        return {
            "User-Agent": "log2fix",
            "Accept": "application/json, text/event-stream",
            **self.headers,
            **(headers or {}),
        }

    def _send(self, request: urllib.request.Request) -> Response:
        """Send; an error status is a response like any other."""
        started = time.monotonic()
        loopback = is_loopback(urlsplit(request.full_url).hostname or "")
        proxies = urllib.request.ProxyHandler({} if loopback else None)
        opener = urllib.request.build_opener(proxies, _Stay())
        try:
            try:
                answer = opener.open(request, timeout=self.seconds)
            except urllib.error.HTTPError as error:
                answer = error
            with answer:
                body, complete = _body(answer, started + self.seconds)
        except (OSError, HTTPException, ValueError) as error:
            raise _failed(error) from error
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return Response(answer.status, headers, body, time.monotonic() - started, complete)


def is_api(answer: Response) -> bool:
    """Whether `/models` answered as an API of this kind does: with a list, or by refusing the key in JSON."""
    try:
        document = json.loads(answer.body)
    except (ValueError, RecursionError):
        return False
    if answer.status == _OK:
        return isinstance(document, dict) and isinstance(document.get("data"), list)
    return answer.status in (401, 403) and isinstance(document, dict)


def _body(answer: Any, deadline: float) -> tuple[str, bool]:
    """The text of a response, as far as time and size allow."""
    parts: list[bytes] = []
    size = 0
    while True:
        piece = answer.read1(65_536)
        parts.append(piece)
        size += len(piece)
        ended = not piece
        if ended or size > LARGEST or time.monotonic() > deadline:
            return b"".join(parts).decode("utf-8", "replace"), ended


def _failed(error: Exception) -> NoAnswer:
    """What an error of the operating system means."""
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    words = " ".join(str(getattr(cause, "strerror", None) or cause or type(cause).__name__).split())[:160]
    if isinstance(cause, ssl.SSLError):
        return NoAnswer("tls", str(getattr(cause, "verify_message", "") or cause.reason or words))
    if isinstance(cause, socket.gaierror):
        return NoAnswer("name", words)
    if isinstance(cause, TimeoutError):
        return NoAnswer("timeout", "no answer in time")
    if isinstance(cause, ConnectionRefusedError):
        return NoAnswer("refused", "connection refused")
    if "unnel connection failed" in words or "roxy" in words:
        return NoAnswer("proxy", words)
    return NoAnswer("broken", words)
