"""`/v1/responses` through the OpenAI SDK."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from copilot.adapters.openai_model import OpenAIModel, Surroundings
from copilot.adapters.openai_wire import Draft, Received, in_one_piece, text_of, without_keywords
from copilot.providers.endpoint import Endpoint

if TYPE_CHECKING:
    import openai

_FINISH = {"max_output_tokens": "length", "content_filter": "content_filter"}


class ResponsesWire:
    """Input items in, output items out. Nothing is stored at the endpoint."""

    def open(self, sdk: "openai.OpenAI", draft: Draft) -> "openai.Stream[object]":
        """Send the request."""
        import openai

        timeout = openai.Timeout(draft.silence, connect=draft.connect)
        if not draft.abilities.stream:
            return in_one_piece(sdk, "/responses", body(draft), timeout)
        return cast("openai.Stream[object]", sdk.responses.create(**body(draft), timeout=timeout))

    def pieces(self, events: Iterator[object], received: Received) -> Iterator[str]:
        """Text deltas; reasoning events are counted, all others ignored but the last, which tells the cost."""
        for untyped in events:
            event: Any = untyped
            kind = str(getattr(event, "type", ""))
            if kind == "response.output_text.delta":
                yield text_of(event.delta)
            elif kind.startswith("response.reasoning") and kind.endswith(".delta"):
                received.thought += len(text_of(event.delta))
                yield ""
            elif kind in ("response.completed", "response.incomplete", "response.failed"):
                self.whole(event.response.to_dict(), received)
                received.finish = received.finish or "stop"

    def whole(self, answer: dict[str, object], received: Received) -> str:
        """The text of the message items."""
        received.model = str(answer.get("model") or "")
        received.response_id = str(answer.get("id") or "") or None
        usage = answer.get("usage")
        if isinstance(usage, dict):
            received.tokens_in = int(usage.get("input_tokens") or 0)
            received.tokens_out = int(usage.get("output_tokens") or 0)
        details = answer.get("incomplete_details")
        reason = str(details.get("reason") or "") if isinstance(details, dict) else ""
        received.finish = _FINISH.get(reason, reason)
        items = answer.get("output")
        entries = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
        return "".join(text_of(entry.get("content")) for entry in entries if entry.get("type") == "message")


def body(draft: Draft) -> dict[str, Any]:
    """The request's fields; those the endpoint refuses are left out."""
    known = draft.abilities
    fields: dict[str, Any] = {
        "model": draft.model,
        "input": [{"role": m.role, "content": m.content} for m in draft.messages],
        "temperature": 0,
        "stream": known.stream,
        "store": False,
    }
    if known.max_field:
        fields["max_output_tokens"] = draft.max_tokens
    if draft.schema and known.rung in ("strict", "schema"):
        form: dict[str, Any] = {
            "type": "json_schema",
            "name": "reply",
            "schema": without_keywords(draft.schema, known.dropped),
        }
        if known.rung == "strict":
            form["strict"] = True
        fields["text"] = {"format": form}
    elif draft.schema and known.rung == "json":
        fields["text"] = {"format": {"type": "json_object"}}
    return {name: value for name, value in fields.items() if name not in known.dropped}


def open_responses(endpoint: Endpoint, around: Surroundings) -> OpenAIModel:
    """The model behind a responses endpoint."""
    return OpenAIModel(endpoint, ResponsesWire(), around)
