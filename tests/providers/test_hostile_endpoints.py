"""An endpoint that misbehaves, as the person with a crashed server meets it: one sentence, and the playbook answers."""

from pathlib import Path

import pytest

from providers import faulty_endpoint as faulty
from providers.commands import Person
from providers.faulty_endpoint import Answer, FaultyEndpoint

KEY = "made-up-key-1f2e3d4c5b"
LOG = """\
INFO 12-01 10:00:00 [api_server.py:1] vLLM API server version 0.25.0
ValueError: To serve at least one request with the models's max seq len (131072), (8.0 GiB KV cache is needed, \
which is larger than the available KV cache memory (1.0 GiB). Try increasing `gpu_memory_utilization` or decreasing \
`max_model_len` when initializing the engine.
"""

HOSTILE: dict[str, tuple[Answer, str]] = {
    "refuses the key": (faulty.refuse(401, {"error": "Unauthorized"}), "refused the key"),
    "web page": (faulty.page(), "web page"),
    "half a JSON": (faulty.cut(), "JSON is broken"),
    "hangs up": (faulty.hung_up(), "cannot be reached"),
    "never ends": (faulty.comments(), "did not finish within"),
    "huge": (faulty.endless(), "does not end"),
    "redirects": (faulty.refuse(307, "", Location="http://127.0.0.1:9/v1/chat/completions"), "redirects to"),
    "wrong content type": (lambda h, _: h.reply(200, "ok", "text/plain"), "JSON is broken"),
    "no such path": (faulty.refuse(404, {"detail": "Not Found"}), "no such path"),
    "always busy": (faulty.refuse(429, {"error": "slow down"}, Retry_After="3600"), "overloaded"),
    "another object": (faulty.stream('{"weather": "fine"}'), "another kind"),
}


@pytest.fixture
def person(tmp_path: Path) -> Person:
    (tmp_path / "server.log").write_text(LOG)
    made = Person(tmp_path, environ={"GATE_KEY": KEY})
    made.config.parent.mkdir(parents=True)
    return made


def configure(person: Person, server: FaultyEndpoint) -> None:
    person.config.write_text(
        f'default = "gate"\n[providers.gate]\nbase_url = "{server.url}"\nmodel = "tiny"\nenv_key = "GATE_KEY"\n'
        "retries = 1\n"
        "[providers.gate.timeouts]\nread = 2.0\ntotal = 3.0\n"
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_the_playbook_answers_in_its_place(person: Person, name: str) -> None:
    answer, _ = HOSTILE[name]
    with FaultyEndpoint(answer) as server:
        configure(person, server)
        done = person.run("ask", "--log", "server.log", "--json")
    assert done.code == 0
    assert done.json["answered_by"]["provider"] == "playbook"
    assert done.json["answered_by"]["fallback_from"] == "gate"
    assert done.json["faults"][0]["parameters"]
    assert KEY not in done.out + done.err


@pytest.mark.parametrize("name", HOSTILE)
def test_without_the_fallback_one_sentence_says_why(person: Person, name: str) -> None:
    answer, words = HOSTILE[name]
    with FaultyEndpoint(answer) as server:
        configure(person, server)
        done = person.run("ask", "--log", "server.log", "--json", "--no-fallback")
    assert done.code == 4
    assert words in done.err
    assert done.out == ""
    assert "Traceback" not in done.err
    assert KEY not in done.err


def test_nobody_listens(person: Person) -> None:
    with FaultyEndpoint() as server:
        configure(person, server)
    assert person.run("ask", "--log", "server.log", "--json").json["answered_by"]["fallback_from"] == "gate"
    done = person.run("ask", "--log", "server.log", "--no-fallback", "--json")
    assert (done.code, "refused" in done.err) == (4, True)


def test_a_key_in_the_environment_alone_sends_nothing(person: Person) -> None:
    with FaultyEndpoint() as server:
        done = person.run("ask", "--log", "server.log", "--json", OPENAI_API_KEY=KEY)
        assert server.script.seen == []
    assert done.json["answered_by"]["provider"] == "playbook"
    assert done.json["answered_by"]["fallback_from"] is None


def test_the_address_is_found_where_v1_was_left_out(person: Person) -> None:
    with FaultyEndpoint(faulty.refuse(401, {"error": "Unauthorized"})) as server:
        person.run("ask", "--log", "server.log", "--json", OPENAI_BASE_URL=server.root)
        assert [seen.path for seen in server.posts] == ["/v1/chat/completions"]
