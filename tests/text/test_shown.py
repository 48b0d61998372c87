"""Where a note in English is stored with an answer, the screen shows it in the person's language."""

import io

import pytest

from copilot.model.answer import CheckResult
from copilot.model.request import Options
from copilot.model.text import Lang
from copilot.render import render_answer
from copilot.render.console import console
from copilot.render.followup import why
from copilot.workflow.state import Ports
from workflow.helpers import answer, case


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "--port already is 8000; there is no line 99 in log"),
        ("zh", "--port 已经是 8000；log 中没有第 99 行"),
    ],
)
def test_what_a_check_objected_to(lang: Lang, said: str, ports: Ports) -> None:
    detail = "--port already is 8000; there is no line 99 in log"
    failed = CheckResult(check="one_change", passed=False, detail=detail)
    made = answer(ports, case("three-attempts"), Options(loop=False, lang=lang))
    made = made.model_copy(update={"checks": (failed,)})
    for shown in (render_answer(made, lang), why(made, lang)):
        screen = io.StringIO()
        console(screen, width=200).print(shown)
        assert said in screen.getvalue()
