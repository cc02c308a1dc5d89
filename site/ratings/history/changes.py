"""A person's rated games in a pool: the last changes with their arithmetic, and the curve."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from games.rating.entries import SCORES, NotRated, SideNumbers
from games.rating.explanation import Explanation, explain
from games.rating.pools import Pool
from games.rating.standing import Numbers
from ratings.models import FittedAdvantage, Generation, Person, RatedGame, RatingEntry
from ratings.rules.entry_log import annulled_among

MAX_CURVE_GAMES = 300  # the newest


@dataclass(frozen=True, slots=True)
class Side:
    """Numbers of one side before and after a game."""

    before: Numbers
    after: Numbers

    @property
    def change(self) -> int:
        """The change of the rating in thousandths of a point."""
        return self.after.rating - self.before.rating


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A game that was to be rated, from the view of one person.

    `own`, `opponent` and `explanation` are None if it did not count; `not_rated` says why.
    """

    entry: RatingEntry
    role: str
    score: float  # 1, 0.5 or 0
    not_rated: NotRated | None
    own: Side | None
    opponent: Side | None
    explanation: Explanation | None


def history_page(
    person: Person, pool: Pool, *, before: int | None, limit: int
) -> tuple[list[HistoryRow], int | None]:
    """Return the newest rows before a seq, at most `limit`, and the seq for the next page, if any.

    Takes five queries for any number of games.
    """
    current = Generation.objects.get(is_current=True)
    entries = _entries(person, pool).filter(seq__lte=current.last_seq)
    if before is not None:
        entries = entries.filter(seq__lt=before)
    people = ("game", "white__user", "black__user")
    found = list(entries.select_related(*people).order_by("-seq")[: limit + 1])
    shown = found[:limit]
    rated = RatedGame.objects.filter(generation=current, entry__in=[entry.seq for entry in shown])
    numbers = {row.entry_id: row for row in rated}
    annulled = annulled_among([entry.game_id for entry in shown])
    fitted = FittedAdvantage.objects.filter(generation=current, rules=pool.rules)
    advantages = list(fitted.order_by("-entry").values_list("entry", "advantage"))
    rows = [
        _row(entry, person.pk, numbers.get(entry.seq), annulled, _edge(entry.seq, advantages))
        for entry in shown
    ]
    return rows, shown[-1].seq if len(found) > limit else None


def curve(person: Person, pool: Pool) -> list[tuple[int, int, int]]:
    """Return time (epoch ms), rating and deviation (thousandths) after each of the newest games.

    At most `MAX_CURVE_GAMES`, oldest first.
    """
    entries = _entries(person, pool).order_by("-seq").values_list("seq", "at", "white_id")
    newest = {seq: (at, white) for seq, at, white in entries[:MAX_CURVE_GAMES]}
    rated = RatedGame.objects.filter(generation__is_current=True, entry__in=newest)
    points = []
    for row in rated.order_by("entry"):
        at, white = newest[row.entry_id]
        after = row.after.white if white == person.pk else row.after.black
        points.append((at, after.rating, after.deviation))
    return points


@dataclass(frozen=True, slots=True)
class GameRating:
    """A rated game: numbers by role, or the reason why it did not count.

    All are None while the game has no entry yet.
    """

    entry: RatingEntry | None
    sides: dict[str, Side] | None
    not_rated: NotRated | None


def rating_of_game(game: int) -> GameRating:
    """Return how a game that was to be rated (its id) changed both ratings."""
    entries = RatingEntry.objects.select_related("white__user", "black__user")
    entry = entries.filter(kind=RatingEntry.Kind.GAME, game=game).first()
    current = Generation.objects.filter(is_current=True).first()
    if entry is None or current is None or entry.seq > current.last_seq:
        return GameRating(None, None, None)
    row = RatedGame.objects.filter(generation=current, entry=entry).first()
    if row is None:
        not_rated = NotRated(entry.not_rated) if entry.not_rated else NotRated.ANNULLED
        return GameRating(entry, None, not_rated)
    return GameRating(entry, _sides(row.before, row.after), None)


def _entries(person: Person, pool: Pool) -> QuerySet[RatingEntry]:
    own = Q(white=person) | Q(black=person)
    games = RatingEntry.objects.filter(own, kind=RatingEntry.Kind.GAME)
    return games.filter(rules=pool.rules, speed=pool.speed.value)


def _sides(before: SideNumbers, after: SideNumbers) -> dict[str, Side]:
    return {
        "white": Side(before.white, after.white),
        "black": Side(before.black, after.black),
    }


def _edge(seq: int, advantages: Sequence[tuple[int, int]]) -> int:
    """Return white's advantage at an entry, in thousandths, from all fits, the newest first."""
    return next((advantage for fit, advantage in advantages if fit < seq), 0)


def _row(
    entry: RatingEntry,
    person: int,
    rated: RatedGame | None,
    annulled: Collection[int],
    edge: int,
) -> HistoryRow:
    role, other = ("white", "black") if entry.white_id == person else ("black", "white")
    score = SCORES[entry.winner] if role == "white" else 1.0 - SCORES[entry.winner]
    if rated is None:
        stated = NotRated(entry.not_rated) if entry.not_rated else None
        reason = NotRated.ANNULLED if entry.game_id in annulled or stated is None else stated
        return HistoryRow(entry, role, score, reason, None, None, None)
    sides = _sides(rated.before, rated.after)
    own_edge = edge if role == "white" else -edge
    explanation = explain(sides[role].before, sides[other].before, score, own_edge)
    return HistoryRow(entry, role, score, None, sides[role], sides[other], explanation)
