"""`copilot explain` on a terminal and as JSON."""

import json

import pytest

from copilot.cli.explain import explain
from copilot.errors import UsageError


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
