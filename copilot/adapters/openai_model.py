"""Asking over either wire: the format ladder, retries, limits of time and length, and the ledger."""

import random
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from copilot.adapters.openai_errors import Failure, caught, failure
from copilot.adapters.openai_sdk import client, list_models
from copilot.adapters.openai_wire import Draft, Received, Wire, cut_at, read
from copilot.errors import ProviderError, ProviderTooLong, ProviderUnreachable
from copilot.ports import EstimatedTokens, ModelReply, ModelRequest
from copilot.providers.abilities import Abilities, Memory, adapt
from copilot.providers.endpoint import Endpoint
from copilot.providers.exchange import Exchange, Record, forget
from copilot.providers.explain import as_error, garbled
from copilot.providers.patience import wait

if TYPE_CHECKING:
    import openai

_LEAST_OUTPUT = 256
"""Tokens: a shorter reply is no reply; the endpoint may then say that the prompt is too long."""
_TEMPLATE = 32
"""Tokens that a chat template puts around a message, at most."""


@dataclass
class Surroundings:
    """What a question needs besides its endpoint."""

    memory: Memory
    record: Record = forget
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random
    quiet: bool = False
    """The endpoint is not asked for its context length."""


class Refused(Exception):
    """Internal: the endpoint refused, or the connection failed."""

    def __init__(self, failed: Failure) -> None:
        """`failed`: the error as the table understands it."""
        super().__init__(failed.refusal.kind if failed.refusal else "error")
        self.failed = failed


