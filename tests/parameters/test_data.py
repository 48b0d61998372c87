"""The shipped data: small, quick to load, and consistent with itself."""

import itertools
import json
import subprocess
import sys
from importlib.resources import files

import pytest

from copilot.parameters import registry
from copilot.parameters.catalogue import catalogue
from copilot.parameters.environment import names
from copilot.parameters.paths import _PATHS, neighbours, topic_of

DATA = files("copilot.parameters").joinpath("data")
MEBIBYTE = 1024 * 1024


def rows(name, section):
    return json.loads(DATA.joinpath(name).read_text(encoding="utf-8"))[section]


def test_the_files_fit_into_a_mebibyte():
    assert sum(len(file.read_bytes()) for file in DATA.iterdir()) <= MEBIBYTE


def test_the_first_question_is_answered_within_fifty_milliseconds():
    program = (
        "import time, copilot.parameters\n"
        "def once():\n"
        "    start = time.process_time()\n"
        "    copilot.parameters.registry().find('--gpu-memory-utilization', 'vllm', '0.25.0')\n"
        "    return time.process_time() - start\n"
        "print(once())\n"
    )
    seconds = [
        float(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout) for _ in "abc"
    ]
    assert min(seconds) <= 0.05


@pytest.mark.parametrize("engine", ["vllm", "ollama"])
def test_change_points_are_in_the_order_of_the_releases_and_change_something(engine):
    held = catalogue(engine)
    for section in ("flags", "env", "configs"):
        for name, runs in rows(f"{engine}.json", section).items() if engine == "vllm" or section == "env" else ():
            places = [held.releases.position(since) for since, _ in runs]
            assert places == sorted(set(places)), name
            assert runs[0][1] is not None, name
            assert all(before[1] != after[1] for before, after in itertools.pairwise(runs)), name


def test_every_explained_name_exists():
    for name in rows("meanings.json", "parameters"):
        engine = "ollama" if name.startswith(("env:OLLAMA", "env:LLAMA")) else "vllm"
        assert registry().exists(name, engine, None) is not False, name


def test_every_name_on_a_path_exists():
    for _, path in _PATHS:
        for name in path:
            assert any(registry().exists(name, engine, None) is not False for engine in ("vllm", "ollama")), name


def test_every_successor_row_is_about_something_that_exists_or_existed():
    for engine in ("vllm", "ollama"):
        for name, row in rows("successors.json", engine).items():
            assert registry().find(name, engine, None).parameter is not None, name
            for _, target, _ in row["to"]:
                assert target is None or registry().exists(target, engine, None) is not False, target
            if row["removed_in"]:
                assert registry().exists(name, engine, row["removed_in"]) is False, name


def test_texts_exist_in_both_languages():
    for name, (en, zh) in rows("meanings.json", "parameters").items():
        assert en.endswith("."), name
        assert zh.endswith("。"), name
    for name, row in rows("environment.json", "variables").items():
        assert row["en"].endswith("."), name
        assert row["zh"].endswith("。"), name


def test_every_parameter_of_every_engine_is_explained_in_both_languages():
    for engine in ("vllm", "ollama"):
        for name in registry().names(engine, None):
            said = registry().explain(name, engine, None)
            assert said.meaning.en, name
            assert said.meaning.zh, name


def test_every_ollama_variable_that_a_user_sets_is_in_our_own_words():
    explained = set(rows("meanings.json", "parameters"))
    own = [f"env:{name}" for name in catalogue("ollama").variables if "_MLX_" not in name]
    assert [name for name in own if name not in explained] == []


def test_the_same_path_of_pinned_memory():
    path = registry().same_path("env:VLLM_WSL2_ENABLE_PIN_MEMORY", "vllm", "0.25.0")
    assert path[:2] == ("env:VLLM_USE_V2_MODEL_RUNNER", "--cpu-offload-gb")
    assert "--swap-space" not in path
    assert "--swap-space" in neighbours("env:VLLM_WSL2_ENABLE_PIN_MEMORY")
    assert topic_of("env:VLLM_WSL2_ENABLE_PIN_MEMORY") == "memory path"
    assert topic_of("--attention-config.backend") == "attention"


def test_the_image_of_a_release():
    facts = registry().image_facts("vllm", "0.20.0")
    assert facts is not None
    assert facts.serves
    assert facts.supports("7.0") is False
    assert facts.supports("7.5") is True
    assert registry().image_facts("vllm", "0.19.1").supports("7.0") is True
    assert registry().image_facts("vllm", "0.11.0").positional_model == "ignored"
    assert registry().image_facts("vllm", None) is None


def test_names_of_a_version_are_the_ones_it_has():
    plausible = registry().names("vllm", "0.25.0")
    assert "--attention-backend" in plausible
    assert "--swap-space" not in plausible
    assert "env:HF_HUB_DISABLE_XET" in plausible
    assert set(names("ollama")).isdisjoint({"env:HF_TOKEN"})
