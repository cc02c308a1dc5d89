"""Ledger of a game: hash-chained entries and commitments to sealed actions.

Both are plain SHA-256, so that anybody can verify them with any tool. An entry's text is JSON with
sorted keys, without blanks, in UTF-8; its hash covers the previous hash, a line feed and that text.
The first entry follows `GENESIS`.

A commitment is published when the action is sealed, the action and its salt at the reveal. The salt
has 128 random bits: without it, all 66 splits of ten troops could be tried in a moment.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from json.encoder import encode_basestring as quoted
from typing import Any

GENESIS = "0" * 64
# Version of all entries of a game; the body of the opening entry has it.
LEDGER_FORMAT_VERSION = 1
# Version with games that end by a count: marked in the opening entry, counted in the last one.
COUNTED_FORMAT_VERSION = 2
# Version with claims that a game is decided; such games may end by a count as well.
CLAIMS_FORMAT_VERSION = 3
NEWEST_FORMAT_VERSION = CLAIMS_FORMAT_VERSION  # the newest that can be verified
CANONICAL_JSON = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
)
COMMITMENT_VERSION = "quiver seal 1"  # first line of a commitment's text; its version


def text_of(entry: Mapping[Any, object]) -> str:
    """Return the canonical text of an entry. Raises TypeError, ValueError if not JSON."""
    return CANONICAL_JSON.encode(entry)


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
    """Return the canonical text of the entry of change `rev` of a game."""
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


def frame_entry(
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
    """Return the same text from the canonical texts of its clock and its body.

    Trusts its input.
    """
    return (
        f'{{"at":{at},"body":{body},"clock":{clock},"game":{quoted(game)},'
        f'"id":{_quote_name(id)},"kind":{quoted(kind)},"lag":{lag},"rev":{rev},"role":{_quote_name(role)}}}'
    )


def _quote_name(name: str | None) -> str:
    return "null" if name is None else quoted(name)


def chain_hash(previous: str, text: str) -> str:
    """Return the hash of an entry (64 hex digits) from the previous hash and its text."""
    return sha256(f"{previous}\n{text}".encode()).hexdigest()


def commitment(game: str, step: int, role: str, action: str, salt: str) -> str:
    """Return the hash that commits to an action (64 hex digits); `salt` is 32 hex digits."""
    return sha256(
        f"{COMMITMENT_VERSION}\n{game}\n{step}\n{role}\n{action}\n{salt}".encode()
    ).hexdigest()
