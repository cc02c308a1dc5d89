"""Configuration of the app for studying finished games."""

from django.apps import AppConfig


class StudyConfig(AppConfig):
    """Registers the check of published reviews with the workers of computer players."""

    name = "study"

    def ready(self) -> None:
        """Register the task."""
        from bots.idle_tasks import register_idle_task
        from study.review_checker import ReviewChecker

        register_idle_task(ReviewChecker)
