"""What a user has under way: running games, those that wait for them first, and open lobbies."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q, Sum
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import User
from games.catalogue import rules_of
from lobby.models import Lobby
from lobby.options import clock_label
from lobby.rows import readable
from lobby.words import figure_of, name_of
from play.frames import Frame, encoded
from play.models import Sealed, Seat

MOST = 20  # games told, and lobbies
LOOKED = 100  # games read to find those that wait
NEVER = 2**62
log = logging.getLogger("quiver.pages")


@dataclass(frozen=True, slots=True)
class Running:
    """A game that a user plays, as its row says."""

    slug: str
    key: str
    url: str
    turn: int
    clock: Any
    role: str
    other: str
    waits: bool  # for this user
    deadline: int  # ms; NEVER without a clock
    changed: int  # ms


@dataclass(frozen=True, slots=True)
class Mine:
    """All that a user has under way."""

    rev: str  # empty where a page is drawn: only sockets need it
    games: Sequence[Running]
    lobbies: Sequence[tuple[Lobby, int]]  # with the id of who looks


def under_way(user: User) -> Mine:
    """What a user has under way: their goes first, the shortest of time first among them, else the
    newest. Two queries."""
    own = Sealed.objects.filter(
        game=OuterRef("game"), number=OuterRef("game__turn"), role=OuterRef("role")
    )
    seats = Seat.objects.running().filter(user=user).select_related("game", "against")
    seats = seats.annotate(has_sealed=Exists(own))
    first = (F("game__deadline").asc(nulls_last=True), "-game__changed")
    running = readable(seats.order_by(*first)[:LOOKED], _running, log)
    running.sort(key=lambda game: -game.changed)
    running.sort(key=lambda game: (not game.waits, game.deadline if game.waits else 0))
    people = ("host", "one", "two")
    lobbies = Lobby.objects.open().of(user).order_by("-created").select_related(*people)[:MOST]
    return Mine("", running[:MOST], [(lobby, user.pk) for lobby in lobbies])


def frame(mine: Mine) -> dict[str, Any]:
    """The rows for pages, in the language that is active; `waiting`: how many games wait."""
    rows = [_game_row(game) for game in mine.games]
    rows += [row for row in readable(mine.lobbies, lambda pair: _lobby_row(*pair), log) if row]
    rows.sort(key=lambda row: not row["waits"])
    waiting = sum(game.waits for game in mine.games)
    return {"t": "mine", "rows": rows, "waiting": waiting}


class MineSource:
    """Frames of `("mine", user id)`; an audience is a language."""

    pause = 0.3  # a game that is played fast is not read with every action

    def load(self, ident: str) -> Mine | None:
        """What a user has under way now."""
        user = User.objects.filter(pk=int(ident)).first() if ident.isdecimal() else None
        if user is None:
            return None
        rev = _rev([user.pk]).get(user.pk, "")  # read first: what changes meanwhile differs from it
        return replace(under_way(user), rev=rev)

    def rev(self, mine: Mine) -> str:
        """Another text for everything that is other."""
        return mine.rev

    def render(self, mine: Mine, audience: str) -> Frame:
        """The rows in a language."""
        with override(audience):
            return encoded(frame(mine))

    def revs(self, idents: Sequence[str]) -> dict[str, str]:
        """The revs of many users, two queries for all of them."""
        users = {int(ident): ident for ident in idents if ident.isdecimal()}
        revs = _rev(users)
        return {ident: revs.get(user, "") for user, ident in users.items()}


def _rev(users: Iterable[int]) -> dict[int, str]:
    """A text for each user with something under way that is another when that has changed."""
    wanted = set(users)
    seats = Seat.objects.running().filter(user__in=wanted).values("user")
    told = seats.annotate(n=Count("pk"), revs=Sum("game__rev"), newest=Max("game"))
    revs = {row["user"]: f"{row['n']}.{row['revs']}.{row['newest']}" for row in told}
    theirs = Q(host__in=wanted) | Q(one__in=wanted) | Q(two__in=wanted)
    lobbies = Lobby.objects.open().filter(theirs).order_by("pk")
    for pk, rev, *people in lobbies.values_list("pk", "rev", "host", "one", "two"):
        for user in wanted & set(people):
            revs[user] = f"{revs.get(user, '')}/{pk}.{rev}"
    return revs


def _running(seat: Any) -> Running:
    game, rules = seat.game, rules_of(seat.game.rules)
    decides = rules.control(rules.read(game.position))
    return Running(
        slug=game.slug,
        key=game.rules,
        url=game.get_absolute_url(),
        turn=game.turn,
        clock=game.clock,
        role=seat.role,
        other=seat.against.username,
        waits=seat.role in decides and not seat.has_sealed,
        deadline=game.deadline or NEVER,
        changed=game.changed,
    )


def _game_row(game: Running) -> dict[str, Any]:
    told = {
        "game": name_of(game.key),
        "clock": clock_label(game.key, game.clock),
        "name": game.other,
    }
    line = (
        _("%(game)s · %(clock)s · your go") % told
        if game.waits
        else _("%(game)s · %(clock)s · waits for %(name)s") % told
    )
    return {
        "id": game.slug,
        "turn": game.turn,
        "url": game.url,
        "title": _("Against %(name)s") % told,
        "line": line,
        "game": told["game"],
        "figure": figure_of(game.key, game.role),
        "button": _("Play") if game.waits else _("Look"),
        "waits": game.waits,
        "is_game": True,
    }


def _lobby_row(lobby: Lobby, user: int) -> dict[str, Any] | None:
    """An open lobby: one's own before its first game, or where the other waits for one's yes."""
    place = lobby.place_of(user)
    other = next((p.user for p in lobby.places if p.user and p.user.pk != user), None)
    people = [p for p in lobby.places if p.user and not p.user.is_bot]
    asks = any(p.is_ready and p.user.pk != user for p in people)  # type: ignore[union-attr]
    waits = bool(place and not place.is_ready and asks)
    if lobby.game_id and not waits:
        return None
    told = {
        "game": name_of(lobby.rules),
        "clock": clock_label(lobby.rules, lobby.clock),
        "name": other.username if other else "",  # type: ignore[attr-defined]
        "host": lobby.host.username,
    }
    if not waits:
        line = _("%(game)s · %(clock)s · open") % told
    elif lobby.game_id:
        line = _("%(game)s · %(clock)s · %(name)s asks for a rematch") % told
    else:
        line = _("%(game)s · %(clock)s · %(name)s is ready") % told
    is_host = lobby.host_id == user
    return {
        "id": lobby.code,
        "turn": lobby.rev,
        "url": lobby.get_absolute_url(),
        "title": _("Your lobby") if is_host else _("%(host)s’s lobby") % told,
        "line": line,
        "game": told["game"],
        "figure": figure_of(lobby.rules, (place or lobby.places[0]).role),
        "button": _("Open"),
        "waits": waits,
        "is_game": False,
    }
