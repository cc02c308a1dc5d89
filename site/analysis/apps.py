"""Configuration of the app for studying games: board, reviews, studies, explorer, lab."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AnalysisConfig(AppConfig):
    """Registers the check of published reviews, and the topic `study:SLUG`."""

    name = "analysis"
    verbose_name = _("Studies")

    def ready(self) -> None:
        """Register the idle task of the workers, and the messages, source and handler."""
        from analysis.reviews.review_checker import ReviewChecker
        from analysis.studies import study_topic
        from analysis.studies.study_service import TOPIC
        from bots.idle_tasks import register_idle_task
        from play.runtime.topics import TopicKind, register_topic

        register_idle_task(ReviewChecker)
        register_topic(
            TopicKind(
                f"{TOPIC}:SLUG",
                lambda runtime: study_topic.StudySource(runtime.games),
                study_topic.StudyHandler(),
                from_site=(study_topic.StudyState,),
            )
        )
