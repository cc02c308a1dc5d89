"""The only revealer: what each audience may see of a game. Everything here is an allow-list."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar
from urllib.parse import quote

from games.core import ALONE, BOTH, NOBODY, Role
from games.prompts import Prompt
from play import clocks, endings, offers
from play.clocks import Clock
from play.desk import desk
from play.frames import Frame, head_of, joined
from play.live import Done, Live, Person, Seen
from play.models import Game
from play.presence import presence

T = TypeVar("T")
ROLES: tuple[Role, ...] = ("white", "black")
IN_ORDER: Mapping[frozenset[Role], list[Role]] = {
    NOBODY: [],
    **{alone: [role] for role, alone in ALONE.items()},
    BOTH: list(ROLES),
}


def once_for_all(draw: Callable[[Live], T]) -> Callable[[Live], T]:
    """Draws a value of a game once, for the audiences that are shown it one after the other."""
    latest: tuple[Live, T] | None = None

    def drawn(live: Live) -> T:
        nonlocal latest
        kept = latest
        if kept is None or kept[0] is not live:
            latest = kept = live, draw(live)
        return kept[1]

    return drawn


def snapshot(live: Live, audience: str) -> dict[str, object]:
    """The whole state of a game for `white`, `black` or `spectator`, JSON-ready but for values
    that msgspec encodes (effects and prompts are dataclasses)."""
    return {**everybodys(live), **own(live, audience)}


def frame(live: Live, audience: str) -> Frame:
    """The frame of that; what all see alike is drawn and encoded once."""
    return joined(_everybodys_head(live), own(live, audience))


@once_for_all
def _everybodys_head(live: Live) -> bytes:
    return head_of(everybodys(live))


def own(live: Live, audience: str) -> dict[str, object]:
    """What an audience may see otherwise than another does."""
    role: Role | None = audience if audience in ROLES else None
    seal = live.sealed.get(role) if role and not live.ending else None
    return {
        "now": clocks.now(),
        "you": role,
        "view": live.rules.view(live.state, role),
        "may": _side_actions(live, role),
        "prompt": live.rules.prompt(live.state, role) if role in live.waiting else None,
        "your_seal": [str(seal.action)] if seal else None,
    }


def everybodys(live: Live) -> dict[str, object]:
    """What all audiences see alike."""
    sealed = {} if live.ending else live.sealed
    return {
        "t": "game",
        "game": live.slug,
        "rev": live.rev,
        "hash": live.head,
        "key": live.rules.key,
        "name": live.rules.name,
        "turn": live.turn,
        "status": "over" if live.ending else "live",
        "seats": {r: _person(live.people[r]) for r in ROLES},
        "control": _ordered(() if live.ending else live.control),
        "sealed": _ordered(sealed),
        "commitments": {r: seal.proof.commitment for r, seal in sealed.items() if seal.proof},
        "last": [turn(seen) for seen in live.last],
        "clock": _clock(live),
        "goes": live.rules.goes(live.state),
        "takebacks": live.takebacks,
        "offers": {"draw": live.offers.get("draw"), "takeback": _takeback(live)},
        "outcome": live.ending,
        "public": live.public,
        "watch": live.watch,
        "started": live.started,
        "ended": live.ended,
        "lobby": live.lobby or None,
    }


async def plan(slug: str, rev: int, audience: str) -> dict[str, object] | None:
    """What an audience may compose for its next go while it waits, on the state of this rev; None
    if that is not the newest."""
    live = await desk().find(slug)
    if live is None or live.rev != rev:
        return None
    role: Role | None = audience if audience in ROLES else None
    return {"t": "plan", "rev": rev, "plan": _plan(live, role)}


def turn(seen: Seen) -> dict[str, object]:
    """A resolved turn, which everybody may see."""
    return {
        "n": seen.n,
        "go": seen.go,
        "role": seen.role,
        "text": seen.text,
        "effects": seen.effects,
        **({"seals": seen.proofs} if seen.proofs else {}),
    }


def turns(done: Sequence[Done], live: Live, start: int) -> list[dict[str, object]]:
    """Resolved turns from number `start` on, each with the position after it, when it resolved,
    and the time it took."""
    return [
        {
            **turn(each.seen),
            "view": live.rules.view(each.state, None),
            "at": each.at,
            "spent": each.spent,
        }
        for each in done[start:]
    ]


def beginning(live: Live) -> object:
    """The position before the first turn."""
    return live.rules.view(live.rules.start(), None)


def may_look(live: Live, user: int | None) -> bool:
    """Whether a user may see a game: spectators not before the end, if it has none."""
    return live.watch or live.ending is not None or live.role_of(user) is not None


def summary(live: Live) -> dict[str, object]:
    """A game as it stands in lists."""
    return {
        "slug": live.slug,
        "key": live.rules.key,
        "name": live.rules.name,
        "clock": _label(live.clock, live.rules.kind == "split"),
        "white": live.people["white"].name,
        "black": live.people["black"].name,
        "view": live.rules.view(live.state, None),
        "last": [turn(seen) for seen in live.last],
    }


class GameSource:
    """What the hub shows of games."""

    async def load(self, slug: str) -> Live | None:
        """The game as the database has it now."""
        return await desk().renew(slug)

    def rev(self, live: Live) -> int:
        """Grows with every change."""
        return live.rev

    def render(self, live: Live, audience: str) -> Frame:
        """The snapshot for one audience."""
        return frame(live, audience)

    def revs(self, slugs: Sequence[str]) -> dict[str, int]:
        """The revs that the database has, for many games at once."""
        return dict(Game.objects.filter(slug__in=slugs).values_list("slug", "rev"))

    def concerns(self, live: Live, user: int) -> bool:
        """Whether a game shows the name of a user."""
        return live.role_of(user) is not None

    def came(self, live: Live, audience: str) -> None:
        """Hears that a page of an audience was opened in this process."""
        presence().came(live, audience)

    def left(self, live: Live, audience: str) -> None:
        """Hears that an audience has no page open any more in this process."""
        presence().left(live, audience)

    def crowd(self, live: Live, audiences: Counter[str]) -> dict[str, object]:
        """Who is there, since when a seat is empty, and who may end the game because of that."""
        return presence().people(live, audiences)

    def settled(self, people: Mapping[str, object]) -> bool:
        """Whether what was said of who is there holds whatever is played: nobody is away, so nobody
        can claim anything because of that."""
        return not people["away"]

    async def close(self) -> None:
        """Waits until it is written down who was there."""
        await presence().settled()
        presence.forget()


@lru_cache(maxsize=2_000)
def _person(person: Person) -> dict[str, object]:
    return {
        "name": person.name,
        "guest": person.guest,
        "bot": person.bot,
        "level": person.level,
        "url": None if person.guest else f"/u/{quote(person.name)}/",
    }


def _plan(live: Live, role: Role | None) -> Prompt | None:
    """What a role that waits may compose for its next go."""
    if role is None or live.ending or role in live.waiting:
        return None
    return live.rules.plan(live.state, role)


@lru_cache(maxsize=200)
def _label(clock: Clock, by_rounds: bool) -> str:
    return clock.label("round" if by_rounds else "go")


def _clock(live: Live) -> dict[str, object]:
    timed = live.clock.kind != "none"
    return {
        "kind": live.clock.kind,
        "label": _label(live.clock, live.rules.kind == "split"),
        "initial": live.clock.initial,
        "increment": live.clock.increment,
        "left": {role: live.times.left[role] if timed else None for role in ROLES},
        "since": live.times.since,
        "running": _ordered(live.times.running if timed else ()),
    }


def _side_actions(live: Live, role: Role | None) -> list[str]:
    if role is None or live.ending:
        return []
    may = {
        "resign": True,
        "draw": "draw" not in live.offers,
        "takeback": "takeback" not in live.offers and offers.back_to(live, role) is not None,
        "abort": endings.may_abort(live),
        "claim": endings.may_claim(live),
    }
    return [word for word, holds in may.items() if holds]


def _takeback(live: Live) -> dict[str, object] | None:
    """The takeback that is asked for, with the number of the turn that it would lead to."""
    offer = live.offers.get("takeback")
    if offer is None:
        return None
    number = offers.back_to(live, offer.by)
    return {"by": offer.by, "rev": offer.rev, "at": offer.at, "to": number}


def _ordered(roles: Iterable[Role]) -> list[Role]:
    return IN_ORDER[frozenset(roles)]
