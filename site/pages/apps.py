"""The pages that belong to no single lobby or game: front page, watching, learning, profiles."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    """Registers what the hub pushes to a user on all pages; has no models of its own."""

    name = "pages"

    def ready(self) -> None:
        """Tells the hub where the frames come from, and hears what happens to people."""
        from accounts import signals
        from pages import departure, mine, people, tidying
        from play import background, hub

        hub.register("mine", mine.MineSource())
        background.chore(departure.EVERY, departure.see_out)
        background.chore(tidying.EVERY, tidying.tidy)
        background.chore(tidying.SESSIONS_EVERY_S, tidying.tidy_sessions)
        signals.renamed.connect(people.renamed)
        signals.session_moved.connect(people.session_moved)
        signals.session_ended.connect(people.session_ended)
        signals.sessions_ended.connect(people.sessions_ended)
