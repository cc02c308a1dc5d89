"""What a command makes of a game: pure decisions, no database and no clock of their own.

Each judge takes a game and a command and returns the change, or raises `Refused`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from games.core import (
    OTHER,
    Action,
    BadAction,
    Code,
    IllegalAction,
    Role,
    assemble,
    missing,
)
from play import clocks
from play.commands import (
    Abort,
    Act,
    Claim,
    Command,
    Credit,
    Draw,
    Flag,
    Idle,
    Resign,
    Takeback,
)
from play.live import Ending, Live, Offer, Offered, Seal, played
from play.refusals import Reason, Refused

QUIET_LIMIT = 50  # goes in a row without an arrow after which either side may claim a draw
IDLE = 7 * clocks.DAY  # ms without a change after which a game without a clock ends
MOST_ASKED = 3  # offers of one kind that a role may make before somebody plays on
GO_LIMIT = 400  # goes after which a game of `amazons` is a draw


@dataclass(frozen=True, slots=True)
class Resolved:
    """A turn for the record: canonical actions and ms spent of the roles that decided."""

    number: int
    joint: Mapping[Role, str]
    spent: Mapping[Role, int]


@dataclass(frozen=True, slots=True)
class Change:
    """A game before and after a command, and what the database has to keep of it."""

    before: Live
    after: Live
    kind: str
    role: Role | None
    action_id: str | None
    received_at: int
    body: Mapping[str, object] = field(default_factory=dict)  # never an action
    turns: tuple[Resolved, ...] = ()
    undone: int | None = None  # turns from this number on are taken back


def act(live: Live, command: Act) -> Change:
    """Seals the actions of a role one after the other, resolving each turn that is complete."""
    role = _seated(live, command)
    if command.turn != live.turn or command.takebacks not in (None, live.takebacks):
        raise Refused(Reason.STALE_TURN)
    if role in live.sealed:
        raise Refused(Reason.ALREADY_SEALED)
    if role not in live.rules.control(live.state):
        raise Refused(Reason.NOT_IN_CONTROL)
    at = command.received_at
    limit = clocks.deadline(live.clock, live.times)
    if limit is not None and live.times.since + live.times.left[role] < at:
        raise Refused(Reason.TOO_LATE)

    after, turns = live, []
    for index, text in enumerate(command.actions):
        if index and after.rules.goes(after.state) > live.rules.goes(live.state):
            raise Refused(Reason.NOT_IN_CONTROL, index=index)
        after, turn = _sealed(after, role, text, at, index)
        if turn:
            turns.append(turn)
        elif index + 1 < len(command.actions):
            raise Refused(Reason.NOT_IN_CONTROL, index=index + 1)

    offers = {what: offer for what, offer in live.offers.items() if _outlives(what, offer, role)}
    after = replace(after, offers=offers, ending=after.ending or _natural_ending(after))
    body = {"turn": live.turn, "actions": len(command.actions)}
    return _change(live, after, command, command.kind, role, body, tuple(turns))


def resign(live: Live, command: Resign) -> Change:
    """The other role wins, whatever the position."""
    role = _seated(live, command)
    after = replace(live, ending=_decided(live, OTHER[role], "resigned"))
    return _change(live, after, command, command.kind, role)


def draw(live: Live, command: Draw) -> Change:
    """An offer stands until it is answered, taken back, or a role acts."""
    role = _seated(live, command)
    if command.do == "offer":
        return _offered(live, command, "draw", role)
    _need_offer(live, command, "draw", role)
    after = replace(live, offers=without(live.offers, "draw"))
    if command.do == "accept":
        after = replace(after, ending=_decided(live, None, "agreed"))
    return _change(live, after, command, command.kind, role)


def takeback(live: Live, command: Takeback) -> Change:
    """Whoever asks gets his latest go back when the other agrees, and all that came after it."""
    role = _seated(live, command)
    if command.do == "offer":
        if "takeback" not in live.offers and back_to(live, role) is None:
            raise Refused(Reason.NO_TAKEBACK)
        return _offered(live, command, "takeback", role)
    offer = _need_offer(live, command, "takeback", role)
    if command.do == "accept":
        return _taken_back(live, command, role, offer)
    after = replace(live, offers=without(live.offers, "takeback"))
    return _change(live, after, command, command.kind, role)


def abort(live: Live, command: Abort) -> Change:
    """Breaks the game off, for nobody's gain or loss."""
    role = _seated(live, command)
    if not may_abort(live):
        raise Refused(Reason.TOO_LATE_TO_ABORT)
    after = replace(live, ending=_void(live, "aborted"))
    return _change(live, after, command, command.kind, role)


