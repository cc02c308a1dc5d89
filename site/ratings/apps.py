"""Configuration of the app for ratings of people."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Registers the tasks of the log, the boards and placements, and the retention rule."""

    name = "ratings"

    def ready(self) -> None:
        """Register the tasks, the rule that keeps games with an entry, and play's rating source."""
        from play.rating_source import register_rating_source
        from play.runtime.game_commands import register_retention_rule
        from play.runtime.worker_tasks import register_worker_task
        from ratings import applier, entry_log, pruning, scale
        from ratings.boards import board_pass
        from ratings.placing import closing
        from ratings.play_source import StoredRatings

        register_retention_rule(entry_log.games_with_entry)
        register_rating_source(StoredRatings())
        register_worker_task(applier.TASK)
        register_worker_task(board_pass.TASK)
        register_worker_task(pruning.TASK)
        register_worker_task(closing.TASK)
        register_worker_task(scale.TASK)
