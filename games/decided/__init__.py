"""Decided games: witnesses of a forced win, their check and their search."""

from games.decided.check import (
    Flaw,
    Unproved,
    bound_of,
    can_be_proved,
    check,
    has_claims,
    require_turn,
)
from games.decided.find import find
from games.decided.standing import Standing, standing_of
from games.decided.witness import MAX_CLAIMS, BadWitness, Witness, as_json, parse

__all__ = [
    "MAX_CLAIMS",
    "BadWitness",
    "Flaw",
    "Standing",
    "Unproved",
    "Witness",
    "as_json",
    "bound_of",
    "can_be_proved",
    "check",
    "find",
    "has_claims",
    "parse",
    "require_turn",
    "standing_of",
]
