"""Games on a user's profile: visibility, filters, paging, and scores against opponents."""

import logging
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from django.db.models import Count
from django.http import Http404, QueryDict

from accounts.models import User
from accounts.people.names import MAX_NAME_CHARS
from games.catalogue import RULES, rules_of
from pages.profile_texts import result
from play.game_texts import name_of
from play.models import COUNTED, Seat, SeatQuerySet
from play.time_controls import clock_label
from watch.listed_games import readable_rows

GAMES_PER_PAGE = 30
MAX_OPPONENTS = 100
MAX_KEY_DIGITS = 18
RESULTS = (*COUNTED, "running")
log = logging.getLogger("quiver.pages")


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters of the list of games; empty fields match all."""

    game: str = ""  # key of a rule set
    result: str = ""  # one of RESULTS
    against: str = ""  # name of an opponent, in any case
    before: int | None = None  # key of a seat: only older games

    @classmethod
    def of(cls, query: QueryDict) -> "Filters":
        """Parses the filters of an address. Raises Http404 if a value is invalid."""
        game, result_ = query.get("game", ""), query.get("result", "")
        against, before = query.get("against", ""), query.get("before", "")
        is_number = before.isascii() and before.isdigit() and len(before) <= MAX_KEY_DIGITS
        if (
            (game and game not in RULES)
            or (result_ and result_ not in RESULTS)
            or (before and not is_number)
            or len(against) > MAX_NAME_CHARS
            or "\0" in against
        ):
            raise Http404
        return cls(game, result_, against, int(before) if before else None)

    def query(self, **other: str) -> str:
        """Returns the query string of these filters with some changed, for the first page."""
        fields = {"game": self.game, "result": self.result, "against": self.against, **other}
        query = QueryDict(mutable=True)
        query.update({name: value for name, value in fields.items() if value})
        return f"?{query.urlencode()}" if query else "?"


@dataclass(frozen=True, slots=True)
class Row:
    """One game from the view of the profile's user."""

    url: str
    slug: str
    name: str  # of the rule set
    clock: str
    against: User
    say: str  # its result, or that it is running
    created: int  # ms
    mark: str  # won, drawn, lost, running, void
    key: int  # of the user's seat, for paging
    picture: Mapping[str, Any]  # input of drawMini


@dataclass(frozen=True, slots=True)
class Score:
    """Numbers of games won, drawn and lost by the user."""

    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        """The number of all games."""
        return self.won + self.drawn + self.lost


def visible_seats(viewer: Any, user: User) -> SeatQuerySet:
    """Returns the seats of a user in games that a viewer may see.

    Everybody sees public games, the user all. Everything listed or counted on a profile must be
    derived from this query.
    """
    is_own = viewer.is_authenticated and viewer.pk == user.pk
    seats = Seat.objects.filter(user=user)
    return seats if is_own else seats.shown()


def apply_filters(seats: SeatQuerySet, filters: Filters) -> SeatQuerySet:
    """Restricts seats to a rule set and an opponent, where these filters are set."""
    if filters.game:
        seats = seats.filter(rules=filters.game)
    if filters.against:
        them = User.objects.filter(username__iexact=filters.against).first()
        seats = seats.filter(against=them) if them else seats.none()
    return seats


def page_of(seats: SeatQuerySet, filters: Filters) -> tuple[list[Row], int | None]:
    """Returns the newest games and the `before` key of the next page, if any; one query."""
    if filters.result == "running":
        seats = seats.running()
    elif filters.result:
        seats = seats.filter(result=filters.result)
    if filters.before is not None:
        seats = seats.filter(pk__lt=filters.before)
    newest = seats.order_by("-pk").select_related("game", "against")
    found = list(newest[: GAMES_PER_PAGE + 1])
    shown = found[:GAMES_PER_PAGE]
    return readable_rows(shown, _row, log), shown[-1].pk if len(found) > GAMES_PER_PAGE else None


def scores(seats: SeatQuerySet) -> tuple[Score, list[tuple[str, Score]]]:
    """Returns the total score, and the score against each opponent by name; two queries.

    Opponents with most games come first.
    """
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    grouped = seats.counted().values("against", "result").annotate(games=Count("*"))
    for them, result_, games in grouped.values_list("against", "result", "games"):
        counts[them][str(result_)] = games
    total = sum(counts.values(), Counter())
    first = sorted(counts, key=lambda them: (-counts[them].total(), them))[:MAX_OPPONENTS]
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
