"""The service under test: its compose file is the one truth, and the proposed diff is applied to it with `patch`."""

import subprocess
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from copilot.errors import UsageError
from copilot.evals.closed_loop.faults import ENVIRONMENT, Fault
from copilot.model.answer import Change, Experiment

IMAGE = "vllm/vllm-openai-cpu:v0.32.0"
COMPOSE = "compose.yaml"


@dataclass(frozen=True)
class Launch:
    """What the compose file says: words after `vllm serve`, and variables."""

    arguments: tuple[str, ...]
    environment: dict[str, str]

    @property
    def port(self) -> int:
        """Where the server listens; vLLM's default without the flag."""
        words = self.arguments
        if "--port" not in words[:-1]:
            return 8000
        return int(words[words.index("--port") + 1])


class Service:
    """A folder with the compose file as it is now, and the name the client asks for."""

    def __init__(self, folder: Path, fault: Fault, models: str, port: int) -> None:
        """Write the broken compose file."""
        self.folder = folder
        self.fault = fault
        self.models = models
        self.asks = fault.asks
        folder.mkdir(parents=True, exist_ok=True)
        service = {
            "image": IMAGE,
            "environment": {**ENVIRONMENT, **fault.environment},
            "command": list(fault.command(models, port)),
        }
        out = StringIO()
        _yaml().dump({"services": {"vllm": service}}, out)
        (folder / COMPOSE).write_text(out.getvalue(), encoding="utf-8")

    @property
    def text(self) -> str:
        """The compose file."""
        return (self.folder / COMPOSE).read_text(encoding="utf-8")

    def launch(self) -> Launch:
        """What to start now. UsageError when the file is no compose file any more."""
        found = _yaml().load(self.text)
        try:
            service = found["services"]["vllm"]
            environment = {str(k): str(v) for k, v in (service.get("environment") or {}).items()}
            return Launch(tuple(str(word) for word in service.get("command") or ()), environment)
        except (KeyError, TypeError, AttributeError) as error:
            raise UsageError("The changed compose file describes no service vllm.", "") from error

    def apply(self, experiment: Experiment) -> bool:
        """Make the proposed change; false when nothing could be changed (an observation, or a value left open)."""
        change = experiment.change
        if change is None:
            return False
        known = self._known(change)
        if known is not None:
            self._replace_model(known)
            return True
        if change.parameter == "request:model" and change.to:
            self.asks = change.to
            return True
        return bool(experiment.diff) and self._patch(experiment.diff or "")

    def _known(self, change: Change) -> str | None:
        """What a person knows about the parameter and no evidence holds."""
        value = self.fault.operator.get(change.parameter)
        return value.replace("{models}", self.models) if value else None

    def _replace_model(self, value: str) -> None:
        """The person writes the right model into the file."""
        wrong = self.fault.model.replace("{models}", self.models)
        text = self.text.replace(f"- {wrong}\n", f"- {value}\n")
        (self.folder / COMPOSE).write_text(text, encoding="utf-8")

    def _patch(self, diff: str) -> bool:
        """Apply the unified diff as a person would; false when it does not apply."""
        done = subprocess.run(  # noqa: S603 - the file that this class wrote
            ["patch", "--unified", "--batch", "--silent", COMPOSE],  # noqa: S607 - the person's own program
            cwd=self.folder,
            input=diff,
            text=True,
            capture_output=True,
            check=False,
        )
        return done.returncode == 0


def _yaml() -> Any:
    """Plain YAML in block style (ruamel's own type has no useful stubs)."""
    from ruamel.yaml import YAML

    yaml: Any = YAML(typ="safe", pure=True)
    yaml.default_flow_style = False
    yaml.width = 4096
    yaml.sort_base_mapping_type_on_output = False
    return yaml
