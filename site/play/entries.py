"""The ledger of a game as it is read: each entry with the one text that its hash was taken over.

Nothing in it is secret: of a sealed action it holds the commitment alone until the reveal.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from games.ledger import entry_text
from play.live import Live
from play.models import Entry


@dataclass(frozen=True, slots=True)
class Written:
    """An entry as everybody may see it."""

    text: str  # JSON, to the byte as the hash was taken over it
    hash: str


def written(slug: str, rows: Iterable[Entry]) -> list[Written]:
    """Rows of one game as entries of its ledger."""
    return [Written(_text(slug, row), row.hash) for row in rows]


def ledger(live: Live) -> list[Written]:
    """The entries of a game up to its rev."""
    rows = Entry.objects.filter(game=live.id, rev__lte=live.rev).order_by("rev")
    return written(live.slug, rows)


def _text(slug: str, row: Entry) -> str:
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
