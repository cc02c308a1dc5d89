"""Lobbies as topics of a socket."""

from contextlib import ExitStack

from lobby.lobbies.lobby_presence import note_seen, present_users
from lobby.lobbies.lobby_topics import audience, language_of
from play.sockets.topic_handlers import Admission, Scope, Subscription, TopicHandler


class LobbyHandler(TopicHandler):
    """The handler of `lobby:CODE`; its user counts as present while the page follows it."""

    async def admit(self, scope: Scope, ident: str) -> Admission:
        """Returns the audience of a page: its user and language."""
        return Admission(("lobby", ident), audience(scope["user"].pk, language_of(scope)))

    async def came(self, subscription: Subscription) -> None:
        """Counts the user as present until the subscription ends."""
        user, code = subscription.scope["user"], subscription.ident
        presence = ExitStack()
        presence.enter_context(present_users(code, user.pk, user.get_username()))
        subscription.on_end(presence.close)
        if user.pk is not None:
            await subscription.runtime.games.run_in_db_thread(note_seen, [(code, user.pk)])
