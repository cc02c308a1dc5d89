"""Build what each audience may see of a game: the allow-list of all snapshots. Pure.

A field that is not named here is shown to nobody. Nothing here reads a database, a socket or a
clock; the time of a snapshot is an argument. The explanation why a square cannot be chosen comes
from the rules and from what is published: in games with sealed actions there is none.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import UNSET

from accounts.refusals import Refused
from games.core import ALONE, BOTH, NOBODY, ROLES, BadAction, Role, Rules
from games.counting import MAX_QUIET_TURNS
from games.decided import ProvenFacts, as_json, proven_facts_of
from games.explain import explain
from games.grid import names
from games.prompts import Prompt
from play.domain import endings, offers
from play.domain.clocks import Clock, Times
from play.domain.game_refusals import Reason
from play.domain.game_state import GameState, Person, ReplayedStep, ResolvedStep
from play.domain.snapshot import (
    Explained,
    GameOwn,
    GamePlan,
    GameShared,
    PastStep,
    ShownBegin,
    ShownClock,
    ShownCount,
    ShownOffers,
    ShownPerson,
    ShownRegion,
    ShownStep,
    ShownTakeback,
    SideAction,
)
from play.domain.wire_types import Frame, encode_head, join_frame

T = TypeVar("T")
IN_ORDER: Mapping[frozenset[Role], list[Role]] = {
    NOBODY: [],
    **{alone: [role] for role, alone in ALONE.items()},
    BOTH: list(ROLES),
}


def cache_latest(draw: Callable[[GameState], T]) -> Callable[[GameState], T]:
    """Decorate a function of a game so that it runs once for audiences served in a row."""
    latest: tuple[GameState, T] | None = None

    def draw_once(game: GameState) -> T:
        nonlocal latest
        kept = latest
        if kept is None or kept[0] is not game:
            latest = kept = game, draw(game)
        return kept[1]

    return draw_once


def snapshot(game: GameState, audience: str, at: int) -> dict[str, Any]:
    """Return the state for `white`, `black` or `spectator` at `at` (epoch ms), as plain JSON types.

    `GameSnapshot` describes the fields.
    """
    shared, seen = common_part(game), audience_part(game, audience, at)
    return {**msgspec.to_builtins(shared), **msgspec.to_builtins(seen)}


def frame(game: GameState, audience: str, at: int, topic: str = "") -> Frame:
    """Return the frame of a snapshot; the part shared by all audiences is encoded once.

    With a head from `topic_head`, it is on that topic.
    """
    return join_frame(_common_head(game), audience_part(game, audience, at), topic)


@cache_latest
def _common_head(game: GameState) -> str:
    return encode_head(common_part(game))


def audience_part(game: GameState, audience: str, at: int) -> GameOwn:
    """Return the part of a snapshot that may differ between audiences, at `at` (epoch ms)."""
    role = role_of(audience)
    seal = game.sealed.get(role) if role and not game.ending else None
    return GameOwn(
        now=at,
        you=role,
        may=_side_actions(game, role),
        prompt=game.rules.prompt(game.state, role) if role in game.waiting else None,
        your_seal=[str(seal.action)] if seal else None,
        lobby=None if role is None and game.has_known_address else game.lobby or None,
    )


def common_part(game: GameState) -> GameShared:
    """Return the part of a snapshot that is the same for all audiences."""
    sealed = {} if game.ending else game.sealed
    return GameShared(
        game=game.slug,
        rev=game.rev,
        hash=game.head,
        key=game.rules.key,
        name=game.rules.name,
        step=game.step,
        status="over" if game.ending else "live",
        seats={r: _show_person(game.people[r]) for r in ROLES},
        control=_in_role_order(() if game.ending else game.control),
        sealed=_in_role_order(sealed),
        commitments={r: seal.proof.commitment for r, seal in sealed.items() if seal.proof},
        last=[step_json(seen) for seen in game.last],
        clock=_show_clock(game),
        turns=game.rules.turns(game.state),
        takebacks=game.takebacks,
        actor=game.actor,
        offers=ShownOffers(game.offers.get("draw"), _show_takeback(game)),
        outcome=game.ending,
        absent=_in_role_order(game.absent),
        public=game.public,
        watch=game.watch,
        count=_show_count(game),
        claims=game.claims,
        started=game.started,
        ended=game.ended,
        # As spectators may see it: a state has no secrets, so that players know no more of it.
        view=game.rules.view(game.state, None),
    )


def role_of(audience: str) -> Role | None:
    """Return the role of an audience; None for spectators."""
    return audience if audience in ROLES else None


def premove_message(game: GameState, audience: str) -> GamePlan:
    """Return the premove options of an audience at the rev of this state."""
    return GamePlan(game.rev, _premove_prompt(game, role_of(audience)))


def step_json(seen: ResolvedStep) -> ShownStep:
    """Return a resolved step, which everybody may see."""
    proofs = seen.proofs or UNSET
    ahead = seen.is_ahead or UNSET
    return ShownStep(
        seen.n, seen.turn, seen.role, seen.text, seen.effects, seen.spent, proofs, ahead
    )


def steps_json(done: Sequence[ReplayedStep], game: GameState, start: int) -> list[PastStep]:
    """Return the resolved steps from number `start` on, each with the position after it."""
    return [
        PastStep(
            each.seen.n,
            each.seen.turn,
            each.seen.role,
            each.seen.text,
            each.seen.effects,
            each.seen.spent,
            each.seen.proofs or UNSET,
            each.seen.is_ahead or UNSET,
            view=game.rules.view(each.state, None),
            at=each.at,
        )
        for each in done[start:]
    ]


def start_view(game: GameState) -> object:
    """Return the position before the first step."""
    return game.rules.view(game.rules.start(), None)


def may_watch(game: GameState, user: int | None) -> bool:
    """Return whether a user may see a game; one without spectators is hidden until its end."""
    return game.watch or game.ending is not None or game.role_of(user) is not None


def may_see_proven_facts(game: GameState, user: int | None) -> bool:
    """Return whether a user may see a position's proven facts.

    Everybody may after the end, and those who do not play may during a casual game. A player of a
    rated game could read them in a private window, as a stranger.
    """
    is_open = game.ending is not None or not (game.is_rated or game.role_of(user))
    return is_open and may_watch(game, user)


def proven_facts_json(rules: Rules[Any], state: Any, *, is_counted: bool) -> dict[str, Any]:
    """Return a position's proven facts (regions, sure turns, winner) as plain JSON types."""
    facts = proven_facts_of(rules, state, is_counted=is_counted)
    witness = facts.witness
    return {
        "regions": [
            {"role": each.role, "squares": names(each.squares), "sure": each.sure}
            for each in facts.regions
        ],
        "sure": dict(zip(ROLES, facts.sure, strict=True)),
        "most": dict(zip(ROLES, facts.most, strict=True)),
        "decided": witness
        and {
            **as_json(witness),
            "winner": facts.winner,
            "own": _regions_within(facts, witness.own),
            "open": _regions_within(facts, witness.open),
        },
    }


