"""A game as a process holds it: one frozen value, read from the database and proved by its rev."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import msgspec

from games import notation
from games.catalogue import rules_of
from games.core import NOOP, Action, Role, Rules, assemble
from games.effects import Effect
from games.ledger import commitment
from play.clocks import Clock, Times
from play.models import Game, Sealed, Seat, Turn


@dataclass(frozen=True, slots=True)
class Person:
    """Who holds a seat, as everybody may see him."""

    user: int
    name: str
    guest: bool
    bot: bool
    level: int | None = None  # of a computer player


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended: goals per role, and the role that won (None: a draw)."""

    winner: Role | None
    goals: Mapping[str, int]
    reason: str


@dataclass(frozen=True, slots=True)
class Proof:
    """What proves that a sealed action was not chosen later; the salt is secret until then."""

    salt: str = field(repr=False)
    commitment: str


@dataclass(frozen=True, slots=True)
class Seen:
    """A resolved turn as everybody may see it."""

    n: int
    go: int  # goes completed before it
    role: Role | None  # who decided; None when both did
    text: Mapping[Role, str]  # human notation of each role that decided
    effects: tuple[Effect, ...]
    proofs: Mapping[Role, Proof]  # of what was sealed in secret; else empty


@dataclass(frozen=True, slots=True)
class Done:
    """A resolved turn with the state after it, when it resolved, and the time it took."""

    seen: Seen
    state: Any
    at: int  # ms
    spent: Mapping[Role, int]  # ms of each role that decided


@dataclass(frozen=True, slots=True)
class Seal:
    """An action that waits for the other role's."""

    action: Action = field(repr=False)
    spent: int  # ms
    proof: Proof | None = None  # where the other role must not know it


Offered = Literal["draw", "takeback"]


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer that stands."""

    by: Role
    rev: int  # that it made
    at: int  # ms, when it was made


@dataclass(frozen=True, slots=True)
class Live:
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
        return next((role for role, person in self.people.items() if person.user == user), None)

    @property
    def has_bot(self) -> bool:
        """Whether a computer player holds a seat."""
        return any(person.bot for person in self.people.values())

    @property
    def waiting(self) -> frozenset[Role]:
        """The roles that still have to seal this turn."""
        if self.ending:
            return frozenset()
        return self.rules.control(self.state) - self.sealed.keys()


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
        sealed={},
        quiet=(0 if placed else live.quiet + 1) if ended else live.quiet,
        placed=False if ended else placed,
        last=(*live.last, seen) if goes_on else (seen,),
        begun=live.begun if goes_on else {**live.begun, **dict.fromkeys(deciding, live.turn)},
        completed=live.completed.union(deciding) if ended else live.completed,
    )


def unplayed(live: Live) -> Live:
    """The game before its first turn; clocks and rev stay."""
    return replace(
        live,
        turn=0,
        state=live.rules.start(),
        sealed={},
        quiet=0,
        placed=False,
        last=(),
        begun={},
        completed=frozenset(),
    )


def caught_up(live: Live, row: Game, turns: Iterable[Turn], seals: Iterable[Sealed]) -> Live:
    """The game as its row says, with the turns that this value lacked played in order."""
    for turn in turns:
        live = _replayed(live, turn)
    waiting = {seal.role: _seal(live, seal) for seal in seals}
    return replace(
        live,
        rev=row.rev,
        head=row.head,
        changed=row.changed,
        ended=row.ended,
        takebacks=row.takebacks,
        times=msgspec.json.decode(row.times, type=Times),
        sealed=waiting,  # type: ignore[arg-type]
        offers=msgspec.json.decode(row.offers, type=dict[Offered, Offer]),
        ending=_ending(row),
    )


def fetch(slug: str) -> Live | None:
    """Reads a game by its slug and replays its record; None if there is no such game."""
    row = Game.objects.filter(slug=slug).first()
    if row is None:
        return None
    rules = rules_of(row.rules)
    new = Live(
        id=row.pk,
        slug=row.slug,
        rules=rules,
        clock=row.clock,
        people=_people(row),
        public=row.is_public,
        watch=row.watch,
        lobby=row.lobby,
        started=row.created,
        rev=-1,
        head="",
        changed=row.created,
        ended=None,
        takebacks=0,
        turn=0,
        state=rules.start(),
        times=Times({}, 0, frozenset()),
        sealed={},
        offers={},
        ending=None,
        quiet=0,
        placed=False,
        last=(),
        begun={},
        completed=frozenset(),
    )
    return _read(new, row)


def refresh(live: Live) -> Live | None:
    """The same game at the rev that the database has now; the same object if that is its own, and
    None if the game has been erased."""
    row = Game.objects.filter(pk=live.id).first()
    if row is None:
        return None
    if row.rev == live.rev:
        return live
    return _read(replace(live, people=_people(row)), row)


def record(live: Live) -> tuple[Seen, ...]:
    """All turns of a game up to this value's, for the move list; replayed from the start."""
    return tuple(done.seen for done in replayed(live))


