"""`/v1/chat/completions` through the OpenAI SDK."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from copilot.adapters.openai_model import OpenAIModel, Surroundings
from copilot.adapters.openai_wire import Draft, Received, in_one_piece, text_of, without_keywords
from copilot.providers.endpoint import Endpoint

if TYPE_CHECKING:
    import openai
    from openai.types.chat import ChatCompletionChunk


class ChatWire:
    """Messages in, choices out."""

    def open(self, sdk: "openai.OpenAI", draft: Draft) -> "openai.Stream[object]":
        """Send the request."""
        import openai

        timeout = openai.Timeout(draft.silence, connect=draft.connect)
        if not draft.abilities.stream:
            return in_one_piece(sdk, "/chat/completions", body(draft), timeout)
        stream = sdk.chat.completions.create(**body(draft), timeout=timeout)
        return cast("openai.Stream[object]", stream)

    def pieces(self, events: Iterator[object], received: Received) -> Iterator[str]:
        """The deltas; chunks without choices (usage, gateway notes) are normal."""
        for event in events:
            chunk = cast("ChatCompletionChunk", event)
            _note(chunk, received)
            for choice in (chunk.choices or [])[:1]:
                received.finish = choice.finish_reason or received.finish
                delta: Any = choice.delta
                received.thought += len(_reasoning(delta))
                yield text_of(getattr(delta, "content", None))

    def whole(self, answer: dict[str, object], received: Received) -> str:
        """The first choice's message."""
        received.model = str(answer.get("model") or "")
        received.response_id = str(answer.get("id") or "") or None
        usage = answer.get("usage")
        if isinstance(usage, dict):
            received.tokens_in = int(usage.get("prompt_tokens") or 0)
            received.tokens_out = int(usage.get("completion_tokens") or 0)
        choices = answer.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else {}
        received.finish = str(first.get("finish_reason") or "") if isinstance(first, dict) else ""
        message = first.get("message") if isinstance(first, dict) else None
        return text_of(message.get("content")) if isinstance(message, dict) else ""


def body(draft: Draft) -> dict[str, Any]:
    """The request's fields; those the endpoint refuses are left out."""
    known = draft.abilities
    fields: dict[str, Any] = {
        "model": draft.model,
        "messages": [{"role": m.role, "content": m.content} for m in draft.messages],
        "temperature": 0,
        "stream": known.stream,
    }
    if known.stream:
        fields["stream_options"] = {"include_usage": True}
    if known.max_field:
        fields[known.max_field] = draft.max_tokens
    if draft.schema and known.rung in ("strict", "schema"):
        named: dict[str, Any] = {"name": "reply", "schema": without_keywords(draft.schema, known.dropped)}
        if known.rung == "strict":
            named["strict"] = True
        fields["response_format"] = {"type": "json_schema", "json_schema": named}
    elif draft.schema and known.rung == "json":
        fields["response_format"] = {"type": "json_object"}
    return {name: value for name, value in fields.items() if name not in known.dropped}


def _note(chunk: "ChatCompletionChunk", received: Received) -> None:
    """Model, id and usage of a chunk."""
    received.model = chunk.model or received.model
    received.response_id = chunk.id or received.response_id
    if chunk.usage is not None:
        received.tokens_in = chunk.usage.prompt_tokens or received.tokens_in
        received.tokens_out = chunk.usage.completion_tokens or received.tokens_out


def _reasoning(delta: Any) -> str:
    """Separate reasoning: `reasoning_content` (DeepSeek, llama.cpp, older vLLM) or `reasoning` (vLLM, OpenRouter)."""
    return text_of(getattr(delta, "reasoning_content", None) or getattr(delta, "reasoning", None))


def open_chat(endpoint: Endpoint, around: Surroundings) -> OpenAIModel:
    """The model behind a chat endpoint."""
    return OpenAIModel(endpoint, ChatWire(), around)
