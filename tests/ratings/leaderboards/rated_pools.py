"""Logs of rated games of chosen days, folded but not played, and leaderboards of chosen people."""

from collections.abc import Iterable, Sequence
from itertools import count
from typing import NamedTuple

from accounts.models import User
from games.rating.pools import Pool, Speed
from games.rating.standing import DAY_MS
from play.models import Game
from ratings.leaderboards.leaderboard_pass import make_pass
from ratings.models import Generation, LeaderboardPass, Person, RatingEntry, make_first_generation
from ratings.rules.entry_log import person_numbers
from ratings.rules.generations import rebuild

PINCER = Pool("pincer", Speed.LIVE)
AT = 1_800_000_000_000  # epoch ms: the time of the leaderboards
ids = count(1)


class Played(NamedTuple):
    """A game that ended some days before `AT`, between two of a list of users."""

    white: int
    black: int
    winner: str = "white"
    days_ago: float = 10.0
    pool: Pool = PINCER
    not_rated: str = ""


def append_log(people: Sequence[User], games: Iterable[Played]) -> list[str]:
    """Append entries of games in this order, without folding them; return the games' slugs."""
    numbers = person_numbers([user.pk for user in people])
    make_first_generation()
    last = RatingEntry.objects.order_by("seq").values_list("seq", flat=True).last() or 0
    slugs = []
    for seq, each in enumerate(games, last + 1):
        ended = AT - round(each.days_ago * DAY_MS)
        game = Game.objects.create(
            slug=f"leaderboard-game-{next(ids):011}", rules=each.pool.rules, clock_kind="fischer",
            position="", times="{}", created=0, changed=0, ended=ended, winner=each.winner,
            is_rated=True,
        )  # fmt: skip
        RatingEntry.objects.create(
            seq=seq, kind="game", at=ended, game=game, rules=each.pool.rules,
            speed=each.pool.speed.value, white_id=numbers[people[each.white].pk],
            black_id=numbers[people[each.black].pk], winner=each.winner, not_rated=each.not_rated,
        )  # fmt: skip
        slugs.append(game.slug)
    Generation.objects.filter(is_current=True).update(last_seq=last + len(slugs))
    return slugs


def fold_log(people: Sequence[User], games: Iterable[Played]) -> list[str]:
    """Append entries of games and fold the whole log anew; return the games' slugs."""
    slugs = append_log(people, games)
    rebuild("test")
    return slugs


def round_robin(size: int = 4, rounds: int = 2, **told) -> list[Played]:
    """Everybody against everybody, several times; the one with the smaller index wins."""
    pairs = [(one, other) for one in range(size) for other in range(one + 1, size)]
    return [Played(one, other, **told) for _ in range(rounds) for one, other in pairs]


def made(at: int = AT, process: str = "test") -> LeaderboardPass:
    """A pass, which must succeed."""
    new = make_pass(process, at)
    assert new is not None
    return new


def person_of(user: User) -> int:
    """The number of a user in the log."""
    return Person.objects.get(user=user).pk
