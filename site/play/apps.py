"""The heart of the site: live play."""

from django.apps import AppConfig


class PlayConfig(AppConfig):
    """Registers what the hub pushes for a game."""

    name = "play"

    def ready(self) -> None:
        """Tells the hub where snapshots come from."""
        from play import hub, sight

        hub.register("game", sight.GameSource())