def replayed(live: Live) -> list[Done]:
    """All turns of a game up to this value's, each with the state after it."""
    now, done = unplayed(live), []
    for turn in turns_of(live.id, live.rev, 0, live.turn):
        now = _replayed(now, turn)
        spent = msgspec.json.decode(turn.spent, type=dict[Role, int])
        done.append(Done(now.last[-1], now.state, turn.at, spent))
    return done


def rewound(live: Live, number: int) -> Live:
    """The game as it was before turn `number`, replayed from the start; clocks and rev stay."""
    now = unplayed(live)
    for turn in turns_of(live.id, live.rev, 0, number):
        now = _replayed(now, turn)
    return now


def turns_of(game: int, rev: int, first: int, end: int) -> list[Turn]:
    """The turns from number `first` to before `end` that stood at a rev, in order.

    What has been taken back or played anew since then does not matter.
    """
    rows = Turn.objects.filter(game=game, number__gte=first, number__lt=end)
    stood: dict[int, Turn] = {}
    for turn in rows.exclude(undone__lte=rev).order_by("number", "id"):
        stood.setdefault(turn.number, turn)
    return list(stood.values())


def _people(row: Game) -> Mapping[Role, Person]:
    """Who holds the seats, under the names that they have now."""
    seats = Seat.objects.filter(game=row).select_related("user")
    return {
        seat.role: Person(  # type: ignore[misc]
            seat.user_id,
            seat.user.username,
            seat.user.is_guest,
            seat.user.is_bot,
            seat.user.level,
        )
        for seat in seats
    }


def _read(live: Live, row: Game) -> Live:
    """Turns are read up to the row's number only: what was committed since has a rev of its own.

    Seals come and go with every commit, so where there may be some, all is read again until no
    other process has committed in between: a rev is never shown in two ways.
    """
    if live.takebacks != row.takebacks:
        live = unplayed(live)
    turns = turns_of(row.pk, row.rev, live.turn, row.turn)
    seals = list(Sealed.objects.filter(game=row, number=row.turn))
    if live.rules.kind == "split" and row.ended is None:
        fresh = Game.objects.get(pk=row.pk)
        if fresh.rev != row.rev:
            return _read(live, fresh)
    return caught_up(live, row, turns, seals)


def _replayed(live: Live, turn: Turn) -> Live:
    """The game after one more recorded turn."""
    proofs = msgspec.json.decode(turn.seals, type=dict[Role, Proof])
    return played(live, _joint(live.rules, live.state, turn.joint), proofs)


def _seal(live: Live, row: Sealed) -> Seal:
    role: Role = row.role  # type: ignore[assignment]
    return sealed(live, role, live.rules.parse(row.action), row.spent, row.salt)


def _joint(rules: Rules[Any], state: Any, text: str) -> Mapping[Role, Action]:
    acts = msgspec.json.decode(text, type=dict[str, str])
    return assemble(rules, state, {role: rules.parse(act) for role, act in acts.items()})  # type: ignore[misc]


def _ending(row: Game) -> Ending | None:
    if row.ended is None:
        return None
    goals = msgspec.json.decode(row.goals, type=dict[str, int])
    return Ending(row.winner or None, goals, row.reason)  # type: ignore[arg-type]
