"""Ask the model: windows, findings and history in one prompt; a reply in our schema, or one sentence why not."""

import re
import time
from collections.abc import Callable, Iterator

from copilot.errors import ProviderError, ProviderGarbled, ProviderTooLong
from copilot.logs import parse, render_windows, windows
from copilot.model.answer import AnsweredBy
from copilot.model.reply import Reply
from copilot.ports import Message, Model, ModelReply, ModelRequest
from copilot.prompting import Prompt, load_prompt, parse_reply, reply_schema
from copilot.workflow.check import context_of
from copilot.workflow.described import describe, plausible_parameters
from copilot.workflow.state import Asked, Ports, State

COMPACT_BELOW = 12_000
"""Context length in tokens under which the compact prompt is used (a prompt of at most 3,000 tokens)."""
PROMPT_TOKENS = 24_000
"""Token budget of the full prompt where the context length is unknown or large."""
COMPACT_TOKENS = 3_000
REPLY_TOKENS = 4_096
_NUMBER = re.compile(r"^ *(\d+) \| ", re.MULTILINE)
CHARACTERS_PER_TOKEN = 2.5
"""Engine logs, measured (tiktoken cl100k: 2.6)."""


def ask(ports: Ports, state: State) -> State:
    """One call to the provider (and one with smaller windows when the first was too long)."""
    model = ports.model
    attempt = 1 + (state["asked"].attempt if _same_round(state) else 0)
    if model is None:
        return {"asked": Asked(problem="no provider", attempt=attempt, round=state["round"])}
    started = time.monotonic()
    budget = budget_of(model)
    try:
        prompt, reply, answer = _call(ports, state, budget)
    except ProviderTooLong as error:
        try:
            smaller = min(budget // 2, (error.limit or budget) // 2)
            prompt, reply, answer = _call(ports, state, smaller)
        except ProviderError as again:
            return _failed(state, again, attempt)
    except ProviderError as error:
        return _failed(state, error, attempt)
    by = AnsweredBy(
        provider=model.name,
        model=reply.model or state["options"].model,
        prompt=prompt.fingerprint,
        tokens_in=reply.tokens_in + _before(state, "tokens_in"),
        tokens_out=reply.tokens_out + _before(state, "tokens_out"),
        seconds=round(time.monotonic() - started, 2),
    )
    return {"asked": Asked(reply=answer, by=by, attempt=attempt, round=state["round"])}


def _failed(state: State, error: ProviderError, attempt: int) -> State:
    """The playbook takes over, unless the person wants the failure."""
    if not state["options"].fallback:
        raise error
    return {"asked": Asked(problem=error.message, attempt=attempt, round=state["round"])}


def _same_round(state: State) -> bool:
    """Whether this round was asked before (objections go back)."""
    return "asked" in state and state["asked"].round == state["round"]


def _before(state: State, name: str) -> int:
    """Tokens of the earlier attempts of this round."""
    by = state["asked"].by if _same_round(state) else None
    return int(getattr(by, name)) if by is not None else 0


def budget_of(model: Model | None) -> int:
    """Tokens the prompt may have; without a model as for one whose context length is unknown."""
    context = model.context() if model is not None else None
    if context is None:
        return PROMPT_TOKENS
    if context < COMPACT_BELOW:
        return min(COMPACT_TOKENS, context // 2)
    return min(PROMPT_TOKENS, context - REPLY_TOKENS - 1_000)


def _call(ports: Ports, state: State, budget: int) -> tuple[Prompt, ModelReply, Reply]:
    """Send one prompt and read the reply; one repair when it is not the schema. Raises ProviderError."""
    if ports.model is None:
        raise ProviderGarbled("There is no provider.", "Name one with --provider.")
    prompt = load_prompt("diagnose" if budget > COMPACT_TOKENS else "diagnose_compact")
    messages = list(messages_for(ports, state, budget))
    schema = schema_for(state, messages[1].content.rpartition("LOG")[2])
    reply = _stream(ports.model.ask(ModelRequest(tuple(messages), schema, REPLY_TOKENS)), ports.progress)
    try:
        return prompt, reply, parse_reply(reply.text)
    except ProviderGarbled as error:
        repair = load_prompt("repair").fill(problem=error.message)
        messages += [Message("assistant", reply.text[:8_000]), Message("user", repair)]
        reply = _stream(ports.model.ask(ModelRequest(tuple(messages), schema, REPLY_TOKENS)), ports.progress)
        return prompt, reply, parse_reply(reply.text)


def _stream(pieces: Iterator[str | ModelReply], progress: Callable[[str], None]) -> ModelReply:
    """Pass the pieces on, give back the whole reply."""
    for piece in pieces:
        if isinstance(piece, ModelReply):
            return piece
        progress(piece)
    raise ProviderGarbled("The provider's stream ended without a reply.", "Try again, or use --offline.")


def messages_for(ports: Ports, state: State, budget: int = PROMPT_TOKENS) -> tuple[Message, ...]:
    """Exactly what is sent: the prompt within the budget, and the objections where there are any."""
    prompt = load_prompt("diagnose" if budget > COMPACT_TOKENS else "diagnose_compact")
    described = describe(state, compact=budget <= COMPACT_TOKENS)
    fixed = prompt.fill(**described, log="")
    left = max(budget - ports.tokens.count(fixed).value, 200)
    log = parse(state["evidence"].log)
    cut = windows(log, state["findings"].centres, budget_chars=int(left * CHARACTERS_PER_TOKEN * 0.9))
    text = prompt.fill(**described, log=render_windows(log, cut))
    system, _, user = text.partition("\n---\n")
    messages = [Message("system", system.strip()), Message("user", user.strip())]
    if _same_round(state) and state["asked"].reply is not None and "checked" in state:
        objections = "\n".join(f"- {o.where}: {o.detail}" for o in state["checked"].objections)
        messages += [
            Message("assistant", state["asked"].reply.model_dump_json()),
            Message("user", load_prompt("object").fill(objections=objections)),
        ]
    return tuple(messages)


def schema_for(state: State, shown: str) -> dict[str, object]:
    """The reply's JSON schema with the line numbers that the prompt shows, and the parameters, enumerated."""
    context = context_of(state)
    lines = [int(number) for number in _NUMBER.findall(shown)]
    sources = [(text.source, text.file) for text in context.evidence.texts]
    return reply_schema(lines, plausible_parameters(context.findings, context.evidence), sources)
