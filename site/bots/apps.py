"""App of the computer players."""

from django.apps import AppConfig


class BotsConfig(AppConfig):
    """Registers nothing: web processes only read the rows written by the workers."""

    name = "bots"
