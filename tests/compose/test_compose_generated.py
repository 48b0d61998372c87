"""One change on generated files: it applies with `patch`, and a plain YAML reading differs in that one place only."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from compose.generated import Style, styles, written
from compose.test_compose_changes import CHANGES, patched, same
from copilot.compose import ComposeFile, change, read
from copilot.model.text import RedactedText

KEYS = {
    "env": {"environment"},
    "docker:gpus": {"gpus", "deploy"},
    "docker:name": {"container_name"},
    "docker:network": {"network_mode"},
    "docker:mem_limit": {"mem_limit", "deploy"},
}


def allowed(parameter: str) -> set[str]:
    """Keys of the service that a change may touch."""
    if parameter.startswith("-"):
        return {"command", "entrypoint"}
    return KEYS.get(parameter.partition(":")[0]) or KEYS.get(parameter) or {parameter.removeprefix("docker:")}


def differing(before: Any, after: Any) -> Iterator[tuple[str, str]]:
    """(service, key) of every key that differs in a plain reading of two files."""
    for name in before["services"].keys() | after["services"].keys():
        a, b = before["services"].get(name, {}), after["services"].get(name, {})
        yield from ((name, key) for key in a.keys() | b.keys() if a.get(key) != b.get(key))


FLAG_CHANGES = [
    ("--model", None),
    ("--max-model-len", None),
    ("--enforce-eager", None),
    ("--max-model-len", "2048"),
    ("--gpu-memory-utilization", "0.8"),
    ("--async-scheduling", "true"),
]
FLOW = ("flow", "flow lines", "flow open")


def in_flow(command: str, *, crlf: bool, last_break: bool, comments: bool = False, command_last: bool = False) -> Style:
    """A file whose command is a list in brackets."""
    order = (0, 2, 3, 4, 1) if command_last else (0, 1, 2, 3, 4)
    return Style(2, crlf, command, "map", "long", "", comments, order, last_break, shared=False, secret=False)


@pytest.mark.parametrize("command", FLOW)
@pytest.mark.parametrize(("parameter", "to"), FLAG_CHANGES)
def test_a_list_in_brackets_keeps_line_ends_and_gets_no_empty_line(
    command: str, parameter: str, to: str | None
) -> None:
    for crlf, last_break, comments, command_last in product((True, False), repeat=4):
        style = in_flow(command, crlf=crlf, last_break=last_break, comments=comments, command_last=command_last)
        before = written(style)
        after = change(ComposeFile("compose.yaml", before), "vllm", parameter, to).text_after
        assert after != before
        assert len(re.findall(r"\r\n" if crlf else r"(?<!\r)\n", after)) == after.count("\n"), after
        assert after.endswith("\n") == last_break
        assert all(line.strip() for line in after.splitlines()), after


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(style=styles, wanted=st.sampled_from(CHANGES))
@example(style=in_flow("flow lines", crlf=True, last_break=False), wanted=("--max-model-len", None))
def test_any_change_of_any_style(style: Style, wanted: tuple[str, str | None], tmp_path: Path) -> None:
    before, (parameter, to) = written(style), wanted
    made = change(ComposeFile("compose.yaml", before), "vllm", parameter, to)
    if made.diff is None:
        assert made.reason is not None
        # only a secret beside the value (or shared with it) is a reason not to show the change
        assert style.secret, f"{wanted}: {made.reason.en}\n{before}"
        assert style.environment in {"flow", "anchor"}, f"{wanted}: {made.reason.en}\n{before}"
        return
    assert made.text_after == (patched(tmp_path, made, before) if made.diff else before)
    loaded = [YAML(typ="safe", pure=True).load(text) for text in (before, made.text_after)]
    assert {key for _, key in differing(*loaded)} <= allowed(parameter), made.diff
    assert {name for name, _ in differing(*loaded)} <= {"vllm"}, made.diff
    found = [s.value for s in read(RedactedText(made.text_after), "c", "vllm").settings if s.parameter == parameter]
    assert not found if to is None else any(same(v, to) for v in found), made.diff
    assert re.findall(r"\bc\d\d\b", made.text_after) == re.findall(r"\bc\d\d\b", before), made.diff
    assert "hf_abc" not in made.diff
    assert made.text_after.count("\r") == (made.text_after.count("\n") if style.crlf else 0)
