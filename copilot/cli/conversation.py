"""What `ask` and `next` say: events in, words out; on a terminal, the loop with a person."""

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from copilot import app, config, places
from copilot.cli.retests import Once, Terminal
from copilot.errors import UsageError
from copilot.model.request import Options, Sources
from copilot.model.text import Lang
from copilot.ports import Model, Retest
from copilot.render import console, render_answer
from copilot.text import say
from copilot.workflow.state import Ports

if TYPE_CHECKING:
    from rich.status import Status


@dataclass(frozen=True)
class Wanted:
    """What the options of `ask` and `next` come to."""

    provider: str | None
    model: str | None
    lang: Lang
    fallback: bool
    json: bool
    loop: bool
    session: str | None
    allow_insecure: bool
    dry_run: bool = False


class Quiet:
    """A status that says nothing: standard error is no terminal."""

    def __enter__(self) -> Self:
        """Nothing to begin."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Nothing to end."""

    def update(self, text: str) -> None:
        """Say nothing."""

    def start(self) -> None:
        """Say nothing."""

    def stop(self) -> None:
        """Say nothing."""


class Conversation:
    """One run of `ask` or `next`."""

    def __init__(self, wanted: Wanted) -> None:
        """Choose the provider; nothing is read and nothing is sent yet."""
        self.wanted = wanted
        self.out = console()
        self.err = console(sys.stderr)
        self.model, self.model_url, self.secrets = self._provider()
        self.terminal = Terminal(wanted.lang)
        self.status: Status | Quiet = Quiet()
        self.written = 0
        """Characters of the reply that is being written."""
        self.served: str | None = None
        """The session whose server has answered a chat."""

    def _provider(self) -> tuple[Model | None, str | None, tuple[str, ...]]:
        """The model to ask, where it is, and the keys that must appear nowhere."""
        from copilot.adapters.keyring import KeyringVault
        from copilot.connect import open_model
        from copilot.providers.choice import choose_provider
        from copilot.providers.known import known_secrets

        settings = config.load(os.environ, Path.cwd(), places.config_file())
        vault = KeyringVault()
        secrets = known_secrets(settings, os.environ, vault, Path.cwd())
        chosen = choose_provider(settings, os.environ, self.wanted.provider, self.wanted.model)
        if chosen is None:
            return None, None, secrets
        if self.wanted.allow_insecure:
            chosen = chosen.model_copy(update={"allow_insecure": True})
        model = open_model(chosen, vault, os.environ, quiet=self.wanted.dry_run)
        if model.base_url != chosen.base_url:
            said = say("ask.probed", self.wanted.lang, provider=model.name, typed=chosen.base_url, base=model.base_url)
            self.err.print(said, highlight=False)
        return model, model.base_url, secrets

    @property
    def options(self) -> Options:
        """The options of the workflow."""
        return Options(
            provider=self.model.name if self.model is not None else "playbook",
            model=self.wanted.model,
            lang=self.wanted.lang,
            fallback=self.wanted.fallback,
            loop=self.wanted.loop,
            session=self.wanted.session,
        )

    def ports(self, retest: Retest) -> Ports:
        """The real ports with the provider chosen."""
        return replace(app.ports_for(retest, self.model, self.model_url, self.secrets), progress=self._heard)

    def ask(self, sources: Sources) -> int:
        """A new session."""
        ports = self.ports(self.terminal if self.wanted.loop else Once())
        self.terminal.containers = ports.containers
        if self.wanted.loop and sources.container is None and not sources.explicit:
            sources = self.terminal.choose(ports.containers, sources)
        return self._tell(app.start(ports, _absolute(sources), self.options))

    def next(self, sources: Sources, *, wait: bool) -> int:
        """The next round of the newest open session, or of the one named."""
        store = app.sessions()
        name = self.wanted.session or next(iter(store.ids()), None)
        if name is None:
            raise UsageError("There is no session yet.", "Begin one: copilot ask.")
        given = _absolute(sources) if sources.explicit else None
        if wait:
            from copilot.waiting import wait_for_boot

            self.err.print(say("loop.waiting", self.wanted.lang))
            wait_for_boot(self.ports(Once()).containers, store.sources(name), store.started(name))
        return self._tell(app.proceed(self.ports(Once()), name, given, self.options))

    def dry_run(self, sources: Sources) -> int:
        """Print exactly what would be sent."""
        from copilot.render import visible

        ports = self.ports(Once())
        messages = app.dry_run(ports, sources, self.options)
        text = "\n".join(f"[{role}]\n{content}" for role, content in messages)
        count = ports.tokens.count(text)
        counted = say("tokens.estimated" if count.estimated else "tokens.counted", self.wanted.lang)
        if self.model is None:
            self.err.print(say("dry.nothing", self.wanted.lang))
        else:
            said = say("dry.sent", self.wanted.lang, provider=self.model.name, tokens=count.value, counted=counted)
            self.err.print(said)
            if self.model.context() is None:
                self.err.print(say("dry.context", self.wanted.lang))
        print("\n".join(visible(line) for line in text.split("\n")))
        return 0

    def _tell(self, events: "app.Events") -> int:
        """Print what comes; the exit code of the last answer."""
        code = 0
        with self._status() as status:
            self.status = status
            for event in events:
                if isinstance(event, app.Progressed):
                    provider, self.written = self.model.name if self.model is not None else "", 0
                    status.update(say(f"progress.{event.node}", self.wanted.lang, provider=provider))
                    status.start()
                    continue
                status.stop()
                code = self._answer(event)
        if self.served is not None:
            app.close(self.served)
        return code

    def _heard(self, piece: str) -> None:
        """Say how long the reply is by now: small models write for minutes."""
        self.written += len(piece)
        if self.model is not None and self.written:
            said = say("progress.writing", self.wanted.lang, provider=self.model.name, count=self.written)
            self.status.update(said)

    def _status(self) -> "Status | Quiet":
        """A spinner on standard error, on a terminal only."""
        from rich.status import Status

        return Status("", console=self.err) if self.err.is_terminal else Quiet()

    def _answer(self, event: app.Answered) -> int:
        """Print one answer."""
        answer = event.answer
        self.terminal.seen(event)
        if self.wanted.json:
            print(answer.model_dump_json(by_alias=True, indent=2))
        else:
            self.out.print(render_answer(answer, self.wanted.lang))
        self._verify(event)
        found = answer.status in ("diagnosed", "partial") and bool(answer.faults)
        return 5 if found and answer.experiment is None else 0

    def _verify(self, event: app.Answered) -> None:
        """After a repair the server of this machine must list its model and answer a chat: only then it is fixed."""
        answer, container = event.answer, event.evidence.container
        if answer.status != "healthy" or answer.round == 1:
            return
        if container is not None and container.name and not event.state["sources"].explicit:
            from copilot.checking import ask_server
            from copilot.cli.check import lines_of

            document = ask_server(container.name.lstrip("/"), self.ports(Once()).containers, self.wanted.lang)
            if document.broken is None:
                self.served = answer.session
            if not self.wanted.json:
                print("\n".join(lines_of(document, self.wanted.lang)))
        if not self.wanted.json:
            self.out.print(say("loop.measure", self.wanted.lang, session=answer.session), style="dim")


def _absolute(sources: Sources) -> Sources:
    """The same sources with paths that hold from any folder: the next round may be asked for elsewhere."""
    from copilot.adapters.files import absolute, present

    named = {
        field: str(absolute(value))
        for field in ("directory", "log", "compose", "inspect", "gpu", "command")
        if (value := getattr(sources, field)) is not None and value != "-" and present(value)
    }
    return sources.model_copy(update=named)
