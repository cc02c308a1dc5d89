"""The pages that belong to no single lobby or game: front page, watching, learning, profiles."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    """Has no models of its own."""

    name = "pages"

    def ready(self) -> None:
        """Hears what happens to people."""
        from accounts import signals
        from pages import people

        signals.renamed.connect(people.renamed)
        signals.session_moved.connect(people.session_moved)
        signals.session_ended.connect(people.session_ended)
        signals.sessions_ended.connect(people.sessions_ended)
