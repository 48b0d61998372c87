"""Every key that the process can get at is known, and nothing that is none."""

from pathlib import Path
from types import MappingProxyType

from copilot.config import Config
from copilot.model.provider import Provider
from copilot.ports import MemoryVault
from copilot.providers.choice import vault_name
from copilot.providers.known import known_secrets

GATE = Provider(
    name="gate",
    base_url="https://gate.example/v1",
    env_key="GATE_WORD",
    env_http_headers={"x-team": "TEAM_WORD"},
)
CONFIG = Config(providers=MappingProxyType({"gate": GATE}))


def made_up(what: str) -> str:
    """A value that looks like no word and is no real key."""
    return f"{what}-0f9e8d7c6b"


def test_variables_that_a_provider_names_and_those_named_like_a_secret() -> None:
    names = ("GATE_WORD", "TEAM_WORD", "OPENAI_API_KEY", "COPILOT_API_KEY", "HF_TOKEN", "DB_PASSWORD", "vllmApiKey")
    environ = {name: made_up(name) for name in names}
    assert set(known_secrets(CONFIG, environ)) == set(environ.values())


def test_what_is_no_secret_is_left_alone() -> None:
    environ = {
        "PWD": "/home/someone/project",
        "OLDPWD": "/home/someone/else",
        "PATH": "/usr/bin:/usr/local/bin",
        "MAX_TOKENS": "1234567890",
        "GPG_KEY": "A035C8C19219BA821ECEA86B64E628F8D684696D",
        "OPENAI_API_KEY": "EMPTY",
        "HF_TOKEN": "short",
        "API_KEY": "your-api-key-here",
        "OPENAI_BASE_URL": "http://127.0.0.1:8000/v1",
    }
    assert known_secrets(Config(), environ) == ()


def test_the_keyring_is_asked_for_configured_providers_only() -> None:
    vault = MemoryVault({vault_name(GATE): made_up("stored"), "other https://other.example:443": made_up("other")})
    assert known_secrets(CONFIG, {}, vault) == (made_up("stored"),)
    assert known_secrets(Config(), {}, vault) == ()


def test_the_env_file_of_the_project(tmp_path: Path) -> None:
    lines = (
        "# words",
        f'export HF_TOKEN="{made_up("hub")}"',
        f"VLLM_API_KEY='{made_up('engine')}'",
        "MODEL=tiny-model-of-mine",
    )
    text = "\n".join(lines)
    (tmp_path / ".env").write_text(text, encoding="utf-8")
    assert set(known_secrets(Config(), {}, None, tmp_path)) == {made_up("hub"), made_up("engine")}
    assert known_secrets(Config(), {}, None, tmp_path / "nowhere") == ()


def test_the_longest_comes_first_so_that_no_part_hides_the_whole() -> None:
    environ = {"A_TOKEN": made_up("q7"), "B_TOKEN": made_up("q7") + "-longer"}
    assert known_secrets(Config(), environ) == (made_up("q7") + "-longer", made_up("q7"))
