"""Compose files in any mixture of styles, for property tests: the same service in other words."""

from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import strategies as st

FLAGS = (("--model", "Qwen/Qwen2.5-3B-Instruct"), ("--max-model-len", "4096"), ("--enforce-eager", None))


@dataclass(frozen=True)
class Style:
    """How one file is written."""

    indent: int
    crlf: bool
    command: str
    environment: str
    gpus: str
    quote: str
    comments: bool
    order: tuple[int, ...]
    last_break: bool
    shared: bool
    secret: bool


styles = st.builds(
    Style,
    indent=st.sampled_from((2, 4)),
    crlf=st.booleans(),
    command=st.sampled_from(
        ("list", "joined", "flow", "flow lines", "flow open", "plain", "folded", "literal", "bash list", "bash")
    ),
    environment=st.sampled_from(("map", "list", "flow", "none", "anchor")),
    gpus=st.sampled_from(("long", "ids", "short", "runtime", "none")),
    quote=st.sampled_from(("", "'", '"')),
    comments=st.booleans(),
    order=st.permutations(range(5)).map(tuple),
    last_break=st.booleans(),
    shared=st.booleans(),
    secret=st.booleans(),
)


def written(style: Style) -> str:
    """The file."""
    notes = iter(f"  # c{n:02}" if style.comments else "" for n in range(10, 99))
    parts = [
        [f"image: {_q(style, 'vllm/vllm-openai:v0.25.0')}{next(notes)}"],
        _command(style, notes),
        _environment(style, notes),
        _gpus(style, notes),
        ["shm_size: 8g", *([f"restart: {_q(style, 'unless-stopped')}{next(notes)}"])],
    ]
    body = [line for index in style.order for line in parts[index]]
    lines = ["# c01" if style.comments else "", "services:", *_in(style, ["vllm:", *_in(style, body)])]
    if style.shared:
        other = [
            "<<: *base" if style.environment != "anchor" else "image: vllm/vllm-openai:v0.25.0",
            "ports: ['8001:8000']",
        ]
        base = ["x-base: &base", *_in(style, ["image: vllm/vllm-openai:v0.25.0", "shm_size: 8g", "ipc: host"])]
        lines = [*base, *lines, *_in(style, ["second:", *_in(style, other)])]
        if style.environment == "anchor":
            lines += _in(style, _in(style, ["environment: *env"]))
    text = "\n".join(line for line in lines if line) + ("\n" if style.last_break else "")
    return text.replace("\n", "\r\n") if style.crlf else text


def _in(style: Style, lines: list[str]) -> list[str]:
    return [" " * style.indent + line for line in lines if line]


def _q(style: Style, value: str) -> str:
    return f"{style.quote}{value}{style.quote}"


def _command(style: Style, notes: Iterator[str]) -> list[str]:
    words = [word for flag in FLAGS for word in flag if word]
    joined = ["=".join(part for part in flag if part) for flag in FLAGS]
    script = "vllm serve Qwen/Qwen2.5-3B-Instruct --max-model-len 4096 --enforce-eager"
    forms: dict[str, list[str]] = {
        "list": ["command:", *_in(style, [f"- {_q(style, w) if w[0].isdigit() else w}{next(notes)}" for w in words])],
        "joined": ["command:", *_in(style, [f"- {_q(style, w)}" for w in joined])],
        "flow": [f"command: [{', '.join(_q(style, w) for w in words)}]{next(notes)}"],
        "flow lines": ["command: [", *_in(style, [f"{_q(style, w)},{next(notes)}" for w in words]), "]"],
        "flow open": ["command: [", *_in(style, [*(f"{_q(style, w)}," for w in words[:-1]), words[-1]]), "]"],
        "plain": [f"command: {_q(style, ' '.join(words))}{next(notes)}"],
        "folded": ["command: >-", *_in(style, [" ".join(p for p in flag if p) for flag in FLAGS])],
        "literal": [
            "entrypoint: []",
            "command: |",
            *_in(style, ["vllm serve Qwen/Qwen2.5-3B-Instruct \\", "  --max-model-len 4096 \\", "  --enforce-eager"]),
        ],
        "bash list": [
            "entrypoint: ['bash', '-c']",
            "command:",
            *_in(style, [f"- {style.quote or chr(34)}{script}{style.quote or chr(34)}"]),
        ],
        "bash": [f"command: bash -c {style.quote or chr(39)}pip list && {script}{style.quote or chr(39)}"],
    }
    return forms[style.command]


def _environment(style: Style, notes: Iterator[str]) -> list[str]:
    pairs = [("HF_HOME", "/data"), ("VLLM_LOGGING_LEVEL", "INFO")]
    if style.secret:
        pairs.insert(1, ("HF_TOKEN", "hf_" + "abcdefgh" * 4))
    return {
        "map": ["environment:", *_in(style, [f"{n}: {_q(style, v)}{next(notes)}" for n, v in pairs])],
        "anchor": ["environment: &env", *_in(style, [f"{n}: {_q(style, v)}{next(notes)}" for n, v in pairs])],
        "list": ["environment:", *_in(style, [f"- {_q(style, f'{n}={v}')}{next(notes)}" for n, v in pairs])],
        "flow": ["environment: {" + ", ".join(f"{n}: {v}" for n, v in pairs) + "}"],
        "none": [],
    }[style.environment]


def _gpus(style: Style, notes: Iterator[str]) -> list[str]:
    field = 'device_ids: ["0"]' if style.gpus == "ids" else "count: all"
    request = ["- driver: nvidia", f"  {field}{next(notes)}", "  capabilities: [gpu]"]
    long = _in(style, ["resources:", *_in(style, ["reservations:", *_in(style, ["devices:", *_in(style, request)])])])
    forms = {"long": ["deploy:", *long], "short": ["gpus: all"], "runtime": ["runtime: nvidia"], "none": []}
    return forms.get(style.gpus, forms["long"])
