"""The ledger after a start: what the log printed, what follows, what is estimated, and what it says."""

import pytest

from copilot.ledger import architecture_of, build
from copilot.model.evidence import Gpu, GpuReport, Service, Setting
from copilot.model.ledger import Readings

QWEN_3B = architecture_of("Qwen/Qwen2.5-3B-Instruct")
LLAMA = architecture_of("meta-llama/Llama-3.1-8B-Instruct")
EMPTY = Service()


def service(**settings: str) -> Service:
    return Service(
        settings=tuple(
            Setting(parameter="--" + name.replace("_", "-"), value=value, source="compose")
            for name, value in settings.items()
        )
    )


def card(total: float, free: float | None = None, **more: object) -> GpuReport:
    free_mib = None if free is None else round(free * 1024)
    used = None if free is None else round((total - free) * 1024)
    return GpuReport(
        gpus=(Gpu(index=0, name="GPU", total_mib=round(total * 1024), free_mib=free_mib, used_mib=used, **more),)
    )


RTX_2070 = Readings(
    values={"free": 6.98, "total": 8.0, "utilization": 0.9, "requested": 7.2}, lines={"free": 40, "requested": 40}
)


def test_nothing_is_said_where_memory_is_not_in_question():
    assert build(Readings(), card(8.0), EMPTY, QWEN_3B, "0.25.0") is None
    seen = Readings(values={"max_model_len": 4096, "batched_tokens": 2048, "weights": 5.79, "total": 8.0})
    assert build(seen, card(8.0), EMPTY, QWEN_3B, "0.25.0") is None


def test_the_small_card_asked_for_more_than_was_free():
    found = build(RTX_2070, None, service(max_model_len="4096", dtype="float16"), QWEN_3B, "0.25.0")
    assert found.fits is False
    assert found.gib("asked") == 7.2
    assert found.gib("shortfall") == pytest.approx(0.22)
    assert found.gib("weights") == pytest.approx(5.79, abs=0.01)
    assert found.gib("kv_needed") == pytest.approx(0.14, abs=0.005)
    for number in ("7.20", "0.90 × 8.00", "6.98", "0.22", "0.86 (6.88 GiB)", "5.79", "4,096", "0.14"):
        assert number in found.verdict.en, number
    assert "6.98" in found.verdict.zh
    assert "0.86" in found.verdict.zh


def test_under_wsl2_the_margin_is_larger_and_the_desktop_is_named():
    found = build(RTX_2070.model_copy(update={"wsl": True}), None, EMPTY, QWEN_3B, "0.25.0")
    assert "0.85 (6.80 GiB)" in found.verdict.en
    assert "desktop" in found.verdict.en


def test_every_row_says_where_its_number_comes_from():
    found = build(RTX_2070, card(8.0), service(max_model_len="4096"), QWEN_3B, "0.25.0")
    origin = {row.name: row.origin for row in found.rows}
    assert origin["free"] == "log"
    assert origin["shortfall"] == "derived"
    assert origin["weights"] == "estimated"
    assert {row.line for row in found.rows if row.name in ("free", "asked")} == {40}
    weights = next(row for row in found.rows if row.name == "weights")
    assert weights.low < weights.gib < weights.high


def test_measured_numbers_win_over_estimates():
    seen = Readings(values={"requested": 27.96, "total": 139.8, "weights": 5.0, "activation": 3.0, "non_torch": 0.5})
    found = build(seen, None, EMPTY, QWEN_3B, "0.25.0")
    assert (found.gib("weights"), found.gib("activation")) == (5.0, 3.0)
    assert found.gib("kv_available") == pytest.approx(27.96 - 8.5)


@pytest.mark.parametrize(
    ("gpu", "words"),
    [
        (card(8.0, 7.9), "free now"),
        (card(8.0, 6.9, processes=("4711 python 1030 MiB",)), "Another program still holds"),
        (None, "0.22 GiB too little"),
    ],
)
def test_a_tenant_and_a_restart_race_are_told_apart(gpu, words):
    assert words in build(RTX_2070, gpu, EMPTY, QWEN_3B, "0.25.0").verdict.en


def test_conflicting_sources_are_shown_both():
    found = build(RTX_2070, card(8.0, 7.9), EMPTY, QWEN_3B, "0.25.0")
    assert any("6.98" in text and "7.90" in text for text in found.conflicts)
    assert found.gib("free") == 6.98


