"""One setting beside what the registry says about it."""

from dataclasses import dataclass

from copilot.model.evidence import Setting
from copilot.parameters.lookup import Lookup


@dataclass(frozen=True)
class Audited:
    """A setting and its lookup in the version that reads it."""

    setting: Setting
    found: Lookup
    engine: str

    @property
    def is_flag(self) -> bool:
        """Flags are rejected, variables ignored."""
        return not self.setting.parameter.startswith("env:")

    @property
    def written(self) -> bool:
        """Whether a person wrote it; an image brings variables of its own."""
        return self.setting.source != "inspect"

    @property
    def name(self) -> str:
        """As the person knows it: the flag as it is spelled, the variable's bare name."""
        spelled = self.setting.spelled.split("=", 1)[0]
        shown = spelled if self.is_flag and spelled.startswith("-") else self.setting.parameter
        return shown.removeprefix("env:")

    @property
    def reader(self) -> str:
        """`vLLM 0.25.0`, or the engine alone where the version is not known."""
        engine = {"vllm": "vLLM", "ollama": "Ollama"}[self.engine]
        return f"{engine} {self.found.version}" if self.found.version else engine

    @property
    def value(self) -> str | None:
        """The value to check: what the spelling carries, else what was read beside it."""
        glued = self.found.value
        return self.setting.value if glued in (None, "false") and self.setting.value is not None else glued
