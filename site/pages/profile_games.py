"""The games of one user as somebody may see them: filters, pages, and the score against others."""

import logging
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from django.db.models import Count
from django.http import Http404, QueryDict

from accounts.models import User
from accounts.names import LONGEST
from games.catalogue import RULES, rules_of
from lobby.options import clock_label
from lobby.rows import readable
from lobby.words import name_of
from pages.profile_words import result
from play.models import COUNTED, Seat, SeatQuerySet

PAGE = 30
MOST_OPPONENTS = 100
LAST_KEY = 18  # digits
RESULTS = (*COUNTED, "running")
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


def seen_by(viewer: Any, user: User) -> SeatQuerySet:
    """The seats of a user in games that a viewer may know of.

    Everybody sees the public ones, the user all. Nothing on a profile may be counted or listed but
    from here.
    """
    is_own = viewer.is_authenticated and viewer.pk == user.pk
    seats = Seat.objects.filter(user=user)
    return seats if is_own else seats.shown()


def narrowed(seats: SeatQuerySet, filters: Filters) -> SeatQuerySet:
    """Those in games of one rule set and against one opponent, if those are asked for."""
    if filters.game:
        seats = seats.filter(rules=filters.game)
    if filters.against:
        them = User.objects.filter(username__iexact=filters.against).first()
        seats = seats.filter(against=them) if them else seats.none()
    return seats


def page_of(seats: SeatQuerySet, filters: Filters) -> tuple[list[Row], int | None]:
    """The newest games, and the key of `before` for older ones if there are any; one query."""
    if filters.result == "running":
        seats = seats.running()
    elif filters.result:
        seats = seats.filter(result=filters.result)
    if filters.before is not None:
        seats = seats.filter(pk__lt=filters.before)
    newest = seats.order_by("-pk").select_related("game", "against")
    found = list(newest[: PAGE + 1])
    shown = found[:PAGE]
    return readable(shown, _row, log), shown[-1].pk if len(found) > PAGE else None


def scores(seats: SeatQuerySet) -> tuple[Score, list[tuple[str, Score]]]:
    """The score over all, and against each opponent by name, most games first; two queries."""
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    grouped = seats.counted().values("against", "result").annotate(games=Count("*"))
    for them, result_, games in grouped.values_list("against", "result", "games"):
        counts[them][result_] = games
    total = sum(counts.values(), Counter())
    first = sorted(counts, key=lambda them: (-counts[them].total(), them))[:MOST_OPPONENTS]
    names = dict(User.objects.filter(pk__in=first).values_list("pk", "username"))
    return _score(total), [(names[them], _score(counts[them])) for them in first]


def _score(counts: Counter[str]) -> Score:
    return Score(*(counts[result] for result in COUNTED))


def _row(seat: Seat) -> Row:
    game, rules = seat.game, rules_of(seat.game.rules)
    mark, say = result(game, seat.role)
    view = msgspec.to_builtins(rules.view(rules.read(game.position), None))
    return Row(
        url=game.get_absolute_url(),
        slug=game.slug,
        name=name_of(game.rules),
        clock=clock_label(game.rules, game.clock),
        against=seat.against,
        say=say,
        created=game.created,
        mark=mark,
        key=seat.pk,
        picture={"slug": game.slug, "key": game.rules, "view": view, "last": []},
    )
