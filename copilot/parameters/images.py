"""What the official vLLM images hold, per release. Read from their Dockerfiles and requirement files."""

from dataclasses import dataclass
from typing import Literal

from copilot.parameters.catalogue import catalogue

Positional = Literal["error", "ignored", "read"]


@dataclass(frozen=True)
class ImageFacts:
    """The official image of one release. Empty texts: not known for that release."""

    version: str
    """The release these facts are of; the nearest lower one where the asked one was not seen."""
    entrypoint: tuple[str, ...]
    cuda: str
    archs: tuple[str, ...]
    """Compute capabilities that kernels were built for, `+PTX` where newer GPUs can compile them."""
    torch: str
    transformers: str
    python: str

    @property
    def serves(self) -> bool:
        """Whether the entrypoint is `vllm serve` (since 0.11.1) and not the API server's module."""
        return self.entrypoint[:2] == ("vllm", "serve")

    @property
    def positional_model(self) -> Positional | None:
        """What a model without `--model` does: `ignored` means another model is served (0.10.0 to 0.11.0)."""
        if not self.entrypoint:
            return None
        if self.serves:
            return "read"
        releases = catalogue("vllm").releases
        return "ignored" if releases.position(self.version) >= releases.position("0.10.0") else "error"

    def supports(self, capability: str) -> bool | None:
        """Whether kernels for a compute capability such as `7.5` are in the image; None where not known.

        Binary code for x.y runs on x.z with z >= y; code marked `+PTX` also on everything newer.
        """
        if not self.archs:
            return None
        wanted = _pair(capability)
        for arch in self.archs:
            built = _pair(arch.removesuffix("+PTX"))
            if built[0] == wanted[0] and built <= wanted:
                return True
            if arch.endswith("+PTX") and built <= wanted:
                return True
        return False


def image_facts(engine: str, version: str | None) -> ImageFacts | None:
    """Facts of the image of a version; None for other engines, unknown versions and releases before the data."""
    if engine != "vllm" or version is None:
        return None
    held = catalogue("vllm")
    near = held.releases.nearest(version)
    if near is None:
        return None
    seen = [name for name in held.releases.names[: held.releases.position(near.version) + 1] if name in held.images]
    if not seen:
        return None
    row = held.images[seen[-1]]
    entrypoint = row.get("entrypoint")
    return ImageFacts(
        version=seen[-1],
        entrypoint=tuple(str(part) for part in entrypoint) if isinstance(entrypoint, list) else (),
        cuda=str(row.get("cuda", "")),
        archs=tuple(str(row.get("archs", "")).split()),
        torch=str(row.get("torch", "")),
        transformers=str(row.get("transformers", "")),
        python=str(row.get("python", "")),
    )


def _pair(capability: str) -> tuple[int, int]:
    major, _, minor = capability.partition(".")
    return int(major), int(minor or 0)
