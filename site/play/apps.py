"""The heart of the site: live play."""

from django.apps import AppConfig


class PlayConfig(AppConfig):
    """Registers what the hub pushes for a game, and what is done again and again."""

    name = "play"

    def ready(self) -> None:
        """Tells the hub where snapshots come from, and what the chores are."""
        from play import background, hub, outbox, permits, presence, sight, steering
        from play.desk import WATCHERS

        WATCHERS.append(outbox.changed)
        hub.register("game", sight.GameSource())
        background.chore(presence.EVERY, presence.refresh)
        background.chore(steering.EVERY, steering.steer)
        background.chore(60, background.end_what_is_idle)
        background.chore(permits.EVERY, permits.follow)
        background.chore(3600, permits.forget_old)
