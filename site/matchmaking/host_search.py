"""Searches of hosts who wait in a public lobby: people who search are paired with them too."""

from typing import Any

from lobby.lobby_presence import note_seen
from lobby.lobby_refusals import Reason, Refused
from lobby.models import Lobby
from matchmaking.models import Search
from matchmaking.pairing import Choice
from matchmaking.search_service import (
    FRESH,
    State,
    Why,
    announce,
    end,
    is_followed,
    running_game,
    swap,
)
from play.domain.clocks import now
from play.runtime.notify import publish
from play.time_controls import clock_value


def search_for_lobby(host_id: int, code: str) -> None:
    """Let the host of a lobby be found while they wait in it; end that search if they do not wait.

    Another search of theirs that goes on is left as it is. A page that names its lobby counts as
    present, even if it left an earlier question unanswered.
    """
    lobby = Lobby.objects.with_people().filter(code=code, host=host_id).first()
    waits = lobby is not None and lobby.is_host_waiting
    search = Search.objects.filter(user=host_id).first()
    if search is not None and search.is_active and is_followed(search):
        if search.lobby_id is None or search.state == State.ASKED:
            return
        if lobby is not None and waits and _is_search_for(search, lobby):
            return
        if not waits:
            if lobby is not None and search.lobby_id == lobby.pk:
                end(search, Why.STOPPED)
            return
    if lobby is None or not waits or running_game(host_id):
        if search is not None and search.why == Why.NO_ANSWER:
            swap(search, why=Why.STOPPED)
        return
    _put(host_id, search, **_columns_of(lobby), lobby=lobby, seen=now())
    note_seen([(lobby.code, host_id)])
    publish(("lists", ""))


def silent_lobbies(codes: set[str]) -> set[str]:
    """Return the lobbies whose hosts have left a question unanswered."""
    asked = Search.objects.filter(state=State.ENDED, why=Why.NO_ANSWER, lobby__code__in=codes)
    return set(asked.values_list("lobby__code", flat=True))


def choice_of(lobby: Lobby) -> Choice:
    """Return the game and clock of a lobby."""
    return lobby.rules, clock_value(lobby.clock)


def _columns_of(lobby: Lobby) -> dict[str, Any]:
    """Return the columns of a search for the game of a lobby."""
    rated = Search.Rated.YES if lobby.is_rated else Search.Rated.NO
    return {"choices": [list(choice_of(lobby))], "rated": rated}


def _is_search_for(search: Search, lobby: Lobby) -> bool:
    """Return whether a host's search is for a lobby as it stands."""
    columns = _columns_of(lobby)
    is_same = (search.choices, search.rated) == (columns["choices"], columns["rated"])
    return search.lobby_id == lobby.pk and is_same


def _put(user_id: int, search: Search | None, **columns: object) -> Search:
    """Restart a user's search; `search` is the old row. Raises Refused if it has changed."""
    if search is None:
        made = Search.objects.create(user_id=user_id, **columns)
        announce(made)
        return made
    fresh = {**FRESH, "created": now(), **columns}
    after = swap(search, **fresh)
    if after is None:
        raise Refused(Reason.BUSY)
    return after
