"""Checks of lobbies kept by standing offers: permission to join, and the owner's actions."""

from accounts.models import User
from accounts.refusals import Refused
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby


def check_may_accept(lobby: Lobby, user: User) -> None:
    """Raises Refused if a user may not accept a standing offer; other lobbies are not concerned."""
    if not lobby.is_kept:
        return
    if lobby.host_id == user.pk:
        raise Refused(LobbyReason.OWN_OFFER)
    if not lobby.host.is_active:
        raise Refused(LobbyReason.CLOSED)


def check_not_accepted(lobby: Lobby) -> None:
    """Raises Refused if somebody else has just accepted the standing offer of a lobby."""
    if lobby.offer_id is not None and lobby.status == Lobby.Status.PLAYING:
        raise Refused(LobbyReason.FASTER)


def check_not_kept(lobby: Lobby, user_id: int | None) -> None:
    """Raises Refused if a lobby belongs to a standing offer of the user, which manages it."""
    if lobby.is_kept and lobby.host_id == user_id:
        raise Refused(LobbyReason.OWN_OFFER)
