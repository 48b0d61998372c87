"""Both wires and every reply format against a real server program.

VLLM_BIN (a `vllm` program; the CPU build will do) with VLLM_MODEL (a folder; random weights will do), or
LLAMA_SERVER (`llama-server`) with LLAMA_MODEL (a .gguf). Where neither is named these tests are skipped with a word.
CI should install one of them in a job of its own (vLLM's CPU build: about three minutes, 3 GB of memory) and set its
two variables there.
"""

import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from copilot.adapters.openai_sdk import list_models
from copilot.connect import Connections, connect
from copilot.errors import ProviderRefused, ProviderTooLong
from copilot.model.provider import Provider
from copilot.ports import MemoryVault, Message, ModelReply, ModelRequest
from copilot.prompting.replies import document
from copilot.providers.endpoint import Endpoint

pytestmark = pytest.mark.server
KEY = "made-up-for-this-test"
SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"cause": {"type": "string", "enum": ["memory", "network"]}},
    "required": ["cause"],
    "additionalProperties": False,
}
STARTING = 300
"""Seconds."""


def command(port: int) -> list[str] | None:
    """How the server that is named is started."""
    here = ["--host", "127.0.0.1", "--port", str(port), "--api-key", KEY]
    if os.environ.get("VLLM_BIN") and os.environ.get("VLLM_MODEL"):
        form = '{"backend":"xgrammar","disable_any_whitespace":true}'
        small = ["--load-format", "dummy", "--enforce-eager", "--max-model-len", "2048", "--served-model-name", "tiny"]
        served = [os.environ["VLLM_BIN"], "serve", os.environ["VLLM_MODEL"]]
        return [*served, *small, "--structured-outputs-config", form, *here]
    if os.environ.get("LLAMA_SERVER") and os.environ.get("LLAMA_MODEL"):
        small = ["-c", "2048", "-np", "1", "--alias", "tiny"]
        return [os.environ["LLAMA_SERVER"], "-m", os.environ["LLAMA_MODEL"], *small, *here]
    return None


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    wanted = command(port)
    if wanted is None:
        pytest.skip("no server program is named (VLLM_BIN and VLLM_MODEL, or LLAMA_SERVER and LLAMA_MODEL)")
    quiet = {"VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1", "HF_HUB_OFFLINE": "1", "VLLM_CPU_KVCACHE_SPACE": "1"}
    log = tmp_path_factory.mktemp("server") / "log.txt"
    environ = {**os.environ, **quiet, "VLLM_HOST_IP": "127.0.0.1"}
    with log.open("wb") as file, subprocess.Popen(wanted, stdout=file, stderr=file, env=environ) as process:
        try:
            wait(f"http://127.0.0.1:{port}/health", process)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()


def wait(health: str, process: "subprocess.Popen[bytes]") -> None:
    """Until the server says that it is well."""
    end = time.monotonic() + STARTING
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(health, timeout=2):  # noqa: S310 - loopback
                return
        except (urllib.error.URLError, OSError):
            time.sleep(1)
    pytest.fail(f"the server did not come up (exit code {process.poll()})")


def ask(
    url: str, wire: str, text: str = "Answer with one word: memory or network?", key: str = KEY, model: str = "tiny"
) -> ModelReply:
    provider = Provider.model_validate({"name": "real", "base_url": url, "model": model, "wire_api": wire})
    made = connect(provider, Connections({"COPILOT_API_KEY": key}, MemoryVault()))
    *_, last = made.ask(ModelRequest((Message("user", text),), SCHEMA, 40))
    assert isinstance(last, ModelReply)
    return last


@pytest.mark.parametrize("wire", ["chat", "responses"])
def test_both_wires_answer_in_the_schema_and_tell_the_cost(url: str, wire: str) -> None:
    reply = ask(url, wire)
    assert reply.tokens_in > 0
    assert reply.tokens_out > 0
    assert reply.format == "strict"
    if wire == "responses" and not os.environ.get("VLLM_BIN"):
        assert reply.text  # llama.cpp's /v1/responses takes the schema without a word and ignores it
        return
    found = document(reply.text)
    assert found is not None
    assert found["cause"] in ("memory", "network")


def test_a_wrong_key_is_refused(url: str) -> None:
    with pytest.raises(ProviderRefused, match="refused the key"):
        ask(url, "chat", key="another-made-up-key")


def test_a_long_prompt_tells_the_limit(url: str) -> None:
    with pytest.raises(ProviderTooLong) as raised:
        ask(url, "chat", "log line 1234 " * 4000)
    assert raised.value.limit == 2048


def test_the_context_length_is_listed(url: str) -> None:
    provider = Provider(name="real", base_url=url, model="tiny")
    (entry,) = list_models(Endpoint(provider, "tiny", KEY))
    assert (entry.id, entry.context) == ("tiny", 2048)
