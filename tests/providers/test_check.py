"""`copilot check`: the first broken link, its parameter, and the one thing to change."""

from pathlib import Path
from typing import Any

import pytest

from providers import faulty_endpoint as faulty
from providers.commands import Person
from providers.faulty_endpoint import Answer, FaultyEndpoint, Handler

KEY = "made-up-key-1f2e3d4c5b"


def both(streamed: Answer, whole: Answer) -> Answer:
    def answer(handler: Handler, body: dict[str, Any]) -> None:
        (streamed if body.get("stream") else whole)(handler, body)

    return answer


HEALTHY = both(faulty.stream("ok"), faulty.whole("ok"))
UNAUTHORIZED = faulty.refuse(401, {"error": "Unauthorized"})


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


def look(person: Person, url: str, *options: str, **environ: str) -> Any:
    done = person.run("check", "--json", "--timeout", "2", *options, OPENAI_BASE_URL=url, **environ)
    assert done.code == 0, done.err
    assert KEY not in done.out + done.err
    assert done.json["schema"] == "copilot.check/1"
    return done.json


def test_a_whole_chain(person: Person) -> None:
    with FaultyEndpoint(HEALTHY) as server:
        found = look(person, server.url, OPENAI_API_KEY=KEY)
    assert (found["status"], found["broken"], found["faults"]) == ("healthy", None, [])
    links = [link["link"] for link in found["links"]]
    assert links == ["configuration", "key", "name", "tcp", "path", "auth", "model", "completion", "stream"]
    assert "empty `choices`" in found["links"][-1]["detail"]
    assert found["provider"]["key_from"] == "OPENAI_API_KEY"


def test_without_a_provider_nothing_is_asked(person: Person) -> None:
    done = person.run("check", "--json", OPENAI_API_KEY=KEY)
    assert done.code == 0
    assert [link["link"] for link in done.json["links"]] == ["configuration"]


LINKS: list[tuple[str, Answer, Answer | None, str, str]] = [
    ("key", HEALTHY, UNAUTHORIZED, "auth", "client:api_key"),
    ("key at the chat only", UNAUTHORIZED, None, "completion", "client:api_key"),
    ("page", HEALTHY, faulty.page(), "path", "client:base_url"),
    ("no chat path", faulty.refuse(404, {"detail": "Not Found"}), None, "completion", "client:base_url"),
    ("model unknown", faulty.refuse(404, {"error": {"message": "The model `x` does not exist."}}), None, "completion",
     "request:model"),
    ("several models", HEALTHY, faulty.models("a", "b"), "model", "request:model"),
    ("endless", faulty.endless(0.05), None, "completion", "client:timeout"),
    ("silent", faulty.silent(), None, "completion", "client:timeout"),
    ("half a JSON", faulty.hung_up(), None, "completion", "client:base_url"),
    ("broken stream", both(faulty.cut(), faulty.whole("ok")), None, "stream", "client:parser"),
    ("page as stream", both(faulty.page(), faulty.whole("ok")), None, "stream", "client:base_url"),
    ("error in the stream", both(faulty.events({"error": {"message": "CUDA error"}}), faulty.whole("ok")), None,
     "stream", "client:parser"),
    ("no choices", both(faulty.events(faulty.USAGE), faulty.whole("ok")), None, "stream", "client:parser"),
    ("chat template", faulty.refuse(400, {"error": {"message": "default chat template is no longer allowed"}}), None,
     "completion", "--chat-template"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "models", "link", "parameter"), [row[1:] for row in LINKS], ids=[r[0] for r in LINKS]
)
def test_the_first_broken_link(
    person: Person, answer: Answer, models: Answer | None, link: str, parameter: str
) -> None:
    with FaultyEndpoint(answer, models=models) as server:
        found = look(person, server.url, OPENAI_API_KEY=KEY)
    assert found["broken"] == link
    assert parameter in found["faults"][0]["parameters"]
    assert found["experiment"]["change"] or found["experiment"]["observe"]
    after = [one["status"] for one in found["links"]]
    assert after.count("broken") == 1
    assert set(after[after.index("broken") + 1 :]) <= {"skipped"}