def _regions_within(facts: ProvenFacts, squares: str) -> list[str]:
    """Return the empty squares of each region in a set of squares, to be lit on the board."""
    inside = set(squares.split())
    regions = (names(each.squares) for each in facts.regions)
    return [region for region in regions if inside.issuperset(region.split())]


def summary(game: GameState) -> dict[str, object]:
    """Return a game as it stands in lists."""
    return {
        "slug": game.slug,
        "key": game.rules.key,
        "name": game.rules.name,
        "clock": _label_clock(game.clock, game.rules.is_simultaneous),
        "white": game.people["white"].name,
        "black": game.people["black"].name,
        "view": game.rules.view(game.state, None),
        "last": [step_json(seen) for seen in game.last],
    }


@lru_cache(maxsize=2_000)
def _show_person(person: Person) -> ShownPerson:
    return ShownPerson(
        name=person.name,
        guest=person.guest,
        bot=person.bot,
        level=person.level,
        url=None if person.guest else f"/u/{quote(person.name)}/",
    )


def _premove_prompt(game: GameState, role: Role | None) -> Prompt | None:
    """Return the premove options of a role that is not to act; None if it has none."""
    if role is None or game.ending or role in game.waiting:
        return None
    return game.rules.plan(game.state, role)


@lru_cache(maxsize=200)
def _label_clock(clock: Clock, by_rounds: bool) -> str:
    return clock.label("round" if by_rounds else "turn")


