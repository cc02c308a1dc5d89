"""App of the computer players."""

from django.apps import AppConfig


class BotsConfig(AppConfig):
    """Web processes run nothing of it; they only read the rows that the workers have written."""

    name = "bots"
