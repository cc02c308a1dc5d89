"""A game as a process holds it: one frozen value, proved by its rev. `reading` makes it.

These are msgspec's structs, since a game has many fields and an action makes it anew several times:
a dataclass of its size takes 15 microseconds for that, a struct half a one. Nothing in them leads
back to themselves, so they are left out of the searches for garbage.
"""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from games import notation
from games.core import NOOP, Action, Role, Rules
from games.effects import Effect
from games.ledger import commitment
from play.clocks import Clock, Times


class Person(Struct, frozen=True, gc=False):
    """Who holds a seat, as everybody may see him."""

    user: int
    name: str
    guest: bool
    bot: bool
    level: int | None = None  # of a computer player


class Ending(Struct, frozen=True, gc=False):
    """How a game ended: goals per role, and the role that won (None: a draw)."""

    winner: Role | None
    goals: Mapping[str, int]
    reason: str


class Proof(Struct, frozen=True, gc=False):
    """What proves that a sealed action was not chosen later; the salt is secret until then."""

    salt: str
    commitment: str

    def __repr__(self) -> str:
        return f"Proof(commitment={self.commitment!r})"


class Seen(Struct, frozen=True, gc=False):
    """A resolved turn as everybody may see it."""

    n: int
    go: int  # goes completed before it
    role: Role | None  # who decided; None when both did
    text: Mapping[Role, str]  # human notation of each role that decided
    effects: tuple[Effect, ...]
    proofs: Mapping[Role, Proof]  # of what was sealed in secret; else empty


class Done(Struct, frozen=True, gc=False):
    """A resolved turn with the state after it, when it resolved, and the time it took."""

    seen: Seen
    state: Any
    at: int  # ms
    spent: Mapping[Role, int]  # ms of each role that decided


class Seal(Struct, frozen=True, gc=False):
    """An action that waits for the other role's."""

    action: Action
    spent: int  # ms
    proof: Proof | None = None  # where the other role must not know it

    def __repr__(self) -> str:
        return f"Seal(spent={self.spent}, proof={self.proof!r})"


Offered = Literal["draw", "takeback"]


class Offer(Struct, frozen=True, gc=False):
    """An offer that stands."""

    by: Role
    rev: int  # that it made
    at: int  # ms, when it was made


class Live(Struct, frozen=True, gc=False):
    """Everything that is known of a game at one rev. `sight` decides who sees what of it."""

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
    turn: int  # turns resolved and not taken back
    state: Any
    control: frozenset[Role]  # the roles that have something to decide in that state
    times: Times
    sealed: Mapping[Role, Seal]
    offers: Mapping[Offered, Offer]
    ending: Ending | None
    quiet: int  # goes in a row in which nothing was placed
    placed: bool  # something was placed in the go that is under way
    last: tuple[Seen, ...]  # the turns of the latest go
    begun: Mapping[Role, int]  # the turn with which each role's latest go began
    completed: frozenset[Role]  # the roles that have completed a go

    def role_of(self, user: int | None) -> Role | None:
        """The role whose seat a user holds."""
        for role, person in self.people.items():
            if person.user == user:
                return role
        return None

    @property
    def has_bot(self) -> bool:
        """Whether a computer player holds a seat."""
        return any(person.bot for person in self.people.values())

    @property
    def waiting(self) -> frozenset[Role]:
        """The roles that still have to seal this turn."""
        if self.ending:
            return frozenset()
        return self.control - self.sealed.keys()


def sealed(live: Live, role: Role, action: Action, spent: int, salt: str) -> Seal:
    """An action sealed for the turn that is open; committed to, where roles decide in secret."""
    if live.rules.kind != "split":
        return Seal(action, spent)
    made = commitment(live.slug, live.turn, role, str(action), salt)
    return Seal(action, spent, Proof(salt, made))


def played(
    live: Live, joint: Mapping[Role, Action], proofs: Mapping[Role, Proof] | None = None
) -> Live:
    """The game after one more turn, which is trusted to be legal; clocks and rev stay."""
    rules, before = live.rules, live.state
    after = rules.play(before, joint)
    go = rules.goes(before)
    deciding = [role for role, action in joint.items() if action is not NOOP]
    effects = rules.effects(before, joint, None)
    seen = Seen(
        n=live.turn,
        go=go,
        role=deciding[0] if len(deciding) == 1 else None,
        text={role: notation.write(rules, before, role, joint[role]) for role in deciding},
        effects=effects,
        proofs=proofs or {},
    )
    placed = live.placed or any(effect.kind == "place" for effect in effects)
    ended = rules.goes(after) > go
    goes_on = live.last and live.last[-1].go == go and live.last[-1].role == seen.role
    return replace(
        live,
        turn=live.turn + 1,
        state=after,
        control=rules.control(after),
        sealed={},
        quiet=(0 if placed else live.quiet + 1) if ended else live.quiet,
        placed=False if ended else placed,
        last=(*live.last, seen) if goes_on else (seen,),
        begun=live.begun if goes_on else {**live.begun, **dict.fromkeys(deciding, live.turn)},
        completed=live.completed.union(deciding) if ended else live.completed,
    )


def standing(live: Live, state: Any) -> Live:
    """The game with another position; all else stays."""
    return replace(live, state=state, control=live.rules.control(state))


def unplayed(live: Live) -> Live:
    """The game before its first turn; clocks and rev stay."""
    return replace(
        standing(live, live.rules.start()),
        turn=0,
        sealed={},
        quiet=0,
        placed=False,
        last=(),
        begun={},
        completed=frozenset(),
    )
