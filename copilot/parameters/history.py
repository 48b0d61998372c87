"""Where a name stands in time: the release that is meant, and the runs of releases that know the name."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from copilot.parameters.catalogue import Catalogue, Span, catalogue
from copilot.parameters.lookup import Status
from copilot.parameters.releases import Nearest


@dataclass(frozen=True)
class Moment:
    """The release whose facts count, and how far they can be trusted."""

    release: str
    near: Nearest | None
    """None: the version is unknown."""

    @property
    def beyond(self) -> bool:
        """The version is newer than all that was read."""
        return self.near is not None and self.near.beyond


def moment(held: Catalogue, version: str | None) -> Moment:
    """The release to read for a version; the newest where the version is unknown."""
    near = held.releases.nearest(version) if version else None
    return Moment(near.version if near else held.newest, near)


@dataclass(frozen=True)
class Life:
    """The runs of one name, seen from one release."""

    status: Status
    since: str
    until: str | None
    certain: bool


def life(runs: Sequence[Span], held: Catalogue, now: Moment) -> Life:
    """Status of a name whose runs (not empty, in time order) are known.

    With an unknown version a name that any release has is `ok`, and certain only if every release has it.
    """
    merged = _merged(runs, held)
    place = held.releases.position
    here = place(now.release)
    inside = [run for run in merged if place(run[0]) <= here <= _end(run, held)]
    if now.near is None:
        first, last = (inside or merged[-1:])[0]
        return Life("ok", first, last, certain=len(merged) == 1 and place(first) == 0 and last is None)
    if inside:
        first, last = inside[0]
        settled = now.near.next is None or last is None or place(last) > here
        return Life("ok", first, last, settled)
    later = [run for run in merged if place(run[0]) > here]
    if later and (len(later) == len(merged) or not _before(merged, here, held)):
        return Life("not_yet", later[0][0], later[0][1], certain=later[0][0] != now.near.next)
    gone = _before(merged, here, held)[-1]
    return Life("removed", gone[0], gone[1], certain=not (later and later[0][0] == now.near.next))


@lru_cache(maxsize=1)
def spelled() -> dict[str, list[tuple[str, Span]]]:
    """Every option string that any vLLM release knew -> (long form, run), oldest first."""
    held = catalogue("vllm")
    found: dict[str, list[tuple[str, Span]]] = {}
    for flag in held.flags:
        for span in held.flags.spans(flag):
            for name in (flag, *span.texts("aliases"), *span.texts("negations")):
                found.setdefault(name, []).append((flag, span))
    for runs in found.values():
        runs.sort(key=lambda run: held.releases.position(run[1].since))
    return found


def _end(run: tuple[str, str | None], held: Catalogue) -> int:
    return held.releases.position(run[1]) if run[1] else len(held.releases.names)


def _before(merged: Sequence[tuple[str, str | None]], here: int, held: Catalogue) -> list[tuple[str, str | None]]:
    return [run for run in merged if _end(run, held) < here]


def _merged(runs: Sequence[Span], held: Catalogue) -> list[tuple[str, str | None]]:
    """Adjacent runs as one: what changed between them is not their being there."""
    merged: list[tuple[str, str | None]] = []
    for run in runs:
        if merged and merged[-1][1] and held.releases.position(merged[-1][1]) + 1 == held.releases.position(run.since):
            merged[-1] = (merged[-1][0], run.until)
        else:
            merged.append((run.since, run.until))
    return merged