def _show_clock(game: GameState) -> ShownClock:
    timed = game.clock.kind != "none"
    return ShownClock(
        kind=game.clock.kind,
        label=_label_clock(game.clock, game.rules.is_simultaneous),
        initial=game.clock.initial,
        increment=game.clock.increment,
        left={role: game.times.left[role] if timed else None for role in ROLES},
        since=game.times.since,
        running=_in_role_order(game.times.running if timed else ()),
        first_turn=game.times.first_turn,
        begin=_show_begin(game.times),
        holidays=game.times.holidays,
    )


def _show_begin(times: Times) -> ShownBegin | None:
    by = times.begin_by
    return None if by is None else ShownBegin(by, _in_role_order(times.shown))


def _side_actions(game: GameState, role: Role | None) -> list[SideAction]:
    if role is None or game.ending:
        return []
    may: dict[SideAction, bool] = {
        "resign": True,
        "draw": "draw" not in game.offers,
        "takeback": "takeback" not in game.offers and offers.back_to(game, role) is not None,
        "abort": endings.may_abort(game),
        "claim": endings.may_claim(game),
        "count": endings.may_count(game),
        "claim_decided": endings.is_worth_claiming(game, role),
    }
    return [word for word, holds in may.items() if holds]


def _show_count(game: GameState) -> ShownCount | None:
    """Return the count of own squares; the regions only where they prove it."""
    counted = endings.count_of(game)
    if counted is None:
        return None
    shown = counted.regions if counted.is_parted or game.ending else ()
    return ShownCount(
        white=counted.white,
        black=counted.black,
        parted=counted.is_parted,
        quiet=game.quiet,
        limit=MAX_QUIET_TURNS,
        regions=[ShownRegion(region.role, names(region.squares)) for region in shown],
    )


def _show_takeback(game: GameState) -> ShownTakeback | None:
    """Return the requested takeback, with the number of the step that it would lead to."""
    offer = game.offers.get("takeback")
    if offer is None:
        return None
    number = offers.back_to(game, offer.by)
    return ShownTakeback(offer.by, offer.rev, offer.at, number)


def _in_role_order(roles: Iterable[Role]) -> list[Role]:
    return IN_ORDER[frozenset(roles)]


def explain_choice(
    game: GameState, role: Role, id: str, step: int, squares: Sequence[str]
) -> Explained:
    """Return why the turn of `role` cannot go on to the last of these squares.

    For a role that waits, the turn is its premove. Raise `Refused` for a step that is not the
    present one, after the end, and where no squares are chosen in the open.
    """
    if game.rules.is_simultaneous:
        raise Refused(Reason.BAD_ACTION)
    if game.ending is not None:
        raise Refused(Reason.OVER)
    if step != game.step:
        raise Refused(Reason.STALE_STEP)
    state = game.state if role in game.control else game.rules.with_turn_of(game.state, role)
    if state is None:
        raise Refused(Reason.NOT_IN_CONTROL)
    try:
        fault = explain(game.rules, state, role, squares)
    except BadAction as error:
        raise Refused(Reason.BAD_ACTION, say=str(error)) from None
    if fault is None:
        return Explained(id=id, code=None, squares=(), say="")
    return Explained(id=id, code=fault.code, squares=fault.squares, say=str(fault))
