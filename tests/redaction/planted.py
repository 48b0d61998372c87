"""A trouble whose every source holds a secret, and the product's command run on it."""

import os
import random
import string
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
CASE = ROOT / "cases" / "three-attempts" / "round-1"


def chance(seed: str, alphabet: str, length: int) -> str:
    dice = random.Random(seed)  # noqa: S311 - secrets that open nothing
    return "".join(dice.choice(alphabet) for _ in range(length))


BASE62 = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
SECRETS = {
    "hub": "hf_" + chance("hub", string.ascii_letters, 34),
    "server": "plain-" + chance("server", string.ascii_lowercase, 12),
    "database": "Winter" + chance("database", string.digits, 4),
    "proxy": "proxypass" + chance("proxy", string.digits, 3),
    "cloud": chance("cloud", BASE62, 40),
    "gateway": "sk-" + chance("gateway", BASE62, 48),
    "hex": chance("hex", HEX, 32),
    "cookie": chance("cookie", BASE62, 32),
    "own": "own-key-" + chance("own", string.ascii_lowercase, 14),
    "env": "quiet-" + chance("env", string.ascii_lowercase, 10),
    "pem": chance("pem", BASE62, 64),
    "user": "zebulonk",
}
LOG = """\
(APIServer pid=1) INFO 05-01 12:00:00 [utils.py:233] non-default args: {{'model_tag': 'Qwen/Qwen3-8B', 'api_key': \
['{server}'], 'hf_token': '{hub}'}}
(APIServer pid=1) DEBUG 05-01 12:00:00 [proxy.py:1] HTTPS_PROXY=http://bob:{proxy}@10.1.1.1:3128
(APIServer pid=1) DEBUG 05-01 12:00:00 [http.py:1] headers: {{'authorization': 'Bearer {gateway}', 'cookie': \
'session={cookie}'}}
(APIServer pid=1) DEBUG 05-01 12:00:00 [http.py:2] the environment file says {env} and the caller used {own}
-----BEGIN PRIVATE KEY-----
{pem}
-----END PRIVATE KEY-----
(APIServer pid=1) INFO 05-01 12:00:00 [io.py:1] reading /home/{user}/models/x
"""
COMPOSE = """\
services:
  vllm:
    image: vllm/vllm-openai:v0.25.0
    command: --model Qwen/Qwen3-8B --api-key {server} --gpu-memory-utilization 0.92
    environment:
      HF_TOKEN: {hub}
      AWS_SECRET_ACCESS_KEY: "{cloud}"
      DATABASE_URL: postgresql://llm:{database}@db:5432/llm
      WANDB_API_KEY: ${{WANDB_API_KEY}}
    volumes:
      - /home/{user}/models:/models
"""
INSPECT = """\
[{{"Name": "/vllm", "Config": {{"Image": "vllm/vllm-openai:v0.25.0", "Env": ["AZURE_OPENAI_API_KEY={hex}", \
"HF_TOKEN={hub}"], "Cmd": ["--api-key", "{server}"]}}, "State": {{"ExitCode": 1, "Status": "exited"}}, \
"HostConfig": {{"Binds": ["/home/{user}/x:/x"]}}}}]
"""
COMMAND = "docker run -e HF_TOKEN={hub} -e DB_PASSWORD={database} vllm/vllm-openai:v0.25.0 --api-key {server}\n"


@dataclass
class Place:
    """A project folder with secrets everywhere, and a home of its own."""

    project: Path
    home: Path

    def run(self, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
        """The product's command in that project."""
        env = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI", "COPILOT"))}
        env |= {f"XDG_{kind}_HOME": str(self.home / kind.lower()) for kind in ("DATA", "CONFIG", "CACHE")}
        env |= {"PYTHONPATH": str(ROOT), "HOME": str(self.home), "MY_GATEWAY_API_KEY": SECRETS["own"], **environ}
        return subprocess.run(
            [sys.executable, "-m", "copilot.cli", *arguments],
            cwd=self.project,
            env=env,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def written(self) -> dict[str, str]:
        """Everything that the command left behind: path and content."""
        mine = {"server.log", "compose.yaml", ".env", "inspect.json", "command.txt"}
        files = [p for root in (self.home, self.project) for p in root.rglob("*") if p.is_file()]
        return {
            str(p): p.read_bytes().decode("utf-8", "replace")
            for p in files
            if not (p.parent == self.project and p.name in mine)
        }


def plant(folder: Path) -> Place:
    """The project with its five sources, on a disk."""
    place = Place(folder / "project", folder / "home")
    place.project.mkdir()
    place.home.mkdir()
    log = LOG.format(**SECRETS) + (CASE / "server.log").read_text(encoding="utf-8")
    for name, text in {
        "server.log": log,
        "compose.yaml": COMPOSE.format(**SECRETS),
        "inspect.json": INSPECT.format(**SECRETS),
        "command.txt": COMMAND.format(**SECRETS),
        ".env": "WANDB_API_KEY={env}\nMODEL=Qwen/Qwen3-8B\n".format(**SECRETS),
    }.items():
        (place.project / name).write_text(text, encoding="utf-8")
    return place


SOURCES = ("--log", "server.log", "--compose", "compose.yaml", "--inspect", "inspect.json", "--command", "command.txt")


def leaks(text: str) -> list[str]:
    """The names of the secrets that stand in a text."""
    return [name for name, value in SECRETS.items() if value in text]
