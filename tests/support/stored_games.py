"""Games as the database holds them, and commands on them without a server."""

from typing import Any

from play.domain.commands import Envelope, ServerCommand
from play.domain.decide import decide
from play.domain.game_state import GameState
from play.storage import load
from play.storage.preload import PRELOADERS, SLOW_PRELOADERS
from play.storage.save import Verdict, commit


def load_game(slug: str) -> GameState:
    """Return a game that exists."""
    game = load.fetch(slug)
    assert game is not None, slug
    return game


def commit_command(slug: str, command: Envelope[Any] | ServerCommand) -> None:
    """Decide a command with the data that it needs, and store the change. Raise `Refused`."""
    game = load_game(slug)
    asked = command.command if isinstance(command, Envelope) else command
    preload = {**PRELOADERS, **SLOW_PRELOADERS}.get(type(asked))
    change = decide(game, preload(game, command) if preload else command)
    assert commit([change]) == [Verdict.WON]
