"""The load: the first request, requests one by one, and several at once, timed from outside.

vLLM's own benchmark client needs vLLM installed beside this program and knows no cold start; general load generators
time whole responses, not the pieces of a stream. So this loop is ours (docs/decisions/0006-own-load.md).
"""

import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from statistics import median

from copilot.measure.prompts import prompt
from copilot.measure.spread import spread
from copilot.model.measurement import Phase, PhaseName, Shape, Timed
from copilot.ports import Sender

LOADING = 1.0
"""Seconds: kernels and caches warm up in less, a model is hardly loaded so quickly."""
SEED = 20_000
"""Where the prompts of a run begin; every request has one of its own, and every run a first word of its own."""


Progress = Callable[[PhaseName, int, int], None]
"""(phase, done, of): called before each repeat."""


@dataclass
class Results:
    """What was measured so far; complete unless somebody interrupted."""

    batches: dict[PhaseName, list[list[Timed]]] = field(default_factory=dict)
    complete: bool = False

    def phases(self) -> tuple[Phase, ...]:
        """Each phase in figures."""
        return tuple(_phase(name, batches) for name, batches in self.batches.items() if batches)

    def counted(self) -> str:
        """`usage` where the server counted every answer, else `pieces`."""
        answers = [one for batches in self.batches.values() for batch in batches for one in batch if not one.problem]
        return "usage" if answers and all(one.output_tokens is not None for one in answers) else "pieces"

    def reload_seconds(self) -> float | None:
        """By how much the first answer began later than warm ones; None where warming up explains it."""
        cold = [one for batch in self.batches.get("cold", ()) for one in batch if one.first is not None]
        warm = _first_tokens([one for batch in self.batches.get("alone", ()) for one in batch])
        usual = spread(warm)
        if not cold or usual is None or cold[0].first is None:
            return None
        late = cold[0].first - cold[0].start - usual.median
        return late if late > max(LOADING, 2 * (usual.most - usual.least), usual.median) else None


def run(send: Sender, shape: Shape, progress: Progress) -> Results:
    """Measure. Ctrl-C ends it early and keeps what was measured."""
    found = Results()
    plan: list[tuple[PhaseName, int, int]] = [("cold", 1, 1), ("alone", shape.repeats, 1)]
    if shape.concurrency > 1:
        plan.append(("together", shape.repeats, shape.concurrency))
    seed, own = SEED, secrets.randbelow(10**6)
    try:
        for name, repeats, width in plan:
            found.batches[name] = []
            for done in range(repeats):
                progress(name, done, repeats)
                texts = [prompt(shape.prompt_tokens, one, own) for one in range(seed, seed + width)]
                found.batches[name].append(_batch(send, texts, shape.output_tokens))
                seed += width
            if all(one.problem for batch in found.batches[name] for one in batch):
                return found
        found.complete = True
    except KeyboardInterrupt:
        pass
    return found


def _batch(send: Sender, texts: Sequence[str], tokens: int) -> list[Timed]:
    """One request, or several at once."""
    if len(texts) == 1:
        return [send(texts[0], tokens)]
    with ThreadPoolExecutor(len(texts)) as pool:
        return list(pool.map(lambda text: send(text, tokens), texts))


def _phase(name: PhaseName, batches: list[list[Timed]]) -> Phase:
    answers = [one for batch in batches for one in batch if not one.problem]
    failed = [one for batch in batches for one in batch if one.problem]
    return Phase(
        name=name,
        first_token_s=spread(_first_tokens(answers)),
        per_token_s=spread([gap for one in answers if (gap := _gap(one)) is not None]),
        request_s=spread([one.end - one.start for one in answers]),
        tokens_per_s=spread([rate for batch in batches if (rate := _rate(batch)) is not None]),
        prompt_tokens=_middle([one.prompt_tokens for one in answers]),
        output_tokens=_middle([one.tokens for one in answers]),
        requests=len(answers) + len(failed),
        failed=len(failed),
        problem=failed[0].problem if failed else "",
    )


def _first_tokens(answers: Sequence[Timed]) -> list[float]:
    return [one.first - one.start for one in answers if one.first is not None and not one.problem]


def _gap(one: Timed) -> float | None:
    """Seconds per token after the first: a server may send several tokens in one piece, so the tokens count."""
    if one.first is None or one.last is None or one.tokens < 2:  # noqa: PLR2004 - one token has no gap
        return None
    return (one.last - one.first) / (one.tokens - 1)


def _rate(batch: Sequence[Timed]) -> float | None:
    """Output tokens per second of wall time, all requests of the batch together."""
    answers = [one for one in batch if not one.problem]
    if not answers:
        return None
    wall = max(one.end for one in answers) - min(one.start for one in answers)
    return sum(one.tokens for one in answers) / wall if wall > 0 else None


def _middle(values: Sequence[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return round(median(known)) if known else None
