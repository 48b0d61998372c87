"""What real servers can do: wire x reply format, measured, and the table in docs/providers.md.

    python tools/provider_matrix.py --name "vLLM 0.32.0" --base-url http://127.0.0.1:8000/v1 --key-env KEY
    python tools/provider_matrix.py                      write the table from the measurements on file

Each cell is one question with the format forced; what the server refuses, ignores or obeys is written down as it came.
"""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any, get_args

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
STORE = ROOT / "docs" / "provider-matrix.json"
PAGE = ROOT / "docs" / "providers.md"
BEGIN, END = "<!-- matrix: tools/provider_matrix.py -->", "<!-- end of matrix -->"
SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {
        "cause": {"type": "string", "enum": ["memory", "network", "model"]},
        "sure": {"type": "string", "enum": ["yes", "no"]},
    },
    "required": ["cause", "sure"],
    "additionalProperties": False,
}
QUESTION = 'Reply with one JSON object like {"cause": "memory", "sure": "yes"} and nothing else.'


def main() -> int:
    """Measure one server if one is named; then write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--name")
    parser.add_argument("--base-url")
    parser.add_argument("--model")
    parser.add_argument("--key-env", default="")
    options = parser.parse_args()
    measured: dict[str, Any] = json.loads(STORE.read_text(encoding="utf-8")) if STORE.exists() else {}
    if options.name and options.base_url:
        measured[options.name] = measure(options.base_url, options.model, os.environ.get(options.key_env))
        STORE.write_text(json.dumps(measured, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{table(measured)}{END}{after}", encoding="utf-8")
    return 0


def measure(base_url: str, model: str | None, key: str | None) -> list[dict[str, object]]:
    """Every cell of one server."""
    from copilot.providers.abilities import Rung

    return [
        {"wire": wire, "format": rung, "stream": stream, **cell((base_url, model, key), wire, rung, stream=stream)}
        for wire in ("chat", "responses")
        for rung in get_args(Rung)
        for stream in (True, False)
    ]


def cell(server: tuple[str, str | None, str | None], wire: str, rung: str, *, stream: bool) -> dict[str, object]:
    """One question in one format."""
    from copilot.connect import Connections, connect
    from copilot.errors import ProviderError
    from copilot.model.provider import Provider
    from copilot.ports import MemoryVault, Message, ModelReply, ModelRequest
    from copilot.providers.abilities import Abilities

    base, model, key = server
    environ = {"COPILOT_API_KEY": key} if key else {}
    memory = Forced(Abilities.model_validate({"rung": rung, "stream": stream}))
    provider = Provider(name="measured", base_url=base, model=model, wire_api=wire, retries=0)
    request = ModelRequest((Message("user", QUESTION),), SCHEMA, 200)
    try:
        *_, reply = connect(provider, Connections(environ, MemoryVault(), memory)).ask(request)
    except ProviderError as error:
        return {"result": "failed", "note": error.message[:160]}
    if not isinstance(reply, ModelReply):
        return {"result": "failed", "note": "no reply"}
    return {"result": judged(reply.text), "used": reply.format, "usage": reply.tokens_out > 0}


class Forced:
    """A memory that always proposes the same form."""

    def __init__(self, abilities: Any) -> None:
        self.abilities = abilities

    def get(self, endpoint: str) -> Any:
        """The form to ask in."""
        del endpoint
        return self.abilities

    def put(self, endpoint: str, abilities: Any) -> None:
        """Nothing is learnt from one cell to the next."""


def judged(text: str) -> str:
    """`obeyed` the schema, other `json`, or `text`."""
    from copilot.prompting.replies import document

    found = document(text)
    if found is None:
        return "text"
    fits = set(found) == {"cause", "sure"} and found["cause"] in ("memory", "network", "model")
    return "obeyed" if fits and found["sure"] in ("yes", "no") else "json"


WORDS = {"obeyed": "schema obeyed", "json": "JSON, another shape", "text": "no JSON", "failed": "refused"}


def table(measured: dict[str, Any]) -> str:
    """Markdown: a row per server, wire and format."""
    rows = ["| server | wire | format asked | streamed | in one piece |", "|---|---|---|---|---|"]
    for name in sorted(measured):
        cells = {(c["wire"], c["format"], c["stream"]): c for c in measured[name]}
        for wire, rung in dict.fromkeys((c["wire"], c["format"]) for c in measured[name]):
            shown = (shown_cell(cells[wire, rung, stream], rung) for stream in (True, False))
            rows.append(f"| {name} | {wire} | {rung} | {' | '.join(shown)} |")
    return "\n".join(rows) + "\n"


def shown_cell(found: dict[str, Any], rung: str) -> str:
    """A cell: what came, and the lower format it took where the server refused the one asked for."""
    told = WORDS[str(found["result"])]
    if "cut off" in str(found.get("note")):
        return "ran to the output limit"
    if found.get("used") not in (None, rung):
        told += f" (with {found['used']})"
    return told if found["result"] == "failed" or found.get("usage") else f"{told}, no usage"


if __name__ == "__main__":
    sys.exit(main())