class OpenAIModel:
    """`ports.Model` over a wire."""

    def __init__(self, endpoint: Endpoint, wire: Wire, around: Surroundings) -> None:
        """Nothing is sent, and the SDK is not imported, before the first question."""
        self.name = endpoint.provider.name
        self.base_url = endpoint.provider.base_url
        self._endpoint = endpoint
        self._wire = wire
        self._around = around
        self._known = f"{endpoint.provider.base_url} {endpoint.model} {endpoint.provider.wire_api}"
        self._sdk: openai.OpenAI | None = None
        self._listed = around.quiet

    def context(self) -> int | None:
        """The context length: configured, or learnt from this endpoint."""
        known = self._around.memory.get(self._known)
        length = self._endpoint.provider.context_length or known.context
        if length is None and not self._listed:
            self._listed = True
            length = self._told()
            if length:
                self._around.memory.put(self._known, known.model_copy(update={"context": length}))
        return length

    def _told(self) -> int | None:
        """The context length in the endpoint's list of models; an endpoint without a list tells none."""
        try:
            entries = list_models(self._endpoint)
        except ProviderError:
            return None
        return next((entry.context for entry in entries if entry.id == self._endpoint.model), None)

    def ask(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        """Yield text pieces as they come, and last the whole reply. Raises the kinds of ProviderError."""
        deadline = self._around.clock() + self._endpoint.provider.timeouts.total
        reply = yield from self._patiently(request, deadline)
        if request.schema and reply.finish == "length":
            raise garbled(self._endpoint.provider, f"it was cut off at the output limit of {request.max_tokens} tokens")
        yield reply

    def _patiently(self, request: ModelRequest, deadline: float) -> Generator[str, None, ModelReply]:
        """Ask until an answer comes: other forms after a refusal of the form, waits after an overload."""
        memory, attempt = self._around.memory, 0
        abilities = memory.get(self._known)
        while True:
            try:
                reply = yield from self._once(request, abilities, deadline)
            except Refused as refused:
                following = self._after(refused.failed, abilities, attempt, deadline)
                attempt += following == abilities
                abilities = following
            else:
                if abilities != memory.get(self._known):
                    memory.put(self._known, abilities)
                return reply

    def _after(self, failed: Failure, abilities: Abilities, attempt: int, deadline: float) -> Abilities:
        """What to try next; raises the error where nothing helps."""
        refusal, left = failed.refusal, deadline - self._around.clock()
        if refusal is None:
            raise failed.error or ProviderError("The provider failed.")
        error = failed.error or as_error(refusal, self._endpoint.provider, self._endpoint.key)
        if isinstance(error, ProviderTooLong) and error.limit:
            known = self._around.memory.get(self._known)
            self._around.memory.put(self._known, known.model_copy(update={"context": error.limit}))
        other = adapt(abilities, refusal)
        if other is not None:
            return other
        pause = wait(refusal, attempt, left, self._around.jitter())
        if pause is None or attempt >= self._endpoint.provider.retries:
            raise error
        self._around.sleep(pause)
        return abilities

    def _once(self, request: ModelRequest, abilities: Abilities, deadline: float) -> Generator[str, None, ModelReply]:
        """One HTTP request; the ledger gets a line whatever comes of it."""
        received, started, outcome = Received(), self._around.clock(), "interrupted"
        try:
            text = yield from self._read(self._draft(request, abilities, deadline), received, deadline)
            if not received.finish:
                self._in_time(deadline)
            outcome = "ok"
        except caught() as error:
            self._in_time(deadline)
            failed = failure(error, self._endpoint, time.time())
            outcome = failed.refusal.kind if failed.refusal else "failed"
            raise Refused(failed) from error
        except ProviderError:
            self._in_time(deadline)
            outcome = "unusable"
            raise
        finally:
            seconds = self._around.clock() - started
            self._note(received, seconds, outcome)
        return self._reply(text, received, seconds, abilities)

    def _in_time(self, deadline: float) -> None:
        """ProviderUnreachable, whatever else went wrong, when the time for the whole question is over."""
        if self._around.clock() >= deadline:
            raise self._too_slow() from None

    def _reply(self, text: str, received: Received, seconds: float, abilities: Abilities) -> ModelReply:
        """The whole reply, with what it cost."""
        return ModelReply(
            text=text,
            model=received.model or self._endpoint.model,
            request_id=received.request_id or received.response_id,
            tokens_in=received.tokens_in,
            tokens_out=received.tokens_out,
            seconds=seconds,
            format=abilities.rung,
            finish=received.finish or "stop",
        )

    def _draft(self, request: ModelRequest, abilities: Abilities, deadline: float) -> Draft:
        """The request in the form that the endpoint takes, with the time that is left."""
        limits, left = self._endpoint.provider.timeouts, deadline - self._around.clock()
        if left <= 0:
            raise self._too_slow()
        return Draft(
            model=self._endpoint.model,
            messages=request.messages,
            schema=dict(request.schema),
            max_tokens=self._room(request, abilities),
            abilities=abilities,
            connect=min(limits.connect, left),
            silence=min(limits.read, left),
        )

    def _room(self, request: ModelRequest, abilities: Abilities) -> int:
        """Output tokens that fit beside the prompt in a small context: servers refuse a limit beyond it."""
        context = self._endpoint.provider.context_length or abilities.context
        if context is None:
            return request.max_tokens
        prompt = EstimatedTokens().count("".join(message.content for message in request.messages)).value
        return min(request.max_tokens, max(_LEAST_OUTPUT, context - prompt - _TEMPLATE * len(request.messages)))

    def _read(self, draft: Draft, received: Received, deadline: float) -> Generator[str, None, str]:
        """Send, and read to the end; the connection is closed whatever happens, Ctrl-C included."""
        if self._sdk is None:
            self._sdk = client(self._endpoint)
        stream = self._wire.open(self._sdk, draft)
        with closing(stream), cut_at(stream, deadline - self._around.clock()):
            return (yield from read(self._wire, stream, draft, self._endpoint, received))

    def _too_slow(self) -> ProviderUnreachable:
        """The time for the whole question is over."""
        total = self._endpoint.provider.timeouts.total
        return ProviderUnreachable(
            f"{self.name} did not finish within {total:g} s.", "Raise timeouts.total in its configuration."
        )

    def _note(self, received: Received, seconds: float, outcome: str) -> None:
        """One line for the ledger of calls."""
        self._around.record(
            Exchange(
                provider=self.name,
                model_asked=self._endpoint.model,
                model_answered=received.model,
                request_id=received.request_id,
                response_id=received.response_id,
                tokens_in=received.tokens_in,
                tokens_out=received.tokens_out,
                seconds=seconds,
                outcome=outcome,
            )
        )
