"""What `copilot fit --write` leaves in a folder: pinned, without secrets, and a check that runs."""

import json
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from ruamel.yaml import YAML

from copilot.cli.fit import fit


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._reply()

        def do_POST(self) -> None:
            asked.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self._reply()

        def _reply(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: object) -> None: ...

    running = HTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{running.server_port}", asked
    running.shutdown()
    thread.join()
    running.server_close()


def written(folder, model, **options):
    fit(model, write=folder, json=True, **options)
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def service(files, name):
    return YAML(typ="safe").load(files["compose.yaml"])["services"][name]


def test_the_files_are_pinned_and_hold_the_settings(tmp_path):
    files = written(
        tmp_path,
        "Qwen/Qwen2.5-3B-Instruct",
        gpu="RTX 3090",
        engine_version="0.25.0",
        max_model_len="8k",
        dtype="float16",
    )
    assert set(files) == {"compose.yaml", ".env.example", "check.sh", "README.md"}
    found = service(files, "vllm")
    assert found["image"] == "vllm/vllm-openai:v0.25.0"
    assert found["command"][:3] == ["Qwen/Qwen2.5-3B-Instruct", "--revision", "${MODEL_REVISION:-main}"]
    assert found["command"][found["command"].index("--max-model-len") + 1] == "8000"
    assert found["shm_size"] == "2gb"
    assert found["ports"] == ["127.0.0.1:8000:8000"]
    assert not any("@" in text for name, text in files.items() if name != "README.md")
    assert "| weights | 5.79 |" in files["README.md"]


def test_an_image_up_to_0_11_0_gets_its_model_by_name(tmp_path):
    files = written(tmp_path, "Qwen/Qwen2.5-0.5B-Instruct", gpu="RTX 3090", engine_version="0.11.0")
    assert service(files, "vllm")["command"][:2] == ["--model", "Qwen/Qwen2.5-0.5B-Instruct"]


def test_the_smallest_change_is_in_the_file(tmp_path):
    files = written(
        tmp_path,
        "Qwen/Qwen2.5-1.5B-Instruct",
        gpu_total=8.0,
        gpu_free=6.98,
        engine_version="0.25.0",
        gpu_memory_utilization=0.95,
        max_model_len="4096",
    )
    command = service(files, "vllm")["command"]
    assert float(command[command.index("--gpu-memory-utilization") + 1]) <= 0.86
    assert "It starts" in files["README.md"]


def test_two_cards_share_the_model_and_more_shared_memory(tmp_path):
    files = written(
        tmp_path, "Qwen/Qwen2.5-32B-Instruct", gpu="2x RTX A6000", engine_version="0.25.0", max_model_len="8192"
    )
    found = service(files, "vllm")
    assert found["shm_size"] == "8gb"
    assert found["deploy"]["resources"]["reservations"]["devices"][0]["count"] == 2
    assert "2 NVIDIA GPUs" in files["README.md"]


def test_a_known_revision_is_pinned(tmp_path):
    files = written(
        tmp_path, "Qwen/Qwen2.5-3B-Instruct", gpu="RTX 3090", revision="aa8e72537993ba99e69dfaafa59ed015b17504d1"
    )
    assert "MODEL_REVISION=aa8e72537993ba99e69dfaafa59ed015b17504d1\n" in files[".env.example"]
    assert "HF_TOKEN=\n" in files[".env.example"]


def test_ollama_gets_its_tag_its_variables_and_how_to_pull(tmp_path):
    files = written(
        tmp_path, "meta-llama/Llama-3.1-8B-Instruct", gpu="RTX 4060", engine="ollama", kv_cache_dtype="q8_0"
    )
    found = service(files, "ollama")
    assert found["image"].startswith("ollama/ollama:0.")
    assert found["environment"]["OLLAMA_KV_CACHE_TYPE"] == "q8_0"
    assert found["environment"]["OLLAMA_FLASH_ATTENTION"] == "1"
    assert "ollama pull llama3.1:8b" in files["README.md"]


@pytest.mark.parametrize(("engine", "model", "suffix"), [("vllm", "Qwen/Qwen3-8B", "/v1"), ("ollama", "qwen3:8b", "")])
def test_the_check_script_runs_against_a_server(tmp_path, server, engine, model, suffix):
    base, asked = server
    written(tmp_path, model, gpu="RTX 4090", engine=engine, engine_version="0.25.0" if engine == "vllm" else None)
    done = subprocess.run(
        ["sh", str(tmp_path / "check.sh")],
        env={"BASE_URL": base + suffix, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert {"/v1/models", "/v1/chat/completions"} <= set(asked)
    assert json.loads(next(body for body in asked if body.startswith("{")))["model"] == model


def test_the_check_script_stops_where_nothing_listens(tmp_path):
    written(tmp_path, "Qwen/Qwen3-8B", gpu="RTX 4090")
    done = subprocess.run(
        ["sh", str(tmp_path / "check.sh")],
        env={"BASE_URL": "http://127.0.0.1:9/v1", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        check=False,
    )
    assert done.returncode != 0


def test_chinese(tmp_path):
    files = written(tmp_path, "Qwen/Qwen3-8B", gpu="RTX 4090", lang="zh")
    assert "显存预测" in files["README.md"]
    assert "权重" in files["README.md"]
