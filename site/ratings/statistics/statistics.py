"""Statistics of a person in a pool, from the newest public games there; cached.

The cost does not grow with the games on file: at most `MAX_GAMES` games, the first steps of these,
and all steps of `MAX_TIMED_GAMES`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import msgspec
from django.core.cache import cache
from django.db.models import Count, Q

from accounts.models import User
from games.catalogue import rules_of
from games.core import BadAction
from games.first_turns import FIRST, canonical_first_turn
from games.rating.pools import Pool, Speed
from play.domain.clocks import RUNNING_KINDS, Clock
from play.models import COUNTED, Seat, SeatQuerySet, Step
from play.time_controls import PRESETS
from ratings.rules.reasons import pool_of_game
from ratings.statistics.time_use import TimeUse, summarize, turn_times

MAX_GAMES = 300  # newest ones whose opponents and first turns count
MAX_TIMED_GAMES = 100  # newest ones whose times count
MAX_ROWS = 5  # opponents, and first turns
MAX_FIRST_STEPS = 2  # a turn has at most two steps
KEPT_S = 600
VERSION = 1  # of the cached data
Joint = dict[str, str]
T = TypeVar("T")
decode_joint = msgspec.json.Decoder(Joint).decode
decode_spent = msgspec.json.Decoder(dict[str, int]).decode


@dataclass(frozen=True, slots=True)
class Results:
    """Numbers of games won, drawn and lost."""

    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        """The number of all games."""
        return self.won + self.drawn + self.lost


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of a person's games; opponents are user ids, because names change."""

    games: int
    opponents: tuple[tuple[int, Results], ...]
    own_first: tuple[tuple[str, Results], ...]  # first turns of the person
    faced_first: tuple[tuple[str, Results], ...]  # first turns of their opponents
    time: TimeUse | None


decode_statistics = msgspec.json.Decoder(Statistics).decode


@dataclass(frozen=True, slots=True)
class _Played:
    game: int
    role: str
    result: str
    against: int
    clock: Clock


def pools_played(user: User) -> dict[Pool, int]:
    """Return the pools in which a person has public games, with their numbers; one query.

    They are in the order of the games, live ones first.
    """
    found: Counter[Pool] = Counter()
    kinds = _public_seats(user).order_by().values("rules", "game__clock_kind")
    for row in kinds.annotate(games=Count("pk")):
        if row["rules"] in PRESETS:
            found[pool_of_game(row["rules"], row["game__clock_kind"])] += row["games"]
    order = [Pool(rules, speed) for rules in PRESETS for speed in (Speed.LIVE, Speed.DAYS)]
    return {pool: found[pool] for pool in order if found[pool]}


def has_public_games(user: User, pool: Pool | None = None) -> bool:
    """Return whether a person has public games with a result, in a pool if one is given."""
    return (_public_seats(user) if pool is None else _seats_in(user, pool)).exists()


def read_statistics(user: User, pool: Pool) -> Statistics:
    """Return a person's statistics in a pool, at most `KEPT_S` old."""
    key = f"statistics:{VERSION}:{user.pk}:{pool}"
    if kept := cache.get(key):
        return decode_statistics(kept)
    found = _count(user, pool)
    cache.set(key, msgspec.json.encode(found).decode(), KEPT_S)  # Redis keeps JSON alone
    return found


def _count(user: User, pool: Pool) -> Statistics:
    """Count anew: three queries."""
    played = _newest_games(user, pool)
    own, faced = _first_turns(pool.rules, played)
    return Statistics(
        games=len(played),
        opponents=_top((row.against, row.result) for row in played),
        own_first=_top(own),
        faced_first=_top(faced),
        time=_time_use(played[:MAX_TIMED_GAMES]),
    )


def _public_seats(user: User) -> SeatQuerySet:
    return Seat.objects.filter(user=user).counted().shown()


def _seats_in(user: User, pool: Pool) -> SeatQuerySet:
    is_live = Q(game__clock_kind__in=RUNNING_KINDS)
    return _public_seats(user).filter(
        is_live if pool.speed == Speed.LIVE else ~is_live, rules=pool.rules
    )


def _newest_games(user: User, pool: Pool) -> list[_Played]:
    seats = _seats_in(user, pool)
    columns = ("clock_kind", "clock_initial", "clock_increment")
    rows = seats.order_by("-pk").values_list(
        "game", "role", "result", "against", *(f"game__{name}" for name in columns)
    )
    return [
        _Played(game, role, str(result), against, Clock(*clock))
        for game, role, result, against, *clock in rows[:MAX_GAMES]
    ]


def _first_turns(
    rules_key: str, played: Sequence[_Played]
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the first turns of the person and those faced, each with the person's result."""
    texts: dict[int, list[Joint]] = defaultdict(list)
    steps = Step.objects.filter(
        game__in=[row.game for row in played], undone=None, number__lt=MAX_FIRST_STEPS
    )
    for game, joint in steps.order_by("number").values_list("game", "joint"):
        texts[game].append(decode_joint(joint))
    own: list[tuple[str, str]] = []
    faced: list[tuple[str, str]] = []
    is_simultaneous = rules_of(rules_key).is_simultaneous
    for row in played:
        role = row.role if is_simultaneous else FIRST
        turn = _turn_of(rules_key, texts[row.game], role)
        if turn:
            (own if role == row.role else faced).append((turn, row.result))
    return own, faced


def _turn_of(rules_key: str, joints: Sequence[Joint], role: str) -> str:
    """Return the first turn of a role; empty if there is none that can be read."""
    rules = rules_of(rules_key)
    count = 1 if rules.is_simultaneous else len(joints)
    actions = [joint[role] for joint in joints[:count] if role in joint]
    try:
        return canonical_first_turn(rules, actions) if actions else ""
    except BadAction:
        return ""  # written under rules that have been withdrawn


def _time_use(played: Sequence[_Played]) -> TimeUse | None:
    steps: dict[int, list[tuple[frozenset[str], Mapping[str, int]]]] = defaultdict(list)
    rows = Step.objects.filter(game__in=[row.game for row in played], undone=None)
    for game, joint, spent in rows.order_by("number").values_list("game", "joint", "spent"):
        steps[game].append((frozenset(decode_joint(joint)), decode_spent(spent)))
    return summarize((row.clock, turn_times(row.role, steps[row.game])) for row in played)


def _top(found: Iterable[tuple[T, str]]) -> tuple[tuple[T, Results], ...]:
    """Return the most frequent values with the results, most games first."""
    counts: dict[T, Counter[str]] = defaultdict(Counter)
    for value, result in found:
        counts[value][result] += 1
    first = sorted(counts, key=lambda value: -counts[value].total())[:MAX_ROWS]
    return tuple((value, Results(*(counts[value][each] for each in COUNTED))) for value in first)
