"""`copilot fit MODEL`: the memory ledger before a start."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from copilot.cli.options import Json, Lang, LangCode, language
from copilot.cli.spoken import in_language
from copilot.errors import UsageError

if TYPE_CHECKING:
    from copilot.ledger.ollama import OllamaPlan
    from copilot.ledger.plan import Plan
    from copilot.model.fit import FitDocument

Model = Annotated[str | None, typer.Argument(help="Repository id, Ollama tag, or a folder with a config.json.")]
Config = Annotated[str | None, typer.Option(metavar="FILE", help="The model's config.json.")]
GpuName = Annotated[
    str | None, typer.Option("--gpu", metavar="NAME|SIZE|auto", help="'RTX 3090', '2x RTX 3090', 8GiB, or auto (NVML).")
]
Total = Annotated[
    float | None, typer.Option("--gpu-total", metavar="GIB", min=0.1, help="Memory as the engine prints it.")
]
Free = Annotated[float | None, typer.Option("--gpu-free", metavar="GIB", min=0.0, help="Free at the start.")]
Share = Annotated[float | None, typer.Option(metavar="0..1", min=0.01, max=1.0, help="Default: the version's own.")]
Length = Annotated[str | None, typer.Option(metavar="N|auto", help="Default: the model's own.")]
Count = Annotated[int | None, typer.Option(metavar="N", min=1, help="Default: the version's own for this card.")]
Dtype = Annotated[str, typer.Option(help="auto, float16, bfloat16 or float32.")]
Quantization = Annotated[str | None, typer.Option(help="awq, gptq, fp8, bitsandbytes ...; Ollama: Q4_K_M, Q8_0 ...")]
CacheDtype = Annotated[str, typer.Option(help="auto or fp8; Ollama: f16, q8_0 or q4_0.")]
Shards = Annotated[int, typer.Option(metavar="N", min=1, help="GPUs that share the model.")]
Parallel = Annotated[int, typer.Option(metavar="N", min=1, help="Ollama: requests at a time.")]
Engine = Annotated[Literal["vllm", "ollama"], typer.Option(help="Who serves the model.")]
Version = Annotated[str | None, typer.Option(metavar="X.Y.Z", help="The engine's version; decides defaults.")]
Wsl = Annotated[bool, typer.Option("--wsl", help="The engine will run under WSL2: larger margins.")]
Write = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Write a compose file, .env.example, check and README.")
]
Revision = Annotated[str | None, typer.Option(metavar="COMMIT", help="The model's commit, pinned by --write.")]
Drawing = Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Draw the ledger as SVG.")]


def fit(  # noqa: PLR0913 - one parameter per option of the contract
    model: Model = None,
    *,
    config: Config = None,
    gpu: GpuName = None,
    gpu_total: Total = None,
    gpu_free: Free = None,
    gpu_memory_utilization: Share = None,
    max_model_len: Length = None,
    max_num_seqs: Count = None,
    max_num_batched_tokens: Count = None,
    dtype: Dtype = "auto",
    quantization: Quantization = None,
    kv_cache_dtype: CacheDtype = "auto",
    tensor_parallel_size: Shards = 1,
    num_parallel: Parallel = 1,
    enforce_eager: Annotated[bool, typer.Option("--enforce-eager", help="No CUDA graphs.")] = False,
    engine: Engine = "vllm",
    engine_version: Version = None,
    wsl: Wsl = False,
    revision: Revision = None,
    write: Write = None,
    svg: Drawing = None,
    lang: Lang = None,
    json: Json = False,
) -> int:
    """Say whether a model fits on a card, with which context, and the smallest change if it does not."""
    from copilot.ledger.plan import Plan

    plan = Plan(
        version=engine_version,
        utilization=gpu_memory_utilization,
        max_model_len=_length(max_model_len),
        max_num_seqs=max_num_seqs,
        max_num_batched_tokens=max_num_batched_tokens,
        dtype=dtype,
        quantization=quantization,
        kv_cache_dtype=kv_cache_dtype,
        tensor_parallel=tensor_parallel_size,
        enforce_eager=enforce_eager,
    )
    chosen = ModelOptions(model, config, revision, engine, num_parallel, language(lang))
    found = _forecast(chosen, CardOptions(gpu, gpu_total, gpu_free, wsl), plan)
    _save(found, chosen.lang, Targets(write, svg))
    _show(found.document, chosen.lang, json=json)
    return 0


@dataclass(frozen=True)
class Targets:
    """Where to write, if anywhere."""

    folder: Path | None
    drawing: Path | None


@dataclass(frozen=True)
class Found:
    """The forecast as asked, and what an environment is written from."""

    document: "FitDocument"
    files: "dict[str, str]"


@dataclass(frozen=True)
class CardOptions:
    """The options that say which card."""

    name: str | None
    total: float | None
    free: float | None
    wsl: bool


@dataclass(frozen=True)
class ModelOptions:
    """The options that say what is served, and by whom."""

    model: str | None
    config: str | None
    revision: str | None
    engine: str
    parallel: int
    lang: LangCode


def _forecast(chosen: ModelOptions, where: CardOptions, plan: "Plan") -> Found:
    from copilot.adapters.files import UserFiles
    from copilot.adapters.host import LiveHost
    from copilot.adapters.nvml import Nvml
    from copilot.fitting import (
        CardRequest,
        FitRequest,
        ModelRequest,
        card_of,
        fit_document,
        settings,
        settled,
        shape_of,
    )
    from copilot.ledger.kit import kit
    from copilot.places import hub_cache

    request = FitRequest(chosen.engine, plan, _ollama(plan, chosen.parallel), chosen.lang)
    shaped = shape_of(UserFiles(), ModelRequest(chosen.model, chosen.config, str(hub_cache())))
    card = card_of(CardRequest(where.name, where.total, where.free, where.wsl), Nvml(), LiveHost())
    best = settled(request, shaped.architecture, card)
    files = kit(best, settings(request), chosen.lang, chosen.revision or shaped.revision)
    return Found(fit_document(request, shaped.architecture, card), files)


def _ollama(plan: "Plan", parallel: int) -> "OllamaPlan":
    from copilot.ledger.ollama import OllamaPlan

    length = plan.max_model_len
    return OllamaPlan(
        quantization=plan.quantization,
        context=length if length and length > 0 else None,
        parallel=parallel,
        cache_type="f16" if plan.kv_cache_dtype == "auto" else plan.kv_cache_dtype,
    )


def _save(found: Found, lang: LangCode, targets: Targets) -> None:
    """Files that were asked for; the paths go to stderr."""
    files: dict[Path, str] = {}
    if targets.drawing is not None:
        from copilot.fitting import drawing

        files[targets.drawing] = drawing(found.document, lang)
    if targets.folder is not None:
        files.update({targets.folder / name: text for name, text in found.files.items()})
    for path, text in files.items():
        _write(path, text)
        print(in_language(f"wrote {path}", lang), file=sys.stderr)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if path.suffix == ".sh":
            path.chmod(0o755)
    except OSError as error:
        raise UsageError(f"{path} could not be written: {error.strerror}.", "Choose another folder.") from None


def _show(document: "FitDocument", lang: LangCode, *, json: bool) -> None:
    if json:
        from copilot.fitting import as_json

        print(as_json(document))
        return
    from copilot.render import console
    from copilot.render.fit import fit_view

    console().print(fit_view(document, lang))


def _length(given: str | None) -> int | None:
    """`4096`, `4k`, `auto` or `-1`."""
    from copilot.ledger.plan import length_of

    if given is None:
        return None
    found = length_of(given)
    if found is None or found == 0:
        raise UsageError(f"{given!r} is no context length.", "Give tokens (4096, 32k) or auto.")
    return found
