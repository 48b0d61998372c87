"""Families of models by their configurations: parameters as published, and which layers hold what."""

import json
from pathlib import Path

import pytest

from copilot.collect.modelconfig import read_config
from copilot.ledger import Plan
from copilot.ledger.kvcache import layout
from copilot.ledger.shape import attention_layers, parameters
from copilot.ledger.weights import weight_gib

FAMILIES = {row["name"]: row for row in json.loads((Path(__file__).parent / "data" / "families.json").read_text())}


def shape(name: str):
    found = read_config(json.dumps(FAMILIES[name]["config"]), name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", FAMILIES)
def test_the_computed_parameters_are_the_published_ones(name):
    """Without multi-token-prediction layers, which the engine does not load."""
    assert parameters(shape(name)) / 1e9 == pytest.approx(FAMILIES[name]["billions"], rel=0.01)


@pytest.mark.parametrize(
    ("name", "attention", "states", "feed"),
    [
        ("Qwen3-Next-80B-A3B", 12, 36, None),
        ("Jamba-mini-1.5", 4, 28, None),
        ("Nemotron-H-8B", 4, 24, 24),
        ("Granite-4.0-h-tiny", 4, 36, None),
        ("LFM2-1.2B", 6, 10, None),
        ("Mamba-2.8b", 0, 64, 0),
    ],
)
def test_what_the_layers_of_hybrids_hold(name, attention, states, feed):
    found = shape(name)
    assert (attention_layers(found), found.linear_layers, found.mlp_layers) == (attention, states, feed)


@pytest.mark.parametrize(
    ("name", "bytes_per_token"),
    [
        ("DeepSeek-V3", 61 * (512 + 64) * 2),  # one latent per layer
        ("Qwen3-30B-A3B", 48 * 2 * 4 * 128 * 2),
        ("Mixtral-8x7B", 32 * 2 * 8 * 128 * 2),
        ("GLM-4.5-Air", 46 * 2 * 8 * 128 * 2),
        ("Phi-3-mini", 32 * 2 * 32 * 96 * 2),
        ("gpt2", 12 * 2 * 12 * 64 * 2),
    ],
)
def test_bytes_per_token_by_hand(name, bytes_per_token):
    found = layout(shape(name), Plan(version="0.25.0"))
    assert found.block_bytes / 16 == bytes_per_token


def test_a_page_of_attention_grows_until_the_state_fits():
    """Qwen3-Next: the engine sets its attention block to 544 tokens."""
    assert layout(shape("Qwen3-Next-80B-A3B"), Plan(version="0.25.0")).groups[0].block == 544


@pytest.mark.parametrize(
    ("name", "change", "gib"),
    [
        ("DeepSeek-V3", {}, 628),  # fp8 blocks, embeddings in 16 bits
        ("gpt-oss-20b", {}, 12.8),  # experts in MXFP4, the rest in 16 bits
        ("Mixtral-8x7B", {"quantization": "awq", "bits": 4, "group_size": 128}, 22.9),
        ("Ministral-8B", {"quantization": "gptq", "bits": 8, "group_size": 128}, 8.6),
    ],
)
def test_weights_of_quantised_checkpoints(name, change, gib):
    assert weight_gib(shape(name).model_copy(update=change), Plan()) == pytest.approx(gib, rel=0.02)


def test_chunked_layers_of_llama_4_need_no_more_than_a_chunk_and_a_batch():
    found, plan = shape("Llama-4-Scout"), Plan(version="0.25.0")
    assert (found.sliding_window, found.sliding_layers) == (8192, 36)
    whole = layout(found, plan.with_(hybrid_cache=False)).needed(131072, 2048)
    assert layout(found, plan).needed(131072, 2048) < 0.4 * whole
