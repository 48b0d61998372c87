"""Figures against a server whose speed is known, records, and what differs between two."""

import json
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from copilot.adapters.openai_stream import TimedChat
from copilot.errors import UsageError
from copilot.measure import Store, compare, environment, prompt, run, spread
from copilot.measuring import Access, Running, gpu_use, open_target, record
from copilot.model.evidence import Evidence, Service, Setting, SourceText
from copilot.model.measurement import Measurement, Shape, Surroundings, Timed
from copilot.model.provider import Provider
from copilot.ports import FixedSampler, GpuSample, MemoryVault, SteadySender
from copilot.providers.endpoint import Endpoint
from providers.faulty_endpoint import USAGE, FaultyEndpoint, Handler, chunk, events, models, refuse

SHAPE = Shape(prompt_tokens=64, output_tokens=11, concurrency=1, repeats=4)


def quiet(phase: str, done: int, of: int) -> None:
    del phase, done, of


def measured(name: str, **changes: Any) -> Measurement:
    delays = changes.pop("delays", [0.2, 0.1, 0.11, 0.09, 0.1])
    results = run(SteadySender(delays, gap=changes.pop("gap", 0.02)), SHAPE, quiet)
    around = Surroundings(engine="vllm", version="0.25.0", model="tiny", settings=changes.pop("settings", {}))
    return Measurement(
        id=name, taken="2026-12-02T00:00:00+00:00", base_url="http://127.0.0.1:8000/v1",
        surroundings=around, shape=SHAPE, phases=results.phases(), **changes,
    )  # fmt: skip


def test_figures_are_those_of_the_server() -> None:
    results = run(SteadySender([0.5, 0.1, 0.2, 0.3, 0.4], gap=0.02), SHAPE, quiet)
    cold, alone = results.phases()
    assert results.complete
    assert (cold.name, alone.name) == ("cold", "alone")
    assert cold.first_token_s is not None
    assert cold.first_token_s.median == pytest.approx(0.5)
    assert alone.first_token_s is not None
    assert alone.first_token_s.median == pytest.approx(0.25)
    assert (alone.first_token_s.low, alone.first_token_s.high) == (pytest.approx(0.175), pytest.approx(0.325))
    assert alone.per_token_s is not None
    assert alone.per_token_s.median == pytest.approx(0.02)
    assert alone.tokens_per_s is not None
    assert alone.tokens_per_s.most == pytest.approx(11 / 0.3)
    assert alone.output_tokens == 11


def test_a_model_that_was_loaded_for_the_first_request_is_told_from_a_slow_one() -> None:
    assert run(SteadySender([6.0, 0.1, 0.12, 0.1, 0.11]), SHAPE, quiet).reload_seconds() == pytest.approx(5.895)
    assert run(SteadySender([0.15, 0.1, 0.12, 0.1, 0.11]), SHAPE, quiet).reload_seconds() is None


def test_every_prompt_is_another_and_the_next_run_has_the_same_words_behind_a_first_one_of_its_own() -> None:
    first, second = SteadySender([0.1]), SteadySender([0.1])
    run(first, SHAPE, quiet)
    run(second, SHAPE, quiet)
    begins = [text.split()[0] for text in first.asked + second.asked]
    assert len(set(begins)) == len(begins), "a prefix cache would answer"
    assert [text.split()[1:] for text in first.asked] == [text.split()[1:] for text in second.asked]
    assert len(prompt(500, 1, 7).split()) == pytest.approx(500, rel=0.1)


class Interrupting:
    """A person who presses Ctrl-C after some requests."""

    def __init__(self, after: int) -> None:
        self.steady, self.left = SteadySender([0.1]), after

    def __call__(self, text: str, max_tokens: int) -> Timed:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return self.steady(text, max_tokens)


def test_an_interrupted_run_keeps_what_was_measured() -> None:
    results = run(Interrupting(3), SHAPE, quiet)
    assert not results.complete
    assert [phase.requests for phase in results.phases()] == [1, 2]


