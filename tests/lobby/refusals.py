"""Helpers for tests of refusals by lobbies."""

import pytest

from accounts.refusals import Refused
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from play.models import Game


def refusal(deed, *args) -> LobbyReason:
    """The reason for which a deed is refused; it has to be, and nothing may have changed."""
    before = list(Lobby.objects.values()), Game.objects.count()
    with pytest.raises(Refused) as refused:
        deed(*args)
    assert (list(Lobby.objects.values()), Game.objects.count()) == before
    return refused.value.reason
