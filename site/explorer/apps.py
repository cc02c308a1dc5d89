"""Configuration of the app for the opening explorer."""

from django.apps import AppConfig


class ExplorerConfig(AppConfig):
    """Registers the count of ended games with the workers."""

    name = "explorer"

    def ready(self) -> None:
        """Register the task."""
        from explorer import counting
        from play.runtime.worker_tasks import register_worker_task

        register_worker_task(counting.TASK)
