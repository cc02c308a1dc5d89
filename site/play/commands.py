"""What can be asked of a game, by those who are seated and by the server itself."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Command:
    """Something a seated user wants. `received_at` (epoch ms) is what the clock goes by."""

    slug: str
    user: int | None
    id: str  # made by the client, unique for game and role
    received_at: int


@dataclass(frozen=True, slots=True)
class Act(Command):
    """The consecutive actions of one go, applied all or none."""

    turn: int
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Resign(Command):
    """Gives the game up."""


@dataclass(frozen=True, slots=True)
class Draw(Command):
    """Makes, takes back or answers a draw offer."""

    do: Literal["offer", "accept", "decline", "withdraw"]


@dataclass(frozen=True, slots=True)
class Claim(Command):
    """Claims the draw of `amazons` after 50 goes without an arrow."""


@dataclass(frozen=True, slots=True)
class Flag:
    """The server's own question: has a role's time run out at `received_at`?"""

    slug: str
    received_at: int


@dataclass(frozen=True, slots=True)
class Credit:
    """The server was down from `down_since` until `received_at`: nobody's clock ran."""

    slug: str
    down_since: int
    received_at: int
