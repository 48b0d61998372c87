"""One question and its answer on the wire: what both protocols share."""

import json
import socket
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from copilot.ports import Message
from copilot.providers.abilities import Abilities
from copilot.providers.endpoint import Endpoint
from copilot.providers.explain import as_error, garbled
from copilot.providers.failures import Refusal, classify, is_page
from copilot.providers.thinking import ThinkFilter, without_thinking

if TYPE_CHECKING:
    import openai

_CHARACTERS_A_TOKEN = 16
"""No text has more: a stream beyond it does not obey its limit."""
_REQUEST_IDS = ("x-request-id", "x-oneapi-request-id", "x-litellm-call-id", "cf-ray")


@dataclass
class Received:
    """What one answer told besides its text."""

    model: str = ""
    request_id: str | None = None
    response_id: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    finish: str = ""
    thought: int = 0
    """Characters of separate reasoning."""


@dataclass(frozen=True)
class Draft:
    """One request in the form the endpoint takes."""

    model: str
    messages: tuple[Message, ...]
    schema: dict[str, object]
    max_tokens: int
    abilities: Abilities
    connect: float
    """Seconds until a connection stands."""
    silence: float
    """Seconds without a byte."""


class Wire(Protocol):
    """One of the two protocols."""

    def open(self, sdk: "openai.OpenAI", draft: Draft) -> "openai.Stream[object]":
        """Send the request; the answer as a stream of events, not yet read."""
        ...

    def pieces(self, events: Iterator[object], received: Received) -> Iterator[str]:
        """The text of a stream, piece by piece, noting what else it tells. Empty pieces stand for reasoning."""
        ...

    def whole(self, answer: dict[str, object], received: Received) -> str:
        """The text of an answer that was not streamed."""
        ...


def read(
    wire: Wire, stream: "openai.Stream[object]", draft: Draft, endpoint: Endpoint, received: Received
) -> Generator[str, None, str]:
    """Yield the reply's pieces; the whole text is the generator's value. Reasoning is left out of both.

    ProviderGarbled for a page, an empty stream, or one that does not obey its output limit.
    """
    response = stream.response
    received.request_id = next((response.headers[name] for name in _REQUEST_IDS if name in response.headers), None)
    kind = response.headers.get("content-type", "")
    if "text/event-stream" not in kind:
        text = _unstreamed(wire, response.read().decode("utf-8", "replace"), kind, endpoint, received)
        yield text
        return text
    shown, parts, seen = ThinkFilter(), [], 0
    for piece in wire.pieces(iter(stream), received):
        parts.append(piece)
        seen += len(piece)
        if seen + received.thought > draft.max_tokens * _CHARACTERS_A_TOKEN:
            raise garbled(endpoint.provider, f"it does not end ({seen + received.thought} characters were read)")
        yield shown.feed(piece)
    if not parts and not received.finish:
        raise garbled(endpoint.provider, "the stream ended without a single chunk")
    return without_thinking("".join(parts))


def _unstreamed(wire: Wire, body: str, kind: str, endpoint: Endpoint, received: Received) -> str:
    """The text of an answer that came in one piece, although a stream was asked for, or because none was."""
    if is_page({"content-type": kind}, body):
        raise as_error(Refusal("html", 200), endpoint.provider)
    answer = json.loads(body)
    if not isinstance(answer, dict):
        raise garbled(endpoint.provider, "it is no JSON object")
    if answer.get("error"):
        raise as_error(classify(500, {}, body), endpoint.provider, endpoint.key)
    return without_thinking(wire.whole(answer, received))


def in_one_piece(
    sdk: "openai.OpenAI", path: str, body: dict[str, object], timeout: "openai.Timeout"
) -> "openai.Stream[object]":
    """An answer that is not streamed, yet unread like a stream: the time limit can break it."""
    import openai

    return sdk.post(
        path, cast_to=object, body=body, options={"timeout": timeout}, stream=True, stream_cls=openai.Stream[object]
    )


@contextmanager
def cut_at(stream: "openai.Stream[object]", seconds: float) -> Iterator[None]:
    """Break the connection when the time is over, even if the endpoint keeps it alive with comments.

    A reader that waits for an event gets no chance to look at the clock while bytes of comments arrive.
    """
    network = stream.response.extensions.get("network_stream")
    connection = network.get_extra_info("socket") if network is not None else None
    timer = threading.Timer(max(seconds, 0.0), _break, (connection,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _break(connection: socket.socket | None) -> None:
    """End both directions of a connection; one that is already gone is fine."""
    if connection is not None:
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)


def text_of(content: object) -> str:
    """The text of a content field: a string, a list of parts, or nothing."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return ""


def without_keywords(schema: object, dropped: tuple[str, ...]) -> object:
    """A schema without the keywords that the endpoint refuses, at every level."""
    if isinstance(schema, dict):
        return {key: without_keywords(value, dropped) for key, value in schema.items() if key not in dropped}
    if isinstance(schema, list):
        return [without_keywords(entry, dropped) for entry in schema]
    return schema
