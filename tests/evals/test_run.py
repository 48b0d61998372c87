"""`copilot eval run` from outside: rows, scores, thresholds, shards, errors, kill and resume."""

import json
import signal
import time
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="the extra `eval` is not installed")
pytest.importorskip("scipy", reason="the extra `eval` is not installed")

from evals import kit
from providers.faulty_endpoint import FaultyEndpoint, Handler, refuse, stream

pytestmark = [pytest.mark.xdist_group("evals"), pytest.mark.slow]


def logs(folder: Path) -> list[object]:
    from inspect_ai.log import list_eval_logs, read_eval_log

    return [read_eval_log(info) for info in list_eval_logs(str(folder), recursive=True)]


def test_every_row_of_code_is_scored_and_the_oracle_is_always_right(tmp_path: Path) -> None:
    folder = kit.cases(tmp_path)
    code, out, err = kit.run("eval", "run", "--cases", str(folder), "--log-dir", "logs", "--json", cwd=tmp_path)
    assert code == 0, err
    scores = json.loads(out)
    assert scores["schema"] == "copilot.scores/1"
    assert scores["complete"]
    rows = {row["name"]: row for row in scores["rows"]}
    assert set(rows) == {"playbook", "last line", "most frequent", "oracle"}
    assert rows["oracle"]["metrics"]["right"] == {"value": 1.0, "low": 0.4385, "high": 1.0, "n": 3}
    assert rows["playbook"]["metrics"]["root_parameter"]["value"] == 1.0
    assert rows["most frequent"]["metrics"]["root_parameter"]["value"] < 1.0
    assert "3 cases, 4 rows, 12 answers" in err
    assert "12/12" in err


def test_inspects_own_logs_say_success_and_hold_every_sample(tmp_path: Path) -> None:
    folder = kit.cases(tmp_path, kit.SLUGS[:2])
    code, _, err = kit.run("eval", "run", "--cases", str(folder), "--log-dir", "logs", "--json", cwd=tmp_path)
    assert code == 0, err
    found = logs(tmp_path / "logs")
    assert len(found) == 4
    for log in found:
        assert log.status == "success"
        assert log.results.total_samples == log.results.completed_samples == 2
        assert {sample.id for sample in log.samples} == set(kit.SLUGS[:2])
        assert not log.stats.model_usage, "no model of Inspect's was asked"
        for sample in log.samples:
            other = next(slug for slug in kit.SLUGS[:2] if slug != sample.id)
            assert other not in sample.model_dump_json(), "a sample's log holds no other case"


def test_epochs_are_answers_of_models_only(tmp_path: Path, own_home: Path) -> None:
    folder = kit.cases(tmp_path, kit.SLUGS[:1])
    with FaultyEndpoint(stream(kit.UNKNOWN)) as endpoint:
        kit.configure(own_home, endpoint.url)
        code, out, err = kit.run(
            "eval", "run", "--provider", "loopback", "--epochs", "3", "--cases", str(folder), "--log-dir", "logs",
            "--json", cwd=tmp_path,
        )  # fmt: skip
        asked = len(endpoint.posts)
    assert code == 0, err
    scores = json.loads(out)
    rows = {row["name"]: row for row in scores["rows"]}
    assert {name: row["samples"] for name, row in rows.items()} == {
        "playbook": 1, "last line": 1, "most frequent": 1, "oracle": 1, "loopback": 3, "loopback, no findings": 3
    }  # fmt: skip
    assert rows["loopback"]["metrics"]["root_parameter"]["n"] == 1, "an interval is over cases, not answers"
    assert sorted(s["epoch"] for s in scores["samples"] if s["row"] == "loopback") == [1, 2, 3]
    assert asked == 6


@pytest.mark.parametrize(("demand", "code"), [("root_parameter=0.9", 0), ("last line:root_parameter=0.9", 100)])
def test_a_missed_threshold_is_exit_100_and_names_the_cases(tmp_path: Path, demand: str, code: int) -> None:
    folder = kit.cases(tmp_path, kit.SLUGS[:1])
    found, _, err = kit.run(
        "eval", "run", "--cases", str(folder), "--log-dir", "logs", "--threshold", demand, cwd=tmp_path
    )
    assert found == code, err
    assert (f"Cases: {kit.SLUGS[0]}" in err) == (code == 100)


def test_shards_cover_every_case_once_and_are_merged(tmp_path: Path) -> None:
    folder = kit.cases(tmp_path)
    for shard in ("1/2", "2/2"):
        code, _, err = kit.run(
            "eval", "run", "--cases", str(folder), "--log-dir", "logs", "--shard", shard, cwd=tmp_path
        )
        assert code == 0, err
    code, out, err = kit.run("eval", "report", "logs", "-o", "report.html", "--json", cwd=tmp_path)
    assert code == 0, err
    playbook = [s["case"] for s in json.loads(out)["samples"] if s["row"] == "playbook"]
    assert sorted(playbook) == sorted(kit.SLUGS)


