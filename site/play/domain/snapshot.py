"""Types of the messages that show a game. `visibility` fills them; `protocol` prints their schema.

The fields stand in the order in which they are sent. Times are milliseconds since the epoch.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from games.core import Role, View
from games.effects import Effect
from games.prompts import Prompt
from play.domain.clocks import Pause
from play.domain.game_state import Ending, Offer, Proof
from play.domain.wire_types import Outgoing, Shown

SideAction = Literal["resign", "draw", "takeback", "abort", "claim", "count", "claim_decided"]

# Unions of dataclasses: msgspec encodes them, but makes no schema of them.
if TYPE_CHECKING:
    ShownEffect = Effect
    ShownPrompt = Prompt
else:
    _EFFECTS = [{"$ref": f"#/$defs/{name}"} for name in ("Slide", "Place", "Remove", "Count")]
    _PROMPTS = [{"$ref": f"#/$defs/{name}"} for name in ("PathPrompt", "SplitPrompt")]
    ShownEffect = Annotated[Any, Meta(extra_json_schema={"anyOf": _EFFECTS})]
    ShownPrompt = Annotated[Any, Meta(extra_json_schema={"anyOf": _PROMPTS})]


class ShownPerson(Shown, frozen=True):
    """The holder of a seat."""

    name: str
    guest: bool
    bot: bool
    level: int | None  # of a computer player
    url: str | None  # of the profile; guests have none


class ShownStep(Shown, frozen=True):
    """A resolved step."""

    n: int
    turn: int  # turns completed before it
    role: Role | None  # the role that acted; None if both did
    text: Mapping[Role, str]  # human notation of each role that acted
    effects: Sequence[ShownEffect]
    spent: Mapping[Role, int]  # ms of each role that acted
    seals: Mapping[Role, Proof] | UnsetType = UNSET  # of sealed actions
    ahead: bool | UnsetType = UNSET  # true: a conditional reply, played by the server


class PastStep(ShownStep, frozen=True, kw_only=True):
    """A resolved step with the position after it, for the game's history."""

    view: View
    at: int  # when it resolved


class ShownBegin(Shown, frozen=True):
    """The start of a game that waits for the pages of its players."""

    by: int  # when it begins at the latest
    shown: Sequence[Role]  # whose page has been shown; computer players have none


class ShownClock(Shown, frozen=True):
    """The time control, and the state of the clocks at `since`."""

    kind: Literal["fischer", "limit", "days", "bank", "none"]
    label: str
    initial: int  # ms
    increment: int  # ms
    left: Mapping[Role, int | None]  # ms; None without a clock
    since: int  # in the future during the pause after a reveal
    running: Sequence[Role]
    first_turn: Mapping[Role, int]  # ms left for a first turn, taken before `left`
    begin: ShownBegin | None  # the pages for which an unstarted game waits
    holidays: Mapping[Role, Pause]  # the latest of each role, in which its clock is stopped


class ShownTakeback(Shown, frozen=True):
    """A requested takeback, with the number of the step that it would lead to."""

    by: Role
    rev: int
    at: int
    to: int | None


class ShownOffers(Shown, frozen=True):
    """The standing offers."""

    draw: Offer | None
    takeback: ShownTakeback | None


class ShownRegion(Shown, frozen=True):
    """Empty squares that are connected without an arrow between, and the role that owns them."""

    role: Role | None  # None: amazons of both can reach them, or none
    squares: str  # names, with a blank between


class ShownCount(Shown, frozen=True):
    """The count of own squares in a game that may end by it."""

    white: int  # squares that only this role can ever reach
    black: int
    parted: bool  # no square can be reached by both: the game may be counted
    quiet: int  # turns in a row without an arrow
    limit: int  # of these, at which the game is counted
    regions: Sequence[ShownRegion]  # once the sides are parted, or the game is over


class GameShared(Outgoing, frozen=True, tag="game"):
    """The part of a snapshot that is the same for all audiences."""

    game: str  # slug
    rev: int
    hash: str  # the head of the ledger
    key: str
    name: str
    step: int  # steps resolved and not taken back
    status: Literal["live", "over"]
    seats: Mapping[Role, ShownPerson]
    control: Sequence[Role]  # the roles in control
    sealed: Sequence[Role]  # the roles that have sealed and wait
    commitments: Mapping[Role, str]
    last: Sequence[ShownStep]  # the steps of the latest turn
    clock: ShownClock
    turns: int
    takebacks: int  # how many have been accepted
    actor: Role | None  # whose command made this rev; null: the server did
    offers: ShownOffers
    outcome: Ending | None
    absent: Sequence[Role]  # whose missing first turn aborted the game
    public: bool
    watch: bool  # whether spectators may look on while it runs
    count: ShownCount | None  # None: squares are not counted in this game
    claims: Mapping[Role, int] | None  # refused, that it is decided; None: there are no claims
    started: int
    ended: int | None
    view: View


class GameOwn(Shown, frozen=True):
    """The part of a snapshot that may differ between audiences."""

    now: int
    you: Role | None  # None: a spectator
    may: Sequence[SideAction]
    prompt: ShownPrompt | None  # options for the rest of the own turn
    your_seal: Sequence[str] | None  # the own sealed action
    lobby: str | None  # its code leads into the lobby, so not everybody gets it


# A whole snapshot as sent: the fields of both parts in one object.
GameSnapshot = msgspec.defstruct(
    "GameSnapshot",
    [
        (field.name, field.type)
        for part in (GameShared, GameOwn)
        for field in msgspec.structs.fields(part)
        if field.name != "topic"  # every outgoing message has it
    ],
    bases=(Outgoing,),
    tag="game",
    frozen=True,
    module=__name__,
    namespace={"__doc__": "All that one audience may see of a game at a rev."},
)


class GamePlan(Outgoing, frozen=True, tag="plan"):
    """The premove options of an audience at a rev."""

    rev: int
    plan: ShownPrompt | None


class Explained(Outgoing, frozen=True, tag="explained"):
    """Answers `explain`: why the last square cannot be chosen; `code` is null if it can."""

    id: str  # of the question
    code: str | None  # as in a refusal
    squares: Sequence[str]  # the squares concerned
    say: str  # a sentence for people; empty if the square can be chosen


class ShownClaim(Shown, frozen=True):
    """The role that may end the game because the other is absent."""

    by: Role
    start: int = msgspec.field(name="from")


class GamePeople(Outgoing, frozen=True, tag="people"):
    """The spectators and the presence of the players."""

    watchers: int
    watching: Sequence[str]  # names of spectators, at most 30; not of those who watch unseen
    here: Sequence[Role]
    away: Mapping[Role, int]  # since when a role is absent
    claim: ShownClaim | None
    ratings: Mapping[str, str] = {}  # in the game's pool, of those of `watching` who have one