def test_the_engine_that_died_and_the_one_that_loads(person: Person) -> None:
    died = faulty.refuse(500, {"error": {"message": "EngineCore encountered an issue. See stack trace (above)"}})
    with FaultyEndpoint(died) as server:
        assert "copilot ask" in look(person, server.url)["experiment"]["observe"]
    loading = faulty.refuse(503, {"error": {"message": "Loading model", "code": 503}})
    with FaultyEndpoint(HEALTHY, models=loading) as server:
        assert "loading" in look(person, server.url)["faults"][0]["title"]


def test_the_address_that_was_meant(person: Person) -> None:
    with FaultyEndpoint(HEALTHY) as server:
        change = look(person, server.root)["experiment"]["change"]
    assert change == {"parameter": "client:base_url", "from": server.root, "to": server.url}


def test_the_model_that_was_meant(person: Person) -> None:
    with FaultyEndpoint(HEALTHY, models=faulty.models("Qwen/Qwen2.5-7B-Instruct", "other")) as server:
        change = look(person, server.url, "--model", "qwen2.5-7b-instruct")["experiment"]["change"]
    assert change["to"] == "Qwen/Qwen2.5-7B-Instruct"


def test_no_responses_route(person: Person) -> None:
    with FaultyEndpoint(faulty.refuse(404, {"detail": "Not Found"})) as server:
        change = look(person, server.url, "--wire-api", "responses")["experiment"]["change"]
    assert change == {"parameter": "client:wire_api", "from": "responses", "to": "chat"}


def test_nobody_listens(person: Person) -> None:
    with FaultyEndpoint() as server:
        pass
    found = look(person, server.url)
    assert found["broken"] == "tcp"
    assert "client:base_url" in found["faults"][0]["parameters"]
    done = person.run("check", "--exit-code", OPENAI_BASE_URL=server.url)
    assert done.code == 4


def test_a_proxy_in_front_of_this_machine_is_a_warning(person: Person) -> None:
    with FaultyEndpoint(HEALTHY) as server:
        found = look(person, server.url, HTTP_PROXY="http://user:word@127.0.0.1:9", http_proxy="http://127.0.0.1:9")
    assert found["broken"] is None
    assert found["faults"][0]["parameters"][0] == "client:no_proxy"
    assert "127.0.0.1" in found["experiment"]["change"]["to"]


@pytest.mark.parametrize(
    ("key", "parameter"),
    [
        ("Bearer made-up-key", "client:api_key"),
        ("made up key", "client:api_key"),
        ("eyJhbGciOi.eyJzdWIi.c2ln", "client:auth"),
    ],
)
def test_a_key_that_cannot_be_one(person: Person, key: str, parameter: str) -> None:
    with FaultyEndpoint(HEALTHY) as server:
        found = look(person, server.url, OPENAI_API_KEY=key)
        assert server.script.seen == []
    assert (found["broken"], parameter in found["faults"][0]["parameters"]) == ("key", True)
    assert key not in str(found)


CODEX = 'model = "tiny"\nmodel_provider = "box"\n[model_providers.box]\nbase_url = "{url}"\n'
CLIENTS = [
    (CODEX + 'wire_api = "chat"\n', "client:wire_api"),
    (CODEX + "requires_openai_auth = true\n", "client:auth"),
    (CODEX + 'env_key = "sk-pasted-here-by-mistake"\n', "client:api_key"),
    (CODEX + 'env_key = "NOT_SET_ANYWHERE"\n', "client:api_key"),
    (CODEX.replace('"{url}"', '"{url}/responses"'), "client:base_url"),
    (CODEX.replace('model_provider = "box"\n', ""), "client:auth"),
    (CODEX.replace('model_provider = "box"', 'model_provider = "bix"'), "client:base_url"),
]


