"""The ledger of a game: entries that are chained, and seals that are committed to beforehand.

Both are plain SHA-256, so that anybody can check them with any tool. An entry's text is JSON with
sorted keys, without blanks, in UTF-8; its hash is taken over the hash before it, a line feed and
that text. The first entry follows `GENESIS`.

A seal's commitment is published at once, the action and the salt at the reveal. The salt has 128
random bits: without it, the 66 divisions of ten troops would be tried in a moment.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from json.encoder import encode_basestring as quoted
from typing import Any

GENESIS = "0" * 64
PLAIN = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
SEAL = "quiver seal 1"  # first line of what a commitment is taken over; names its form


def text_of(entry: Mapping[Any, object]) -> str:
    """The one text of an entry. Raises TypeError and ValueError for what JSON cannot say."""
    return PLAIN.encode(entry)


def entry_text(
    game: str,
    rev: int,
    kind: str,
    role: str | None,
    id: str | None,
    at: int,
    lag: int,
    clock: Mapping[Any, int | None],
    body: Mapping[str, object],
) -> str:
    """The one text of the entry that change `rev` of a game makes."""
    return text_of(
        {
            "game": game,
            "rev": rev,
            "kind": kind,
            "role": role,
            "id": id,
            "at": at,
            "lag": lag,
            "clock": clock,
            "body": body,
        }
    )


def framed(
    game: str,
    rev: int,
    kind: str,
    role: str | None,
    id: str | None,
    at: int,
    lag: int,
    clock: str,
    body: str,
) -> str:
    """The same, for who writes it: from the one text that its clock has, and its body. Trusts its
    input."""
    return (
        f'{{"at":{at},"body":{body},"clock":{clock},"game":{quoted(game)},'
        f'"id":{_named(id)},"kind":{quoted(kind)},"lag":{lag},"rev":{rev},"role":{_named(role)}}}'
    )


def _named(name: str | None) -> str:
    return "null" if name is None else quoted(name)


def chained(previous: str, text: str) -> str:
    """The hash of an entry (64 hex digits), from the hash before it and its text."""
    return sha256(f"{previous}\n{text}".encode()).hexdigest()


def commitment(game: str, turn: int, role: str, action: str, salt: str) -> str:
    """What is published when a role seals an action (64 hex digits); `salt` is 32 hex digits."""
    return sha256(f"{SEAL}\n{game}\n{turn}\n{role}\n{action}\n{salt}".encode()).hexdigest()
