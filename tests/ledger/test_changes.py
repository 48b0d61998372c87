"""What to turn, and what it does."""

import pytest

from copilot.ledger import (
    Card,
    Plan,
    architecture_of,
    effect_of,
    largest_model_len,
    predict,
    rounded_len,
    smallest_change,
    utilization_that_fits,
)

LLAMA = architecture_of("meta-llama/Llama-3.1-8B-Instruct")
QWEN_3B = architecture_of("Qwen/Qwen2.5-3B-Instruct")
QWEN_15B = architecture_of("Qwen/Qwen2.5-1.5B-Instruct")
RTX_2070 = Card(8.0, 6.98, "RTX 2070", "7.5")
H200 = Card(139.8, 139.29, "NVIDIA H200", "9.0")


@pytest.mark.parametrize(
    ("free", "total", "wsl", "share"),
    [
        (6.98, 8.0, False, 0.86),
        (6.98, 8.0, True, 0.85),
        (31.44, 47.38, False, 0.65),
        (139.29, 139.8, False, 0.99),
        (0.49, 79.32, False, None),
        (0.0, 0.0, False, None),
    ],
)
def test_the_share_keeps_a_margin_and_a_larger_one_under_wsl2(free, total, wsl, share):
    assert utilization_that_fits(free, total, wsl=wsl) == share


def test_nothing_needs_changing_where_it_starts():
    assert smallest_change(QWEN_15B, H200, Plan(version="0.25.0")) is None


def test_a_context_that_is_too_long_is_shortened_first():
    change = smallest_change(LLAMA, H200, Plan(version="0.25.0", utilization=0.15, enforce_eager=True))
    assert change.parameter == "--max-model-len"
    assert 30_000 < int(change.value) <= 39_856
    assert change.fit.starts
    assert change.fit.sure


def test_a_refused_share_is_lowered_and_the_effect_has_its_numbers():
    change = smallest_change(QWEN_15B, RTX_2070, Plan(version="0.25.0", utilization=0.9, max_model_len=4096))
    assert change.parameter == "--gpu-memory-utilization"
    assert float(change.value) <= 0.86
    assert change.fit.starts
    assert change.effect.en.startswith("KV cache 3.86 GiB → ")
    assert change.effect.en.endswith("GiB, 4,096 tokens need 0.11 GiB")
    assert "KV 缓存" in change.effect.zh


def test_three_billion_in_sixteen_bits_hardly_fit_on_eight_gib():
    plan = Plan(version="0.25.0", utilization=0.86, max_model_len=4096, dtype="float16", enforce_eager=True)
    found = predict(QWEN_3B, RTX_2070, plan)
    assert found.gib("weights") == pytest.approx(5.79, abs=0.02)
    assert found.gib("kv_needed") == pytest.approx(0.14, abs=0.005)
    assert not found.sure


def test_what_can_never_fit_gets_a_quantised_or_smaller_model_and_perhaps_a_second_change():
    change = smallest_change(architecture_of("Qwen/Qwen3-32B"), Card(23.64, 23.2), Plan(version="0.25.0"))
    assert (change.parameter, change.value) == ("model:quantization", "awq")
    assert change.then.parameter == "--max-model-len"
    assert change.then.fit.starts


def test_graphs_outside_the_share_count_against_what_is_free():
    """V2 runner before 0.29: graphs come on top, so a share just below free memory fails late."""
    card = Card(24.0, 22.0)
    tight = Plan(version="0.25.0", utilization=0.91, max_model_len=4096)
    assert predict(LLAMA, card, tight).reason == "graphs"
    assert predict(LLAMA, card, tight.with_(enforce_eager=True)).starts
    assert predict(LLAMA, card, tight.with_(version="0.29.0")).starts


def test_the_longest_context_is_exact_for_measured_memory():
    plan = Plan(version="0.25.0")
    assert largest_model_len(LLAMA, 4.866, plan, H200) == pytest.approx(39856, abs=32)
    assert largest_model_len(LLAMA, -1.0, plan, H200) == 0


@pytest.mark.parametrize(("tokens", "written"), [(39856, 38912), (2047, 1792), (4096, 4096), (100, 0)])
def test_lengths_to_write_are_round_and_never_larger(tokens, written):
    assert rounded_len(tokens) == written


def test_effect_names_both_caches_and_the_need():
    small = predict(LLAMA, H200, Plan(version="0.25.0", utilization=0.15, max_model_len=4096))
    large = predict(LLAMA, H200, Plan(version="0.25.0", utilization=0.2, max_model_len=4096))
    assert effect_of(small, large).en.split("→")[1].strip().endswith("4,096 tokens need 0.50 GiB")


def test_unused_cards_are_the_cheapest_change():
    qwen = architecture_of("Qwen/Qwen2.5-14B-Instruct")
    change = smallest_change(
        qwen, Card(23.68, 23.3, "RTX 3090", "8.6", count=2), Plan(version="0.25.0", max_model_len=8192)
    )
    assert (change.parameter, change.value) == ("--tensor-parallel-size", "2")
    assert change.fit.starts


def test_heads_that_do_not_divide_are_not_split():
    qwen = architecture_of("Qwen/Qwen2.5-7B-Instruct")  # 28 heads
    change = smallest_change(qwen, Card(15.6, 15.2, count=3), Plan(version="0.25.0", max_model_len=8192))
    assert (change.parameter, change.value) == ("--tensor-parallel-size", "2")


def test_under_wsl2_free_memory_is_an_interval_and_the_outcome_less_sure():
    plan = Plan(version="0.25.0", max_model_len=2048, enforce_eager=True, utilization=0.9)
    linux, windows = (predict(QWEN_15B, Card(8.0, 7.25, wsl=wsl), plan) for wsl in (False, True))
    assert (linux.starts, linux.sure) == (True, True)
    assert (windows.starts, windows.sure) == (True, False)
    assert windows.row("free").low < 7.25 < windows.row("free").high
    unknown = predict(QWEN_15B, Card(8.0, wsl=True), plan)
    assert unknown.row("free").origin == "estimated"
    assert unknown.gib("free") == pytest.approx(7.0)
