"""Configuration of the app for ratings of people: rules, boards, ladder, fair play."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    """Registers the tasks and the topic."""

    name = "ratings"
    verbose_name = _("Ratings")

    def ready(self) -> None:
        """Register the tasks and the topic."""
        from play.runtime.runtime import register_periodic_task
        from play.runtime.topics import TopicKind, register_topic
        from play.runtime.worker_tasks import register_worker_task
        from ratings import rating_topic
        from ratings.fair_play import rulings, sightings
        from ratings.leaderboards import leaderboard_pass
        from ratings.rules import pruning, scale

        register_topic(
            TopicKind(
                f"{rating_topic.TOPIC}:SLUG",
                lambda runtime: rating_topic.RatingSource(runtime.games),
                rating_topic.RatingHandler(),
                from_site=(rating_topic.RatingState,),
            )
        )
        for task in (rulings.TASK, leaderboard_pass.TASK, pruning.TASK, scale.TASK):
            register_worker_task(task)
        register_periodic_task(sightings.WRITE_INTERVAL_S, sightings.write_sightings)
