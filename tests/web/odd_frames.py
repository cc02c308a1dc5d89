"""Frames that no page sends: a fixed corpus, and what Hypothesis makes up of it."""

import json
from typing import Any

from hypothesis import strategies as st

DEEP = 100_000
CORPUS: list[str | bytes] = [
    "",
    " ",
    "null",
    "true",
    "0",
    '""',
    "[]",
    "{}",
    "{",
    "\x00",
    "\ufeff{}",
    b"",
    b"\xff\xfe",
    b'{"t":"hello","rev":-1}',
    "[" * 8_000,
    '{"t":' * 3_000,
    "{" * DEEP,
    '{"t":"hello"' + " " * 20_000 + "}",
    '{"t":"hello","rev":NaN}',
    '{"t":"hello","rev":Infinity}',
    '{"t":"hello","rev":1e400}',
    '{"t":"hello","rev":1.0}',
    '{"t":"hello","rev":-2}',
    '{"t":"hello","rev":2147483648}',
    '{"t":"hello","rev":18446744073709551616}',
    '{"t":"hello","rev":' + "9" * 5_000 + "}",
    '{"t":"hello","rev":true}',
    '{"t":"hello","rev":null}',
    '{"t":"hello","rev":"\\u0000"}',
    '{"t":"hello","rev":"\\ud800"}',
    '{"t":"hello","t":"ping"}',
    '{"t":"hello","rev":-1,"rev":0}',
    '{"t":"hello","__class__":"x"}',
    '{"t":["hello"]}',
    '{"t":"\\u0000"}',
    '{"t":"\\udfff\\ud800"}',
    '{"t":"flag","at":1}',
    '{"t":"resign","id":""}',
    '{"t":"resign","id":"' + "a" * 65 + '"}',
    '{"t":"act","id":"a","turn":0,"actions":["\\ud800"]}',
    '{"t":"act","id":"a","turn":0,"actions":["move 1 5 2 5\\u0000"]}',
    '{"t":"act","id":"a","turn":0,"actions":[' + '"noop",' * 1_000 + '"noop"]}',
    '{"t":"act","id":"a","turn":2147483647,"takebacks":2147483647,"actions":["noop"]}',
    '{"t":"act","id":"a","turn":0,"actions":["troops 99999999999999999999 0 0"]}',
    '{"t":"act","id":"a","turn":0,"actions":["move ١ 5 2 5"]}',
    '{"t":"act","id":"a","turn":0,"actions":["\u202emove 1 5 2 5"]}',
    '{"t":"draw","id":"a","do":"accept","rev":2147483647}',
    '{"t":"claim","id":"a","as":["quiet"]}',
    '{"t":"say","id":"s","text":"\\u0000\\u0001"}',
    '{"t":"say","id":"s","text":"' + "\\u0301" * 1_000 + '"}',
    '{"t":"say","id":"s","text":"a","phrase":"b"}',
    '{"t":"mute","name":"\\u0000","on":true}',
    '{"t":"mute","name":"nobody","on":1}',
    '{"t":"report","id":"r","line":2147483648,"why":"x"}',
    '{"t":"report","id":"r","line":2147483647,"why":"\\u0000"}',
]

KINDS = [
    *("hello", "ping", "act", "resign", "draw", "takeback", "abort"),
    *("plan", "claim", "flag", "say", "mute", "report", "bye", "sealed"),
]
KEYS = [
    *("t", "id", "rev", "turn", "actions", "takebacks", "do", "as"),
    *("way", "line", "why", "text", "phrase", "name", "on", "more"),
]
ODD: list[Any] = [
    None,
    True,
    -1,
    0,
    1,
    2**31 - 1,
    2**31,
    2**63,
    2**70,
    1.5,
    "",
    "a",
    "\x00",
    "a\x00b",
    "\ud800",
    "noop",
    "move 1 5 2 5",
    "troops 4 3 3",
    "offer",
    "accept",
    "victory",
    "x" * 70,
]
values = st.recursive(
    st.sampled_from(ODD) | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
objects = st.builds(
    lambda kind, rest: json.dumps({**rest, "t": kind}),
    st.sampled_from(KINDS) | st.text(max_size=5),
    st.dictionaries(st.sampled_from(KEYS), values, max_size=6),
)
broken = st.builds(lambda text, cut: text[: len(text) - cut], objects, st.integers(1, 30))
# Daphne hands over text that has been UTF-8, and so no surrogates.
loose = st.text(st.characters(blacklist_categories=("Cs",)), max_size=60)
frames = st.one_of(st.sampled_from(CORPUS), objects, broken, loose, st.binary(max_size=40))
