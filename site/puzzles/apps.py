"""Configuration of the app for puzzles."""

from django.apps import AppConfig


class PuzzlesConfig(AppConfig):
    """Registers the work on puzzles with the workers."""

    name = "puzzles"

    def ready(self) -> None:
        """Register the task."""
        from play.runtime.worker_tasks import register_worker_task
        from puzzles import miner_task

        register_worker_task(miner_task.TASK)
