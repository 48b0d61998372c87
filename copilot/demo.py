"""`make demo`: the main job on a recorded case, offline: three faults in one log, then the retests."""

import sys
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

from copilot import app
from copilot.cli.options import language
from copilot.model.answer import Answer
from copilot.model.request import Options, Sources
from copilot.model.text import Lang
from copilot.ports import EstimatedTokens, FixedHost, FixedResolver, MemoryContainers, MemoryGpus
from copilot.recorded import Rounds
from copilot.render import Screen, change_sentence, console, render_answer
from copilot.session import Sessions
from copilot.text import say
from copilot.workflow.state import Ports

CASE = "three-attempts"


def demo_ports(folder: Path) -> Ports:
    """Ports that touch nothing but the case's folder."""
    from copilot.adapters.files import UserFiles

    return Ports(
        containers=MemoryContainers(),
        gpus=MemoryGpus(),
        files=UserFiles(),
        host=FixedHost(),
        resolver=FixedResolver(),
        tokens=EstimatedTokens(),
        retest=Rounds(folder),
    )


def demo(lang: Lang, store: Sessions, out: Screen, session: str | None = None) -> int:
    """Run every round of the demo case and print each answer as `copilot ask` does, and what is done in between."""
    with as_file(files("copilot.cases") / CASE) as folder:
        ports = demo_ports(folder)
        sources = Sources(directory=str(folder / "round-1"))
        out.print(f"$ copilot ask --offline --from cases/{CASE}\n")
        done = ""
        for event in app.start(ports, sources, Options(lang=lang, session=session), store):
            if isinstance(event, app.Answered):
                if event.answer.round > 1:
                    out.rule(say("demo.round", lang, round=event.answer.round))
                    out.print(f"{done}\n")
                out.print(render_answer(event.answer, lang))
                out.print()
                done = _done(event.answer, lang)
    return 0


def _done(answer: Answer, lang: Lang) -> str:
    """What the person does between two rounds: the one change."""
    change = answer.experiment.change if answer.experiment else None
    return say("demo.applied", lang, change=change_sentence(change, lang)) if change else ""


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(demo(language(None), Sessions(Path(scratch)), console()))
