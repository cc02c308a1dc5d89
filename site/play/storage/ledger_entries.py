"""Read a game's ledger: each entry with the exact text that its hash covers.

Nothing in it is secret: of a sealed action it holds the commitment alone until the reveal.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from games.ledger import entry_text
from play.domain.game_state import GameState
from play.models import Entry


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A ledger entry as everybody may see it."""

    text: str  # JSON, byte for byte as hashed
    hash: str


def entries_of(slug: str, rows: Iterable[Entry]) -> list[LedgerEntry]:
    """Return rows of one game as entries of its ledger."""
    return [LedgerEntry(_encode_entry(slug, row), row.hash) for row in rows]


def ledger(game: GameState) -> list[LedgerEntry]:
    """Return the entries of a game up to its rev."""
    rows = Entry.objects.filter(game=game.id, rev__lte=game.rev).order_by("rev")
    return entries_of(game.slug, rows)


def _encode_entry(slug: str, row: Entry) -> str:
    return entry_text(
        slug,
        row.rev,
        row.kind,
        row.role,
        row.action_id,
        row.received_at,
        row.lag,
        json.loads(row.clock),
        json.loads(row.body),
    )
