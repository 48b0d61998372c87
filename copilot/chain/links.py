"""`copilot check`: the links copilot → provider → engine in order, up to the first that is broken."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from copilot.adapters.probe import Http
from copilot.model.answer import Change, Expect, Experiment, Fault
from copilot.model.check import CheckDocument, CheckedLink, CheckedProvider, LinkName
from copilot.model.provider import Provider
from copilot.model.text import Lang, Text
from copilot.model.words import Category
from copilot.ports import Containers, RawContainer


@dataclass(frozen=True)
class Broken:
    """A link that does not hold, or a warning about one that does for this program but not for others."""

    category: Category
    parameters: tuple[str, ...]
    title: Text
    cause: Text
    to: str | None = None
    """The value to set; None: something is to be looked at, or done, and `do` says what."""
    before: str | None = None
    do: Text | None = None
    warning: bool = False
    sure: bool = True


@dataclass
class Found:
    """What the links before have found out."""

    environ: Mapping[str, str]
    lang: Lang
    provider: Provider | None = None
    key: str | None = field(default=None, repr=False)
    key_from: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    base: str = ""
    """The base URL that answered; first the configured one."""
    model: str = ""
    models: tuple[str, ...] = ()
    container: RawContainer | None = None
    in_container: bool = False
    codex: bool = False
    """It is Codex whose configuration is looked at, and Codex asks nothing but `/responses`."""
    http: Http = field(default_factory=Http)
    containers: Containers | None = None
    warnings: list[tuple[LinkName, Broken]] = field(default_factory=list)


Result = Text | Broken
Step = Callable[[Found], Result | None]
"""What was seen; Broken ends the chain; None: the link does not apply."""


def run(steps: Sequence[tuple[LinkName, Step]], found: Found) -> CheckDocument:
    """Go through the links and stop at the first that is broken."""
    links: list[CheckedLink] = []
    broken: tuple[LinkName, Broken] | None = None
    for name, step in steps:
        if broken is not None:
            links.append(CheckedLink(link=name, status="skipped", detail=""))
            continue
        started, warned = time.monotonic(), len(found.warnings)
        result = step(found)
        if result is None:
            continue
        status = "broken" if isinstance(result, Broken) else "warning" if len(found.warnings) > warned else "ok"
        said = result.title if isinstance(result, Broken) else result
        seconds = round(time.monotonic() - started, 3)
        links.append(CheckedLink(link=name, status=status, detail=said.in_(found.lang), seconds=seconds))
        if isinstance(result, Broken):
            broken = (name, result)
    return _document(links, broken, found)


def _document(links: list[CheckedLink], broken: tuple[LinkName, Broken] | None, found: Found) -> CheckDocument:
    """The links as the document says them."""
    told = [*([broken] if broken else []), *found.warnings]
    faults = tuple(fault(one, f"f{n}", found.lang) for n, (_, one) in enumerate(told[:6], start=1))
    return CheckDocument(
        status="diagnosed" if broken else "healthy",
        provider=_provider(found),
        links=tuple(links),
        broken=broken[0] if broken else None,
        faults=faults,
        experiment=experiment(told[0][1], found.lang) if told else None,
        models=found.models,
    )


def _provider(found: Found) -> CheckedProvider | None:
    """The endpoint, without its key."""
    if found.provider is None:
        return None
    return CheckedProvider(
        name=found.provider.name,
        base_url=found.provider.base_url,
        used=found.base or found.provider.base_url,
        model=found.model or found.provider.model,
        wire_api=found.provider.wire_api,
        key_from=found.key_from,
        origins=found.provider.origins,
    )


def fault(broken: Broken, id_: str, lang: Lang) -> Fault:
    """A broken link as a fault of an answer."""
    return Fault(
        id=id_,
        category=broken.category,
        title=broken.title.in_(lang),
        cause=broken.cause.in_(lang),
        parameters=broken.parameters,
        blocking=not broken.warning,
        confidence="high" if broken.sure else "medium",
    )


def experiment(broken: Broken, lang: Lang) -> Experiment:
    """The one thing to change, or to look at."""
    change = None
    if broken.to is not None and broken.parameters:
        change = Change(parameter=broken.parameters[0], before=broken.before, to=broken.to)
    told = broken.do.in_(lang) if broken.do else None
    right = Text(en="`copilot check` gets past this link.", zh="`copilot check` 能通过这一环。")
    wrong = Text(en="It stops at the same link again.", zh="它仍停在同一环。")
    return Experiment(
        fault="f1",
        kind="change" if change else "observe",
        change=change,
        observe=None if change else told or broken.cause.in_(lang),
        why=told or broken.cause.in_(lang),
        commands=("copilot check",),
        expect=Expect(if_right=right.in_(lang), if_wrong=wrong.in_(lang)),
    )
