"""What the hub shows of lobbies."""

from collections import Counter
from collections.abc import Mapping, Sequence

from lobby.frame import frame
from lobby.models import Lobby


class LobbySource:
    """Frames of `("lobby", code)`; an audience is a user's name, or empty for a stranger."""

    def load(self, code: str) -> Lobby | None:
        """The lobby with its people, as the database has it now."""
        return Lobby.objects.with_people().filter(code=code).first()

    def rev(self, lobby: Lobby) -> int:
        """Grows with every change."""
        return lobby.rev

    def render(self, lobby: Lobby, audience: str) -> Mapping[str, object]:
        """The frame for one name."""
        return frame(lobby, audience)

    def revs(self, codes: Sequence[str]) -> dict[str, int]:
        """The revs that the database has, for many lobbies at once."""
        return dict(Lobby.objects.filter(code__in=codes).values_list("code", "rev"))

    def crowd(self, lobby: Lobby, audiences: Counter[str]) -> dict[str, object]:
        """Who has the page open: names, and how many strangers."""
        names = sorted(name for name, sockets in audiences.items() if name and sockets)
        return {"t": "people", "here": names, "strangers": audiences[""]}
