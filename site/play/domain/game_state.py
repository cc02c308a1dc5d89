"""The state of a game as a process holds it: one frozen value per rev.

`storage.load` makes it. The types are msgspec structs because an action copies this large value
several times: a dataclass takes 15 µs per copy, a struct 0.5 µs. They contain no reference cycles,
so they are exempt from garbage collection (`gc=False`).
"""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from games import notation
from games.core import NOBODY, NOOP, Action, Role, Rules
from games.effects import Effect
from games.ledger import commitment
from play.domain.clocks import Clock, Times


class Person(Struct, frozen=True, gc=False):
    """The holder of a seat, as everybody may see it."""

    user: int
    name: str
    guest: bool
    bot: bool
    level: int | None = None  # of a computer player


class Ending(Struct, frozen=True, gc=False):
    """The end of a game: goals per role, and the winner (None: a draw)."""

    winner: Role | None
    goals: Mapping[str, int]
    reason: str


class Proof(Struct, frozen=True, gc=False):
    """Proves that a sealed action was not chosen later; the salt is secret until the reveal."""

    salt: str
    commitment: str

    def __repr__(self) -> str:
        return f"Proof(commitment={self.commitment!r})"


class ResolvedStep(Struct, frozen=True, gc=False):
    """A resolved step as everybody may see it."""

    n: int
    turn: int  # turns completed before it
    role: Role | None  # the role that acted; None if both did
    text: Mapping[Role, str]  # human notation of each role that acted
    effects: tuple[Effect, ...]
    proofs: Mapping[Role, Proof]  # of sealed actions; else empty
    spent: Mapping[Role, int] = {}  # ms of each role that acted
    is_ahead: bool = False  # a conditional reply, played by the server


class ReplayedStep(Struct, frozen=True, gc=False):
    """A resolved step with the state after it, and when it resolved."""

    seen: ResolvedStep
    state: Any
    at: int  # ms


class Seal(Struct, frozen=True, gc=False):
    """A sealed action that waits for the other role."""

    action: Action
    spent: int  # ms
    proof: Proof | None = None  # only for simultaneous rules

    def __repr__(self) -> str:
        return f"Seal(spent={self.spent}, proof={self.proof!r})"


Offered = Literal["draw", "takeback"]
NO_SHOW = "no_show"  # reason of an end: a first turn was not made in time


class Offer(Struct, frozen=True, gc=False):
    """A standing offer."""

    by: Role
    rev: int  # the rev of the offer
    at: int  # ms, when it was made


def publishes_address(is_public: bool, is_rated: bool, has_bot: bool) -> bool:
    """Return whether the address of an unlisted game becomes public at its end.

    The file of ratings names each rated game, the ladder games against levels. Such an address
    leads to the game and its log alone: the chat, the names of spectators and the way to the lobby
    stay with the players.
    """
    return not is_public and (is_rated or has_bot)


class GameState(Struct, frozen=True, gc=False):
    """Everything that is known of a game at one rev.

    `visibility` decides what each audience sees of it.
    """

    id: int
    slug: str
    rules: Rules[Any]
    clock: Clock
    people: Mapping[Role, Person]
    public: bool
    watch: bool  # whether spectators may look on while it runs
    lobby: str
    started: int  # ms
    rev: int
    head: str  # the hash of the newest entry
    changed: int  # ms, when that rev was made
    ended: int | None  # ms
    takebacks: int  # how many have been accepted
    step: int  # steps resolved and not taken back
    state: Any
    control: frozenset[Role]  # the roles in control of that state
    times: Times
    sealed: Mapping[Role, Seal]
    offers: Mapping[Offered, Offer]
    ending: Ending | None
    quiet: int  # turns in a row in which nothing was placed
    placed: bool  # something was placed in the current turn
    last: tuple[ResolvedStep, ...]  # the steps of the latest turn
    begun: Mapping[Role, int]  # the step with which each role's latest turn began
    completed: frozenset[Role]  # the roles that have completed a turn
    is_rated: bool = False  # it is to count for ratings
    is_counted: bool = False  # it may end by a count of own squares (see `counts`)
    # Refused claims that the game is decided (see `claims`); None: it was opened without claims.
    claims: Mapping[Role, int] | None = None
    actor: Role | None = None  # whose command made this rev; None: the server did

    def role_of(self, user: int | None) -> Role | None:
        """Return the role whose seat a user holds; None without a seat."""
        for role, person in self.people.items():
            if person.user == user:
                return role
        return None

    @property
    def has_bot(self) -> bool:
        """Whether a computer player holds a seat."""
        return any(person.bot for person in self.people.values())

    @property
    def has_known_address(self) -> bool:
        """Whether an unlisted game's address becomes public at its end."""
        return publishes_address(self.public, self.is_rated, self.has_bot)

    @property
    def absent(self) -> frozenset[Role]:
        """The roles whose missing first turn aborted the game."""
        is_no_show = self.ending is not None and self.ending.reason == NO_SHOW
        return self.control - self.sealed.keys() if is_no_show else NOBODY

    @property
    def waiting(self) -> frozenset[Role]:
        """The roles that still have to seal this step."""
        if self.ending:
            return frozenset()
        return self.control - self.sealed.keys()


def make_seal(game: GameState, role: Role, action: Action, spent: int, salt: str) -> Seal:
    """Return an action sealed for the open step.

    In simultaneous games the seal has a commitment.
    """
    if not game.rules.is_simultaneous:
        return Seal(action, spent)
    made = commitment(game.slug, game.step, role, str(action), salt)
    return Seal(action, spent, Proof(salt, made))


def apply_joint(
    game: GameState,
    joint: Mapping[Role, Action],
    proofs: Mapping[Role, Proof] | None = None,
    spent: Mapping[Role, int] | None = None,
    is_ahead: bool = False,
) -> GameState:
    """Return the game after one more step, which is trusted to be legal; clocks and rev stay.

    `spent` is the ms of each role that acted; `is_ahead`: it is a conditional reply.
    """
    rules, before = game.rules, game.state
    after = rules.play(before, joint)
    turn = rules.turns(before)
    deciding = [role for role, action in joint.items() if action is not NOOP]
    effects = rules.effects(before, joint, None)
    seen = ResolvedStep(
        n=game.step,
        turn=turn,
        role=deciding[0] if len(deciding) == 1 else None,
        text={role: notation.write(rules, before, role, joint[role]) for role in deciding},
        effects=effects,
        proofs=proofs or {},
        spent=spent or {},
        is_ahead=is_ahead,
    )
    placed = game.placed or any(effect.kind == "place" for effect in effects)
    ended = rules.turns(after) > turn
    goes_on = game.last and game.last[-1].turn == turn and game.last[-1].role == seen.role
    return replace(
        game,
        step=game.step + 1,
        state=after,
        control=rules.control(after),
        sealed={},
        quiet=(0 if placed else game.quiet + 1) if ended else game.quiet,
        placed=False if ended else placed,
        last=(*game.last, seen) if goes_on else (seen,),
        begun=game.begun if goes_on else {**game.begun, **dict.fromkeys(deciding, game.step)},
        completed=game.completed.union(deciding) if ended else game.completed,
    )


def with_position(game: GameState, state: Any) -> GameState:
    """Return the game with another position; everything else stays."""
    return replace(game, state=state, control=game.rules.control(state))


def reset_to_start(game: GameState) -> GameState:
    """Return the game before its first step; clocks and rev stay."""
    return replace(
        with_position(game, game.rules.start()),
        step=0,
        sealed={},
        quiet=0,
        placed=False,
        last=(),
        begun={},
        completed=frozenset(),
    )
