"""What comes after an experiment: a person at a terminal, or nothing."""

import select
import sys
from dataclasses import dataclass, field

from copilot.app import Answered
from copilot.errors import UsageError
from copilot.model.request import Sources
from copilot.model.text import Lang
from copilot.ports import Containers, Next
from copilot.render.console import console, visible
from copilot.render.followup import explain_line, why
from copilot.text import say
from copilot.text.errors import translated
from copilot.waiting import INTERVAL, Watch


class Once:
    """No loop: the run ends with its answer."""

    def next(self, round_: int) -> Next:
        """Stop."""
        del round_
        return Next("stop")


@dataclass
class Terminal:
    """Asks the person; answers `why`, `explain` and `else` from the evidence."""

    lang: Lang
    event: Answered | None = None
    sources: Sources = field(default_factory=Sources)
    containers: Containers | None = None
    """Where a new start of the container can be seen; None: only the person tells."""

    def seen(self, event: Answered) -> None:
        """The answer on the screen: what the next questions are about."""
        self.event = event
        self.sources = event.state["sources"]

    def next(self, round_: int) -> Next:
        """Ask until the person retested or stops."""
        del round_
        watch = self._watch()
        while True:
            step = self._step(self._ask(watch))
            if step is not None:
                return step

    def _watch(self) -> Watch | None:
        """The container of the last answer, if it is on this machine and not a file's."""
        container = self.event.evidence.container if self.event else None
        if self.containers is None or container is None or not container.name or self.sources.explicit:
            return None
        self._say(say("loop.watching", self.lang, name=container.name))
        return Watch(self.containers, container.name.lstrip("/"), container.started_at or "")

    def _ask(self, watch: Watch | None) -> str:
        """What the person types, or `r` when the container has started anew by then."""
        prompt = say("loop.ask", self.lang)
        if watch is None:
            return self._read(prompt)
        print(prompt, end="", flush=True)
        while not select.select([sys.stdin], [], [], INTERVAL)[0]:
            if watch.again():
                self._say("\n" + say("loop.noticed", self.lang, name=watch.name))
                return "r"
        return sys.stdin.readline() or "q"

    def _step(self, word: str) -> Next | None:
        """What a word means; None after a question that was answered here."""
        head, _, rest = word.strip().partition(" ")
        if head in ("q", "quit", "exit", ""):
            session = self.event.answer.session if self.event else ""
            self._say(say("loop.stopped", self.lang, session=session))
            return Next("stop")
        if head in ("r", "retested"):
            return Next("retested") if self._readable(self.sources.log) else None
        if head in ("f", "file"):
            path = rest.strip() or self._read(say("loop.file", self.lang)).strip()
            return Next("retested", sources=self._from_file(path)) if path and self._readable(path) else None
        if head == "else":
            return Next("else")
        self._question(head, rest)
        return None

    def _from_file(self, path: str) -> Sources:
        """The same sources with the log from a file; the container's own words no longer count."""
        from copilot.adapters.files import absolute

        return self.sources.model_copy(update={"log": str(absolute(path))})

    def _readable(self, path: str | None) -> bool:
        """Whether the log can be read. A slip of the fingers is said and asked again: it must not end the loop."""
        from copilot.adapters.files import UserFiles
        from copilot.logs import is_binary

        if path is None:
            return True
        try:
            said = [f"{path} is not a text file."] if path == "-" or is_binary(UserFiles().read(path)) else []
        except UsageError as error:
            said = [error.message, error.hint]
        if said:
            between = "" if self.lang == "zh" else " "
            self._say(between.join(translated(one, self.lang) for one in said))
        return not said

    def _question(self, head: str, rest: str) -> None:
        """`why` and `explain N`."""
        if self.event is not None and head == "why":
            console().print(why(self.event.answer, self.lang))
        elif self.event is not None and head == "explain" and rest.strip().isdigit():
            console().print(explain_line(self.event.answer, self.event.evidence, int(rest), self.lang))
        else:
            self._say(say("loop.unknown", self.lang, word=head))

    def choose(self, containers: Containers, sources: Sources) -> Sources:
        """Ask which container, where several look ill."""
        ill = containers.ill()
        if len(ill) < 2:  # noqa: PLR2004 - one is no choice
            return sources
        self._say(say("choose.title", self.lang))
        for number, summary in enumerate(ill, 1):
            self._say(f"  {number}. {summary.name}  {summary.image}  {summary.state}")
        word = self._read(say("choose.ask", self.lang)).strip()
        if not word.isdigit() or not 1 <= int(word) <= len(ill):
            raise UsageError(f"{word!r} is no number of the list.", "Name the container: copilot ask NAME.")
        return sources.model_copy(update={"container": ill[int(word) - 1].id})

    def _read(self, prompt: str) -> str:
        """One line from the person; the end of input means stop."""
        try:
            return input(prompt)
        except EOFError:
            return "q"

    def _say(self, text: str) -> None:
        """A line on the terminal."""
        print(visible(text), file=sys.stdout)
