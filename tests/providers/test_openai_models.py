"""Both wires against an endpoint that misbehaves."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from copilot.adapters.openai_chat import open_chat
from copilot.adapters.openai_model import OpenAIModel, Surroundings
from copilot.adapters.openai_responses import open_responses
from copilot.errors import (
    ProviderError,
    ProviderGarbled,
    ProviderOverloaded,
    ProviderRefused,
    ProviderTooLong,
    ProviderUnreachable,
)
from copilot.model.provider import Provider, Timeouts
from copilot.ports import Message, ModelReply, ModelRequest
from copilot.providers.abilities import Abilities, ForgetfulMemory
from copilot.providers.endpoint import Endpoint
from copilot.providers.exchange import Exchange
from providers import faulty_endpoint as faulty
from providers.faulty_endpoint import Answer, FaultyEndpoint

KEY = "sk-made-up-for-this-test-0123456789"
SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"a": {"type": "string", "maxLength": 9}},
    "required": ["a"],
    "additionalProperties": False,
}
REQUEST = ModelRequest((Message("system", "Be brief."), Message("user", "Say a.")), SCHEMA, 64)
GOOD = '{"a": "b"}'


class Bench:
    """A model on a faulty endpoint, with its ledger, its memory and the waits it made."""

    def __init__(self, server: FaultyEndpoint, wire: str = "chat", **settings: Any) -> None:
        self.exchanges: list[Exchange] = []
        self.waits: list[float] = []
        self.memory = ForgetfulMemory()
        provider = Provider(name="gate", base_url=server.url, model="tiny", **settings)
        around = Surroundings(self.memory, self.exchanges.append, sleep=self.waits.append, jitter=lambda: 0.5)
        endpoint = Endpoint(provider, "tiny", KEY)
        self.model: OpenAIModel = (open_responses if wire == "responses" else open_chat)(endpoint, around)

    def ask(self, request: ModelRequest = REQUEST) -> ModelReply:
        *_, last = self.model.ask(request)
        assert isinstance(last, ModelReply)
        return last


@pytest.fixture
def server() -> Iterator[FaultyEndpoint]:
    with FaultyEndpoint() as running:
        yield running


def play(server: FaultyEndpoint, *answers: Answer) -> None:
    server.script.answers = list(answers)


def test_a_healthy_stream_gives_pieces_and_last_the_whole_reply(server: FaultyEndpoint) -> None:
    play(server, faulty.stream(GOOD, X_Request_Id="req-1"))
    bench = Bench(server)
    *pieces, reply = bench.model.ask(REQUEST)
    assert "".join(str(piece) for piece in pieces) == GOOD
    assert isinstance(reply, ModelReply)
    assert (reply.text, reply.model, reply.request_id, reply.format) == (GOOD, "tiny-1", "req-1", "strict")
    assert (reply.tokens_in, reply.tokens_out, reply.finish) == (11, 5, "stop")
    (exchange,) = bench.exchanges
    assert (exchange.request_id, exchange.response_id, exchange.outcome) == ("req-1", "chatcmpl-7", "ok")


def test_the_request_says_what_was_asked_and_nothing_about_this_machine(
    server: FaultyEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-another-account")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-of-another-account")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-account-0000")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Tenant: secret-of-another-gateway")
    play(server, faulty.stream(GOOD))
    provider = Provider(
        name="gate", base_url=server.url, model="tiny", http_headers={"X-Title": "copilot"}, query_params={"v": "1"}
    )
    endpoint = Endpoint(provider, "tiny", KEY, {"X-Title": "copilot"})
    list(open_chat(endpoint, Surroundings(ForgetfulMemory())).ask(REQUEST))
    (seen,) = server.posts
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert seen.headers["x-title"] == "copilot"
    assert seen.path == "/v1/chat/completions?v=1"
    assert "another" not in str(seen)
    assert not {f"x-stainless-{what}" for what in ("os", "arch", "lang", "runtime", "runtime-version")} & set(
        seen.headers
    )
    assert seen.headers.get("openai-organization", "") == ""
    assert seen.body["response_format"]["json_schema"]["strict"] is True
    assert seen.body["stream_options"] == {"include_usage": True}


def test_without_a_key_no_authorization_is_sent(server: FaultyEndpoint) -> None:
    play(server, faulty.stream(GOOD))
    provider = Provider(name="local", base_url=server.url, model="tiny")
    list(open_chat(Endpoint(provider, "tiny"), Surroundings(ForgetfulMemory())).ask(REQUEST))
    assert "authorization" not in server.posts[0].headers


def test_proxies_are_not_asked_for_loopback(server: FaultyEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    play(server, faulty.stream(GOOD))
    assert Bench(server).ask().text == GOOD


def refuses_schema(body: dict[str, Any]) -> bool:
    return body.get("response_format", {}).get("type") != "json_schema"


@pytest.mark.parametrize(
    ("accepts", "refusal", "rung", "requests"),
    [
        (
            lambda body: not body.get("response_format", {}).get("json_schema", {}).get("strict"),
            {"error": {"message": "Invalid schema for response_format 'reply': strict mode is not possible"}},
            "schema",
            2,
        ),
        (refuses_schema, {"error": "response_format.type must be json_object or text"}, "json", 3),
        (
            lambda body: "response_format" not in body,
            {"error": {"message": "response_format is not supported"}},
            "plain",
            4,
        ),
        (lambda body: "response_format" not in body, {"error": {"message": "Bad Request"}}, "plain", 4),
    ],
    ids=["no-strict", "no-schema", "no-format", "says-nothing"],
)
def test_the_ladder_goes_down_to_what_the_endpoint_takes_and_remembers_it(
    server: FaultyEndpoint, accepts: Any, refusal: object, rung: str, requests: int
) -> None:
    play(server, faulty.unless(accepts, faulty.refuse(400, refusal), faulty.stream(GOOD)))
    bench = Bench(server)
    assert bench.ask().format == rung
    assert len(server.posts) == requests
    assert bench.ask().format == rung
    assert len(server.posts) == requests + 1, "the second question begins at the rung that worked"


def test_a_schema_keyword_that_is_refused_is_left_out(server: FaultyEndpoint) -> None:
    message = (
        "Invalid schema for response_format 'reply': In context=('properties', 'a'), 'maxLength' is not permitted."
    )
    play(
        server,
        faulty.unless(
            lambda body: "maxLength" not in str(body),
            faulty.refuse(400, {"error": {"message": message}}),
            faulty.stream(GOOD),
        ),
    )
    assert Bench(server).ask().format == "strict"


def test_max_completion_tokens_where_max_tokens_is_refused(server: FaultyEndpoint) -> None:
    message = (
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    )
    refusal = faulty.refuse(400, {"error": {"message": message, "code": "unsupported_parameter"}})
    play(server, faulty.unless(lambda body: "max_tokens" not in body, refusal, faulty.stream(GOOD)))
    bench = Bench(server)
    bench.ask()
    assert server.posts[-1].body["max_completion_tokens"] == 64
    assert bench.ask().format == "strict"
    assert len(server.posts) == 3


@pytest.mark.parametrize("field", ["temperature", "stream_options"])
def test_a_field_that_is_refused_is_left_out(server: FaultyEndpoint, field: str) -> None:
    refusal = faulty.refuse(400, {"error": {"message": f"Unsupported value: '{field}' is not supported here."}})
    play(server, faulty.unless(lambda body: field not in body, refusal, faulty.stream(GOOD)))
    assert Bench(server).ask().format == "strict"


@pytest.mark.parametrize("wire", ["chat", "responses"])
def test_an_endpoint_that_refuses_streams_is_asked_without(server: FaultyEndpoint, wire: str) -> None:
    refusal = faulty.refuse(400, {"error": {"message": "Unsupported value: 'stream' is not supported here."}})
    answer = faulty.whole(GOOD) if wire == "chat" else faulty.whole_response(GOOD)
    play(server, faulty.unless(lambda body: not body["stream"], refusal, answer))
    reply = Bench(server, wire).ask()
    assert (reply.text, reply.tokens_out, reply.finish) == (GOOD, 2, "stop")
    assert [post.body["stream"] for post in server.posts] == [True, False]


def test_the_time_limit_holds_without_a_stream_too(server: FaultyEndpoint) -> None:
    play(server, faulty.silent())
    bench = Bench(server, timeouts=Timeouts(total=0.6))
    bench.memory.put(bench.model._known, Abilities(stream=False))
    started = time.monotonic()
    with pytest.raises(ProviderUnreachable, match="within"):
        bench.ask()
    assert time.monotonic() - started < 3


def test_the_output_limit_fits_beside_the_prompt_in_a_small_context(server: FaultyEndpoint) -> None:
    server.script.models = faulty.models("tiny", max_model_len=2048)
    play(server, faulty.stream(GOOD))
    bench = Bench(server)
    assert bench.model.context() == 2048
    bench.ask(ModelRequest((Message("user", "x" * 2500),), SCHEMA, 4096))
    bench.ask(ModelRequest((Message("user", "x" * 25),), SCHEMA, 64))
    first, second = (post.body["max_tokens"] for post in server.posts)
    assert 700 < first < 2048 - 1000
    assert second == 64


def test_an_endpoint_that_answers_in_one_piece_is_understood(server: FaultyEndpoint) -> None:
    play(server, faulty.whole(GOOD))
    reply = Bench(server).ask()
    assert (reply.text, reply.tokens_out) == (GOOD, 2)


@pytest.mark.parametrize(
    "chunks",
    [
        [faulty.chunk(f"<think>is it {{}}?</think>\n{GOOD}", "stop")],
        [faulty.chunk("<thi"), faulty.chunk("nk>{}</th"), faulty.chunk("ink>"), faulty.chunk(GOOD, "stop")],
        [faulty.chunk(None, reasoning_content="is it?"), faulty.chunk(GOOD, "stop")],
        [faulty.chunk(None, reasoning="is it?"), faulty.chunk(GOOD, "stop")],
    ],
    ids=["block", "block-in-pieces", "reasoning_content", "reasoning"],
)
def test_thinking_is_no_part_of_the_reply(server: FaultyEndpoint, chunks: list[object]) -> None:
    play(server, faulty.events(*chunks))
    *pieces, reply = Bench(server).model.ask(REQUEST)
    assert isinstance(reply, ModelReply)
    assert reply.text == GOOD
    assert "".join(str(piece) for piece in pieces) == GOOD


def test_chunks_without_choices_are_normal(server: FaultyEndpoint) -> None:
    without = {"id": "chatcmpl-7", "object": "chat.completion.chunk", "model": "tiny-1", "choices": None}
    play(server, faulty.events(faulty.USAGE, without, faulty.chunk(GOOD, "stop"), faulty.USAGE))
    assert Bench(server).ask().text == GOOD


TOO_LONG = [
    (
        (
            "This model's maximum context length is 1024 tokens. However, your prompt contains at least 1025 input "
            "tokens, which exceeds this limit even without any output tokens."
        ),
        1024,
    ),
    (
        (
            "This model's maximum context length is 4096 tokens. However, you requested 4200 tokens (4000 in the "
            "messages, 200 in the completion). Please reduce the length of the messages or completion."
        ),
        4096,
    ),
    ("max_tokens=5000 cannot be greater than max_model_len=1024. Please request fewer output tokens.", 1024),
    ("max_tokens is too large: 64. This model's maximum context length is 60 tokens", 60),
    ("the request exceeds the available context size (512 tokens), try increasing it", 512),
]


@pytest.mark.parametrize(
    ("message", "limit"), TOO_LONG, ids=["vllm", "older-vllm", "vllm-max", "vllm-0.6", "llama.cpp"]
)
def test_a_prompt_that_does_not_fit_says_the_limit_and_it_is_remembered(
    server: FaultyEndpoint, message: str, limit: int
) -> None:
    play(server, faulty.refuse(400, {"error": {"message": message, "type": "BadRequestError", "code": 400}}))
    bench = Bench(server)
    with pytest.raises(ProviderTooLong) as raised:
        bench.ask()
    assert raised.value.limit == limit
    assert bench.model.context() == limit
    assert len(server.posts) == 1


def test_llama_cpp_names_the_limit_in_a_field(server: FaultyEndpoint) -> None:
    body = {
        "error": {
            "code": 400,
            "message": "the request exceeds the available context size, try increasing it",
            "type": "exceed_context_size_error",
            "n_prompt_tokens": 700,
            "n_ctx": 512,
        }
    }
    play(server, faulty.refuse(400, body))
    with pytest.raises(ProviderTooLong) as raised:
        Bench(server).ask()
    assert raised.value.limit == 512


REFUSALS = [
    (401, {"error": "Unauthorized"}, ProviderRefused, "refused the key"),
    (401, {"error": {"message": "Invalid API Key", "code": 401}}, ProviderRefused, "refused the key"),
    (403, {"error": {"message": "no access"}}, ProviderRefused, "does not allow"),
    (404, {"detail": "Not Found"}, ProviderRefused, "no such path"),
    (404, "404 page not found", ProviderRefused, "no such path"),
    (404, {"error": {"message": "The model `x` does not exist.", "param": "model"}}, ProviderRefused, "no model"),
    (404, {"error": {"message": 'model "x" not found, try pulling it first'}}, ProviderRefused, "no model"),
    (402, {"error": {"message": "Insufficient credits"}}, ProviderRefused, "no credit"),
    (429, {"error": {"code": "insufficient_quota", "message": "quota"}}, ProviderRefused, "no credit"),
    (
        500,
        {"error": {"message": "EngineCore encountered an issue. See stack trace (above)"}},
        ProviderOverloaded,
        "died",
    ),
]


@pytest.mark.parametrize(("status", "body", "kind", "words"), REFUSALS)
def test_what_waiting_does_not_cure_is_not_asked_again(
    server: FaultyEndpoint, status: int, body: object, kind: type[ProviderError], words: str
) -> None:
    play(server, faulty.refuse(status, body))
    bench = Bench(server)
    with pytest.raises(kind, match=words):
        bench.ask()
    assert len(server.posts) == 1
    assert bench.waits == []
    assert bench.exchanges[0].outcome != "ok"


def test_a_key_that_the_endpoint_echoes_is_not_shown(server: FaultyEndpoint) -> None:
    play(server, faulty.refuse(401, {"error": {"message": f"Incorrect API key provided: {KEY}."}}))
    with pytest.raises(ProviderRefused) as raised:
        Bench(server).ask()
    assert KEY not in raised.value.message
    assert "‹key›" in raised.value.message


def test_control_characters_of_an_endpoint_do_not_reach_the_message(server: FaultyEndpoint) -> None:
    play(server, faulty.refuse(400, {"error": {"message": "\x1b]8;;http://x\x07no\u202e \x1b[2Jway"}}))
    with pytest.raises(ProviderRefused) as raised:
        Bench(server).ask()
    assert raised.value.message.isprintable()


@pytest.mark.parametrize(
    ("refusal", "waits"),
    [
        (faulty.refuse(429, {"error": "slow down"}, Retry_After="7"), [7.0]),
        (faulty.refuse(503, {"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}), [0.5]),
        (faulty.refuse(502, "<html><body>Bad Gateway</body></html>"), [0.5]),
    ],
    ids=["retry-after", "loading", "gateway"],
)
def test_an_overload_is_waited_for(server: FaultyEndpoint, refusal: Answer, waits: list[float]) -> None:
    play(server, refusal, faulty.stream(GOOD))
    bench = Bench(server)
    assert bench.ask().text == GOOD
    assert bench.waits == waits


def test_an_overload_that_lasts_is_an_error_after_the_retries(server: FaultyEndpoint) -> None:
    play(server, faulty.refuse(503, {"error": {"message": "Loading model"}}))
    bench = Bench(server, retries=2)
    with pytest.raises(ProviderOverloaded, match="still loads"):
        bench.ask()
    assert bench.waits == [0.5, 1.0]
    assert len(server.posts) == 3


def test_a_retry_after_beyond_the_time_limit_is_not_waited_for(server: FaultyEndpoint) -> None:
    play(server, faulty.refuse(429, {"error": "slow down"}, Retry_After="3600"))
    bench = Bench(server)
    with pytest.raises(ProviderOverloaded):
        bench.ask()
    assert bench.waits == []


def test_a_web_page_is_called_one(server: FaultyEndpoint) -> None:
    for answer in (faulty.page(200), faulty.page(404)):
        play(server, answer)
        with pytest.raises(ProviderRefused, match="web page"):
            Bench(server).ask()


def test_a_redirect_is_not_followed_with_the_key(server: FaultyEndpoint) -> None:
    with FaultyEndpoint(faulty.stream(GOOD)) as elsewhere:
        play(server, faulty.refuse(307, "", Location=f"{elsewhere.url}/chat/completions"))
        with pytest.raises(ProviderRefused, match="redirects"):
            Bench(server).ask()
        assert elsewhere.script.seen == []


@pytest.mark.parametrize("answer", [faulty.cut(), faulty.events(done=True)], ids=["half-json", "nothing"])
def test_a_broken_stream_is_no_reply(server: FaultyEndpoint, answer: Answer) -> None:
    play(server, answer)
    with pytest.raises(ProviderGarbled):
        Bench(server).ask()


def test_a_connection_that_breaks_is_tried_again(server: FaultyEndpoint) -> None:
    play(server, faulty.hung_up(), faulty.stream(GOOD))
    bench = Bench(server)
    assert bench.ask().text == GOOD
    assert len(bench.waits) == 1


def test_an_error_inside_a_stream_is_an_error(server: FaultyEndpoint) -> None:
    error = {"error": {"message": "EngineCore encountered an issue.", "type": "InternalServerError", "code": 500}}
    play(server, faulty.events(faulty.chunk('{"a'), error))
    with pytest.raises(ProviderOverloaded, match="died"):
        Bench(server).ask()


def test_a_reply_cut_off_at_the_output_limit_is_not_taken_for_one(server: FaultyEndpoint) -> None:
    play(server, faulty.stream('{"a": "bbbbb', finish="length"))
    with pytest.raises(ProviderGarbled, match="cut off"):
        Bench(server).ask()


def test_a_reply_without_end_is_stopped(server: FaultyEndpoint) -> None:
    play(server, faulty.endless())
    with pytest.raises(ProviderGarbled, match="does not end"):
        Bench(server).ask()


@pytest.mark.parametrize("answer", [faulty.comments(), faulty.endless(0.05), faulty.silent()])
def test_the_time_limit_holds_whatever_the_endpoint_sends(server: FaultyEndpoint, answer: Answer) -> None:
    play(server, answer)
    started = time.monotonic()
    request = ModelRequest(REQUEST.messages, SCHEMA, 1_000_000)
    with pytest.raises(ProviderUnreachable, match=r"within 0\.6 s"):
        Bench(server, timeouts=Timeouts(total=0.6)).ask(request)
    assert time.monotonic() - started < 3


def test_silence_is_retried_and_then_said(server: FaultyEndpoint) -> None:
    play(server, faulty.silent())
    bench = Bench(server, retries=1, timeouts=Timeouts(read=0.2))
    with pytest.raises(ProviderUnreachable, match="did not answer in time"):
        bench.ask()
    assert len(bench.waits) == 1


def test_no_server_is_said_at_once() -> None:
    with FaultyEndpoint() as gone:
        pass
    bench = Bench(gone)
    with pytest.raises(ProviderUnreachable, match="refused"):
        bench.ask()
    assert bench.waits == []


def test_a_reader_that_stops_closes_the_connection(server: FaultyEndpoint) -> None:
    play(server, faulty.endless(0.01))
    bench = Bench(server)
    pieces = bench.model.ask(REQUEST)
    next(pieces)
    pieces.close()  # type: ignore[attr-defined]
    assert bench.exchanges[0].outcome == "interrupted"
    for _ in range(100):
        if threading.active_count() <= 2:
            break
        time.sleep(0.02)
    assert not [t for t in threading.enumerate() if isinstance(t, threading.Timer)]


def test_ctrl_c_ends_a_question_at_once(server: FaultyEndpoint, tmp_path: Path) -> None:
    play(server, faulty.comments("well"))
    script = tmp_path / "asks.py"
    script.write_text(
        "import sys\n"
        "from copilot.connect import Connections, connect\n"
        "from copilot.model.provider import Provider\n"
        "from copilot.ports import MemoryVault, Message, ModelRequest\n"
        "model = connect(Provider(name='g', base_url=sys.argv[1], model='m'), Connections({}, MemoryVault()))\n"
        "for piece in model.ask(ModelRequest((Message('user', 'x'),), {})):\n"
        "    print(piece, flush=True)\n"
    )
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, str(script), server.url], text=True, **pipes) as asking:
        assert asking.stdout.readline() == "well\n"
        asking.send_signal(signal.SIGINT)
        _, said = asking.communicate(timeout=30)
    assert "KeyboardInterrupt" in said


class TestResponses:
    def test_a_healthy_stream(self, server: FaultyEndpoint) -> None:
        play(server, faulty.responses(GOOD))
        reply = Bench(server, "responses").ask()
        assert (reply.text, reply.model, reply.tokens_in, reply.finish) == (GOOD, "tiny-1", 11, "stop")
        (seen,) = server.posts
        assert seen.path == "/v1/responses"
        assert seen.body["text"]["format"]["strict"] is True
        assert seen.body["store"] is False

    def test_the_ladder(self, server: FaultyEndpoint) -> None:
        refusal = faulty.refuse(400, {"error": {"message": "text.format json_schema is not supported"}})
        play(server, faulty.unless(lambda body: "text" not in body, refusal, faulty.responses(GOOD)))
        assert Bench(server, "responses").ask().format == "plain"

    def test_a_cut_off_reply(self, server: FaultyEndpoint) -> None:
        play(server, faulty.responses('{"a', incomplete="max_output_tokens"))
        with pytest.raises(ProviderGarbled, match="cut off"):
            Bench(server, "responses").ask()

    def test_no_such_path(self, server: FaultyEndpoint) -> None:
        play(server, faulty.refuse(404, {"detail": "Not Found"}))
        with pytest.raises(ProviderRefused, match="no such path"):
            Bench(server, "responses").ask()


@pytest.mark.parametrize(
    ("listed", "length"),
    [
        (faulty.models("tiny", max_model_len=2048), 2048),
        (faulty.models("tiny", context_length=8192), 8192),
        (faulty.models("tiny", context_window=131072), 131072),
        (faulty.models("tiny", meta={"n_ctx": 4096, "n_ctx_train": 32768}), 4096),
        (faulty.models("tiny", meta={"n_ctx_train": 32768}), None),
        (faulty.models("other", max_model_len=2048), None),
        (faulty.refuse(404, {"detail": "Not Found"}), None),
    ],
    ids=["vllm", "openrouter", "groq", "llama.cpp", "trained-length-is-no-limit", "other-model", "no-list"],
)
def test_the_context_length_is_learnt_never_assumed(server: FaultyEndpoint, listed: Answer, length: int | None) -> None:
    server.script.models = listed
    assert Bench(server).model.context() == length
