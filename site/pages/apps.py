"""The pages that belong to no single lobby or game: front page, watching, learning."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    """Has no models of its own."""

    name = "pages"
