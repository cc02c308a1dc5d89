"""Rows that a change writes: each class is a table, each field a column."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

from msgspec import Struct

from games.core import ROLES, Role
from play.domain import clocks
from play.domain.change import Change, as_json
from play.models import seat_result


class Row(Struct, frozen=True, gc=False):
    """A row of the table that its class names."""

    table: ClassVar[str]


class GameRow(Row, frozen=True):
    """A game after a change; it replaces the row of the previous rev, or nothing."""

    table = "play_game"
    id: int
    rev: int
    head: str
    step: int
    position: str
    times: str
    deadline: int | None
    offers: str
    takebacks: int
    claims: str | None
    winner: str
    reason: str
    goals: str
    changed: int
    ended: int | None

    @classmethod
    def of(cls, change: Change) -> Self:
        game, ending = change.after, change.after.ending
        return cls(
            game.id,
            game.rev,
            game.head,
            game.step,
            game.rules.write(game.state),
            as_json(game.times),
            clocks.deadline(game.clock, game.times),
            as_json(game.offers) if game.offers else "{}",
            game.takebacks,
            None if game.claims is None else as_json(game.claims),
            (ending and ending.winner) or "",
            ending.reason if ending else "",
            as_json(ending.goals) if ending else "",
            change.received_at,
            game.ended,
        )


class StepRow(Row, frozen=True):
    """A resolved step."""

    table = "play_step"
    game_id: int
    number: int
    joint: str
    at: int
    spent: str
    seals: str
    is_ahead: bool
    earned: int

    @classmethod
    def all_of(cls, change: Change) -> list[Self]:
        return [
            cls(
                change.before.id,
                step.number,
                as_json(step.joint),
                change.received_at,
                as_json(step.spent),
                as_json(step.proofs) if step.proofs else "{}",
                step.is_ahead,
                step.earned,
            )
            for step in change.steps
        ]


class EntryRow(Row, frozen=True):
    """The ledger entry of the change."""

    table = "play_entry"
    game_id: int
    rev: int
    kind: str
    role: Role | None
    action_id: str | None
    received_at: int
    lag: int
    clock: str
    body: str
    hash: str

    @classmethod
    def of(cls, change: Change) -> Self:
        return cls(
            change.before.id,
            change.after.rev,
            change.kind,
            change.role,
            change.action_id,
            change.received_at,
            change.lag,
            change.clock_text,
            change.body_text,
            change.after.head,
        )


class SealRow(Row, frozen=True):
    """A sealed action that waits for the other role."""

    table = "play_sealed"
    game_id: int
    number: int
    role: Role
    action: str
    salt: str
    spent: int
    at: int

    def __repr__(self) -> str:
        return f"SealRow(game_id={self.game_id}, number={self.number}, role={self.role!r})"

    @classmethod
    def all_of(cls, change: Change) -> list[Self]:
        """Return the seal that the change made, if it still waits."""
        game = change.after
        return [
            cls(
                game.id,
                game.step,
                role,
                str(seal.action),
                seal.proof.salt if seal.proof else "",
                seal.spent,
                change.received_at,
            )
            for role, seal in game.sealed.items()
            if role not in change.before.sealed
        ]


class Undoing(Row, frozen=True):
    """Marks the steps of a game from a number on as taken back."""

    table = "play_step"
    game_id: int
    number: int
    undone: int  # rev of the takeback

    @classmethod
    def all_of(cls, change: Change) -> list[Self]:
        undone = change.undone
        return [] if undone is None else [cls(change.before.id, undone, change.after.rev)]


class Result(Row, frozen=True):
    """The result of a game, stored at each seat."""

    table = "play_seat"
    game_id: int
    role: Role
    result: str
    is_shown: bool  # a game without spectators is shown when it is over

    @classmethod
    def all_of(cls, change: Change) -> list[Self]:
        game, ending = change.after, change.after.ending
        if ending is None:
            return []
        results = {
            role: seat_result(role, ending.winner or "", ending.reason, role in game.absent)
            for role in ROLES
        }
        return [cls(game.id, role, result, game.public) for role, result in results.items()]


class EndedRow(Row, frozen=True):
    """A game that ends with the change, see `play.storage.ended_games`."""

    table = "play_endedgame"
    game_id: int
    ended: int

    @classmethod
    def all_of(cls, change: Change) -> list[Self]:
        ended = change.after.ended
        if ended is None or change.before.ended is not None:
            return []
        return [cls(change.before.id, ended)]


def child_rows(changes: Sequence[Change]) -> Mapping[type[Row], list[Row]]:
    """Return the rows besides the games that some changes write, by their kind."""
    rows: dict[type[Row], list[Row]] = {
        Undoing: [row for change in changes for row in Undoing.all_of(change)],
        StepRow: [row for change in changes for row in StepRow.all_of(change)],
        SealRow: [row for change in changes for row in SealRow.all_of(change)],
        EntryRow: [EntryRow.of(change) for change in changes],
        Result: [row for change in changes for row in Result.all_of(change)],
        EndedRow: [row for change in changes for row in EndedRow.all_of(change)],
    }
    return {kind: some for kind, some in rows.items() if some}


def revealed_games(changes: Sequence[Change]) -> list[int]:
    """Return the ids of games in which earlier seals move into a step.

    Else they stay, even at the end of the game.
    """
    return [
        change.before.id
        for change in changes
        if change.before.sealed and change.after.step > change.before.step
    ]
