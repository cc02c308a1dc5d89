"""Read the log of entries, and make of its rows the entries of `games.rating`."""

from collections.abc import Collection, Iterator, Mapping
from hashlib import sha256
from typing import NamedTuple

from games.rating.entries import Correction, GameEntry, NotRated, SideNumbers
from games.rating.pools import Pool, Speed
from ratings.models import Person, RatingEntry

ENTRIES_A_QUERY = 5_000
GAME = RatingEntry.Kind.GAME.value


class EntryRow(NamedTuple):
    """A row of the log, with what the public file says of its game."""

    seq: int
    kind: str
    at: int
    game: int
    slug: str
    is_public: bool
    rules: str
    speed: str
    white: int
    black: int
    winner: str
    not_rated: str
    reason: str

    @property
    def game_name(self) -> str:
        """The name of the game in the public file.

        The slug of an unlisted game gives access to it, so the file has its digest.
        """
        if self.is_public:
            return self.slug
        return f"sha256:{sha256(self.slug.encode()).hexdigest()}"

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
            self.game_name,
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
        return Correction(self.seq, self.game_name, is_annulled, self.reason)

    def why_not(self, annulled: Collection[int]) -> NotRated | None:
        """Return why the game does not count, corrections included."""
        if self.game in annulled:
            return NotRated.ANNULLED
        return NotRated(self.not_rated) if self.not_rated else None


COLUMNS = (
    "seq", "kind", "at", "game", "game__slug", "game__is_public", "rules", "speed",
    "white", "black", "winner", "not_rated", "reason",
)  # fmt: skip


def read_rows(after: int, last: int, limit: int = ENTRIES_A_QUERY) -> list[EntryRow]:
    """Return the entries after one seq up to another, at most `limit`, in order."""
    rows = RatingEntry.objects.filter(seq__gt=after, seq__lte=last).order_by("seq")
    return [EntryRow(*row) for row in rows.values_list(*COLUMNS)[:limit]]


def read_batches(after: int, last: int) -> Iterator[list[EntryRow]]:
    """Yield all entries after one seq up to another, in order."""
    while rows := read_rows(after, last):
        yield rows
        after = rows[-1].seq


def annulled_games(last: int) -> frozenset[int]:
    """Return the ids of the games that the last correction up to a seq annuls."""
    corrections = RatingEntry.objects.exclude(kind=GAME).filter(seq__lte=last).order_by("seq")
    newest = dict(corrections.values_list("game", "kind"))
    return frozenset(game for game, kind in newest.items() if kind == RatingEntry.Kind.ANNULMENT)


def annulled_among(games: Collection[int]) -> frozenset[int]:
    """Return the ids of those of some games that their last correction annuls."""
    corrections = RatingEntry.objects.exclude(kind=GAME).filter(game__in=games).order_by("seq")
    newest = dict(corrections.values_list("game", "kind"))
    return frozenset(game for game, kind in newest.items() if kind == RatingEntry.Kind.ANNULMENT)


def games_with_entry(slugs: Collection[str]) -> Collection[str]:
    """Return those of some slugs whose games have an entry: they must be kept."""
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
