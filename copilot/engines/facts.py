"""What an engine's log says about itself."""

from dataclasses import dataclass, field

from copilot.model.evidence import Setting
from copilot.model.ledger import Readings
from copilot.model.log import Boot
from copilot.model.words import VersionFrom


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """Read from one log (and the image's name, where the log does not say). None and empty mean: not said."""

    name: str | None = None
    version: str | None = None
    version_from: VersionFrom | None = None
    boots: tuple[Boot, ...] = ()
    """All boots, with how far each got and whether it served."""
    settings: tuple[Setting, ...] = ()
    """What the engine of the last boot says it was given, in the contract's spelling. A switch that is on has the
    value None, as on a command line; one that is off has `false`."""
    readings: Readings = field(default_factory=Readings)
    """Memory figures of the last boot, in GiB: total free requested utilization (a share) weights non_torch, consumed
    (the two together, vLLM 0.27+), activation graphs graphs_estimated graphs_actual kv_available kv_needed kv_reserved
    others offloaded. Of a failed allocation: oom_tried oom_total oom_free oom_in_use oom_allocated oom_reserved. Plain
    numbers: tokens max_model_len max_len_fits concurrency blocks batched_tokens sequences; Ollama's also layers
    layers_offloaded (and in GiB total_ram free_ram)."""
    model: str | None = None
    architecture_names: tuple[str, ...] = ()
    gpu_name: str | None = None
    capability: str | None = None
    """Compute capability, `7.5`."""
    dtype: str | None = None
    """As resolved by the engine: `bfloat16`, `float16`."""
    attention_backend: str | None = None
    wsl: bool | None = None
    """True when the log shows WSL; None when it does not say (a log never proves the contrary)."""
    healthy: bool = False
    """The last boot served, or ended because it was asked to, and nothing failed in it."""
    failed: bool = False
    """Something failed in the last boot: it ended by an error, the engine died, or every request was refused."""
    request_errors: tuple[int, ...] = ()
    """Lines of requests of the last boot that were answered 4xx or 5xx."""
