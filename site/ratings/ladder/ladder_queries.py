"""Read the ladder: a person's rungs, the next side to play, and the hall of records."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from ratings.ladder.models import LadderGame, Rung
from ratings.ladder.rungs import Played, side_to_play

MAX_RECORDS = 5
HIGHEST_LEVEL = 8


@dataclass(frozen=True, slots=True)
class HeldRung:
    """A rung that a person holds, with the slugs of the games that made it."""

    rules: str
    level: int
    at: int  # epoch ms
    games: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A person's best game of a kind."""

    user: str
    game: str  # slug
    level: int
    turns: int
    spent_ms: int | None  # the person's own time

    @property
    def time(self) -> str:
        """The person's own time as minutes and seconds, such as 4:05."""
        minutes, seconds = divmod((self.spent_ms or 0) // 1000, 60)
        return f"{minutes}:{seconds:02}"


def held_rungs(user: int) -> list[HeldRung]:
    """Return a person's rungs by game and level; two queries.

    The log of a game that counts for a rung is public, also that of an unlisted one.
    """
    games: dict[int, list[str]] = defaultdict(list)
    found = LadderGame.objects.filter(user=user, rung__isnull=False).order_by("ended", "pk")
    for rung, slug in found.values_list("rung", "game__slug"):
        games[rung].append(slug)
    rungs = Rung.objects.filter(user=user).order_by("rules", "level")
    return [HeldRung(row.rules, row.level, row.at, tuple(games[row.pk])) for row in rungs]


def open_rungs(user: int) -> dict[tuple[str, int], str]:
    """Return the side to play, by game and level, for rungs that are one win short."""
    held = set(Rung.objects.filter(user=user).values_list("rules", "level"))
    played: dict[tuple[str, int], list[Played]] = defaultdict(list)
    rows = LadderGame.objects.filter(user=user, is_void=False).order_by("ended", "pk")
    for rules, level, role, is_won in rows.values_list("rules", "level", "role", "is_won"):
        if (rules, level) not in held:
            played[rules, level].append(Played(role, is_won))
    sides = {key: side_to_play(games) for key, games in played.items()}
    return {key: side for key, side in sides.items() if side}


def shortest_wins(rules: str) -> list[Record]:
    """Return the wins over the highest levels in the fewest turns, one a person.

    A higher level goes first, then fewer turns, then the earlier game.
    """
    wins = LadderGame.objects.listed().filter(rules=rules, is_won=True)
    return _best(wins.order_by("-level", "turns", "ended", "pk"))


def fastest_wins(rules: str) -> list[Record]:
    """Return the wins over the highest levels in the least own time, one a person.

    A higher level goes first, then less time, then the earlier game.
    """
    wins = LadderGame.objects.listed().filter(rules=rules, is_won=True, spent_ms__isnull=False)
    return _best(wins.order_by("-level", "spent_ms", "ended", "pk"))


def longest_survivals(rules: str) -> list[Record]:
    """Return the longest lost games against the highest level, one a person."""
    lost = LadderGame.objects.listed().filter(rules=rules, level=HIGHEST_LEVEL, is_won=False)
    return _best(lost.exclude(game__winner="").order_by("-turns", "ended", "pk"))


def _best(rows: Any) -> list[Record]:
    """Return the first game of each of the first `MAX_RECORDS` people, in order."""
    found: dict[str, Record] = {}
    columns = rows.values_list("user__username", "game__slug", "level", "turns", "spent_ms")
    for row in columns.iterator(chunk_size=200):
        record = Record(*row)
        found.setdefault(record.user, record)
        if len(found) == MAX_RECORDS:
            break
    return list(found.values())


def export_ladder(user: int) -> list[dict[str, Any]]:
    """Return a user's rungs as plain JSON, for the copy of one's data."""
    rungs = held_rungs(user)
    return [
        {"rules": rung.rules, "level": rung.level, "at": rung.at, "games": list(rung.games)}
        for rung in rungs
    ]
