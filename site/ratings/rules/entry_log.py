"""Read the log of entries, and make of its rows the entries of `games.rating`.

`FurtherEntry.content` of anchors is {"version", "ratings"}; of a placement {"games", "after"}, as
in the public file. That of a fitted advantage is empty: its value depends on the generation.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from django.db.models import QuerySet

from games.rating.entries import (
    Anchors,
    Correction,
    Fit,
    GameEntry,
    NotRated,
    Placement,
    SideNumbers,
)
from games.rating.placement import PlacementGame
from games.rating.pools import Pool, Speed
from games.rating.standing import Numbers
from ratings.models import FurtherEntry, Generation, Person, RatingEntry

ENTRIES_A_QUERY = 5_000
KINDS = RatingEntry.Kind
FURTHER_KINDS = FurtherEntry.Kind
GAME = KINDS.GAME.value


class EntryRow(NamedTuple):
    """A row of the log, with the slug of its game.

    The public file has the slug of an unlisted game too: the log of a rated game is public from its
    end, which joining confirms. A row of `FurtherEntry` has no game and no winner; its person is
    `white`.
    """

    seq: int
    kind: str
    at: int
    game: int
    slug: str
    rules: str
    speed: str
    white: int
    black: int
    winner: str
    not_rated: str
    reason: str
    content: str = ""

    def as_game(
        self,
        annulled: Collection[int],
        before: SideNumbers | None = None,
        after: SideNumbers | None = None,
    ) -> GameEntry:
        """Return the entry of a game, of which `annulled` holds the ids that do not count."""
        return GameEntry(
            self.seq,
            self.at,
            Pool(self.rules, Speed(self.speed)),
            self.slug,
            self.white,
            self.black,
            self.winner,
            self.why_not(annulled),
            before,
            after,
        )

    def as_correction(self) -> Correction:
        """Return the entry of a correction."""
        is_annulled = self.kind == RatingEntry.Kind.ANNULMENT
        return Correction(self.seq, self.slug, is_annulled, self.reason)

    def as_anchors(self) -> Anchors:
        """Return the entry of ratings of levels."""
        return Anchors(self.seq, self.rules, tuple(json.loads(self.content)["ratings"]))

    def as_placement(self) -> Placement:
        """Return the entry of a placement."""
        content = json.loads(self.content)
        games = tuple(PlacementGame(game["level"], game["result"]) for game in content["games"])
        pool = Pool(self.rules, Speed(self.speed))
        return Placement(self.seq, self.at, pool, self.white, games, Numbers(*content["after"]))

    def as_fit(self, advantage: int) -> Fit:
        """Return the entry of a first-move advantage, in thousandths of a point."""
        return Fit(self.seq, self.rules, advantage)

    def why_not(self, annulled: Collection[int]) -> NotRated | None:
        """Return why the game does not count, corrections included."""
        if self.game in annulled:
            return NotRated.ANNULLED
        return NotRated(self.not_rated) if self.not_rated else None


COLUMNS = (
    "seq", "kind", "at", "game", "game__slug", "rules", "speed",
    "white", "black", "winner", "not_rated", "reason",
)  # fmt: skip


def read_rows(after: int, last: int, limit: int = ENTRIES_A_QUERY) -> list[EntryRow]:
    """Return the entries after one seq up to another, at most `limit`, in order."""
    rows = RatingEntry.objects.filter(seq__gt=after, seq__lte=last).order_by("seq")
    games = [EntryRow(*row) for row in rows.values_list(*COLUMNS)[:limit]]
    further = FurtherEntry.objects.filter(seq__gt=after, seq__lte=last).order_by("seq")
    return sorted(games + [_further_row(row) for row in further[:limit]])[:limit]


def _further_row(row: FurtherEntry) -> EntryRow:
    person = row.person_id or 0
    return EntryRow(
        row.seq, row.kind, row.at, 0, "", row.rules, row.speed, person, 0, "", "", "",
        row.content,
    )  # fmt: skip


def read_batches(after: int, last: int) -> Iterator[list[EntryRow]]:
    """Yield all entries after one seq up to another, in order."""
    while rows := read_rows(after, last):
        yield rows
        after = rows[-1].seq


def annulled_games(last: int) -> frozenset[int]:
    """Return the ids of the games that the last correction up to a seq annuls."""
    return _annulled(RatingEntry.objects.exclude(kind=GAME).filter(seq__lte=last))


def annulled_among(games: Collection[int]) -> frozenset[int]:
    """Return the ids of the games that their last correction annuls."""
    return _annulled(RatingEntry.objects.exclude(kind=GAME).filter(game__in=games))


def _annulled(corrections: QuerySet[RatingEntry]) -> frozenset[int]:
    newest = dict(corrections.order_by("seq").values_list("game", "kind"))
    return frozenset(game for game, kind in newest.items() if kind == KINDS.ANNULMENT)


def games_with_entry(slugs: Collection[str]) -> Collection[str]:
    """Return the slugs whose games have an entry: they must be kept."""
    rows = RatingEntry.objects.filter(kind=GAME, game__slug__in=slugs)
    return set(rows.values_list("game__slug", flat=True))


def person_numbers(users: Collection[int]) -> Mapping[int, int]:
    """Return the numbers of some users, and give one to those that have none."""
    known = dict(Person.objects.filter(user__in=users).values_list("user", "number"))
    missing = sorted(set(users) - known.keys())
    if missing:
        Person.objects.bulk_create([Person(user_id=user) for user in missing])
        known = dict(Person.objects.filter(user__in=users).values_list("user", "number"))
    return known


def newest_anchors(last: int) -> dict[str, FurtherEntry]:
    """Return the newest anchors of each game up to a seq."""
    found = FurtherEntry.objects.filter(kind=FURTHER_KINDS.ANCHORS, seq__lte=last)
    return {entry.rules: entry for entry in found.order_by("seq")}


def append_further(generation: Generation, **columns: Any) -> FurtherEntry:
    """Append an entry that is of no game to the log.

    The caller holds the lock of `generations.lock_current`, and saves the generation, whose
    `last_seq` has grown.
    """
    generation.last_seq += 1
    return FurtherEntry.objects.create(seq=generation.last_seq, **columns)
