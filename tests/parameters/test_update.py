"""The program that rebuilds the data: it reads source text and runs none of it."""

import io
import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

ENVS = """
import os
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    VLLM_PORT: int | None = None
    VLLM_FAST: bool = False
    VLLM_LEVEL: str = "INFO"
environment_variables = {
    "VLLM_PORT": lambda: int(os.environ["VLLM_PORT"]) if "VLLM_PORT" in os.environ else None,
    "VLLM_FAST": lambda: bool(int(os.getenv("VLLM_FAST", "1"))),
    # deprecated: use the flag
    "VLLM_LEVEL": env_with_choices("VLLM_LEVEL", "INFO", ["INFO", "DEBUG"]),
    "VLLM_SWITCH": lambda: os.getenv("VLLM_SWITCH", "0").lower() in ("1", "true"),
}
raise SystemExit("this file must be read, not run")
"""
CACHE = """
from dataclasses import dataclass
CacheDType = Literal["auto", "fp8"]
@config
@dataclass
class CacheConfig:
    gpu_memory_utilization: float = Field(default=0.92, gt=0, le=1)
    cache_dtype: CacheDType = "auto"
    enable_prefix_caching: bool | None = None
    backend: SomeEnum | None = None
    names: list[str] = field(default_factory=list)
    nested: Inner = field(default_factory=Inner)
@config
@dataclass
class Inner:
    level: int = 1 << 3
"""
ARG_UTILS = """
class EngineArgs:
    @staticmethod
    def add_cli_args(parser):
        cache = get_kwargs(CacheConfig)
        group = parser.add_argument_group(title="CacheConfig")
        group.add_argument("--gpu-memory-utilization", "--memory-share", **cache["gpu_memory_utilization"])
        cache["cache_dtype"]["choices"].append("nvfp4")
        group.add_argument("--kv-cache-dtype", **cache["cache_dtype"])
        group.add_argument("--enable-prefix-caching", **cache["enable_prefix_caching"])
        group.add_argument("--cache-config", "-cc", **{**cache["nested"], "help": "Deprecated: no."})
        for name, kind in [("--first", int), ("--second", float)]:
            group.add_argument(name, type=kind, default=None)
        return parser
class AsyncEngineArgs(EngineArgs):
    @staticmethod
    def add_cli_args(parser):
        parser.add_argument("--enable-log-requests", action=argparse.BooleanOptionalAction, default=False)
"""
FILES = {
    "vllm/envs.py": ENVS,
    "vllm/config/cache.py": CACHE,
    "vllm/engine/arg_utils.py": ARG_UTILS,
    "vllm/utils/argparse_utils.py": "class EnableDisableAction: ...",
    "vllm/tool_parsers/__init__.py": '_TOOL_PARSERS_TO_REGISTER = {"hermes": ("a", "B")}',
    "vllm/model_executor/models/registry.py": '_TEXT_GENERATION_MODELS = {"LlamaForCausalLM": ("llama", "X")}',
    "vllm/unrelated.py": "raise SystemExit",
}


