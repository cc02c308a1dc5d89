"""Configuration of the app for fair play in rated games."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class FairPlayConfig(AppConfig):
    """Registers the rating rules that need more than a game itself, and the tasks."""

    name = "fair_play"
    verbose_name = _("Fair play")

    def ready(self) -> None:
        """Register rules with the applier, the task of rulings, and the writer of sightings."""
        from play.runtime.runtime import register_periodic_task
        from play.runtime.worker_tasks import register_worker_task
        from ratings.fair_play import rulings, sightings
        from ratings.fair_play.rated_pairs import why_over_pair_limit, why_related
        from ratings.fair_play.time_out_rule import why_serial
        from ratings.rules.reasons import FURTHER_RULES, LOG_RULES

        FURTHER_RULES.append(why_related)
        LOG_RULES.extend((why_serial, why_over_pair_limit))
        register_worker_task(rulings.TASK)
        register_periodic_task(sightings.WRITE_INTERVAL_S, sightings.write_sightings)
