"""What is said of the time that is left."""

import io

from copilot.evals.progress import Progress


def test_a_models_time_is_not_taken_from_the_rows_of_code() -> None:
    progress = Progress(planned=14, models={"m": 4}, out=io.StringIO(), began=0.0)
    progress.done, progress.code_until = 10, 5.0
    assert progress.left(5.0) is None, "no model has answered yet"
    progress.done, progress.asked = 11, 1
    assert progress.left(65.0) == 180.0
    assert progress.line("m", 65.0) == "11/14 m, 0 errors, 65 s, 180 s left"


def test_rows_of_code_alone_are_told_from_their_own_pace() -> None:
    progress = Progress(planned=40, out=io.StringIO(), began=0.0)
    progress.done, progress.code_until = 10, 5.0
    assert progress.left(5.0) == 15.0


def test_the_end_is_always_said() -> None:
    out = io.StringIO()
    progress = Progress(planned=2, models={"m": 1}, out=out)
    progress.finished("playbook", None)
    progress.finished("m", None)
    assert out.getvalue().splitlines()[-1].startswith("2/2 m, 2 errors")
