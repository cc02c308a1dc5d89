"""The games of one user as somebody may see them: filters, pages, and the score against others."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from django.db.models import Count, F, FilteredRelation, Q, QuerySet
from django.http import Http404, QueryDict

from accounts.models import User
from accounts.names import LONGEST
from games.catalogue import RULES, rules_of
from lobby.options import clock_label
from lobby.rows import readable
from lobby.words import name_of
from pages.profile_words import result
from play.models import Game

PAGE = 30
MOST_OPPONENTS = 100
LAST_KEY = 18  # digits
WON = Q(winner=F("role"))
DRAWN = Q(winner="")
RESULTS = ("won", "drawn", "lost", "running")
log = logging.getLogger("quiver.pages")


@dataclass(frozen=True, slots=True)
class Filters:
    """What of the games is asked for; empty: all of it."""

    game: str = ""  # key of a rule set
    result: str = ""  # one of RESULTS
    against: str = ""  # name of an opponent, in any case
    before: int | None = None  # key of a seat: only older games

    @classmethod
    def of(cls, query: QueryDict) -> "Filters":
        """The filters of an address; Http404 for one that no page of ours links to."""
        game, result_ = query.get("game", ""), query.get("result", "")
        against, before = query.get("against", ""), query.get("before", "")
        is_number = before.isascii() and before.isdigit() and len(before) <= LAST_KEY
        if (
            (game and game not in RULES)
            or (result_ and result_ not in RESULTS)
            or (before and not is_number)
            or len(against) > LONGEST
            or "\0" in against
        ):
            raise Http404
        return cls(game, result_, against, int(before) if before else None)

    def query(self, **other: str) -> str:
        """The query string of these filters with some of them changed; always the first page."""
        said = {"game": self.game, "result": self.result, "against": self.against, **other}
        asked = QueryDict(mutable=True)
        asked.update({name: value for name, value in said.items() if value})
        return f"?{asked.urlencode()}" if asked else "?"


@dataclass(frozen=True, slots=True)
class Row:
    """One game, told from the side of the profile's user."""

    url: str
    slug: str
    name: str  # of the rule set
    clock: str
    against: User
    say: str  # how it ended, or that it runs
    created: int  # ms
    mark: str  # won, drawn, lost, running, void
    key: int  # of the user's seat: pages go by it
    picture: Mapping[str, Any]  # what drawMini draws


@dataclass(frozen=True, slots=True)
class Score:
    """How often the user has won, drawn and lost, against all or one."""

    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        """All of them."""
        return self.won + self.drawn + self.lost


def seen_by(viewer: Any, user: User) -> QuerySet[Game]:
    """The games of a user that a viewer may know of, each with the user's `role` and `seat`.

    Everybody sees the public ones, the user all. Nothing on a profile may be counted or listed but
    from here.
    """
    is_own = viewer.is_authenticated and viewer.pk == user.pk
    games = Game.objects.all() if is_own else Game.objects.public()
    return games.of(user).annotate(
        role=F("seats__role"),
        seat=F("seats__pk"),
        other=FilteredRelation(
            "seats", condition=Q(seats__user_id__lt=user.pk) | Q(seats__user_id__gt=user.pk)
        ),
    )


def narrowed(games: QuerySet[Game], filters: Filters) -> QuerySet[Game]:
    """The games of one rule set and against one opponent, if those are asked for."""
    if filters.game:
        games = games.filter(rules=filters.game)
    if filters.against:
        them = User.objects.filter(username__iexact=filters.against).first()
        games = games.filter(other__user_id=them.pk) if them else games.none()
    return games


def page_of(games: QuerySet[Game], filters: Filters) -> tuple[list[Row], int | None]:
    """The newest games, and the key of `before` for older ones if there are any."""
    if filters.result == "running":
        games = games.live()
    elif filters.result:
        kind = {"won": WON, "drawn": DRAWN, "lost": ~WON & ~DRAWN}[filters.result]
        games = games.counted().filter(kind)
    if filters.before is not None:
        games = games.filter(seat__lt=filters.before)
    found = list(games.order_by("-seat").prefetch_related("seats__user")[: PAGE + 1])
    shown = found[:PAGE]
    return readable(shown, _row, log), shown[-1].seat if len(found) > PAGE else None


def scores(games: QuerySet[Game]) -> tuple[Score, list[tuple[User, Score]]]:
    """The score over all, and against each opponent, most games first; three queries."""
    counts = {
        "won": Count("pk", filter=WON),
        "drawn": Count("pk", filter=DRAWN),
        "lost": Count("pk", filter=~WON & ~DRAWN),
    }
    counted = games.counted()
    total = Score(**counted.aggregate(**counts))
    grouped = counted.values(them=F("other__user_id")).annotate(**counts, games=Count("pk"))
    rows = list(grouped.order_by("-games", "them")[:MOST_OPPONENTS])
    users = User.objects.in_bulk([row["them"] for row in rows])
    return total, [
        (users[row["them"]], Score(row["won"], row["drawn"], row["lost"])) for row in rows
    ]


def _row(game: Any) -> Row:
    rules = rules_of(game.rules)
    against = next(seat.user for seat in game.seats.all() if seat.role != game.role)
    mark, say = result(game, game.role)
    view = msgspec.to_builtins(rules.view(rules.read(game.position), None))
    return Row(
        url=game.get_absolute_url(),
        slug=game.slug,
        name=name_of(game.rules),
        clock=clock_label(game.rules, game.clock),
        against=against,
        say=say,
        created=game.created,
        mark=mark,
        key=game.seat,
        picture={"slug": game.slug, "key": game.rules, "view": view, "last": []},
    )
