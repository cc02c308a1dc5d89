"""What can be asked of a game, by those who are seated and by the server itself."""

import secrets
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct, field

from play.live import Live
from play.permit import Permit

DRAWN = 256  # salts at a time
Answer = Literal["offer", "accept", "decline", "withdraw"]


def salts() -> Iterator[str]:
    """Salts without end."""
    while True:
        drawn = secrets.token_hex(16 * DRAWN)
        yield from (drawn[at : at + 32] for at in range(0, len(drawn), 32))


SALTS = salts()


def new_salt() -> str:
    """128 random bits, as 32 hex digits; in the event loop. The system is asked for many at once:
    while it answers, other threads run, and then the loop has to wait for them."""
    return next(SALTS)


class Sent(Struct, frozen=True, kw_only=True, gc=False):
    """How something came here."""

    lag: int = 0  # ms that it was on its way, bounded (see `line`)
    permit: Permit | None = None  # of the socket; None: of no session


class Command(Sent, frozen=True):
    """Something a seated user wants. `received_at` (epoch ms) is what the clock goes by."""

    slug: str
    user: int | None
    id: str  # made by the client, unique for game and role
    received_at: int

    @property
    def kind(self) -> str:
        """What the ledger calls the change that it makes."""
        return type(self).__name__.lower()


class Act(Command, frozen=True):
    """The consecutive actions of one go, applied all or none."""

    turn: int
    actions: tuple[str, ...]  # secret until they are revealed
    takebacks: int | None = None  # how many the page knew of; None: it does not say
    salt: str = field(default_factory=new_salt)  # of what it seals, and as secret

    def __repr__(self) -> str:
        return f"Act({self.slug!r}, {self.user!r}, {self.id!r}, turn={self.turn})"


class Resign(Command, frozen=True):
    """Gives the game up."""


class Draw(Command, frozen=True):
    """Makes, takes back or answers a draw offer."""

    do: Answer
    rev: int | None = None  # of the offer that is answered; None: of whichever stands
    asked: int = 0  # how often the role has offered this in the present position; the desk counts

    @property
    def kind(self) -> str:
        return f"draw-{self.do}"


class Takeback(Command, frozen=True):
    """Asks to go back to the beginning of the own latest go, or answers or withdraws that."""

    do: Answer
    rev: int | None = None  # as in `Draw`
    asked: int = 0  # as in `Draw`
    past: Live | None = None  # the game as it was there; the desk reads it when it is accepted

    @property
    def kind(self) -> str:
        return f"takeback-{self.do}"


class Abort(Command, frozen=True):
    """Breaks the game off before both have completed a go."""


class Claim(Command, frozen=True):
    """Claims the draw of `amazons` after 50 goes without an arrow, or an end because the other
    role is to decide and gone."""

    way: Literal["quiet", "victory", "draw"] = "quiet"
    gone_since: int | None = None  # ms, since when nobody has seen the other; the desk reads it

    @property
    def kind(self) -> str:
        return "claim" if self.way == "quiet" else f"claim-{self.way}"


class Flag(Struct, frozen=True):
    """The server's own question: has a role's time run out at `received_at`?"""

    slug: str
    received_at: int


class Idle(Struct, frozen=True):
    """The server's own question: has a game without a clock been left alone for too long?"""

    slug: str
    received_at: int


class Credit(Struct, frozen=True):
    """The server was down from `down_since` until `received_at`: nobody's clock ran."""

    slug: str
    down_since: int
    received_at: int
