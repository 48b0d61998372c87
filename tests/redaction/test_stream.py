"""Text of any length: what one pass finds, the stream finds, wherever the blocks end."""

import random

from copilot.redaction import Redactor, Stream
from copilot.redaction import stream as module
from redaction.redaction_vectors import fill, innocents, places, vector


def streamed(text: str, step: int) -> str:
    stream = Stream(Redactor())
    parts = [stream.feed(text[at : at + step]) for at in range(0, len(text), step)]
    return "".join((*parts, stream.end()))


def test_a_key_over_many_lines_is_gone_wherever_the_block_ends() -> None:
    body = "\n".join(fill("<b*64>", n) for n in range(50))
    key = f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----\n"
    for before in range(module.BLOCK - 4000, module.BLOCK + 400, 997):
        text = "a log line of the server\n" * (before // 25) + key + "after\n" * 200
        out = streamed(text, 65536)
        assert not [line for line in body.split("\n") if line in out]
        assert out.count("\n") == text.count("\n")
        assert out.endswith("after\n" * 200)


def test_places_are_found_among_megabytes() -> None:
    dice = random.Random(5)  # noqa: S311 - a selection
    noise = [line for text in innocents() for line in text.split("\n")]
    chosen = dice.sample([t for _, t in places() if "BEGIN" not in t and "\0" not in t and "\x1b" not in t], 60)
    cases = [vector("", template) for template in chosen]
    parts = []
    for case in cases:
        parts += [*dice.choices(noise, k=400), "", case.text, ""]
    out = streamed("\n".join(parts), 10_000)
    left = [s for case in cases for s in case.secrets if len(s) >= 16 and s in out]
    assert not left


def test_an_overlong_line_is_cut_between_tokens_and_joined_again() -> None:
    text = '{"a": "' + "word " * 40_000 + '", "api_key": "' + fill("<a*40>") + '", "b": ' + "1, " * 30_000 + "2}"
    out = streamed(text, 7000)
    assert fill("<a*40>") not in out
    assert out.replace("‹api-key-1›", fill("<a*40>")) == text


def test_innocent_bytes_come_out_as_they_went_in() -> None:
    text = "\r\n".join(innocents()) + "\r\nno end \udcff\udc80"
    assert streamed(text, 1000) == text


def test_the_same_secret_has_one_number_over_all_blocks() -> None:
    token = fill("hf_<a*34>")
    text = f"HF_TOKEN={token}\n" + "line of a log\n" * 120_000 + f"token {token}\n"
    out = streamed(text, 65536)
    assert out.count("‹huggingface-token-1›") == 2


def test_a_pause_shows_what_is_certain() -> None:
    stream = Stream(Redactor())
    stream.feed("".join(f"line {n}\n" for n in range(100)))
    shown = stream.settle()
    assert shown.startswith("line 0\n")
    assert shown.count("\n") == 100 - module.WAITING
    assert shown + stream.end() == "".join(f"line {n}\n" for n in range(100))
