"""What the hub shows of lobbies."""

from collections import Counter
from collections.abc import Mapping, Sequence

from django.utils.translation import override

from games.catalogue import RULES
from lobby.frame import frame
from lobby.models import Lobby
from lobby.tongues import parted
from lobby.turnstile import settle


class LobbySource:
    """Frames of `("lobby", code)`; an audience is a name (empty: a stranger) and a language."""

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

    def render(self, lobby: Lobby, audience: str) -> Mapping[str, object]:
        """The frame for one name in one language."""
        name, language = parted(audience)
        with override(language):
            return frame(lobby, name)

    def revs(self, codes: Sequence[str]) -> dict[str, int]:
        """The revs that the database has, for many lobbies at once."""
        return dict(Lobby.objects.filter(code__in=codes).values_list("code", "rev"))

    def crowd(self, lobby: Lobby, audiences: Counter[str]) -> dict[str, object]:
        """Who has the page open: names, and how many strangers."""
        here: Counter[str] = Counter()
        for audience, sockets in audiences.items():
            here[parted(audience)[0]] += sockets
        names = sorted(name for name, sockets in here.items() if name and sockets)
        return {"t": "people", "here": names, "strangers": here[""]}
