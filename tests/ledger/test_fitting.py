"""`copilot fit`: where the shape and the card come from, and the document."""

import json
from pathlib import Path

import pytest

from copilot.cli.fit import fit
from copilot.errors import NothingCollected, UsageError
from copilot.fitting import CardRequest, ModelRequest, card_of, shape_of
from copilot.ports import FixedHost, MemoryFiles, MemoryGpus
from copilot.redaction import redact

CONFIGS = Path(__file__).parent / "data" / "configs"
LLAMA = (CONFIGS / "Llama-3.1-8B-Instruct.json").read_bytes()
CSV = (
    "index, name, memory.total [MiB], memory.used [MiB], memory.free [MiB]\n"
    "0, NVIDIA GeForce RTX 2070, 8192, 1045, 7147\n"
)


def test_a_config_wins_and_names_itself_by_its_folder():
    found = shape_of(MemoryFiles({"models/mine/config.json": LLAMA}), ModelRequest(config="models/mine"))
    assert (found.architecture.model, found.architecture.layers, found.revision) == ("mine", 32, None)


def test_the_hub_cache_tells_shape_and_commit():
    folder = "hub/models--org--mine"
    files = MemoryFiles(
        {f"{folder}/refs/main": b"abc123\n", f"{folder}/snapshots/abc123/config.json": LLAMA},
    )
    found = shape_of(files, ModelRequest("org/mine", hub="hub"))
    assert (found.architecture.layers, found.revision) == (32, "abc123")


def test_the_size_of_a_quantised_checkpoint_is_the_one_its_index_states():
    index = json.dumps({"metadata": {"total_size": 5_730_000_000}, "weight_map": {}}).encode()
    files = MemoryFiles({"m/config.json": LLAMA, "m/model.safetensors.index.json": index})
    assert shape_of(files, ModelRequest("m")).architecture.weight_bytes == 5_730_000_000


@pytest.mark.parametrize(
    "request_", [ModelRequest("org/never-heard-of"), ModelRequest(), ModelRequest(config="text.json")]
)
def test_what_tells_no_shape_is_one_sentence(request_):
    with pytest.raises(UsageError) as refused:
        shape_of(MemoryFiles({"text.json": b"[]"}), request_)
    assert refused.value.hint


def test_the_own_card_is_read_with_its_desktop():
    gpus = MemoryGpus(CSV)
    card = card_of(CardRequest("auto"), gpus, FixedHost('{"system": "wsl2"}'))
    assert card.wsl
    assert card.total == pytest.approx(8.0)
    assert card.free == pytest.approx(7147 / 1024 - 0.3)
    assert not card_of(CardRequest("RTX 3090"), gpus, FixedHost('{"system": "wsl2"}')).wsl


def test_json_has_the_keys_of_the_contract(capsys):
    fit(config=str(CONFIGS / "Qwen2.5-3B-Instruct.json"), gpu_total=8.0, gpu_free=6.98, max_model_len="4096", json=True)
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "copilot.fit/1"
    keys = {"starts", "rows", "kv_tokens", "max_model_len", "smallest_change", "assumptions"}
    assert keys <= set(document)
    assert all({"name", "gib", "low", "high", "from"} <= set(row) for row in document["rows"])
    assert set(document["kv_tokens"]) == {"value", "low", "high"}
    assert redact(json.dumps(document)).found == {}


def test_svg_is_written_and_is_a_drawing(tmp_path):
    fit("Qwen/Qwen3-8B", gpu="RTX 4090", svg=tmp_path / "ledger.svg", json=True)
    assert (tmp_path / "ledger.svg").read_text(encoding="utf-8").startswith("<svg ")


def test_without_a_gpu_the_person_is_told_to_name_one():
    with pytest.raises(NothingCollected) as told:
        card_of(CardRequest(), MemoryGpus(), FixedHost())
    assert "--gpu 8GiB" in told.value.hint
