"""Decide whether two people may play a rated game, before its start and after its end."""

from enum import Enum, auto

from fair_play.rated_log import paused_until
from fair_play.sightings import are_related
from games.rating.entries import NotRated
from ratings.reasons import GameFacts


class Obstacle(Enum):
    """Reason why two people's game cannot be rated."""

    PAUSED = auto()  # rated play of one of them is paused
    RELATED = auto()  # they share a device or a network


def why_casual(one: int | None, two: int | None, at: int) -> Obstacle | None:
    """Return why a game of two users cannot be rated at a time (epoch ms); None if it can."""
    if one is None or two is None:
        return None
    if paused_until(one, at) or paused_until(two, at):
        return Obstacle.PAUSED
    return Obstacle.RELATED if are_related(one, two, at) else None


def why_related(facts: GameFacts) -> NotRated | None:
    """Return `RELATED` for an ended game of related people, else None; a rule of `ratings`."""
    return NotRated.RELATED if are_related(*facts.users, facts.ended) else None
