"""Configuration of the app that tells users what happened to their games."""

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """Derives notices and delivers them; registers the topic of the bell."""

    name = "notices"

    def ready(self) -> None:
        """Registers the message and topic of the bell; follows addresses and sessions."""
        from notices.inbox import inbox_topic
        from notices.mail import bounces
        from notices.push import devices
        from play import protocol
        from play.runtime.runtime import register_source
        from play.sockets import topic_handlers

        protocol.register("notices", None, (inbox_topic.NoticesState,))
        register_source("notices", lambda runtime: inbox_topic.NoticesSource(runtime.games))
        topic_handlers.register("notices", inbox_topic.NoticesHandler())
        bounces.connect_signals()
        devices.connect_signals()
