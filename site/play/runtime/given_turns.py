"""Turns with which a game begins: they lead to the position from which its players play on.

They are ordinary steps with ordinary entries, so that the rules' start, `verify` and the log need
nothing new; the opening entry says how many turns were given.
"""

import json
from collections.abc import Sequence

from django.db import DatabaseError

from play.domain.commands import Act, Envelope
from play.domain.decide import decide
from play.models import Entry, Game, Seat
from play.storage import load
from play.storage.save import Verdict, commit


class GameIsOver(Exception):
    """The game is over after the given turns."""


def play_given_turns(game: Game, turns: Sequence[Sequence[str]]) -> None:
    """Play whole turns, canonical actions each, in the transaction that opens a game.

    No clock may run in it. Raise Refused for an illegal turn, GameIsOver.
    """
    if game.clock_kind != "none":
        raise ValueError("turns are given in games without a clock")
    users: dict[str, int] = dict(Seat.objects.filter(game=game).values_list("role", "user_id"))
    live = load.fetch(game.slug)
    assert live is not None
    for number, actions in enumerate(turns):
        (role,) = live.control
        act = Act(f"given-{number}", live.step, tuple(actions), live.takebacks)
        change = decide(live, Envelope(game.slug, users[role], game.created, act))
        if change.after.ending is not None:
            raise GameIsOver
        if commit([change]) != [Verdict.WON]:
            raise DatabaseError("a given turn could not be stored")
        live = change.after


def has_given_turns(game: int) -> bool:
    """Return whether a game began with given turns, by its opening entry. One query."""
    entry = Entry.objects.filter(game=game, rev=0).first()
    return entry is not None and "given" in json.loads(entry.body)
