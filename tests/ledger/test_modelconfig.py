"""config.json of many families: nested, quantised, windowed, latent, hybrid."""

import json
from pathlib import Path

import pytest

from copilot.collect.modelconfig import read_config
from copilot.ledger import architecture_of
from copilot.ledger.shape import parameters

CONFIGS = Path(__file__).parent / "data" / "configs"
BASE = {
    "model_type": "llama",
    "hidden_size": 2048,
    "num_hidden_layers": 24,
    "num_attention_heads": 16,
    "num_key_value_heads": 4,
    "intermediate_size": 8192,
    "vocab_size": 32000,
    "max_position_embeddings": 8192,
}


def read(**fields: object):
    return read_config(json.dumps({**BASE, **fields}), "made-up")


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.json")), ids=lambda path: path.stem)
def test_a_config_and_the_table_agree(path):
    found, known = read_config(path.read_text(), path.stem), architecture_of(path.stem)
    assert found.model_copy(update={"origin": "table", "parameters_m": known.parameters_m}) == known


@pytest.mark.parametrize("text", ["", "[]", "{", '"x"', "{}", '{"num_hidden_layers": "many"}', '{"hidden_size": 8}'])
def test_what_is_no_decoder_is_none(text):
    assert read_config(text, "x") is None


def test_the_text_part_of_a_multimodal_config_is_found_and_its_tower_counted():
    whole = {
        "architectures": ["Gemma3ForConditionalGeneration"],
        "model_type": "gemma3",
        "text_config": {
            "hidden_size": 2560,
            "intermediate_size": 10240,
            "model_type": "gemma3_text",
            "num_hidden_layers": 34,
            "sliding_window": 1024,
        },
        "vision_config": {
            "hidden_size": 1152,
            "intermediate_size": 4304,
            "num_hidden_layers": 27,
            "model_type": "siglip_vision_model",
        },
    }
    found, known = read_config(json.dumps(whole), "x"), architecture_of("google/gemma-3-4b-it")
    assert (found.heads, found.kv_heads, found.head_dim, found.sliding_layers) == (8, 4, 256, 29)
    assert parameters(found) / 1e6 == pytest.approx(known.parameters_m, rel=0.02)


@pytest.mark.parametrize(
    ("quantization", "method", "bits", "group"),
    [
        ({"quant_method": "awq", "bits": 4, "group_size": 128}, "awq", 4, 128),
        ({"quant_method": "gptq", "bits": 8, "group_size": 32}, "gptq", 8, 32),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, "bitsandbytes", 4, None),
        ({"quant_method": "fp8"}, "fp8", None, None),
        (
            {
                "quant_method": "compressed-tensors",
                "config_groups": {"group_0": {"weights": {"num_bits": 4, "group_size": 128}}},
            },
            "compressed-tensors",
            4,
            128,
        ),
    ],
)
def test_the_quantisation_of_the_checkpoint(quantization, method, bits, group):
    found = read(quantization_config=quantization)
    assert (found.quantization, found.bits, found.group_size) == (method, bits, group)


@pytest.mark.parametrize(
    ("fields", "window", "layers"),
    [
        ({"sliding_window": 4096, "use_sliding_window": False}, None, 0),
        ({"sliding_window": 4096}, None, 0),
        ({"sliding_window": 4096, "model_type": "mistral"}, 4096, 24),
        ({"sliding_window": None, "model_type": "mistral"}, None, 0),
        ({"sliding_window": 4096, "use_sliding_window": True, "max_window_layers": 20}, 4096, 4),
        ({"sliding_window": 128, "layer_types": ["sliding_attention", "full_attention"] * 12}, 128, 12),
        ({"sliding_window": 1024, "sliding_window_pattern": 6}, 1024, 20),
    ],
)
def test_which_layers_have_a_window(fields, window, layers):
    found = read(**fields)
    assert (found.sliding_window, found.sliding_layers) == (window, layers)


def test_linear_layers_have_a_state_instead_of_a_cache():
    found = read(
        model_type="qwen3_next",
        full_attention_interval=4,
        linear_num_value_heads=32,
        linear_num_key_heads=16,
        linear_key_head_dim=128,
        linear_value_head_dim=128,
        linear_conv_kernel_dim=4,
    )
    assert found.linear_layers == 18
    assert found.state_bytes == 32 * 128 * 128 * 2 + (2 * 16 * 128 + 32 * 128) * 3 * 2


@pytest.mark.parametrize(
    ("scaling", "length"),
    [
        (None, 8192),
        ({"rope_type": "llama3", "factor": 8.0, "original_max_position_embeddings": 1024}, 8192),
        ({"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 8192}, 32768),
        ({"type": "linear", "factor": 2.0}, 16384),
    ],
)
def test_the_length_is_the_derived_one(scaling, length):
    assert read(rope_scaling=scaling).max_position == length


def test_experts_of_several_spellings():
    found = read(
        num_experts=60, num_experts_per_tok=4, moe_intermediate_size=1408, shared_expert_intermediate_size=5632
    )
    assert (found.experts, found.experts_per_token, found.shared_experts, found.dense_layers) == (60, 4, 4, 0)
    assert read(num_local_experts=8, num_experts_per_tok=2).moe_intermediate == 8192
    assert read(n_routed_experts=64, first_k_dense_replace=1).dense_layers == 1


def test_one_kv_head_of_multi_query_and_all_heads_where_nothing_is_said():
    assert read_config(json.dumps({**BASE, "num_key_value_heads": None, "multi_query": True}), "x").kv_heads == 1
    assert read_config(json.dumps({**BASE, "num_key_value_heads": None}), "x").kv_heads == 16
