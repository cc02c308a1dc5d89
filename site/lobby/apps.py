"""The lobby: people gather, choose a game and its options, take seats, and start."""

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """Registers what the hub pushes for a lobby and for the lists of what is open and played."""

    name = "lobby"

    def ready(self) -> None:
        """Tells the hub where the frames come from, and play what is to be done here."""
        from lobby import again, lists, live, presence
        from play import background, hub, outbox

        hub.register("lobby", live.LobbySource())
        hub.register("lists", lists.ListsSource())
        outbox.when_over(again.when_over)
        background.chore(presence.WRITE_EVERY, presence.write_down)
        background.chore(presence.CLOSE_EVERY, presence.close_forsaken)
