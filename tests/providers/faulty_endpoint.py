"""An OpenAI-compatible endpoint on loopback that misbehaves in the ways that real ones do.

Bodies and wordings are those of vLLM 0.32, llama.cpp, Ollama and gateways, as recorded.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Answer = Callable[["Handler", dict[str, Any]], None]


@dataclass
class Seen:
    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class Script:
    answers: list[Answer] = field(default_factory=list)
    models: Answer | None = None
    seen: list[Seen] = field(default_factory=list)

    def next(self) -> Answer:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "FaultyEndpoint"

    def log_message(self, *args: object) -> None:
        del args

    def do_GET(self) -> None:
        self._note({})
        if self.path.split("?")[0].endswith("/v1/models"):
            (self.server.script.models or models("tiny"))(self, {})
        else:
            refuse(404, {"detail": "Not Found"})(self, {})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        body = json.loads(raw or b"{}")
        self._note(body)
        self.server.script.next()(self, body)

    def _note(self, body: dict[str, Any]) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.script.seen.append(Seen(self.command, self.path, headers, body))

    def reply(self, status: int, body: str, kind: str = "application/json", **headers: str) -> None:
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def begin_stream(self, **headers: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Connection", "close")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.close_connection = True

    def event(self, data: object, name: str = "") -> None:
        text = data if isinstance(data, str) else json.dumps(data)
        head = f"event: {name}\n" if name else ""
        self.wfile.write(f"{head}data: {text}\n\n".encode())
        self.wfile.flush()


class FaultyEndpoint(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, *answers: Answer, models: Answer | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = Script(list(answers) or [stream("{}")], models)
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def handle_error(self, request: object, client_address: object) -> None:
        del request, client_address  # clients that go away are part of the play

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self.shutdown()
        self.server_close()

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def url(self) -> str:
        return f"{self.root}/v1"

    @property
    def posts(self) -> list[Seen]:
        return [seen for seen in self.script.seen if seen.method == "POST"]


def models(*names: str, **fields: object) -> Answer:
    """A list of models with these fields in each entry."""
    data = [{"id": name, "object": "model", **fields} for name in names]
    return lambda handler, _: handler.reply(200, json.dumps({"object": "list", "data": data}))


def refuse(status: int, body: object, **headers: str) -> Answer:
    """An error response."""
    text = body if isinstance(body, str) else json.dumps(body)
    return lambda handler, _: handler.reply(status, text, **headers)


def chunk(content: str | None, finish: str | None = None, **delta: object) -> dict[str, Any]:
    """One chunk of a chat stream."""
    choice = {"index": 0, "delta": {"content": content, **delta}, "finish_reason": finish}
    return {"id": "chatcmpl-7", "object": "chat.completion.chunk", "created": 1, "model": "tiny-1", "choices": [choice]}


USAGE: dict[str, Any] = {
    "id": "chatcmpl-7",
    "object": "chat.completion.chunk",
    "created": 1,
    "model": "tiny-1",
    "choices": [],
    "usage": {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16},
}


def events(*data: object, done: bool = True, **headers: str) -> Answer:
    """A chat stream of these events."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        del body
        handler.begin_stream(**headers)
        for item in data:
            handler.event(item)
        if done:
            handler.event("[DONE]")

    return answer


def stream(text: str, finish: str = "stop", **headers: str) -> Answer:
    """A healthy chat stream: role, text in two pieces, finish, usage-only chunk."""
    half = len(text) // 2
    pieces = [chunk("", role="assistant"), chunk(text[:half]), chunk(text[half:]), chunk(None, finish), USAGE]
    return events(*pieces, **headers)


def whole(text: str) -> Answer:
    """The answer in one piece, whatever was asked: gateways that cannot stream."""
    message = {"role": "assistant", "content": text}
    document = {
        "id": "chatcmpl-9",
        "object": "chat.completion",
        "model": "tiny-1",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2},
    }
    return lambda handler, _: handler.reply(200, json.dumps(document))


def whole_response(text: str) -> Answer:
    """The answer of the responses wire in one piece."""
    item = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    document = {
        "id": "resp_1",
        "object": "response",
        "model": "tiny-1",
        "output": [{"type": "reasoning", "content": []}, item],
        "usage": {"input_tokens": 3, "output_tokens": 2},
    }
    return lambda handler, _: handler.reply(200, json.dumps(document))


def responses(text: str, incomplete: str | None = None) -> Answer:
    """A stream of the responses wire."""
    item = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    final = {
        "id": "resp_1",
        "object": "response",
        "model": "tiny-1",
        "output": [{"type": "reasoning", "content": []}, item],
        "incomplete_details": {"reason": incomplete} if incomplete else None,
        "usage": {"input_tokens": 11, "output_tokens": 5, "total_tokens": 16},
    }

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        del body
        handler.begin_stream()
        handler.event({"type": "response.created", "response": {**final, "output": []}}, "response.created")
        for piece in ("hm", "hm"):
            name = "response.reasoning_text.delta"
            handler.event({"type": name, "delta": piece}, name)
        for piece in (text[:3], text[3:]):
            name = "response.output_text.delta"
            handler.event({"type": name, "delta": piece}, name)
        last = "response.incomplete" if incomplete else "response.completed"
        handler.event({"type": last, "response": final}, last)

    return answer


def page(status: int = 200) -> Answer:
    """The web page of a gateway's front."""
    html = "<!DOCTYPE html><html><head><title>Gateway</title></head><body><script>x</script>Sign in</body></html>"
    return lambda handler, _: handler.reply(status, html, "text/html; charset=utf-8")


def endless(delay: float = 0.0) -> Answer:
    """White space without end, as a random model under a grammar writes it."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        del body
        handler.begin_stream()
        for _ in forever():
            handler.event(chunk("\n           " * 40))
            time.sleep(delay)

    return answer


def comments(first: str = "") -> Answer:
    """A stream kept alive by comments, in which no event ever comes (after the first words, if there are any)."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        del body
        handler.begin_stream()
        if first:
            handler.event(chunk(first))
        for _ in forever():
            handler.wfile.write(b": PROCESSING\n\n")
            handler.wfile.flush()
            time.sleep(0.02)

    return answer


def forever() -> Iterator[None]:
    """Until the client goes away (a minute at most, should it not)."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        yield


def silent(seconds: float = 5.0) -> Answer:
    """No byte for a while."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        del body
        time.sleep(seconds)
        handler.close_connection = True

    return answer


def cut() -> Answer:
    """A stream that breaks in the middle of an event's JSON."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        del body
        handler.begin_stream()
        handler.event(chunk('{"a"'))
        handler.wfile.write(b'data: {"id": "chatcmpl-7", "choices": [{"del\n\n')

    return answer


def hung_up() -> Answer:
    """The connection is closed before the promised length."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        del body
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", "4000")
        handler.end_headers()
        handler.wfile.write(b'{"id": ')
        handler.close_connection = True

    return answer


def unless(accepts: Callable[[dict[str, Any]], bool], refusal: Answer, answer: Answer) -> Answer:
    """Refuse what is not accepted, answer the rest."""
    return lambda handler, body: (answer if accepts(body) else refusal)(handler, body)
