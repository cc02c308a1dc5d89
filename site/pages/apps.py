"""Configuration of the app for front page, learning and profiles."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    """Registers periodic tasks; has no models of its own."""

    name = "pages"

    def ready(self) -> None:
        """Register periodic tasks."""
        from pages import cleanup, deletion_tasks
        from play.runtime.runtime import register_periodic_task

        register_periodic_task(deletion_tasks.DELETION_INTERVAL_S, deletion_tasks.finish_deletions)
        register_periodic_task(cleanup.GUESTS_INTERVAL_S, cleanup.cleanup)
        register_periodic_task(cleanup.SESSIONS_INTERVAL_S, cleanup.cleanup_sessions)
