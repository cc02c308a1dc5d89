"""The pages that belong to no single lobby or game: front page, watching, learning."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    """Registers what the hub pushes to a user on all pages; has no models of its own."""

    name = "pages"

    def ready(self) -> None:
        """Tells the hub where the frames come from."""
        from pages import mine
        from play import hub

        hub.register("mine", mine.MineSource())
