"""Lobbies and the public lists as topics of a socket."""

import re
from contextlib import ExitStack

from accounts.blocks import blocked_ids, names_of
from lobby.lobby_presence import note_seen, present_users
from lobby.lobby_topics import audience, language_of
from play.sockets.subscription import Scope, Subscription
from play.sockets.topic_handlers import Admission, TopicHandler


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


class ListsHandler(TopicHandler):
    """The handler of `lists` and `lists:RULES`; for audiences see `ListsSource`."""

    ident = re.compile(r"[0-9A-Za-z_-]{0,32}")

    async def admit(self, scope: Scope, ident: str) -> Admission:
        """Returns the audience of a page: its language, and whom its reader is not shown."""
        user, audience = scope["user"], language_of(scope)
        if user.pk is not None:
            names = await scope["runtime"].games.run_in_db_thread(_hidden_names, user.pk)
            if names:
                audience = f"{audience}|{user.get_username()}|{','.join(sorted(names))}"
        return Admission(("lists", ident), audience)


def _hidden_names(user_id: int) -> frozenset[str]:
    """Returns the names of those who block a user or are blocked by the user."""
    return names_of(blocked_ids(user_id))
