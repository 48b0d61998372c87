"""Source files of one release: a wheel, an sdist, a folder, or an installed package."""

import re
import tarfile
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from typing import BinaryIO

WANTED = re.compile(
    r"vllm/(envs|scripts|config|utils|engine/arg_utils|utils/__init__|utils/argparse_utils"
    r"|config/[^/]+|entrypoints/(constants|chat_utils)|entrypoints/cli/serve"
    r"|entrypoints/openai/(cli_args|api_server)|entrypoints/(launchers|common)/cli_args"
    r"|entrypoints/launchers/utils/constants|entrypoints/anthropic/protocol|renderers/chat_utils"
    r"|attention/selector|(v1/)?attention/backends/registry|platforms/interface"
    r"|model_executor/layers/quantization/__init__|model_executor/model_loader/__init__"
    r"|model_executor/models/registry"
    r"|(entrypoints/openai/)?tool_parsers/[^/]+|reasoning/[^/]+|entrypoints/openai/reasoning_parsers/[^/]+)\.py"
)
"""Everything that is read; all else is passed over."""

Files = dict[str, str]
"""Path below the package's root (`vllm/envs.py`) -> text."""


def from_folder(root: Path) -> Files:
    """The wanted files below a folder that holds `vllm/`."""
    paths = (root / "vllm").rglob("*.py")
    names = {path.relative_to(root).as_posix(): path for path in paths}
    return {name: path.read_text(encoding="utf-8") for name, path in sorted(names.items()) if WANTED.fullmatch(name)}


def from_installed() -> tuple[str, Files]:
    """Version and files of the vllm installed beside this interpreter, which is found and not imported."""
    found = distribution("vllm")
    return found.version, from_folder(Path(str(found.locate_file(""))))


def from_archive(path: Path) -> Files:
    """The wanted files of a wheel or an sdist."""
    with path.open("rb") as file:
        return from_wheel(file) if zipfile.is_zipfile(file) else from_sdist(file)


def from_wheel(file: BinaryIO) -> Files:
    """The wanted files of an open wheel."""
    with zipfile.ZipFile(file) as wheel:
        names = [name for name in wheel.namelist() if WANTED.fullmatch(name)]
        return {name: wheel.read(name).decode("utf-8") for name in sorted(names)}


def from_sdist(file: BinaryIO) -> Files:
    """The wanted files of an open sdist, whose paths begin with `vllm-VERSION/`."""
    file.seek(0)
    found: Files = {}
    with tarfile.open(fileobj=file, mode="r:*") as archive:
        for member in archive:
            name = member.name.partition("/")[2]
            content = archive.extractfile(member) if member.isfile() and WANTED.fullmatch(name) else None
            if content:
                found[name] = content.read().decode("utf-8")
    return dict(sorted(found.items()))


def version_of(path: Path) -> str:
    """The version in an archive's name; ValueError where there is none."""
    found = re.match(r"vllm(?:_cpu)?-([^-]+?)(?:-|\.tar\.gz|\.zip)", path.name)
    if not found:
        raise ValueError(f"no version in the name {path.name}")
    return found.group(1)
