"""The lobby: people gather, choose a game and its options, take seats, and start."""

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """Registers what the hub pushes for a lobby and for the lists of what is open and played."""

    name = "lobby"

    def ready(self) -> None:
        """Tells the hub where the frames come from."""
        from lobby import lists, live
        from play import hub

        hub.register("lobby", live.LobbySource())
        hub.register("lists", lists.ListsSource())
