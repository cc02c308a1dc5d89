"""The public lists as topics of a socket."""

import re

from accounts.people.blocks import blocked_ids, names_of
from lobby.lobbies.lobby_topics import language_of
from play.sockets.topic_handlers import Admission, Scope, TopicHandler


class ListsHandler(TopicHandler):
    """The handler of `lists` and `lists:RULES`; for audiences see `ListsSource`."""

    ident = re.compile(r"[0-9A-Za-z_-]{0,32}")

    async def admit(self, scope: Scope, ident: str) -> Admission:
        """Return the audience of a page: its language, and whom its reader is not shown."""
        user, audience = scope["user"], language_of(scope)
        if user.pk is not None:
            names = await scope["runtime"].games.run_in_db_thread(_hidden_names, user.pk)
            if names:
                audience = f"{audience}|{user.get_username()}|{','.join(sorted(names))}"
        return Admission(("lists", ident), audience)


def _hidden_names(user_id: int) -> frozenset[str]:
    """Return the names of those who block a user or are blocked by the user."""
    return names_of(blocked_ids(user_id))
