"""One streamed chat, timed piece by piece, through the OpenAI SDK."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from copilot.adapters.openai_errors import caught, failure
from copilot.adapters.openai_sdk import client
from copilot.model.measurement import Timed
from copilot.providers.endpoint import Endpoint
from copilot.providers.explain import as_error

EXACT = {"ignore_eos": True}
"""vLLM and llama.cpp write exactly as many tokens as asked for; others ignore or refuse the word."""


TEXT = ("content", "reasoning_content", "reasoning")
"""Fields of a delta in which servers send text."""


@dataclass
class _Stream:
    """What the pieces have shown so far."""

    first: float | None = None
    last: float | None = None
    pieces: int = 0
    usage: dict[str, int] = field(default_factory=dict)

    def take(self, chunk: Any) -> None:
        """Count a chunk: a choice may be missing, the delta empty, the text in a reasoning field, usage alone."""
        usage = getattr(chunk, "usage", None)
        if usage is not None:
            self.usage = {"output": usage.completion_tokens, "prompt": usage.prompt_tokens}
        for choice in getattr(chunk, "choices", None) or ():
            now, delta = time.perf_counter(), choice.delta
            if delta is not None and any(getattr(delta, name, None) for name in TEXT):
                self.first = self.first or now
                self.pieces += 1
            # a token can be half a character: its chunk has no text, and still it is when the token came
            self.last = now if self.first is not None else None


class TimedChat:
    """A `Sender` for one endpoint; learns once whether it takes `ignore_eos` and `stream_options`."""

    def __init__(self, endpoint: Endpoint) -> None:
        """`endpoint.model` is the model that is asked."""
        self.endpoint = endpoint
        self.client = client(endpoint, keep_alive=True)
        self.extra: list[dict[str, Any]] = [
            {"extra_body": EXACT, "stream_options": {"include_usage": True}},
            {"stream_options": {"include_usage": True}},
            {},
        ]

    def close(self) -> None:
        """Close the connections that were kept open."""
        self.client.close()

    def __call__(self, text: str, max_tokens: int) -> Timed:
        """Ask once. A 400 for an option it does not know is followed by the same request without it."""
        import openai

        while True:
            start = time.perf_counter()
            try:
                return self._timed(start, self._chunks(text, max_tokens))
            except openai.BadRequestError as error:
                if len(self.extra) == 1:
                    return self._failed(start, error)
                self.extra = self.extra[1:]
            except caught() as error:
                return self._failed(start, error)

    def _timed(self, start: float, chunks: Iterable[Any]) -> Timed:
        seen = _Stream()
        for chunk in chunks:
            seen.take(chunk)
        return Timed(
            start=start,
            end=time.perf_counter(),
            first=seen.first,
            last=seen.last,
            pieces=seen.pieces,
            output_tokens=seen.usage.get("output"),
            prompt_tokens=seen.usage.get("prompt"),
            problem="" if seen.pieces else "The answer held no text.",
        )

    def _chunks(self, text: str, max_tokens: int) -> Iterable[Any]:
        stream: Iterable[Any] = self.client.chat.completions.create(
            model=self.endpoint.model,
            messages=[{"role": "user", "content": text}],
            max_tokens=max_tokens,
            temperature=0,
            stream=True,
            **self.extra[0],
        )
        return stream

    def _failed(self, start: float, error: Exception) -> Timed:
        """The failure as one sentence."""
        failed = failure(error, self.endpoint, time.time())
        known = failed.error
        if known is None and failed.refusal is not None:
            known = as_error(failed.refusal, self.endpoint.provider, self.endpoint.key)
        problem = known.message if known else type(error).__name__
        return Timed(start=start, end=time.perf_counter(), problem=problem)
