"""Our figures beside those of vLLM's own benchmark client, on one server, in turns: ratios of medians.

python benchmarks/measure_against_vllm.py --base-url http://127.0.0.1:8000/v1 --model tiny \
    --vllm /opt/venv/bin/vllm --tokenizer ./tiny-llama [--pairs 3] [--requests 16]
"""

import argparse
import json
import os
import secrets
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path
from statistics import median

from copilot.adapters.openai_stream import TimedChat
from copilot.measure import prompt, run
from copilot.model.measurement import Shape
from copilot.model.provider import Provider
from copilot.providers.endpoint import Endpoint

OUTPUT = 64
WORDS = 200
FIXED = (
    "--backend openai-chat --endpoint /v1/chat/completions --dataset-name custom --skip-chat-template"
    " --disable-shuffle --max-concurrency 1 --ignore-eos --temperature 0 --save-result --result-filename r.json"
)
"""One request at a time, prompts as they are, the same number of tokens in every answer."""


def ours(options: argparse.Namespace) -> dict[str, float]:
    """First token and time per token, in milliseconds, of requests one by one."""
    shape = Shape(prompt_tokens=WORDS, output_tokens=OUTPUT, concurrency=1, repeats=options.requests)
    endpoint = Endpoint(Provider(name="server", base_url=options.base_url, model=options.model), options.model)
    with closing(TimedChat(endpoint)) as sender:
        alone = run(sender, shape, lambda *_: None).phases()[1]
    return {
        "first token": 1000 * alone.first_token_s.median if alone.first_token_s else 0.0,
        "per token": 1000 * alone.per_token_s.median if alone.per_token_s else 0.0,
    }


def theirs(options: argparse.Namespace, folder: Path) -> dict[str, float]:
    """The same of `vllm bench serve`, on prompts of the same kind."""
    data, own = folder / "prompts.jsonl", secrets.randbelow(10**6)
    lines = (
        json.dumps({"prompt": prompt(WORDS, 90_000 + i, own), "output_tokens": OUTPUT}) for i in range(options.requests)
    )
    data.write_text("\n".join(lines), encoding="utf-8")
    said = {
        "--base-url": options.base_url.removesuffix("/v1"),
        "--model": options.model,
        "--tokenizer": options.tokenizer,
        "--dataset-path": str(data),
        "--custom-output-len": str(OUTPUT),
        "--num-prompts": str(options.requests),
        "--result-dir": str(folder),
    }
    command = [options.vllm, "bench", "serve", *FIXED.split(), *(word for pair in said.items() for word in pair)]
    offline = os.environ | {"HF_HUB_OFFLINE": "1"}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=offline)
    found = json.loads((folder / "r.json").read_text(encoding="utf-8"))
    return {"first token": found["median_ttft_ms"], "per token": found["median_tpot_ms"]}


def main() -> None:
    """Take turns and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("base-url", "model", "vllm", "tokenizer"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--requests", type=int, default=16)
    options = parser.parse_args()
    a, b = [], []
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(options.pairs):
            a.append(ours(options))
            b.append(theirs(options, Path(scratch)))
    print("| figure, ms | copilot measure | vllm bench serve | ratio |\n|---|---|---|---|")
    for figure in ("first token", "per token"):
        left, right = (median(one[figure] for one in side) for side in (a, b))
        print(f"| {figure} | {left:.1f} | {right:.1f} | {left / right:.3f} |")


if __name__ == "__main__":
    main()