@pytest.fixture
def sources(monkeypatch):
    """The tools folder on the import path."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    from parameter_sources import archives, changes, ollama, release

    return {"archives": archives, "changes": changes, "ollama": ollama, "release": release}


def test_flags_are_read_as_the_parser_would_have_them(sources):
    flags = sources["release"].read({k: v for k, v in FILES.items() if k != "vllm/unrelated.py"})["flags"]
    share = flags["--gpu-memory-utilization"]
    assert (share["kind"], share["default"], share["aliases"]) == ("float", 0.92, ["--memory-share"])
    assert flags["--kv-cache-dtype"]["choices"] == ["auto", "fp8", "nvfp4"]
    assert flags["--enable-prefix-caching"]["negations"] == ["--no-enable-prefix-caching", "--disable-prefix-caching"]
    assert flags["--enable-log-requests"]["negations"] == ["--no-enable-log-requests", "--disable-log-requests"]
    assert (flags["--first"]["kind"], flags["--second"]["kind"]) == ("int", "float")
    assert (flags["--cache-config"]["json"], flags["--cache-config"]["deprecated"]) == ("Inner", True)


def test_keys_variables_and_lists_come_with_them(sources):
    read = sources["release"].read({k: v for k, v in FILES.items() if k != "vllm/unrelated.py"})
    assert read["configs"]["Inner.level"]["default"] == 8
    assert read["env"]["VLLM_PORT"] == {"type": "int | None", "default": None}
    assert read["env"]["VLLM_FAST"] == {"type": "bool", "default": True, "reads": "int"}
    assert read["env"]["VLLM_LEVEL"]["choices"] == ["INFO", "DEBUG"]
    assert read["env"]["VLLM_LEVEL"]["deprecated"] is True
    assert "reads" not in read["env"]["VLLM_SWITCH"]
    assert read["values"] == {
        "kv_cache_dtype": ["auto", "fp8"],
        "tool_call_parser": ["hermes"],
        "architectures": ["LlamaForCausalLM"],
    }
    assert read["problems"] == []


def test_a_wheel_an_sdist_and_a_folder_give_the_same(sources, tmp_path):
    archives = sources["archives"]
    wheel = tmp_path / "vllm-9.9.0-cp38-abi3-manylinux1_x86_64.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        for name, text in FILES.items():
            file.writestr(name, text)
    sdist = tmp_path / "vllm-9.9.0.tar.gz"
    with tarfile.open(sdist, "w:gz") as file:
        for name, text in FILES.items():
            member = tarfile.TarInfo(f"vllm-9.9.0/{name}")
            member.size = len(text.encode())
            file.addfile(member, io.BytesIO(text.encode()))
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    read = archives.from_archive(wheel)
    assert set(read) == set(FILES) - {"vllm/unrelated.py"}
    assert archives.from_archive(sdist) == read == archives.from_folder(tmp_path)
    assert archives.version_of(wheel) == archives.version_of(sdist) == "9.9.0"


def test_releases_become_change_points(sources):
    changes = sources["changes"]
    held = {"1.0": {"a": {"k": 1}, "b": {}}, "1.1": {"a": {"k": 1}}, "1.2": {"a": {"k": 2}, "b": {}}}
    assert changes.points(["1.0", "1.1", "1.2"], held) == {
        "a": [["1.0", {"k": 1}], ["1.2", {"k": 2}]],
        "b": [["1.0", {}], ["1.1", None], ["1.2", {}]],
    }
    assert changes.differences(held["1.1"], held["1.2"]) == ["+ b", "~ a: k 1 -> 2"]


def test_ollama_variables_come_from_the_tags_of_a_clone(sources, tmp_path):
    def git(*arguments):
        who = ("-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false")
        subprocess.run(["git", "-C", str(tmp_path), *who, *arguments], check=True, capture_output=True)

    config = tmp_path / "envconfig" / "config.go"
    config.parent.mkdir()
    git("init", "-q")
    for tag, text in (
        ("v0.9.9", 'NumParallel = Uint("OLLAMA_NUM_PARALLEL", 0)\nMaxVRAM = Uint("OLLAMA_MAX_VRAM", 0)'),
        ("v0.10.0", 'NumParallel = Uint("OLLAMA_NUM_PARALLEL", 1)\nNoPrune = Bool("OLLAMA_NOPRUNE")'),
    ):
        config.write_text(text)
        git("add", "-A")
        git("commit", "-q", "-m", tag)
        git("tag", tag)
    releases, held = sources["ollama"].read(tmp_path)
    assert releases == ["0.9.9", "0.10.0"]
    assert held["0.9.9"]["OLLAMA_NUM_PARALLEL"] == {"kind": "uint", "default": 0}
    assert held["0.10.0"] == {
        "OLLAMA_NOPRUNE": {"kind": "bool", "default": False},
        "OLLAMA_NUM_PARALLEL": {"kind": "uint", "default": 1},
    }


def test_the_program_says_what_a_release_changed_and_writes_nothing_when_asked_to_check(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    data = ROOT / "copilot" / "parameters" / "data" / "vllm.json"
    before = data.read_bytes()
    program = [sys.executable, str(ROOT / "tools" / "update_parameters.py")]
    done = subprocess.run(
        [*program, "--root", str(tmp_path), "--version", "99.0.0", "--check"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert "flags + --memory-share" not in done.stdout  # an alias is no flag of its own
    assert "flags + --first" in done.stdout
    assert "flags - --max-model-len" in done.stdout
    assert data.read_bytes() == before
    assert json.loads(before)["schema"] == "copilot.parameters/1"
