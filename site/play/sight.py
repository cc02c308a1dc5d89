"""The only revealer: what each audience may see of a game. Everything here is an allow-list."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from games.core import Role
from games.prompts import Prompt
from play import clocks, endings, offers
from play.desk import desk
from play.live import Done, Live, Seen
from play.models import Game
from play.presence import presence

ROLES: tuple[Role, ...] = ("white", "black")


def snapshot(live: Live, audience: str) -> dict[str, object]:
    """The whole state of a game for `white`, `black` or `spectator`, JSON-ready but for values
    that msgspec encodes (effects and prompts are dataclasses)."""
    role: Role | None = audience if audience in ROLES else None
    sealed = {} if live.ending else live.sealed
    own = sealed.get(role) if role else None
    return {
        "t": "game",
        "game": live.slug,
        "rev": live.rev,
        "hash": live.head,
        "key": live.rules.key,
        "name": live.rules.name,
        "now": clocks.now(),
        "turn": live.turn,
        "status": "over" if live.ending else "live",
        "seats": {r: _person(live, r) for r in ROLES},
        "you": role,
        "control": _ordered(() if live.ending else live.rules.control(live.state)),
        "sealed": _ordered(sealed),
        "commitments": {r: seal.proof.commitment for r, seal in sealed.items() if seal.proof},
        "view": live.rules.view(live.state, role),
        "last": [turn(seen) for seen in live.last],
        "clock": _clock(live),
        "goes": live.rules.goes(live.state),
        "takebacks": live.takebacks,
        "offers": {"draw": live.offers.get("draw"), "takeback": _takeback(live)},
        "may": _side_actions(live, role),
        "outcome": live.ending,
        "prompt": live.rules.prompt(live.state, role) if role in live.waiting else None,
        "plan": _plan(live, role),
        "your_seal": [str(own.action)] if own else None,
        "public": live.public,
        "watch": live.watch,
        "started": live.started,
        "ended": live.ended,
        "lobby": live.lobby or None,
    }


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
        "clock": live.clock.label("round" if live.rules.kind == "split" else "go"),
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

    def render(self, live: Live, audience: str) -> Mapping[str, object]:
        """The snapshot for one audience."""
        return snapshot(live, audience)

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

    async def close(self) -> None:
        """Waits until it is written down who was there."""
        await presence().settled()
        presence.forget()


def _person(live: Live, role: Role) -> dict[str, object]:
    person = live.people[role]
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


def _clock(live: Live) -> dict[str, object]:
    timed = live.clock.kind != "none"
    return {
        "kind": live.clock.kind,
        "label": live.clock.label("round" if live.rules.kind == "split" else "go"),
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


def _ordered(roles: Any) -> list[Role]:
    return [role for role in ROLES if role in roles]
