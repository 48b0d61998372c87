"""The table of common models, and the names people write."""

import pytest

from copilot.ledger.shape import parameters
from copilot.ledger.table import architecture_of, models, smaller_models


def test_the_table_knows_enough_models():
    assert len(models()) >= 60


@pytest.mark.parametrize("row", models(), ids=lambda row: row.model)
def test_the_shape_gives_the_published_parameter_count(row):
    assert parameters(row) / 1e6 == pytest.approx(row.parameters_m, rel=0.02)


@pytest.mark.parametrize(
    ("name", "layers", "quantization"),
    [
        ("Qwen/Qwen2.5-3B-Instruct", 36, None),
        ("qwen/qwen2.5-3b", 36, None),
        ("Qwen/Qwen2.5-3B-Instruct-AWQ", 36, "awq"),
        ("Qwen/Qwen2.5-7B-Instruct-GPTQ-Int4", 28, "gptq"),
        ("hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4", 32, "awq"),
        ("RedHatAI/Llama-3.1-8B-Instruct-FP8-dynamic", 32, "fp8"),
        ("unsloth/Qwen3-8B-bnb-4bit", 36, "bitsandbytes"),
        ("bartowski/Qwen2.5-7B-Instruct-GGUF", 28, "gguf"),
        ("/models/gemma-2-9b-it/", 42, None),
        ("llama3.1:8b", 32, None),
        ("qwen2.5:3b-instruct-q4_K_M", 36, None),
        ("mistral", 32, None),
        ("openai/gpt-oss-20b", 24, "mxfp4"),
    ],
)
def test_spellings_find_the_shape_and_suffixes_only_set_the_quantisation(name, layers, quantization):
    found = architecture_of(name)
    assert (found.layers, found.quantization, found.model) == (layers, quantization, name.rstrip("/"))


@pytest.mark.parametrize("name", ["", "someone/a-new-model-9000B", "Qwen", "Qwen2.5-4B", "instruct", "awq"])
def test_a_name_that_is_not_there_is_not_guessed(name):
    assert architecture_of(name) is None


def test_smaller_models_are_of_the_family_and_largest_first():
    names = [row.model.split("/")[-1] for row in smaller_models(architecture_of("Qwen/Qwen2.5-7B-Instruct"))]
    assert names[:2] == ["Qwen2.5-3B-Instruct", "Qwen2.5-1.5B-Instruct"]
