"""Commands to a game: messages of seated users, and checks by the server itself.

A command is parsed from the wire into these types (see `sockets.messages`) and put into an
`Envelope` with its sender and time of receipt. Computer players send the same commands.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Generic, Literal, TypeVar

from msgspec import Meta, Struct, field

from games.core import Role
from games.decided import Witness
from play.domain.clocks import UndoneTurns
from play.domain.game_state import GameState
from play.domain.wire_types import ActionText, Count, Id, Message, Rev

SALTS_PER_DRAW = 256  # salts at a time
Answer = Literal["offer", "accept", "decline", "withdraw"]


def salts() -> Iterator[str]:
    """Yield salts without end."""
    while True:
        drawn = secrets.token_hex(16 * SALTS_PER_DRAW)
        yield from (drawn[at : at + 32] for at in range(0, len(drawn), 32))


SALTS = salts()


def new_salt() -> str:
    """Return 128 random bits as 32 hex digits.

    Salts are drawn in blocks: a call to the system's generator lets other threads run, and the
    event loop would have to wait for them.
    """
    return next(SALTS)


class Command(Message, frozen=True):
    """A request of a seated user. The sender makes the id, unique per game and role."""

    id: Id

    @property
    def kind(self) -> str:
        """The kind of the ledger entry that this command makes."""
        return type(self).__name__.lower()

    def makes(self, kind: str) -> bool:
        """Return whether this command may have made a ledger entry of a kind."""
        return kind == self.kind


class Act(Command, frozen=True, tag="act"):
    """The actions of a turn (or of its rest), made for one step; applied all or none."""

    step: Count
    # Secret until they are revealed.
    actions: Annotated[tuple[ActionText, ...], Meta(min_length=1, max_length=4)]
    takebacks: Count | None = None  # accepted takebacks that the page knows of; None: not checked

    def __repr__(self) -> str:
        return f"Act({self.id!r}, step={self.step})"


class PlayedAhead(Act, frozen=True, tag="played_ahead"):
    """A conditional reply that the server plays for its owner; pages cannot send it."""

    @property
    def kind(self) -> str:
        return "act"

    def __repr__(self) -> str:
        return f"PlayedAhead({self.id!r}, step={self.step})"


class Resign(Command, frozen=True, tag="resign"):
    """Resigns the game."""


class Draw(Command, frozen=True, tag="draw"):
    """Offers a draw, withdraws the offer, or answers one."""

    do: Answer
    rev: Rev | None = None  # of the offer that is answered; None: any

    @property
    def kind(self) -> str:
        return f"draw-{self.do}"


class Takeback(Command, frozen=True, tag="takeback"):
    """Asks to take back the sender's latest turn, withdraws that, or answers it."""

    do: Answer
    rev: Rev | None = None  # as in `Draw`

    @property
    def kind(self) -> str:
        return f"takeback-{self.do}"


class Abort(Command, frozen=True, tag="abort"):
    """Aborts the game before both roles have completed a turn."""


class Claim(Command, frozen=True, tag="claim"):
    """Claims a draw after 50 turns without an arrow, or an end because the other role is absent.

    The draw is that of games in which squares are not counted.
    """

    way: Literal["quiet", "victory", "draw"] = field(default="quiet", name="as")

    @property
    def kind(self) -> str:
        return "claim" if self.way == "quiet" else f"claim-{self.way}"


class CountNow(Command, frozen=True, tag="count"):
    """Ends a game whose sides are parted: more own squares win. See the snapshot's `count`."""

    @property
    def kind(self) -> str:
        return "count"


class ClaimDecided(Command, frozen=True, tag="claim_decided"):
    """Claims at the beginning of the sender's turn that it wins against any play.

    The server looks for the proof. A claim without one is logged; each role has three of them in a
    game. See the snapshot's `claims`.
    """

    step: Count

    @property
    def kind(self) -> str:
        return "claim-decided"

    def makes(self, kind: str) -> bool:
        return kind in (self.kind, "claim-refused")


class Shown(Command, frozen=True, tag="shown"):
    """Says that a page of the seat has painted its board, in a game that waits for that."""

    def makes(self, kind: str) -> bool:
        return kind in (self.kind, "begin")  # the last page begins the game


GameCommand = Act | Resign | Draw | Takeback | Abort | Claim | CountNow | ClaimDecided | Shown
C = TypeVar("C", bound=Command)


class Envelope(Struct, Generic[C], frozen=True, gc=False):
    """A command with its sender, game, time of receipt and preloaded data.

    The clock goes by `received_at` (epoch ms).
    """

    slug: str
    user: int | None
    received_at: int
    command: C
    lag: int = 0  # ms of transfer, bounded (see `lag`)
    salt: str = field(default_factory=new_salt)  # for the commitment; secret like the action
    asked: int = 0  # offers of this kind by the role in this position
    past: GameState | None = None  # the game before the turn that is taken back
    # Of an accepted takeback; None: these turns earned nothing, or an older process played one.
    undone: UndoneTurns | None = None
    gone_since: int | None = None  # ms, when the other role became absent
    witness: Witness | None = None  # that the role wins; None: none was found

    def __repr__(self) -> str:
        return f"Envelope({self.slug!r}, {self.user!r}, {self.received_at}, {self.command!r})"


class Flag(Struct, frozen=True):
    """Checks whether a deadline has passed at `received_at`: of a role, or of the start.

    `holidays`: when those of the fallen roles' users begin (ms), preloaded; they stop the flag.
    """

    slug: str
    received_at: int
    holidays: Mapping[Role, Sequence[int]] = {}


class Holiday(Struct, frozen=True):
    """Stops the clocks of a game for holidays of its users that began before `received_at`.

    `holidays`: when they begin (ms), preloaded.
    """

    slug: str
    received_at: int
    holidays: Mapping[Role, Sequence[int]] = {}


class Idle(Struct, frozen=True):
    """Checks whether a game without a clock has had no change for too long.

    `are_gone`: none of its people could come back when the game was at `rev`.
    """

    slug: str
    received_at: int
    are_gone: bool = False
    rev: int = 0


class Credit(Struct, frozen=True):
    """Credits the time from `down_since` to `received_at`, in which the server was down."""

    slug: str
    down_since: int
    received_at: int


ServerCommand = Flag | Holiday | Idle | Credit
