"""Searches of hosts in public lobbies, and presence checks of a host before a join.

A lobby with a running clock is joined only when the page of its host has answered, so that nobody
joins a host who has left.
"""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.catalogue import RULES
from lobby.lobby_options import clock_value
from lobby.lobby_presence import note_seen, unlist
from lobby.lobby_refusals import Reason, Refused
from lobby.lobby_service import check_may_play, check_not_barred, check_not_blocked, check_rev
from lobby.models import Lobby
from lobby.play_now import is_host_waiting
from matchmaking.models import Search
from matchmaking.pairing import Choice, Terms
from matchmaking.search_service import (
    ANSWER_MS,
    FRESH,
    State,
    Why,
    announce,
    ask_pair,
    end,
    is_followed,
    running_game,
    swap,
)
from play.domain.clocks import now
from play.models import Game
from play.runtime.notify import publish


def search_for_lobby(host_id: int, code: str) -> None:
    """Let the host of a lobby be found while they wait in it; end that search if they do not wait.

    Another search of theirs that goes on is left as it is. A page that names its lobby counts as
    present, even if it left an earlier question unanswered.
    """
    lobby = Lobby.objects.with_people().filter(code=code, host=host_id).first()
    waits = lobby is not None and is_host_waiting(lobby)
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


def check_may_ask(code: str, seen: str = "") -> None:
    """Raise Refused if a newcomer cannot join a lobby, as `ask_host` does for a user."""
    lobby = Lobby.objects.with_people().get(code=code)
    if is_host_waiting(lobby):
        check_offered(lobby, seen)
        check_may_play(lobby.options, None)
        _find_host(lobby)


def check_offered(lobby: Lobby, seen: str) -> None:
    """Raise Refused if the game is withdrawn, or differs from the one shown (see `sit`)."""
    if lobby.rules not in RULES:
        raise Refused(Reason.WITHDRAWN)
    check_rev(lobby, seen)


def ask_host(code: str, user: User, seen: str = "") -> Game | Lobby | Search:
    """Ask the page of a lobby's host whether they are there; return the search that waits for it.

    `seen` is the digest of the options that the user was shown; empty if unknown. Return the game
    that the user plays already, or the lobby if the user is in it or there is nothing to wait for.
    Raises Refused (nobody is there, somebody else is asking, another game than was shown) and
    Lobby.DoesNotExist.
    """
    lobby = Lobby.objects.with_people().get(code=code)
    if game := running_game(user.pk):
        return game
    if lobby.host_id == user.pk or lobby.place_of(user.pk) or not is_host_waiting(lobby):
        return lobby
    check_not_barred(lobby, user)
    check_not_blocked(lobby, user)
    check_offered(lobby, seen)
    check_may_play(lobby.options, user)
    host = _find_host(lobby)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)  # serialises clicks
        mine = Search.objects.filter(user=user).first()
        if mine and mine.is_only_partner and mine.partner_id == host.user_id and mine.is_active:
            return mine  # the same click, sent again
        if mine and mine.is_active:
            end(mine, Why.STOPPED)
            mine.refresh_from_db()
        asking = _put(user.pk, mine, **_columns_of(lobby), is_only_partner=True)
        is_free = host.state == State.LOOKING
        terms = Terms(*choice_of(lobby), lobby.is_rated)
        if not is_free or not ask_pair(host, asking, terms, now() + ANSWER_MS):
            raise Refused(Reason.BUSY, _("Someone else is joining this game right now."))
        asking.refresh_from_db()
        swap(asking, is_answered=True)
    return asking


def _find_host(lobby: Lobby) -> Search:
    """Return the search of a lobby's host; take the lobby off the list if no page follows it.

    Raises Refused then.
    """
    host = Search.objects.active().filter(user=lobby.host_id, lobby=lobby).first()
    if host is None or not is_followed(host):
        unlist(lobby.pk)
        raise Refused(Reason.CLOSED, _("The host didn’t answer."))
    return host


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