def server_of(token_gap: float) -> Any:
    """A stream as servers send it: role alone, reasoning first, an empty delta, usage in a chunk without choices."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        handler.begin_stream()
        handler.event(chunk("", role="assistant"))
        for index in range(5):
            time.sleep(token_gap)
            handler.event(chunk(None, reasoning_content="hm") if index == 0 else chunk("a "))
        handler.event(chunk(None, "stop"))
        if body.get("stream_options"):
            handler.event(USAGE)
        handler.event("[DONE]")

    return answer


def endpoint(url: str) -> Endpoint:
    return Endpoint(Provider(name="x", base_url=url, model="tiny"), "tiny")


def test_pieces_reasoning_and_usage_only_chunks_are_counted_rightly() -> None:
    with FaultyEndpoint(server_of(0.03)) as server:
        with closing(TimedChat(endpoint(server.url))) as sender:
            one = sender("hello", 5)
        assert server.posts[0].body["ignore_eos"] is True
    assert not one.problem
    assert (one.pieces, one.output_tokens, one.prompt_tokens) == (5, 5, 11)
    assert one.first is not None
    assert one.last is not None
    assert one.first - one.start >= 0.03  # not the chunk that only names the role: a loaded machine adds, never takes
    assert one.last - one.start >= 0.15
    assert one.first < one.last < one.end


def test_tokens_without_text_of_their_own_still_took_their_time() -> None:
    def answer(handler: Handler, body: dict[str, Any]) -> None:
        handler.begin_stream()
        for text in ("", "a ", "", ""):  # the role alone, a word, two halves of a character
            handler.event(chunk(text))
            time.sleep(0.05)
        handler.event(chunk(None, "stop"))
        handler.event(USAGE)
        handler.event("[DONE]")

    with FaultyEndpoint(answer) as server, closing(TimedChat(endpoint(server.url))) as sender:
        one = sender("hello", 5)
    assert one.pieces == 1
    assert one.last - one.first >= 0.15
    assert one.first - one.start >= 0.05


def test_a_server_without_usage_is_counted_by_pieces_and_options_it_refuses_are_left_out() -> None:
    refusal = refuse(400, {"error": {"message": "unknown field ignore_eos", "code": 400}})
    silent = events(chunk("", role="assistant"), chunk("a"), chunk("b"), chunk(None, "stop"))
    with FaultyEndpoint(refusal, refusal, silent) as server:
        with closing(TimedChat(endpoint(server.url))) as sender:
            one = sender("hello", 5)
            again = sender("hello", 5)
        bodies = [post.body for post in server.posts]
    assert (one.pieces, one.output_tokens, one.tokens) == (2, None, 2)
    assert not again.problem
    assert [("ignore_eos" in b, "stream_options" in b) for b in bodies] == [
        (True, True), (False, True), (False, False), (False, False),
    ]  # fmt: skip


def test_a_failing_server_is_one_sentence_and_no_figures() -> None:
    with FaultyEndpoint(refuse(500, {"error": "x"})) as server, closing(TimedChat(endpoint(server.url))) as sender:
        results = run(sender, SHAPE, quiet)
    (cold,) = results.phases()
    assert cold.failed == cold.requests == 1
    assert cold.first_token_s is None
    assert cold.problem


def test_the_record_holds_what_ran_and_survives_the_disk(tmp_path: Path) -> None:
    looks = [[GpuSample("RTX 3090", 24576, 500, 0.0)], [GpuSample("RTX 3090", 24576, 21000, 96.0)],
             [GpuSample("RTX 3090", 24576, 20000, 90.0)]]  # fmt: skip
    with FaultyEndpoint(server_of(0.01), models=models("tiny")) as server:
        target = open_target(Access(server.root), MemoryVault())
        with closing(TimedChat(target.endpoint)) as sender:
            found = record(target, SHAPE, Running(sender, FixedSampler(looks), quiet))
    assert found.surroundings.model == "tiny"
    assert (found.gpus[0].used_before_mib, found.gpus[0].used_most_mib, found.gpus[0].utilization_mean) == (
        500,
        21000,
        93,
    )
    store = Store(tmp_path / "m")
    path = store.save(found)
    assert path.stat().st_mode & 0o777 == 0o600
    assert store.read(found.id[:12]) == found
    with pytest.raises(UsageError, match="no id"):
        store.read("../other")
    path.write_text("{")
    with pytest.raises(UsageError, match="damaged"):
        store.read(found.id)


def test_no_gpu_is_no_row() -> None:
    assert gpu_use([]) == ()


def test_a_difference_beyond_the_spread_is_told_from_chance_and_the_settings_are_named() -> None:
    eager = measured("a", settings={"--enforce-eager": "true", "--max-model-len": "4096"}, gap=0.03)
    graphs = measured("b", settings={"--max-model-len": "4096"}, gap=0.02)
    found = compare(eager, graphs)
    rows = {(row.phase, row.figure): row for row in found.rows}
    assert rows["alone", "per_token_s"].better == "b"
    assert rows["alone", "per_token_s"].ratio == pytest.approx(2 / 3)
    assert not rows["alone", "first_token_s"].beyond_spread
    assert [(d.name, d.a, d.b) for d in found.differing] == [("--enforce-eager", "true", None)]
    assert not any(row.beyond_spread for row in compare(eager, eager).rows)


def test_one_value_has_no_spread_and_proves_nothing() -> None:
    assert spread([]) is None
    lone = measured("a", delays=[0.1]).phases[0]
    other = measured("b", delays=[9.0]).phases[0]
    assert lone.first_token_s is not None
    assert other.first_token_s is not None
    assert lone.first_token_s.count == 1
    rows = compare(measured("a", delays=[0.1]), measured("b", delays=[9.0, 0.1])).rows
    assert not next(row for row in rows if row.phase == "cold").beyond_spread


def kit_of(version: str, tmp_path: Path) -> tuple[dict[str, str], Measurement]:
    settings = (
        Setting(parameter="--model", value="Qwen/Qwen2.5-3B-Instruct", source="compose", line=1),
        Setting(parameter="--enforce-eager", value=None, source="compose", line=2),
        Setting(parameter="env:HF_TOKEN", value="‹huggingface-token-1›", source="compose", line=3),
    )
    digest = "vllm/vllm-openai@sha256:" + "ab" * 32
    inspect = SourceText(source="inspect", file="inspect.json", text=json.dumps({"RepoDigests": [digest]}))
    evidence = Evidence(
        texts=(inspect,), engine="vllm", image="vllm/vllm-openai:v0.25.0", service=Service(settings=settings)
    )
    found = measured("a", settings={s.parameter: s.value or "" for s in settings})
    found = found.model_copy(update={"surroundings": found.surroundings.model_copy(update={"version": version})})
    kit = environment(found, evidence, "en")
    for name, text in kit.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return kit, found


def test_the_environment_is_pinned_holds_no_secret_and_parses(tmp_path: Path) -> None:
    kit, _ = kit_of("0.25.0", tmp_path)
    service = YAML(typ="safe").load(kit["compose.yaml"])["services"]["llm"]
    assert service["image"].endswith("@sha256:" + "ab" * 32)
    assert service["command"] == [
        "--model", "Qwen/Qwen2.5-3B-Instruct", "--enforce-eager", "--revision", "${MODEL_REVISION:-main}",
    ]  # fmt: skip
    assert service["environment"] == {"HF_TOKEN": "${HF_TOKEN:-}"}
    assert "HF_TOKEN=\n" in kit[".env.example"]
    assert "‹" not in kit["compose.yaml"]
    assert "| alone |" in kit["README.md"]


def version(value: str) -> Any:
    def answer(handler: Handler, body: dict[str, Any]) -> None:
        del body
        if handler.path.endswith("/models"):
            models("tiny")(handler, {})
        else:
            handler.reply(200, json.dumps({"version": value}))

    return answer


@pytest.mark.parametrize(("there", "code"), [("0.25.0", 0), ("0.24.0", 1)])
def test_the_check_script_says_what_differs(tmp_path: Path, there: str, code: int) -> None:
    kit_of(there, tmp_path)

    class Versioned(Handler):
        def do_GET(self) -> None:  # noqa: N802 - the name that http.server calls
            version("0.25.0")(self, {})

    with FaultyEndpoint() as server:
        server.RequestHandlerClass = Versioned
        done = subprocess.run(
            [sys.executable, str(tmp_path / "check.py"), server.url], capture_output=True, text=True, check=False
        )
    assert done.returncode == code, done.stdout + done.stderr
    assert ("!  version: 0.25.0 here, 0.24.0 there" in done.stdout) == bool(code)


def test_nothing_listening_is_one_sentence() -> None:
    with FaultyEndpoint() as server:
        gone = server.root
    with pytest.raises(UsageError, match="No server answers"):
        open_target(Access(gone), MemoryVault())