def claim(live: Live, command: Claim) -> Change:
    """Either side may end a game in which arrows are left out for too long; and whoever waits for
    a role that is gone may win or call it a draw."""
    role = _seated(live, command)
    if command.way == "quiet":
        if not may_claim(live):
            raise Refused(Reason.NO_CLAIM)
        ending = _decided(live, None, "no_arrows")
    else:
        _need_time(live, command.received_at)
        since = command.gone_since
        start = None if since is None else claimable_from(live, role, since)
        if start is None or command.received_at < start:
            raise Refused(Reason.NOT_GONE)
        ending = _decided(live, role if command.way == "victory" else None, "abandoned")
    return _change(live, replace(live, ending=ending), command, command.kind, role)


def flag(live: Live, command: Flag) -> Change:
    """The role that passed its time first loses; both in the same millisecond: a draw."""
    if live.ending:
        raise Refused(Reason.OVER)
    fallen = clocks.flagged(live.clock, live.times, command.received_at)
    if not fallen:
        raise Refused(Reason.NO_CLAIM, say="Nobody's time is up.")
    if len(fallen) == 2:
        ending = _decided(live, None, "both_flagged")
    else:
        (loser,) = fallen
        ending = _decided(live, OTHER[loser], "time")
    return _change(live, replace(live, ending=ending), command, "flag", None)


def idle(live: Live, command: Idle) -> Change:
    """A game without a clock ends by itself when nothing has happened in it for a week."""
    if live.ending:
        raise Refused(Reason.OVER)
    if live.clock.kind != "none" or command.received_at - live.changed < IDLE:
        raise Refused(Reason.NO_CLAIM, say="This game is not idle.")
    return _change(live, replace(live, ending=_void(live, "idle")), command, "idle", None)


def credit(live: Live, command: Credit) -> Change:
    """Gives back the time that ran while no server was there.

    One was there when this game last changed; so what was given back already is not given again.
    """
    down_since = max(command.down_since, live.changed)
    times = clocks.credited(live.times, down_since, command.received_at)
    gift = times.since - live.times.since
    if live.ending or live.clock.kind == "none" or gift <= 0:
        raise Refused(Reason.OVER, say="No clock of this game ran.")
    return _change(live, replace(live, times=times), command, "credit", None, {"ms": gift})


JUDGES: Mapping[type, Callable[[Live, Any], Change]] = {
    Act: act,
    Resign: resign,
    Draw: draw,
    Takeback: takeback,
    Abort: abort,
    Claim: claim,
    Flag: flag,
    Idle: idle,
    Credit: credit,
}


def judge(live: Live, command: Any) -> Change:
    """The change that a command makes; raises `Refused`."""
    return JUDGES[type(command)](live, command)


def may_claim(live: Live) -> bool:
    """Whether the rule of 50 goes without an arrow can be claimed now."""
    return live.ending is None and live.rules.key == "amazons" and live.quiet >= QUIET_LIMIT


def may_abort(live: Live) -> bool:
    """Whether the game can still be broken off: not both roles have completed a go."""
    return live.ending is None and live.completed != frozenset(live.rules.roles)


def back_to(live: Live, role: Role) -> int | None:
    """The number of the turn to which a role's takeback leads; None if there is nothing of it to
    take back. What was revealed cannot be unseen, so secret rounds stay."""
    if live.ending or live.rules.kind == "split":
        return None
    return live.begun.get(role)


def claimable_from(live: Live, role: Role, gone_since: int) -> int | None:
    """When a role may end the game because the other, who is to decide, has been gone since
    `gone_since` (epoch ms); None if it may not, however long that lasts. Who was away while it was
    not up to them has taken nobody's time: patience begins with their go at the earliest. Computer
    players are never gone, and never impatient."""
    other = OTHER[role]
    patience = clocks.patience(live.clock)
    if patience is None or other not in live.waiting:
        return None
    if live.people[other].bot or live.people[role].bot:
        return None
    return max(gone_since, live.times.since) + patience


def _outlives(what: Offered, offer: Offer, role: Role) -> bool:
    """Whether an offer stands after an action of `role`: one offers a draw and plays on, but what
    a takeback would undo has changed."""
    return what == "draw" and offer.by == role


def without(offers: Mapping[Offered, Offer], what: Offered) -> Mapping[Offered, Offer]:
    """The offers that still stand when one has been answered or withdrawn."""
    return {other: offer for other, offer in offers.items() if other != what}


def _seated(live: Live, command: Command) -> Role:
    role = live.role_of(command.user)
    if role is None:
        raise Refused(Reason.NOT_SEATED)
    if live.ending:
        raise Refused(Reason.OVER)
    return role


def _offered(live: Live, command: Draw | Takeback, what: Offered, role: Role) -> Change:
    if what in live.offers:
        raise Refused(Reason.OFFER_STANDS)
    if command.asked >= MOST_ASKED:
        raise Refused(Reason.SLOW_DOWN)
    offer = Offer(role, live.rev + 1, command.received_at)
    after = replace(live, offers={**live.offers, what: offer})
    return _change(live, after, command, command.kind, role)


