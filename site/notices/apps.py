"""Configuration of the app that tells users what happened to their games."""

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """Derives notices and delivers them; registers the topic of the bell."""

    name = "notices"

    def ready(self) -> None:
        """Registers the message and topic of the bell; follows addresses."""
        from notices.inbox import inbox_topic
        from notices.mail import bounces
        from play.runtime.topics import TopicKind, register_topic

        register_topic(
            TopicKind(
                "notices",
                lambda runtime: inbox_topic.NoticesSource(runtime.games),
                inbox_topic.NoticesHandler(),
                from_site=(inbox_topic.NoticesState,),
            )
        )
        bounces.connect_signals()
