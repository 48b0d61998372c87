"""Properties of redaction over generated texts."""

import string
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from copilot.redaction import Redactor, redact
from copilot.redaction.placeholders import PLACEHOLDER
from redaction.redaction_vectors import innocents

BASE62 = string.ascii_letters + string.digits
TOKENS = st.text(string.ascii_letters, min_size=34, max_size=34).map("hf_".__add__).filter(lambda t: len(set(t)) > 12)
KEYS = st.text(BASE62, min_size=24, max_size=48).filter(lambda t: len(set(t)) > 14)
PLACES = st.sampled_from(
    ["HF_TOKEN={}", "--api-key {} --port 1", "'api_key': ['{}']", "Authorization: Bearer {}", '"hf_token": "{}",']
)
NOISE = st.lists(st.sampled_from(innocents()), max_size=4).map("\n".join)


@settings(max_examples=60, deadline=None)
@given(st.one_of(TOKENS, KEYS), PLACES, NOISE, NOISE)
def test_a_planted_secret_never_survives_and_the_rest_is_the_same(secret: str, place: str, a: str, b: str) -> None:
    out = redact(f"{a}\n\n{place.format(secret)}\n\n{b}").text
    assert secret not in out
    assert PLACEHOLDER.sub("#", out) == f"{a}\n\n{place.format('#')}\n\n{b}"


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=400))
def test_any_text_keeps_its_lines_and_twice_is_once(text: str) -> None:
    once = redact(text).text
    assert once.count("\n") == text.count("\n")
    assert redact(once).text == once


@settings(max_examples=60, deadline=None)
@given(st.text(BASE62 + "-_/+", min_size=12, max_size=40), NOISE)
def test_a_known_secret_is_removed_wherever_it_stands(secret: str, noise: str) -> None:
    if secret in noise or not any(c.isalnum() for c in secret) or Redactor([secret]).redact(secret).text == secret:
        return  # stands for no secret: `your-key-here`
    assert secret not in Redactor([secret]).redact(f"{noise}\nit said {secret} twice: {secret}\n").text


HOSTILE = (
    *("sk-", "token_", "-", "key=", "a.", "a:", "/", "@", "x", "%41", "\x1b[", "\0", "://a:", "http://", "eyJ", "eyJ."),
    *(
        "A1b",
        "ghp_",
        "AKIA",
        "密码",
        "密码 ",
        "Bearer ",
        "password ",
        "[token] ",
        "set token ",
        "--api-key ",
        "token:\n",
    ),
    *("hf\n", "hf_\n", "sk\n", "1.2.3.4 ", "x.com ", "user:pass@", "https://u:p@h ", "/home/a"),
    *(
        "-----BEGIN PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN X-----\n",
        "-----END PRIVATE KEY-----\n",
    ),
)


@pytest.mark.parametrize("unit", HOSTILE)
def test_time_is_linear_on_hostile_text(unit: str) -> None:
    def seconds(size: int) -> float:
        text = (unit * (size // len(unit) + 1))[:size]
        started = time.process_time()
        redact(text)
        return time.process_time() - started

    redact(unit)
    small, large = min(seconds(25_000) for _ in range(2)), seconds(100_000)
    assert large < 10 * small + 0.3, "four times the text may not take sixteen times the time"
    assert large < 4, "100 kB"


def test_half_an_emoji_in_a_secret_is_no_trouble() -> None:
    out = redact('{"password": "\\ud83dTr0ub4dor and \\ud83d\\ude00", "a": 1}\n').text
    assert out == '{"password": "‹password-1›", "a": 1}\n'
