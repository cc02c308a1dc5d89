"""Choice of the game that the front page shows on its large board.

The order: games in which people are present, people's games by days that moved lately, games of
computer players, then the best finished game, which the page replays. Among equals the oldest game
comes first, so that a game stays on the board for as long as it qualifies: no state is kept.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.catalogue import RULES
from play.domain.clocks import DAY_KINDS
from play.game_texts import Text, result_text
from play.models import FRESH_MS, MOVED_WITHIN_MS, Game, Seat
from watch.listed_games import Item, ListedGame

Kind = Literal["live", "days", "computer", "replay"]
KINDS: tuple[Kind, ...] = ("live", "days", "computer")  # of games that run, by rank
RECENT_MS = 10 * 60 * 1000  # since the last change; later a running game is no longer featured
LINGER_MS = 12_000  # for which an ended game stays; longer than the pause between exhibitions
MAX_CANDIDATES = 3  # the next one takes the place of one that cannot be read
MAX_RUNNING_READ = 50  # the oldest come first anyway
MAX_FINISHED_READ = 60  # newest finished games among which the best is chosen
RANKED = ("pk", "step", "changed", "clock_kind", "has_bot")  # columns of a game
RANKED_SEAT = ("seen", "user__is_active", "user__is_bot")
CUT_SHORT = ("resigned", "time", "abandoned", "agreed", "both_flagged")  # reasons of an end
MIN_REPLAY_STEPS: Mapping[str, int] = {  # shorter games are not worth a replay
    "amazons-10x10": 40,
    "amazons-8x8": 24,
    "amazons": 20,
    "blotto": 5,
    "pincer": 16,
}
LABELS: Mapping[Kind, Text] = {
    "live": gettext_lazy("Live"),
    "days": gettext_lazy("Days per turn"),
    "computer": gettext_lazy("Computer vs computer – live"),
    "replay": gettext_lazy("Replay"),
}


class FeaturedGame(ListedGame, frozen=True, kw_only=True):
    """The game of the large board."""

    kind: Kind
    label: str  # the kind, for people
    result: str  # sentence about the end; empty while the game runs
    progress: str  # the result, or the number of the move


@dataclass(frozen=True, slots=True)
class Candidate:
    """A game that may be featured."""

    kind: Kind
    game: Game


@dataclass(frozen=True, slots=True)
class Featured:
    """The chosen game, without translated texts."""

    kind: Kind
    game: Game
    is_over: bool
    item: Item

    @classmethod
    def of(cls, candidate: Candidate, item: Item) -> "Featured":
        """Returns a candidate with its item of the lists; raises if its result is damaged."""
        featured = cls(candidate.kind, candidate.game, candidate.game.ended is not None, item)
        featured_texts(featured)
        return featured


def featured_texts(featured: Featured) -> Item:
    """Returns the fields of `FeaturedGame` that its item lacks, in the active language."""
    item, game = featured.item, featured.game
    names = {role: item[role] for role in ("white", "black")}
    result = result_text(game, names) if featured.is_over else ""
    return {
        "kind": featured.kind,
        "label": str(LABELS[featured.kind]),
        "result": result,
        "progress": result or progress_text(item["key"], item["turns"]),
    }


def progress_text(key: str, turns: int) -> str:
    """Returns the number of the last move that was made or round that was opened, in words."""
    if RULES[key].is_simultaneous:
        return _("round %(count)s") % {"count": turns} if turns else _("first round")
    if turns == 0:
        return _("first move")
    return ngettext("move %(count)s", "move %(count)s", turns) % {"count": turns}


def candidates(at: int) -> list[Candidate]:
    """Returns the games that may be featured at `at` (epoch ms), the best first."""
    games = running_candidates(at)
    return games or [Candidate("replay", game) for game in best_finished()]


def running_candidates(at: int) -> list[Candidate]:
    """Returns running games by rank, with those that have just ended.

    They are ranked here and not by the database: an annotated query costs 5 ms to build. Only the
    columns that rank them are read of all, because a hundred games with their users cost 10 ms.
    """
    games = Game.objects.public().filter(rules__in=RULES)
    live = games.live().filter(changed__gt=at - RECENT_MS).order_by("created")
    ended = games.counted().filter(ended__gt=at - LINGER_MS)
    rows = [
        *live.values_list(*RANKED, named=True)[:MAX_RUNNING_READ],
        *ended.values_list(*RANKED, named=True)[:MAX_RUNNING_READ],
    ]
    seats = _seats_of([row.pk for row in rows])
    ranked = [
        (rank, row.has_bot, row.pk)
        for row in rows
        if (rank := _rank(row, seats[row.pk], at)) is not None
    ]
    best = sorted(ranked)[:MAX_CANDIDATES]
    found = Game.objects.in_bulk([pk for _, _, pk in best])
    return [Candidate(KINDS[rank], found[pk]) for rank, _, pk in best if pk in found]


def _seats_of(games: Sequence[int]) -> Mapping[int, Sequence[Any]]:
    """Returns the seat columns that rank games, in one query."""
    seats = Seat.objects.filter(game__in=games)
    found = defaultdict[int, list[Any]](list)
    for seat in seats.values_list("game_id", *RANKED_SEAT, named=True):
        found[seat.game_id].append(seat)
    return found


def is_watchable(at: int) -> bool:
    """Whether a public game of people moves at `at` (epoch ms), so that it needs no exhibition."""
    return any(each.kind == "live" and not each.game.ended for each in running_candidates(at))


def _rank(game: Any, seats: Sequence[Any], at: int) -> int | None:
    """Returns the index in KINDS of a game that may be featured, else None.

    `game` has the columns of RANKED, `seats` those of RANKED_SEAT.
    """
    if not all(seat.user__is_active for seat in seats):
        return None  # a deleted user is not to be named
    has_moved = game.changed > at - MOVED_WITHIN_MS
    if all(seat.user__is_bot for seat in seats):
        return 2 if has_moved else None
    if game.step == 0:
        return None
    if any(seat.seen > at - FRESH_MS for seat in seats):
        return 0
    if game.clock_kind in DAY_KINDS:
        return 1
    return 0 if has_moved else None


def best_finished() -> list[Game]:
    """Returns the best of the newest finished games: those of two people first, then the newest.

    Each was played to its end on the board, not resigned or lost on time, and is long enough.
    """
    games = Game.objects.counted().public().without_deleted_users().exclude(reason__in=CUT_SHORT)
    newest = games.order_by("-ended").values("pk", "has_bot", "rules", "step")[:MAX_FINISHED_READ]
    long = [row for row in newest if row["step"] >= MIN_REPLAY_STEPS.get(row["rules"], inf)]
    best = sorted(long, key=lambda row: row["has_bot"])[:MAX_CANDIDATES]
    found = Game.objects.in_bulk([row["pk"] for row in best])
    return [found[row["pk"]] for row in best if row["pk"] in found]