@pytest.mark.parametrize(("text", "parameter"), CLIENTS)
def test_the_classic_errors_of_codex(person: Person, text: str, parameter: str) -> None:
    with FaultyEndpoint(HEALTHY) as server:
        (person.home / "config.toml").write_text(text.format(url=server.url))
        done = person.run("check", "--json", "--client-config", "config.toml")
    assert done.json["broken"] == "client-config"
    assert parameter in done.json["faults"][0]["parameters"]
    experiment = done.json["experiment"]
    assert (experiment["change"] or {}).get("to") or experiment["observe"], "one thing to change"


def test_the_profile_in_use_decides(person: Person) -> None:
    with FaultyEndpoint(faulty.responses("ok")) as server:
        text = 'profile = "p"\n' + CODEX.format(url=server.url) + '[profiles.p]\nmodel_provider = "bix"\n'
        (person.home / "config.toml").write_text(text)
        done = person.run("check", "--json", "--client-config", "config.toml")
    assert done.json["broken"] == "client-config"
    assert "bix" in done.json["faults"][0]["title"]


def test_a_key_in_codex_own_file_is_a_warning_and_is_not_shown(person: Person) -> None:
    with FaultyEndpoint(faulty.responses("ok")) as server:
        text = CODEX.format(url=server.url) + f'http_headers = {{ Authorization = "Bearer {KEY}" }}\n'
        (person.home / "config.toml").write_text(text)
        done = person.run("check", "--json", "--client-config", "config.toml")
    assert done.code == 0, done.err
    assert done.json["faults"][0]["parameters"] == ["client:api_key"]
    assert not done.json["faults"][0]["blocking"]
    assert KEY not in done.out + done.err


def test_a_right_configuration_of_codex_is_walked_to_the_end(person: Person) -> None:
    with FaultyEndpoint(faulty.responses("ok")) as server:
        (person.home / "config.toml").write_text(CODEX.format(url=server.url) + 'wire_api = "responses"\n')
        done = person.run("check", "--json", "--client-config", "config.toml")
    assert {link["link"] for link in done.json["links"] if link["status"] == "ok"} >= {"client-config", "model"}


def test_codex_is_checked_over_the_only_wire_that_it_knows(person: Person) -> None:
    """With no `wire_api` in the file Codex asks /responses; a chat that works would prove nothing."""
    with FaultyEndpoint(faulty.refuse(404, {"detail": "Not Found"})) as server:
        (person.home / "config.toml").write_text(CODEX.format(url=server.url))
        done = person.run("check", "--json", "--client-config", "config.toml")
    assert server.posts[0].path == "/v1/responses"
    assert done.json["faults"][0]["parameters"][0] == "client:wire_api"
    assert done.json["experiment"]["change"] is None, "Codex no longer takes the other wire"


@pytest.mark.parametrize(
    ("text", "parameter"),
    [
        ("OPENAI_API_BASE={url}\nOPENAI_API_KEY=EMPTY\n", "client:base_url"),
        ("OPENAI_BASE_URL={root}\nOPENAI_API_KEY=EMPTY\n", "client:base_url"),
        ("OPENAI_BASE_URL=http://0.0.0.0:8000/v1\n", "client:base_url"),
        ("OPENAI_BASE_URL=127.0.0.1:8000/v1\n", "client:base_url"),
        ("OPENAI_BASE_URL={url}\nHTTP_PROXY=http://proxy.corp:3128\n", "client:no_proxy"),
        ("OPENAI_BASE_URL=https://gate.example/v1\nOPENAI_API_KEY=\n", "client:api_key"),
    ],
)
def test_the_classic_errors_of_an_env_file(person: Person, text: str, parameter: str) -> None:
    with FaultyEndpoint(HEALTHY) as server:
        (person.home / "x.env").write_text(text.format(url=server.url, root=server.root))
        done = person.run("check", "--json", "--client-config", "x.env")
    assert done.json["broken"] == "client-config"
    assert parameter in done.json["faults"][0]["parameters"]


def test_both_languages(person: Person) -> None:
    with FaultyEndpoint() as server:
        pass
    assert "未检查" in person.run("check", "--lang", "zh", OPENAI_BASE_URL=server.url).out
    assert "not looked at" in person.run("check", "--lang", "en", OPENAI_BASE_URL=server.url).out
