"""Configuration of the app for studies."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StudiesConfig(AppConfig):
    """Trees of turns that accounts keep and share."""

    name = "studies"
    verbose_name = _("Studies")

    def ready(self) -> None:
        """Register the messages, the source and the handler of the topic `study:SLUG`."""
        from play import protocol
        from play.runtime.runtime import register_source
        from play.sockets import topic_handlers
        from studies import study_topic
        from studies.study_service import TOPIC

        protocol.register(f"{TOPIC}:SLUG", None, (study_topic.StudyState,))
        register_source(TOPIC, lambda runtime: study_topic.StudySource(runtime.games))
        topic_handlers.register(TOPIC, study_topic.StudyHandler())
