"""A log that begins after its cause is known as such: what a person pastes are often the last lines."""

from pathlib import Path

import pytest

from copilot.logs import begins_late, parse
from signatures.asked import asked

CASES = Path(__file__).parent.parent.parent / "cases"
CUT = ("shared-card-a", "wsl2-pinned-memory", "copied-weights-a", "idle-then-worker-gone", "worker-without-words")


def log_of(slug: str) -> list[str]:
    return (CASES / slug / "round-1" / "server.log").read_text(encoding="utf-8").rstrip("\n").split("\n")


@pytest.mark.parametrize("slug", CUT)
def test_the_last_lines_alone_begin_late(slug: str) -> None:
    lines = log_of(slug)
    assert begins_late(parse("\n".join(lines[-40:])))
    assert not begins_late(parse("\n".join(lines)))


def test_one_message_alone_does_not() -> None:
    assert not begins_late(parse("RuntimeError: UVA is not available"))


def test_the_answer_asks_for_the_lines_above(tmp_path: Path) -> None:
    found = asked(tmp_path, log="\n".join(log_of("shared-card-a")[-40:]))
    assert (found.status, found.faults) == ("unknown", ())
    assert found.experiment is not None
    assert "above the first one" in (found.experiment.observe or "")
    assert any("begins in the middle" in one for one in found.missing)
