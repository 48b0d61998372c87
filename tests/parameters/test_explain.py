"""`copilot explain` on a terminal and as JSON."""

import json
import subprocess
import sys

import pytest

from copilot.cli.explain import explain
from copilot.errors import UsageError
from copilot.model.names import MEANINGS
from copilot.parameters import registry


def test_json_has_the_documented_keys(capsys):
    assert explain("--swap-space", version="0.25.0", json=True) == 0
    document = json.loads(capsys.readouterr().out)
    assert set(document) == {
        "schema",
        "parameter",
        "spelled",
        "engine",
        "version",
        "facts_of",
        "newest_known",
        "status",
        "meaning",
        "type",
        "default",
        "defaults",
        "choices",
        "since",
        "until",
        "deprecated",
        "successor",
        "note",
        "same_path",
    }
    assert document["schema"] == "copilot.parameter/1"
    assert (document["status"], document["until"]) == ("removed", "0.17.1")
    assert document["successor"]["removed_in"] == "0.18.0"
    assert document["meaning"]["zh"]


def test_a_default_that_changed_is_told_with_its_releases(capsys):
    explain("--gpu-memory-utilization", lang="zh")
    shown = capsys.readouterr().out
    assert "0.6.0: 0.9, 0.20.0: 0.92" in shown
    assert "显存" in shown


def test_the_engine_follows_from_the_name(capsys):
    explain("OLLAMA_NUM_PARALLEL", version="0.12.0", json=True)
    assert json.loads(capsys.readouterr().out)["engine"] == "ollama"


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(UsageError) as refused:
        explain("--gpu-memory-utilisation")
    assert refused.value.exit_code == 2
    assert "--gpu-memory-utilization" in refused.value.hint


def test_what_is_no_version_is_refused():
    with pytest.raises(UsageError):
        explain("--swap-space", version="newest")


def run(*words):
    done = subprocess.run(
        [sys.executable, "-m", "copilot.cli", "explain", *words], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("words", "parameter"),
    [
        (("--kv-cache-memory",), "--kv-cache-memory-bytes"),
        (("--max_model_len", "--version", "0.25.0"), "--max-model-len"),
        (("-tp",), "--tensor-parallel-size"),
        (("-O3",), "--optimization-level"),
        (("--compilation-config.level", "--version", "0.10.0"), "--compilation-config.level"),
        (("--no-enable-prefix-caching",), "--enable-prefix-caching"),
        (("docker:shm_size",), "docker:shm_size"),
    ],
)
def test_a_name_that_looks_like_an_option_is_the_argument(words, parameter):
    code, out, _ = run(*words, "--json")
    assert code == 0
    assert json.loads(out)["parameter"] == parameter


def test_an_unknown_name_ends_with_two_and_a_question():
    code, out, err = run("--gpu-memory-utilisation")
    assert (code, out) == (2, "")
    assert "Did you mean --gpu-memory-utilization" in err
    assert "Did you mean docker:gpus" in run("docker:gpu")[2]


@pytest.mark.parametrize("name", MEANINGS)
def test_every_name_of_the_contract_is_explained(name):
    meaning = registry().explain(name, "vllm", None).meaning
    assert "setting of the engine" not in meaning.en
    assert meaning.zh.endswith("。")


def test_a_key_of_a_json_flag_says_whose_it_is(capsys):
    explain("--compilation-config.level", version="0.10.0")
    assert "The key level of --compilation-config" in capsys.readouterr().out
