"""Ask one published planner about recorded starts. Run by the interpreter of that planner's own environment.

    .../python tools/ledger_sources/planners.py NAME < runs.json > answers.json

Each planner gets what it would read from the hub: the config.json and the number of weight bytes; and the card's total.
Where it does not know the share asked for, its own weights and overhead are taken from the share that the start had.
Answers are GiB: `weights`, `kv` (what is left for the KV cache), and `tokens` where it says them.
"""

import contextlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

GIB = float(2**30)
Run = dict[str, Any]
"""run, config (path), total (GiB), utilization, max_model_len, weight_bytes, parameters."""
Answer = dict[str, float]


def main() -> int:
    """Read the runs, print this planner's answer to each."""
    ask = PLANNERS[sys.argv[1]]
    answers = {}
    for run in json.load(sys.stdin):
        try:
            with contextlib.redirect_stdout(sys.stderr):
                answers[run["run"]] = ask(run, json.loads(Path(run["config"]).read_text(encoding="utf-8")))
        except Exception as error:  # noqa: BLE001 - whatever a foreign program raises is its answer
            answers[run["run"]] = {"refused": f"{type(error).__name__}: {error}"[:200]}
    json.dump(answers, sys.stdout, indent=1)
    return 0


def modelinfo(run: Run, config: dict[str, Any]) -> Answer:
    """modelinfo-cli: share times total less weights; two bytes per element, head size from the hidden size."""
    from modelinfo.calculator import calculate_footprint

    weights = {"__metadata__": {"lazy_fetch": True, "total_size": run["weight_bytes"]}}
    said = calculate_footprint(
        weights,
        context_length=run["max_model_len"],
        config=config,
        is_vllm=True,
        gpu_vram_bytes=run["total"] * GIB,
        gpu_util=run["utilization"],
    )["vllm_metrics"]
    return {
        "weights": said["static_weights"] / GIB,
        "kv": said["paged_kv_pool"] / GIB,
        "tokens": said["max_serving_capacity"],
    }


def kvfit(run: Run, config: dict[str, Any]) -> Answer:
    """Kvfit: share times total less weights, no runtime reserve unless one is given; exact state per sequence."""
    from kvfit.architectures import estimate_cache
    from kvfit.hardware import parse_hardware
    from kvfit.planner import plan_topologies

    size = 1.0 if run["kv_cache_dtype"].startswith("fp8") else 2.0
    cache = estimate_cache(config, context_tokens=run["max_model_len"], kv_bytes=size)
    (plan,) = plan_topologies(
        cache,
        weight_bytes=run["weight_bytes"],
        hardware=parse_hardware(f"custom:{run['total']}"),
        gpus=1,
        utilization=run["utilization"],
    )
    left = plan.budget_per_rank_bytes - plan.weights_per_rank_bytes - plan.fixed_cache_per_rank_bytes
    each = plan.kv_per_sequence_per_rank_bytes
    tokens = left / each * run["max_model_len"]
    return {"weights": plan.weights_per_rank_bytes / GIB, "kv": left / GIB, "tokens": tokens}


def ridgepoint(run: Run, config: dict[str, Any]) -> Answer:
    """ridgepoint: its own weights and overhead; its share is fixed, so the start's share is put in."""
    from ridgepoint import _core

    heads = config["num_attention_heads"]
    groups = config.get("num_key_value_heads", heads)
    size = config.get("head_dim") or config["hidden_size"] // heads
    layers = config["num_hidden_layers"]
    kind = "mla" if config.get("kv_lora_rank") else "mha" if groups == heads else "gqa"
    as_json = True
    said = json.loads(
        _core.fit_shape(
            run["run"], layers, layers, config["hidden_size"], run["parameters"], run["parameters"], kind, size, heads,
            groups, config.get("kv_lora_rank") or 0, config.get("qk_rope_head_dim") or 0, "h200-141gb", 1, "vllm",
            "fp16", "fp8" if run["kv_cache_dtype"].startswith("fp8") else "fp16", run["max_model_len"], 2048, as_json,
        )
    )  # fmt: skip
    weights = said["memory"]["weights_bytes"]["best"] / GIB
    left = run["total"] * run["utilization"] - weights - said["memory"]["overhead_bytes"]["best"] / GIB
    each = said["capacity"]["bytes_per_seq"] / GIB
    return {"weights": weights, "kv": left, "tokens": left / each * run["max_model_len"]}


def hf_vram_calc(run: Run, config: dict[str, Any]) -> Answer:
    """hf-vram-calc: weights times 1.2 for inference; what is left of the share is the cache."""
    from hf_vram_calc.calculator import VRAMCalculator
    from hf_vram_calc.config import ConfigManager
    from hf_vram_calc.models import ModelConfig

    shape = ModelConfig(
        model_name=run["run"],
        vocab_size=config["vocab_size"],
        hidden_size=config["hidden_size"],
        num_layers=config["num_hidden_layers"],
        num_attention_heads=config["num_attention_heads"],
        num_key_value_heads=config.get("num_key_value_heads"),
    )
    calculator = VRAMCalculator(ConfigManager())
    weights = calculator.calculate_model_memory(run["parameters"], "bf16")
    left = run["total"] * run["utilization"] - calculator.calculate_inference_memory(weights)
    each = calculator.calculate_kv_cache_memory(shape, "bf16", 1, run["max_model_len"])
    return {"weights": weights, "kv": left, "tokens": left / each * run["max_model_len"]}


PLANNERS: dict[str, Callable[[Run, dict[str, Any]], Answer]] = {
    "modelinfo-cli": modelinfo,
    "kvfit": kvfit,
    "ridgepoint": ridgepoint,
    "hf-vram-calc": hf_vram_calc,
}


if __name__ == "__main__":
    sys.exit(main())