def test_a_filter_that_fits_nothing_is_wrong_usage(tmp_path: Path) -> None:
    folder = kit.cases(tmp_path, kit.SLUGS[:1])
    code, _, err = kit.run("eval", "run", "--cases", str(folder), "--filter", "kind=nothing", cwd=tmp_path)
    assert code == 2
    assert "No case fits kind=nothing" in err


def test_a_model_is_scored_beside_what_it_said_before_the_checks(tmp_path: Path, own_home: Path) -> None:
    folder = kit.cases(tmp_path, kit.SLUGS[:1])
    with FaultyEndpoint(stream(kit.UNKNOWN)) as endpoint:
        kit.configure(own_home, endpoint.url, price={"input": 1.0, "output": 2.0})
        code, out, err = kit.run(
            "eval", "run", "--provider", "loopback", "--cases", str(folder), "--log-dir", "logs", "--json", cwd=tmp_path
        )
    assert code == 0, err
    assert "USD" in err, "the cost is told before the first question"
    rows = {row["name"]: row for row in json.loads(out)["rows"]}
    for name in ("loopback", "loopback, no findings"):
        assert rows[name]["metrics"]["alone_root_parameter"]["value"] == 0.0
        assert rows[name]["metrics"]["format_first"]["value"] == 1.0
        assert rows[name]["tokens_in"] > 0
        assert rows[name]["cost"] > 0


def test_a_failing_endpoint_is_an_error_and_no_wrong_answer(tmp_path: Path, own_home: Path) -> None:
    folder = kit.cases(tmp_path, kit.SLUGS[:1])
    command = ("eval", "run", "--provider", "loopback", "--cases", str(folder), "--log-dir", "logs", "--json")
    with FaultyEndpoint(refuse(401, {"error": "Unauthorized"})) as endpoint:
        kit.configure(own_home, endpoint.url, retries=0)
        code, out, err = kit.run(*command, cwd=tmp_path)
        assert code == 4, err
        broken = {row["name"]: row for row in json.loads(out)["rows"]}["loopback"]
        assert broken["errors"] == 1
        assert broken["metrics"]["root_parameter"] is None
        endpoint.script.answers = [stream(kit.UNKNOWN)]
        code, out, err = kit.run(*command, cwd=tmp_path)
    assert code == 0, err
    mended = {row["name"]: row for row in json.loads(out)["rows"]}["loopback"]
    assert mended["errors"] == 0


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)])
def test_a_run_that_was_ended_goes_on_and_asks_no_finished_sample_again(
    tmp_path: Path, own_home: Path, sent: signal.Signals, status: int
) -> None:
    folder = kit.cases(tmp_path)
    healthy = stream(kit.UNKNOWN)

    def slowly(handler: Handler, body: dict[str, object]) -> None:
        time.sleep(1.5)
        healthy(handler, body)

    with FaultyEndpoint(slowly) as endpoint:
        kit.configure(own_home, endpoint.url)
        command = ("eval", "run", "--provider", "loopback", "--connections", "1", "--cases", str(folder),
                   "--log-dir", "logs", "--json")  # fmt: skip
        process = kit.start(*command, cwd=tmp_path)
        deadline = time.monotonic() + 300
        while _finished(tmp_path / "logs") < 2 and time.monotonic() < deadline:
            assert process.poll() is None
            time.sleep(0.2)
        process.send_signal(sent)
        out, err = process.communicate(timeout=60)
        assert process.returncode == status, err
        assert "Traceback" not in out + err
        done = _scored(tmp_path / "logs")
        asked = len(endpoint.posts)
        endpoint.script.answers = [healthy]
        code, out, err = kit.run(*command, cwd=tmp_path)
        again = len(endpoint.posts) - asked
    assert code == 0, err
    assert json.loads(out)["complete"]
    assert 2 <= done < 6
    assert again == 6 - done


def _scored(folder: Path) -> int:
    """Answers of the model that the report counts; the sample that Ctrl-C cut off is an error."""
    from copilot.evals.results import read_results

    return sum(result.row.kind == "model" and result.trial is not None for result in read_results(str(folder)))


def _finished(folder: Path) -> int:
    """Samples of the model that are on the disk, while the run goes on."""
    from zipfile import BadZipFile, ZipFile

    count = 0
    for path in folder.glob("*loopback*.eval"):
        try:
            names = ZipFile(path).namelist()
        except (BadZipFile, OSError):
            continue
        count += sum(name.startswith("samples/") for name in names)
    return count
