"""The faults that are injected, read from TOML."""

import tomllib
from pathlib import Path

from pydantic import Field, ValidationError

from copilot.errors import UsageError
from copilot.model.text import Frozen

HEALTHY = (
    "--load-format", "dummy", "--enforce-eager", "--host", "127.0.0.1", "--port", "{port}",
    "--served-model-name", "tiny", "--max-model-len", "1024",
)  # fmt: skip
"""Words of a command line that starts; the model stands before them."""
ENVIRONMENT = {"VLLM_CPU_KVCACHE_SPACE": "1"}
SERVED = "tiny"


class Fault(Frozen):
    """One way to break the service (two for a double); the file explains each key."""

    name: str
    model: str = "{models}/tiny-llama"
    arguments: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    environment: dict[str, str] = Field(default_factory=dict)
    occupied: bool = False
    asks: str = SERVED
    parameters: tuple[str, ...]
    operator: dict[str, str] = Field(default_factory=dict)

    def command(self, models: str, port: int) -> tuple[str, ...]:
        """The broken command line after `vllm serve`."""
        words = list(HEALTHY)
        for flag in self.drop:
            at = words.index(flag)
            del words[at : at + 2]
        filled = (self.model, *words, *self.arguments)
        return tuple(word.replace("{models}", models).replace("{port}", str(port)) for word in filled)


def read_faults(path: Path) -> tuple[Fault, ...]:
    """All faults of a file; UsageError names what is wrong."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8")).get("fault", [])
        faults = tuple(Fault.model_validate(table) for table in tables)
    except OSError:
        raise UsageError(
            f"There is no file of faults {path}.", "Run it in a checkout, or name one: --faults."
        ) from None
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise UsageError(f"{path} is no file of faults: {error}.", "Mend the file.") from error
    if not faults:
        raise UsageError(f"{path} holds no fault.", "Add one: [[fault]].")
    return faults
