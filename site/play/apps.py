"""The heart of the site: live play."""

from typing import Any

from django.apps import AppConfig


class PlayConfig(AppConfig):
    """Registers what the hub pushes for a game, and what is done again and again."""

    name = "play"

    def ready(self) -> None:
        """Tells the hub where snapshots come from, and what the chores are."""
        from django.contrib.auth.signals import user_logged_out

        from play import background, hub, outbox, presence, sight, steering
        from play.desk import WATCHERS

        WATCHERS.append(outbox.changed)
        hub.register("game", sight.GameSource())
        background.chore(presence.EVERY, presence.refresh)
        background.chore(steering.EVERY, steering.steer)
        background.chore(60, background.end_what_is_idle)
        user_logged_out.connect(end_sockets, dispatch_uid="play.end_sockets")


def end_sockets(sender: object, request: Any, **about: Any) -> None:
    """Who logs out does so on his open pages as well."""
    from play.mailbox import revoke

    if request is not None and request.session.session_key:
        revoke(request.session.session_key)
