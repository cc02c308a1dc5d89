"""The app of computer players at the table."""

from django.apps import AppConfig


class BotsConfig(AppConfig):
    """Nothing of it runs in a web process: that only reads what the workers have written."""

    name = "bots"
