"""The forecast against starts that were really made (data/runs.json: figures the engine printed)."""

import json
from functools import cache
from pathlib import Path
from statistics import median

import pytest

from copilot.collect.modelconfig import read_config
from copilot.ledger import Card, Fit, Plan, predict

DATA = Path(__file__).parent / "data"
DOCUMENT = json.loads((DATA / "runs.json").read_text())
RUNS = {run["run"]: run for run in DOCUMENT["runs"]}
STARTED = [name for name, run in RUNS.items() if run["starts"]]


@cache
def forecast(name: str) -> Fit:
    run = RUNS[name]
    architecture = read_config((DATA / "configs" / f"{run['model']}.json").read_text(), run["model"])
    assert architecture is not None
    card = Card(DOCUMENT["total"], run["free"], DOCUMENT["card"], DOCUMENT["capability"])
    return predict(architecture, card, Plan(version="0.25.0", **run["plan"]))


@pytest.mark.parametrize("name", RUNS)
def test_starts_or_not_is_right_and_for_the_right_reason(name):
    assert (forecast(name).starts, forecast(name).reason) == (RUNS[name]["starts"], RUNS[name]["reason"])


@pytest.mark.parametrize("name", STARTED)
def test_the_kv_cache_is_within_its_interval_and_a_tenth_of_a_gib(name):
    row = forecast(name).row("kv_available")
    measured = RUNS[name]["measured"]["kv_available"]
    assert row.low <= measured <= row.high
    assert abs(row.gib - measured) <= 0.1


def test_the_kv_cache_is_off_by_little_in_the_median():
    errors = [abs(forecast(n).gib("kv_available") - RUNS[n]["measured"]["kv_available"]) for n in STARTED]
    assert median(errors) <= 0.02


@pytest.mark.parametrize("name", STARTED)
def test_every_measured_part_lies_in_its_interval(name):
    for part in ("weights", "activation", "non_torch", "graphs"):
        measured = RUNS[name]["measured"].get(part)
        row = forecast(name).row(part)
        if measured is not None:
            assert row.low - 0.005 <= measured <= row.high + 0.005, part


@pytest.mark.parametrize("name", STARTED)
def test_tokens_follow_from_gib_to_one_percent(name):
    """The blocks of the measured GiB, not of the forecast ones: rounding, windows, MLA, fp8."""
    from copilot.ledger.kvcache import layout

    run = RUNS[name]
    architecture = read_config((DATA / "configs" / f"{run['model']}.json").read_text(), run["model"])
    plan = Plan(version="0.25.0", **run["plan"])
    length = run["plan"].get("max_model_len") or architecture.max_position
    length = run["tokens"] if length == -1 else length
    tokens = layout(architecture, plan).tokens(run["measured"]["kv_available"] * 2**30, length, 8192)
    # The log rounds to 0.01 GiB; that alone is worth 0.005 GiB of tokens.
    slack = 0.01 + 0.005 / run["measured"]["kv_available"]
    assert abs(tokens / run["tokens"] - 1) <= slack


def test_the_hint_of_the_engine_and_the_longest_context_agree():
    found = forecast("kv-cache-too-small-hint")
    assert found.gib("kv_needed") == pytest.approx(16.0)
    assert found.max_model_len == pytest.approx(39856, rel=0.01)


def test_graphs_count_in_the_share_by_version_and_runner():
    shape = read_config((DATA / "configs" / "Llama-3.1-8B-Instruct.json").read_text(), "x")
    card = Card(23.68, 23.2, "RTX 3090", "8.6")
    plan = Plan(max_model_len=4096)
    cache_by_version = {
        version: predict(shape, card, plan.with_(version=version, utilization=0.9)).gib("kv_available")
        for version in ("0.19.1", "0.20.0", "0.25.0", "0.29.0")
    }
    assert cache_by_version["0.20.0"] < cache_by_version["0.19.1"]
    assert cache_by_version["0.29.0"] < cache_by_version["0.25.0"]


@pytest.mark.parametrize(("version", "share"), [("0.19.1", 0.9), ("0.20.0", 0.92), ("v0.11.0", 0.9), (None, 0.92)])
def test_the_default_share_is_the_versions(version, share):
    shape = read_config((DATA / "configs" / "Qwen2.5-0.5B-Instruct.json").read_text(), "x")
    assert predict(shape, Card(24.0, 23.9), Plan(version=version)).gib("asked") == pytest.approx(24.0 * share)


def test_before_the_check_existed_a_share_above_free_memory_is_not_refused():
    shape = read_config((DATA / "configs" / "Qwen2.5-0.5B-Instruct.json").read_text(), "x")
    found = {
        v: predict(shape, Card(24.0, 20.0), Plan(version=v, enforce_eager=True)).reason for v in ("0.9.0", "0.9.1")
    }
    assert found["0.9.1"] == "free"
    assert found["0.9.0"] != "free"


def test_other_batch_sizes_widen_the_interval_and_say_so():
    shape = read_config((DATA / "configs" / "Llama-3.1-8B-Instruct.json").read_text(), "x")
    card = Card(139.8, 139.29, "NVIDIA H200", "9.0")
    known, other = (
        predict(shape, card, Plan(version="0.25.0", max_num_batched_tokens=tokens)).row("activation")
        for tokens in (8192, 4096)
    )
    assert (known.high - known.low) / known.gib < (other.high - other.low) / other.gib
    assert "not calibrated" in other.note
    assert "not calibrated" not in known.note


@pytest.mark.parametrize(
    ("total", "name", "version", "tokens"),
    [
        (8.0, "RTX 2070", "0.25.0", 2048),
        (139.8, "H200", "0.25.0", 8192),
        (79.25, "NVIDIA A100-SXM4-80GB", "0.25.0", 2048),
        (178.35, "B200", "0.28.0", 16384),
    ],
)
def test_default_batches_follow_card_and_version(total, name, version, tokens):
    shape = read_config((DATA / "configs" / "Llama-3.1-8B-Instruct.json").read_text(), "x")
    note = predict(shape, Card(total, total - 0.4, name), Plan(version=version)).row("activation").note
    assert note.startswith(f"{tokens} batched tokens")


def test_tensor_parallel_halves_weights_and_cache():
    shape = read_config((DATA / "configs" / "Llama-3.1-8B-Instruct.json").read_text(), "x")
    one, two = (
        predict(shape, Card(47.4, 47.0, count=2), Plan(version="0.25.0", max_model_len=8192, tensor_parallel=n))
        for n in (1, 2)
    )
    assert two.gib("weights") == pytest.approx(one.gib("weights") / 2, rel=0.02)
    assert two.gib("kv_needed") == pytest.approx(one.gib("kv_needed") / 2)


def test_a_latent_cache_is_not_divided_by_tensor_parallelism():
    shape = read_config((DATA / "configs" / "DeepSeek-V2-Lite-Chat.json").read_text(), "x")
    one, two = (predict(shape, Card(79.2, 78.7), Plan(max_model_len=8192, tensor_parallel=n)) for n in (1, 2))
    assert two.gib("kv_needed") == one.gib("kv_needed") > 0
