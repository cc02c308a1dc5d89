"""What the hub shows of lobbies."""

from collections import Counter
from collections.abc import Sequence

from django.utils.translation import override

from games.catalogue import RULES
from lobby.frame import frame
from lobby.models import Lobby
from lobby.presence import elsewhere, learn_names, names
from lobby.tongues import parted
from lobby.turnstile import people_of, settle
from play.frames import Frame, encoded


class LobbySource:
    """Frames of `("lobby", code)`; an audience is a user (none: a stranger) and a language."""

    def load(self, code: str) -> Lobby | None:
        """The lobby with its people, as the database has it now; None for one that is not offered.

        One whose game is over is opened again first, should that not have been done.
        """
        lobby = Lobby.objects.with_games().filter(code=code).first()
        if lobby is None or lobby.rules not in RULES:
            return None
        if lobby.is_over:
            settle(lobby)
            return Lobby.objects.with_games().get(code=code)
        return lobby

    def rev(self, lobby: Lobby) -> int:
        """Grows with every change."""
        return lobby.rev

    def render(self, lobby: Lobby, audience: str) -> Frame:
        """The frame for one user in one language."""
        user, language = parted(audience)
        with override(language):
            return encoded(frame(lobby, user))

    def revs(self, codes: Sequence[str]) -> dict[str, int]:
        """The revs that the database has, for many lobbies at once."""
        return dict(Lobby.objects.filter(code__in=codes).values_list("code", "rev"))

    def crowd(self, lobby: Lobby, audiences: Counter[str]) -> dict[str, object]:
        """Who has the page open: names, and how many strangers."""
        here: Counter[int | None] = Counter()
        for audience, sockets in audiences.items():
            here[parted(audience)[0]] += sockets
        strangers = here.pop(None, 0)
        known = self._known(lobby)
        return {
            "t": "people",
            "here": sorted(known[user] for user in here if known.get(user)),
            "strangers": strangers,
        }

    def unknown(self, lobby: Lobby, audiences: Counter[str]) -> set[int]:
        """Who is there by a page of another process, under a name that this one has not read."""
        here = {parted(audience)[0] for audience in audiences} - {None}
        return {user for user in here if user is not None} - self._known(lobby).keys()

    def learn(self, users: set[int]) -> None:
        """Reads their names."""
        learn_names(users)

    def _known(self, lobby: Lobby) -> dict[int, str]:
        people = {user.pk: user.username for user in (lobby.host, lobby.one, lobby.two) if user}
        return elsewhere | names | people

    def concerns(self, lobby: Lobby, user: int) -> bool:
        """Whether the lobby shows the name of a user."""
        return user in people_of(lobby)
