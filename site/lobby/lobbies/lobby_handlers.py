"""Lobbies as topics of a socket."""

from lobby.lobbies.lobby_presence import note_seen
from lobby.lobbies.lobby_topics import audience, language_of
from play.sockets.topic_handlers import Admission, Scope, Subscription, TopicHandler


class LobbyHandler(TopicHandler):
    """The handler of `lobby:CODE`; its user counts as present while the page follows it."""

    async def admit(self, scope: Scope, ident: str) -> Admission:
        """Returns the audience of a page: its user and language."""
        user = scope["user"].pk
        return Admission(("lobby", ident), audience(user, language_of(scope)), user)

    async def came(self, subscription: Subscription) -> None:
        """Writes that the host is there."""
        user = subscription.reader
        if user is not None:
            here = [(subscription.ident, user)]
            await subscription.runtime.games.run_in_db_thread(note_seen, here)
