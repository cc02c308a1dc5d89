"""Configuration of the app for ratings of people: rules, boards, ladder, fair play."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    """Registers the rules that need more than a game itself, the tasks and the topic."""

    name = "ratings"
    verbose_name = _("Ratings")

    def ready(self) -> None:
        """Register rules, tasks, the topic, the rule that keeps games, and play's ratings."""
        from play.rating_source import register_rating_source
        from play.runtime.game_commands import register_retention_rule
        from play.runtime.runtime import register_periodic_task
        from play.runtime.topics import TopicKind, register_topic
        from play.runtime.worker_tasks import register_worker_task
        from ratings import rating_topic
        from ratings.fair_play import rulings, sightings
        from ratings.fair_play.rated_pairs import why_over_pair_limit, why_related
        from ratings.fair_play.time_out_rule import why_serial
        from ratings.leaderboards import leaderboard_pass
        from ratings.play_source import StoredRatings
        from ratings.rules import entry_log, pruning, scale
        from ratings.rules.reasons import FURTHER_RULES, LOG_RULES

        FURTHER_RULES.append(why_related)
        LOG_RULES.extend((why_serial, why_over_pair_limit))
        register_retention_rule(entry_log.games_with_entry)
        register_rating_source(StoredRatings())
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
