"""`copilot provider` and `copilot usage` through the command line."""

import stat
from pathlib import Path

import pytest

from providers import faulty_endpoint as faulty
from providers.commands import Person
from providers.faulty_endpoint import FaultyEndpoint

KEY = "made-up-key-1f2e3d4c5b"


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


@pytest.fixture
def desktop(tmp_path: Path) -> Person:
    return Person(tmp_path, "providers.file_keyring.Keyring", {"FILE_KEYRING": str(tmp_path / "keys.json")})


def test_a_key_goes_into_the_keyring_and_is_never_shown(desktop: Person) -> None:
    with FaultyEndpoint() as server:
        added = desktop.apart("provider", "add", "local", "--base-url", server.root, typed=f"{KEY}\n")
        listed = desktop.apart("provider", "list")
        told = desktop.apart("provider", "list", "--json")
    assert added.code == listed.code == told.code == 0
    assert f"{server.url}; that is what is stored" in added.out
    assert KEY in (desktop.home / "keys.json").read_text()
    assert KEY not in desktop.config.read_text()
    assert KEY not in added.out + added.err + listed.out + listed.err + told.out + told.err
    assert told.json["providers"][0]["key"] == "keyring"
    removed = desktop.apart("provider", "remove", "local")
    assert removed.code == 0
    assert KEY not in (desktop.home / "keys.json").read_text()
    assert desktop.apart("provider", "list", "--json").json["providers"] == []


def test_without_a_keyring_the_environment_way_is_named_and_nothing_is_written(person: Person) -> None:
    done = person.run("provider", "add", "gate", "--base-url", "http://127.0.0.1:9", "--no-probe", typed=f"{KEY}\n")
    assert done.code == 2
    assert "--env-key" in done.err
    assert KEY not in done.out + done.err
    assert not person.config.exists()


def test_the_file_is_private_and_keeps_its_comments(person: Person) -> None:
    person.config.parent.mkdir(parents=True)
    person.config.write_text(
        '# mine\nlang = "en"\n\n[providers.old]  # the old one\nbase_url = "http://127.0.0.1:1/v1"\n'
    )
    arguments = ("--base-url", "http://127.0.0.1:9/v1", "--env-key", "GATE_KEY", "--no-probe", "--default")
    assert person.run("provider", "add", "gate", *arguments).code == 0
    text = person.config.read_text()
    assert "# mine" in text
    assert "# the old one" in text
    assert stat.S_IMODE(person.config.stat().st_mode) == 0o600
    rows = {row["name"]: row for row in person.run("provider", "list", "--json").json["providers"]}
    assert rows["gate"]["default"] is True
    assert rows["gate"]["key"] == "unset"
    assert person.run("provider", "remove", "gate").code == 0
    assert "# the old one" in person.config.read_text()
    assert "default" not in person.config.read_text()
    assert person.run("provider", "remove", "gate").code == 2


@pytest.mark.parametrize("name", ["playbook", "a b", "x]", ""])
def test_names_that_cannot_be_one(person: Person, name: str) -> None:
    assert person.run("provider", "add", name, "--base-url", "http://127.0.0.1:9", "--no-key", "--no-probe").code == 2


def test_the_providers_of_codex_are_taken_over_without_keys(person: Person) -> None:
    file = person.home / "codex.toml"
    file.write_text(
        f'model = "qwen"\nmodel_provider = "box"\n[model_providers.box]\nname = "Box"\nbase_url = "http://box.lan:8000/v1"\n'
        f'env_key = "BOX_KEY"\nwire_api = "responses"\nexperimental_bearer_token = "{KEY}"\nrequest_max_retries = 4\n'
        '[model_providers.other]\nbase_url = "https://other.example/v1"\n'
    )
    done = person.run("provider", "import", str(file))
    assert done.code == 0
    assert "BOX_KEY" in done.out
    text = person.config.read_text()
    assert KEY not in text + done.out + done.err
    rows = {row["name"]: row for row in person.run("provider", "list", "--json").json["providers"]}
    assert (rows["box"]["model"], rows["box"]["wire_api"], rows["box"]["env_key"]) == ("qwen", "responses", "BOX_KEY")
    assert set(rows) == {"box", "other"}


def test_an_env_file_is_taken_over_without_its_key(person: Person) -> None:
    file = person.home / "gateway.env"
    file.write_text(f'OPENAI_BASE_URL="https://gate.example/v1"\nOPENAI_API_KEY={KEY}\nOPENAI_MODEL=big\n')
    assert person.run("provider", "import", str(file)).code == 0
    assert KEY not in person.config.read_text()
    (row,) = person.run("provider", "list", "--json").json["providers"]
    assert (row["base_url"], row["model"], row["env_key"]) == ("https://gate.example/v1", "big", "OPENAI_API_KEY")


def test_a_file_that_describes_no_endpoint(person: Person) -> None:
    (person.home / "x.toml").write_text('model = "qwen"\n')
    (person.home / "broken.toml").write_text("[model_providers\n")
    (person.home / "x.env").write_text("nothing here\n")
    for name in ("x.toml", "broken.toml", "x.env", "missing"):
        done = person.run("provider", "import", name)
        assert done.code == 2, name
        assert "Traceback" not in done.err


def test_every_call_is_in_the_ledger_and_no_content(person: Person) -> None:
    log = person.home / "server.log"
    log.write_text("INFO 12-01 10:00:00 [api_server.py:1] vLLM API server version 0.25.0\nValueError: secret-of-log\n")
    with FaultyEndpoint(faulty.stream("{}", X_Request_Id="req-77")) as server:
        person.run("ask", "--log", str(log), "--json", OPENAI_BASE_URL=server.url)
        calls = len(server.posts)
    assert calls > 0
    told = person.run("usage", "--json").json
    assert told["schema"] == "copilot.usage/1"
    assert len(told["calls"]) == calls
    first = told["calls"][0]
    assert (first["request_id"], first["model_asked"], first["model_answered"]) == ("req-77", "tiny", "tiny-1")
    assert (first["tokens_in"], first["tokens_out"]) == (11, 5)
    rows = person.run("usage", "--csv").out.splitlines()
    assert len(rows) == calls + 1
    assert rows[0].startswith("time,provider,")
    assert person.run("usage", "--json", "--since", "2999-01-01").json["calls"] == []
    assert person.run("usage", "--since", "soon").code == 2
    assert "secret-of-log" not in person.run("usage", "--json").out