def test_of_several_cards_the_one_of_the_log_is_meant():
    report = GpuReport(gpus=(*card(24.0, 23.0).gpus, *card(8.0, 7.0).gpus))
    assert not any("total" in text for text in build(RTX_2070, report, EMPTY, QWEN_3B, "0.25.0").conflicts)


def test_a_cache_that_is_too_small_names_the_length_that_fits():
    seen = Readings(
        values={
            "kv_needed": 16.0,
            "kv_available": 4.87,
            "max_model_len": 131072,
            "max_len_fits": 39856,
            "weights": 15.0,
        }
    )
    found = build(seen, None, EMPTY, LLAMA, "0.25.0")
    assert found.fits is False
    assert found.gib("shortfall") == pytest.approx(11.13)
    assert "131,072" in found.verdict.en
    assert "39,856" in found.verdict.en


def test_old_hints_without_the_number_get_ours():
    seen = Readings(values={"kv_needed": 16.0, "kv_available": 4.87, "max_model_len": 131072})
    found = build(
        seen, card(139.8, 139.0), service(gpu_memory_utilization="0.15", enforce_eager="true"), LLAMA, "0.9.0"
    )
    assert "tokens fit" in found.verdict.en


def test_nothing_left_after_weights_is_not_blamed_on_the_context():
    seen = Readings(values={"requested": 7.2, "weights": 7.5, "kv_available": -1.1, "max_model_len": 4096})
    found = build(seen, None, EMPTY, None, "0.25.0")
    assert found.fits is False
    assert found.verdict.en.startswith("Nothing is left for the KV cache (-1.10 GiB)")
    assert "another process" not in found.verdict.en


def test_a_cache_below_zero_though_the_weights_fit_means_another_process():
    seen = Readings(values={"requested": 20.0, "weights": 8.0, "kv_available": -8.59})
    assert "another process grew" in build(seen, None, EMPTY, None, "0.25.0").verdict.en


def test_a_healthy_start_says_what_its_cache_holds():
    seen = Readings(values={"kv_available": 21.0, "tokens": 611792, "weights": 5.79, "max_model_len": 8192})
    found = build(seen, None, EMPTY, QWEN_3B, "0.25.0")
    assert (found.fits, found.tokens) == (True, 611792)
    assert "611,792" in found.verdict.zh


def test_fewer_tokens_than_one_sequence_do_not_fit():
    seen = Readings(values={"max_model_len": 131072, "tokens": 39024})
    assert build(seen, None, EMPTY, None, "0.6.3").fits is False


def test_out_of_memory_names_what_was_tried_and_who_held_what():
    seen = Readings(
        values={"oom_tried": 0.25, "oom_free": 0.24, "oom_total": 139.8, "oom_in_use": 8.76, "others": 130.79}
    )
    said = build(seen, None, EMPTY, None, "0.25.0").verdict.en
    for number in ("0.25", "0.24", "139.80", "8.76", "130.79"):
        assert number in said, number


def test_the_only_process_named_is_this_one():
    seen = Readings(values={"oom_tried": 0.94, "oom_free": 0.7, "oom_total": 79.14, "others": 78.43})
    found = build(seen, None, EMPTY, None, "0.25.0")
    assert found.gib("others") is None
    assert found.gib("oom_in_use") == 78.43


def test_out_of_memory_with_plenty_free_is_not_a_matter_of_size():
    seen = Readings(values={"oom_tried": 1.19, "oom_free": 14.71, "oom_total": 24.0})
    assert "not the size" in build(seen, None, EMPTY, None, "0.25.0").verdict.en


def test_more_than_the_machine_has_gets_no_share_to_try():
    seen = Readings(values={"requested": 400.0, "total": 23.54, "free": 18.53})
    said = build(seen, None, EMPTY, None, "0.32.0").verdict.en
    assert "only 23.54 GiB" in said
    assert "margin" not in said


@pytest.mark.parametrize(("placed", "fits"), [(0, False), (20, False), (33, True)])
def test_ollama_layers_decide_whether_it_fits_on_the_card(placed, fits):
    seen = Readings(values={"layers": 33, "layers_offloaded": placed, "total": 8.0, "free": 7.1, "weights": 4.5})
    found = build(seen, None, EMPTY, LLAMA, None)
    assert found.fits is fits
    assert "33" in found.verdict.en


def test_ollama_is_not_given_a_share_it_does_not_have():
    seen = Readings(values={"layers": 33, "layers_offloaded": 33, "total": 8.0, "free": 7.1})
    assert build(seen, card(8.0, 7.0), EMPTY, LLAMA, None).gib("asked") is None
