"""Blocks, groups and rounding of the KV cache."""

import pytest

from copilot.ledger import Plan, architecture_of
from copilot.ledger.kvcache import layout

GIB = 2**30
NEW = Plan(version="0.25.0")


def per_token(name: str, plan: Plan = NEW) -> float:
    """Bytes of one more token in a long context."""
    found = layout(architecture_of(name), plan)
    return (found.needed(32000, 2048) - found.needed(16000, 2048)) / 16000


@pytest.mark.parametrize(
    ("name", "plan", "size"),
    [
        ("Qwen/Qwen2.5-3B-Instruct", NEW, 36864),
        ("meta-llama/Llama-3.1-8B-Instruct", NEW, 131072),
        ("meta-llama/Llama-3.1-8B-Instruct", NEW.with_(kv_cache_dtype="fp8"), 65536),
        ("meta-llama/Llama-3.1-8B-Instruct", NEW.with_(tensor_parallel=2), 65536),
        ("Qwen/Qwen2.5-3B-Instruct", NEW.with_(tensor_parallel=4), 18432),
        ("deepseek-ai/DeepSeek-V2-Lite-Chat", NEW, 27 * 576 * 2),
        ("deepseek-ai/DeepSeek-V2-Lite-Chat", NEW.with_(tensor_parallel=2), 27 * 576 * 2),
        ("google/gemma-2-9b-it", NEW, 21 * 8192),
        ("google/gemma-2-9b-it", NEW.with_(hybrid_cache=False), 42 * 8192),
        ("google/gemma-2-9b-it", NEW.with_(version="0.9.0"), 42 * 8192),
        ("openai/gpt-oss-20b", NEW, 12 * 2048),
        ("meta-llama/Llama-2-7b-chat-hf", NEW, 524288),
    ],
)
def test_bytes_per_token(name, plan, size):
    assert per_token(name, plan) == pytest.approx(size)


def test_tokens_changed_their_meaning_with_groups():
    """gemma-2: blocks over groups until 0.23, concurrency times length since 0.24."""
    gemma = architecture_of("google/gemma-2-9b-it")
    old, new = (layout(gemma, Plan(version=v)).tokens(23.54 * GIB, 8192, 8192) for v in ("0.23.0", "0.25.0"))
    assert new == pytest.approx(73376, rel=0.001)
    assert old == pytest.approx(73456, rel=0.001)


def test_uneven_groups_are_padded():
    """52 windowed and 10 full layers: six groups of ten, the last one padded, and one full group."""
    found = layout(architecture_of("google/gemma-3-27b-it"), NEW)
    assert [group.kind for group in found.groups].count("window") == 6
    assert found.block_bytes == 10 * 16 * 2 * 16 * 128 * 2


def test_a_state_raises_the_block_size_until_pages_are_equal():
    shape = architecture_of("Qwen/Qwen2.5-3B-Instruct").model_copy(
        update={"linear_layers": 27, "state_bytes": 1_000_000}
    )
    found = layout(shape, NEW)
    assert found.groups[0].block % 16 == 0
    assert found.groups[0].block > 16
    assert found.needed(1, 2048) >= found.block_bytes


def test_a_request_never_needs_more_than_its_window_in_windowed_layers():
    mistral = layout(architecture_of("mistralai/Mistral-7B-Instruct-v0.1"), NEW)
    assert mistral.needed(32768, 2048) == mistral.needed(16384, 2048)


def test_nothing_fits_into_nothing():
    llama = layout(architecture_of("meta-llama/Llama-3.1-8B-Instruct"), NEW)
    assert llama.tokens(-5.0, 4096, 2048) == 0
    assert llama.longest(-5.0, 2048, 4096) == 0
    assert llama.longest(1.0, 2048, 4096) == 0


def test_the_longest_request_just_fits():
    llama = layout(architecture_of("meta-llama/Llama-3.1-8B-Instruct"), NEW)
    longest = llama.longest(GIB, 2048, 131072)
    assert llama.needed(longest, 2048) <= GIB < llama.needed(longest + 16, 2048)