def _need_offer(live: Live, command: Draw | Takeback, what: Offered, role: Role) -> Offer:
    """The offer that is answered by the other role, or withdrawn by its own."""
    offer = live.offers.get(what)
    if offer is None or (offer.by == role) != (command.do == "withdraw"):
        raise Refused(Reason.NO_OFFER)
    if command.rev not in (None, offer.rev):
        raise Refused(Reason.NO_OFFER)  # that was meant for an earlier one
    return offer


def _need_time(live: Live, at: int) -> None:
    """Raises `Refused` if a flag is about to fall."""
    limit = clocks.deadline(live.clock, live.times)
    if limit is not None and limit < at:
        raise Refused(Reason.TOO_LATE)


def _taken_back(live: Live, command: Takeback, role: Role, offer: Offer) -> Change:
    _need_time(live, command.received_at)
    past, number = command.past, back_to(live, offer.by)
    if past is None or number is None or past.turn != number:
        raise ValueError("a takeback is judged with the game as it was")
    running = past.rules.control(past.state)
    times = clocks.rewound(live.clock, live.times, running, command.received_at)
    after = replace(past, times=times, takebacks=live.takebacks + 1, offers={})
    change = _change(live, after, command, command.kind, role, {"to": number})
    return replace(change, undone=number)


def _sealed(live: Live, role: Role, text: str, at: int, index: int) -> tuple[Live, Resolved | None]:
    """The game with one more action sealed, and the turn if that completed it."""
    rules, state = live.rules, live.state
    action = _legal(live, role, text, index)
    spent = max(0, at - live.times.since)
    seals = {**live.sealed, role: Seal(action, spent)}
    actions: dict[Role, Action] = {role: seal.action for role, seal in seals.items()}
    if missing(rules, state, actions):
        return replace(live, sealed=seals, times=clocks.stopped(live.times, role, at)), None
    goes = rules.goes(state)
    after = played(live, assemble(rules, state, actions))
    ended = actions if rules.goes(after.state) > goes else ()
    times = clocks.resumed(live.clock, live.times, rules.control(after.state), ended, at)
    resolved = Resolved(
        live.turn,
        {role: str(action) for role, action in actions.items()},
        {role: seal.spent for role, seal in seals.items()},
    )
    return replace(after, times=times), resolved


def _legal(live: Live, role: Role, text: str, index: int) -> Action:
    try:
        action = live.rules.parse(text)
        live.rules.check(live.state, role, action)
    except BadAction as error:
        raise Refused(Reason.BAD_ACTION, say=str(error), index=index) from None
    except IllegalAction as error:
        reason = Reason.NOT_IN_CONTROL if error.code == Code.NOT_IN_CONTROL else Reason.ILLEGAL
        raise Refused(
            reason, say=str(error), code=error.code, squares=error.squares, index=index
        ) from None
    return action


def _natural_ending(live: Live) -> Ending | None:
    """The end by the rules, or by the site's bound on a game whose arrows are left out."""
    outcome = live.rules.outcome(live.state)
    if outcome is None:
        if live.rules.key == "amazons" and live.rules.goes(live.state) >= GO_LIMIT:
            return _decided(live, None, "too_long")
        return None
    white, black = outcome.goals["white"], outcome.goals["black"]
    return Ending(outcome.winner, {"white": white, "black": black}, outcome.reason)


def _decided(live: Live, winner: Role | None, reason: str) -> Ending:
    """An end that the rules know nothing of; points that were reached stay shown."""
    if live.rules.kind == "split":
        goals = live.rules.view(live.state, None)["totals"]
    elif winner is None:
        goals = {"white": 50, "black": 50}
    else:
        goals = {winner: 100, OTHER[winner]: 0}
    return Ending(winner, goals, reason)


def _void(live: Live, reason: str) -> Ending:
    """An end that counts for nobody."""
    drawn = _decided(live, None, reason)
    return drawn if live.rules.kind == "split" else replace(drawn, goals={"white": 0, "black": 0})


def _stilled(live: Live, at: int) -> Live:
    """After the end no clock runs and nothing is offered; what is sealed stays so for ever."""
    return replace(live, times=clocks.halted(live.times, at), offers={}, ended=at)


def _change(
    before: Live,
    after: Live,
    command: Any,
    kind: str,
    role: Role | None,
    body: Mapping[str, object] | None = None,
    turns: tuple[Resolved, ...] = (),
) -> Change:
    if after.ending:
        after = _stilled(after, command.received_at)
    return Change(
        before=before,
        after=replace(after, rev=before.rev + 1, changed=command.received_at),
        kind=kind,
        role=role,
        action_id=getattr(command, "id", None),
        received_at=command.received_at,
        body=body or {},
        turns=turns,
    )
