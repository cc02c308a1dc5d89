"""Configuration of the app for the ladder of levels."""

from django.apps import AppConfig


class LadderConfig(AppConfig):
    """Registers the work on the ladder with the workers."""

    name = "ladder"

    def ready(self) -> None:
        """Register the task."""
        from ladder import applier
        from play.runtime.worker_tasks import register_worker_task

        register_worker_task(applier.TASK)
