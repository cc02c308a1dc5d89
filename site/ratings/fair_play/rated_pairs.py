"""Decide whether two people may play a rated game, before its start and after its end."""

from collections.abc import Sequence
from enum import Enum, auto

from games.rating.entries import NotRated
from ratings.fair_play.incidents import MAX_PAIR_GAMES, PAIR_WINDOW_MS
from ratings.fair_play.rated_log import counted_pair_games, paused_until
from ratings.fair_play.sightings import are_related
from ratings.rules.reasons import Decided, GameFacts


class Obstacle(Enum):
    """Reason why two people's game cannot be rated."""

    PAUSED = auto()  # rated play of one of them is paused
    RELATED = auto()  # they share a device or a network
    PAIR_LIMIT = auto()  # enough of their games have counted within a day


def why_casual(one: int | None, two: int | None, at: int) -> Obstacle | None:
    """Return why a game of two users cannot be rated at a time (epoch ms); None if it can."""
    if one is None or two is None:
        return None
    if paused_until(one, at) or paused_until(two, at):
        return Obstacle.PAUSED
    if are_related(one, two, at):
        return Obstacle.RELATED
    is_over = counted_pair_games(one, two, at) >= MAX_PAIR_GAMES
    return Obstacle.PAIR_LIMIT if is_over else None


def why_related(facts: GameFacts) -> NotRated | None:
    """Return `RELATED` for an ended game of related people, else None; a rule of `ratings`."""
    return NotRated.RELATED if are_related(*facts.users, facts.ended) else None


def why_over_pair_limit(facts: GameFacts, before: Sequence[Decided]) -> NotRated | None:
    """Return `PAIR_LIMIT` for a fourth game of two people within a day, else None; a log rule.

    `before` are the games of the same transaction, whose entries cannot be read yet.
    """
    logged = counted_pair_games(*facts.users, facts.ended)
    here = [
        each
        for each in before
        if each.not_rated is None
        and set(each.facts.users) == set(facts.users)
        and abs(facts.ended - each.facts.ended) < PAIR_WINDOW_MS
    ]
    return NotRated.PAIR_LIMIT if logged + len(here) >= MAX_PAIR_GAMES else None
