"""Rows and sentences of the ladder in the reader's language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlencode

from django.urls import reverse

from accounts.people.computer_users import NAMES
from play.game_texts import RULES_TEXTS, short_name
from ratings.ladder.boss import Boss, FirstWin, boss_at, first_win
from ratings.ladder.ladder_queries import HeldRung
from ratings.level_ratings import level_rating


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A level of a game on the ladder."""

    level: int
    name: str
    url: str  # where a game against it begins
    since: datetime | None  # when the reader beat it; None if not yet
    games: tuple[str, ...]  # slugs of the games that made the rung
    side: str  # the side that is missing, such as "moves second"; empty if either will do
    rating: str  # such as 2151 ± 247; empty without one


@dataclass(frozen=True, slots=True)
class BossText:
    """The boss of the week, as pages show it."""

    name: str
    level: int
    game: str
    url: str
    user: str  # the first who beat it; empty if nobody has
    slug: str  # of that game


def ladder_rows(
    rules: str, held: Sequence[HeldRung], sides: Mapping[tuple[str, int], str]
) -> list[LadderRow]:
    """Return the levels of a game, highest first, as on a ladder."""
    found = {rung.level: rung for rung in held if rung.rules == rules}
    return [_row(rules, level, found.get(level), sides) for level in range(len(NAMES), 0, -1)]


def _row(
    rules: str, level: int, held: HeldRung | None, sides: Mapping[tuple[str, int], str]
) -> LadderRow:
    side = sides.get((rules, level), "")
    return LadderRow(
        level=level,
        name=NAMES[level - 1],
        url=_play_url(rules, level),
        since=datetime.fromtimestamp(held.at / 1000, UTC) if held else None,
        games=held.games if held else (),
        side=str(RULES_TEXTS[rules].own[side]) if side else "",
        rating=level_rating(rules, level),
    )


def boss_text(at: int) -> BossText:
    """Return the boss of the week of a time (epoch ms), and the first player to beat it."""
    boss = boss_at(at)
    return boss_of(boss, first_win(boss))


def boss_of(boss: Boss, win: FirstWin | None) -> BossText:
    """Return a boss and its first win, as pages show them."""
    return BossText(
        name=NAMES[boss.level - 1],
        level=boss.level,
        game=short_name(boss.rules),
        url=_play_url(boss.rules, boss.level),
        user=win.user if win else "",
        slug=win.game if win else "",
    )


def _play_url(rules: str, level: int) -> str:
    return f"{reverse('computer')}?{urlencode({'game': rules, 'level': level})}"
