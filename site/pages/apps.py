"""Configuration of the app for front page, learning and profiles."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    """Registers periodic tasks and account signals; has no models of its own."""

    name = "pages"

    def ready(self) -> None:
        """Register periodic tasks and account signals."""
        from accounts import signals
        from pages import account_events, cleanup, deletion_tasks
        from play.runtime.runtime import register_periodic_task

        register_periodic_task(deletion_tasks.DELETION_INTERVAL_S, deletion_tasks.finish_deletions)
        register_periodic_task(cleanup.GUESTS_INTERVAL_S, cleanup.cleanup)
        register_periodic_task(cleanup.SESSIONS_INTERVAL_S, cleanup.cleanup_sessions)
        signals.renamed.connect(account_events.show_new_name)
        signals.blocks_changed.connect(account_events.hide_names)
        signals.session_moved.connect(account_events.session_moved)
        signals.session_ended.connect(account_events.session_ended)
        signals.sessions_ended.connect(account_events.sessions_ended)
