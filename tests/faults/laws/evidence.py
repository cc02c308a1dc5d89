"""Evidence about a game after a fault: its rows, and its clients' logs."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tests.faults.laws.ledger_fold import Fold, fold
from tests.faults.laws.stored_rows import GameRows, Row
from tests.support.page_client import PageLog

Trouble = Iterator[tuple[str, str]]  # kind and description of a violation


UNSENT = frozenset({"open", "flag", "holiday", "credit", "idle", "begin"})
DELETED_NAME = "deleted-"  # begins the names of those who have deleted themselves, and no other
DEPARTURE = "site:departure"  # the site resigns under this id for who has deleted himself


@dataclass(frozen=True)
class Finding:
    """Something that must not be."""

    kind: str
    law: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text} ({self.law})"


@dataclass(frozen=True)
class Exports:
    """The answers of a finished game's addresses to a later visitor."""

    page: Row  # the data in the game's page: `snapshot` and `played-steps`
    steps: list[Row]
    record: Row


@dataclass
class Evidence:
    """One game, and what its clients were told."""

    rows: GameRows
    clients: list[PageLog]
    at: int = 0  # ms, when the rows were read; 0: clocks are not looked at
    skew: int = 0  # ms by which the clocks of its servers may differ
    unsent: frozenset[str] = UNSENT  # kinds of entries that nobody has to send
    # Refusals that the fault explains; None: any. Those of NONSENSE only under ids that begin with
    # `x`, the deliberately illegal ones.
    explained: frozenset[str] | None = None
    exports: Exports | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def game(self) -> Row:
        """The row of the game."""
        return self.rows.game

    @property
    def standing(self) -> list[Row]:
        """The steps that were not taken back, in order."""
        rows = [row for row in self.rows.steps if row["undone"] is None]
        return sorted(rows, key=lambda row: row["number"])

    @property
    def undone(self) -> list[Row]:
        """The steps that were taken back, takeback by takeback."""
        rows = [row for row in self.rows.steps if row["undone"] is not None]
        return sorted(rows, key=lambda row: (row["undone"], row["number"]))

    def heard(self, kind: str) -> Iterator[tuple[PageLog, Row]]:
        """All events of a kind, client by client, in order."""
        for client in self.clients:
            for event in client.log:
                if event["e"] == kind:
                    yield client, event

    @cached_property
    def has_departed(self) -> bool:
        """Whether somebody who held a seat has deleted himself, in the game or after its end."""
        if any(entry["action_id"] == DEPARTURE for entry in self.rows.entries):
            return True
        states = [client.state for client in self.clients if client.state]
        seats = [seat for state in states for seat in state["seats"].values()]
        return any(seat["name"].startswith(DELETED_NAME) for seat in seats)

    @cached_property
    def sent(self) -> dict[tuple[str, str], Row]:
        """Every frame by role and id; the first one of an id with two bodies."""
        frames: dict[tuple[str, str], Row] = {}
        for client, event in sorted(self.heard("sent"), key=lambda each: each[1]["ns"]):
            frames.setdefault((client.role or "", event["id"]), event["frame"])
        return frames

    @cached_property
    def bodies(self) -> dict[tuple[str, str], list[Row]]:
        """Every body that was sent under an id."""
        bodies = defaultdict(list)
        for client, event in self.heard("sent"):
            bodies[client.role or "", event["id"]].append(event["frame"])
        return bodies

    @cached_property
    def by_id(self) -> dict[tuple[str, str], list[Row]]:
        """The entries of an id."""
        entries = defaultdict(list)
        for entry in self.rows.entries:
            if entry["action_id"] is not None:
                entries[entry["role"], entry["action_id"]].append(entry)
        return dict(entries)

    @cached_property
    def fold(self) -> Fold:
        """The steps and seals that follow from the accepted frames."""
        sent = dict(self.sent)
        for key, bodies in self.bodies.items():
            if len({json.dumps(body, sort_keys=True) for body in bodies}) > 1:
                sent[key] = self._accepted_body(key, bodies)
        return fold(self.rows, sent)

    def _accepted_body(self, key: tuple[str, str], bodies: list[Row]) -> Row:
        """The body that the record has, among several under one id."""
        played = [text for step in self.rows.steps for text in json.loads(step["joint"]).values()]
        played += [seal["action"] for seal in self.rows.sealed]
        found = [body for body in bodies if body.get("actions", [None])[0] in played]
        return (found or bodies)[0]

    @property
    def has_computer(self) -> bool:
        """Whether a seat acts that is none of the clients'."""
        if self.extra.get("is_restored"):
            return True
        return bool({"white", "black"} - {client.role for client in self.clients})
