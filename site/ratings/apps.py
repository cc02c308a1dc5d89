"""Configuration of the app for ratings of people."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Registers the tasks of the boards and of upkeep, and the retention rule."""

    name = "ratings"

    def ready(self) -> None:
        """Register the tasks, the topic, the rule that keeps games, and play's rating source."""
        from play import protocol
        from play.rating_source import register_rating_source
        from play.runtime.game_commands import register_retention_rule
        from play.runtime.runtime import register_source
        from play.runtime.worker_tasks import register_worker_task
        from play.sockets import topic_handlers
        from ratings import entry_log, pruning, rating_topic, scale
        from ratings.boards import board_pass
        from ratings.play_source import StoredRatings

        register_retention_rule(entry_log.games_with_entry)
        register_rating_source(StoredRatings())
        protocol.register("rating:SLUG", None, (rating_topic.RatingState,))
        register_source(
            rating_topic.TOPIC, lambda runtime: rating_topic.RatingSource(runtime.games)
        )
        topic_handlers.register(rating_topic.TOPIC, rating_topic.RatingHandler())
        register_worker_task(board_pass.TASK)
        register_worker_task(pruning.TASK)
        register_worker_task(scale.TASK)
