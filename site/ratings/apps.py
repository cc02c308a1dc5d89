"""Configuration of the app for ratings of people."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Registers the work of the applier and the boards, and which games have to be kept."""

    name = "ratings"

    def ready(self) -> None:
        """Register both tasks with the workers, and the rule that keeps games with an entry."""
        from play.runtime.game_commands import register_retention_rule
        from play.runtime.worker_tasks import register_worker_task
        from ratings import applier, entry_log
        from ratings.boards import board_pass

        register_retention_rule(entry_log.games_with_entry)
        register_worker_task(applier.TASK)
        register_worker_task(board_pass.TASK)
