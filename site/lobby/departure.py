"""What becomes of the lobbies of somebody who leaves the site for good."""

from accounts.models import User
from lobby.models import Lobby
from lobby.refusals import Reason, Refused
from lobby.services import close, leave
from lobby.turnstile import settle


def leave_all(user: User) -> bool:
    """Closes the lobbies that a user has made and frees the seats held in others; whether that is
    all. While the user's own game runs, it is not: call it again when that is over."""
    is_all = True
    for lobby in Lobby.objects.of(user).exclude(status=Lobby.Status.CLOSED).with_people():
        try:
            here = settle(lobby)
            (close if here.host_id == user.pk else leave)(here.code, user)
        except Refused as refused:
            is_playing = refused.reason is Reason.STARTED and lobby.place_of(user.pk) is not None
            is_all = is_all and not is_playing
    return is_all
