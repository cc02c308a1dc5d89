"""Talk in lobbies and games."""

from django.apps import AppConfig


class TalkConfig(AppConfig):
    """Lines of talk, who may read them, and what is done about bad ones."""

    name = "talk"
