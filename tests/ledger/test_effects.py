"""The predicted effect of one change, in the experiment and against the next start."""

from dataclasses import replace

import pytest

from copilot.ledger import Tried, architecture_of, effect_on
from copilot.model.evidence import Service, Setting
from copilot.model.ledger import Ledger, Row
from copilot.model.request import Options, Sources
from copilot.model.text import Text
from copilot.ports import Next, ScriptedRetest
from workflow.helpers import states

LLAMA = architecture_of("meta-llama/Llama-3.1-8B-Instruct")


def tried(rows: dict[str, float], **settings: str) -> Tried:
    service = Service(
        settings=tuple(
            Setting(parameter="--" + name.replace("_", "-"), value=value, source="compose")
            for name, value in settings.items()
        )
    )
    ledger = Ledger(
        rows=tuple(Row(name=name, gib=gib, origin="log") for name, gib in rows.items()), verdict=Text(en="", zh="")
    )
    return Tried(ledger, service, "0.25.0", LLAMA)


def test_a_larger_share_adds_its_part_of_the_card_to_what_was_measured():
    start = tried({"total": 24.0, "kv_available": 0.52}, gpu_memory_utilization="0.7", max_model_len="4096")
    effect = effect_on(start, "--gpu-memory-utilization", "0.8")
    assert effect.before == 0.52
    assert effect.after == pytest.approx(0.52 + 2.4)
    assert effect.text.en == "KV cache 0.52 GiB → 2.92 GiB, 4,096 tokens need 0.50 GiB."


def test_a_shorter_context_leaves_the_cache_and_needs_less():
    effect = effect_on(tried({"kv_available": 4.87}, max_model_len="131072"), "--max-model-len", "32768")
    assert (effect.before, effect.after, effect.needed) == (4.87, pytest.approx(4.87), pytest.approx(4.0))


def test_an_eight_bit_cache_halves_the_need():
    effect = effect_on(tried({"kv_available": 4.87}, max_model_len="65536"), "--kv-cache-dtype", "fp8")
    assert effect.needed == pytest.approx(4.0)


def test_a_start_without_a_cache_gets_an_interval():
    effect = effect_on(tried({"total": 24.0, "free": 23.0}, max_model_len="8192"), "--gpu-memory-utilization", "0.9")
    assert effect.before is None
    assert effect.low < effect.after < effect.high
    assert "to" in effect.text.en


def test_a_share_is_computed_without_the_shape_too():
    start = replace(tried({"total": 15.77, "asked": 14.2, "kv_available": 3.76}), architecture=None)
    effect = effect_on(start, "--gpu-memory-utilization", "0.85")
    assert effect.after == pytest.approx(3.76 - 0.05 * 15.77, abs=0.02)
    assert effect.text.en == "KV cache 3.76 GiB → 2.96 GiB."
    assert effect_on(start, "--max-model-len", "1024") is None


@pytest.mark.parametrize("parameter", ["--port", "env:HF_TOKEN", "docker:shm_size"])
def test_what_does_not_touch_memory_has_no_effect(parameter):
    assert effect_on(tried({"total": 24.0, "kv_available": 1.0}), parameter, "1") is None


HEAD = (
    "INFO 12-01 17:02:09 [api_utils.py:273] vLLM API server version 0.25.0\n"
    "INFO 12-01 17:02:09 [api_utils.py:273] non-default args: {{'model': 'meta-llama/Llama-3.1-8B-Instruct', "
    "'max_model_len': {length}, 'enforce_eager': True, 'gpu_memory_utilization': 0.15}}\n"
    "INFO 12-01 17:02:28 [model_runner.py:302] Model loading took 15.0 GiB and 1.365931 seconds\n"
    "INFO 12-01 17:02:30 [gpu_worker.py:538] Available KV cache memory: {cache} GiB\n"
)
SMALL = (
    "ERROR 12-01 17:02:30 [core.py:1231] ValueError: To serve at least one request with the model's max seq len "
    "(131072), (16.0 GiB KV cache is needed, which is larger than the available KV cache memory (4.87 GiB). Based on "
    "the available memory, the estimated maximum model length is 39856. Try increasing `gpu_memory_utilization` (which "
    "also controls CPU memory for the CPU backend) or decreasing `max_model_len` when initializing the engine.\n"
)
SERVES = (
    "INFO 12-01 17:03:30 [kv_cache_utils.py:1] GPU KV cache size: 39,000 tokens\n"
    "INFO:     Application startup complete.\n"
)


def test_the_retest_says_how_far_off_the_prediction_was(ports, tmp_path):
    first, second = tmp_path / "1.log", tmp_path / "2.log"
    first.write_text(HEAD.format(length=131072, cache="4.87") + SMALL)
    second.write_text(HEAD.format(length=39856, cache="4.77") + SERVES)
    retest = ScriptedRetest(steps=[Next("retested", sources=Sources(log=str(second)))])
    found = states(replace(ports, retest=retest), Sources(log=str(first)), Options())
    experiment = found[0]["answer"].experiment
    assert (experiment.change.parameter, experiment.change.to) == ("--max-model-len", "39856")
    assert experiment.predicted.kv_available == pytest.approx(4.87)
    assert "4.87 GiB → 4.87 GiB, 39,856 tokens need 4.87" in experiment.predicted.text
    assert found[1]["answer"].compared.note == "KV cache: predicted 4.87 GiB, measured 4.77 GiB, off by 0.10."
