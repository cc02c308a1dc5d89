"""Talk in lobbies and games."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TalkConfig(AppConfig):
    """Lines of talk, who may read them, and what is done about bad ones."""

    name = "talk"
    verbose_name = _("Talk")

    def ready(self) -> None:
        """Tells the hub where the frames come from."""
        from play import hub
        from talk import live

        hub.register("talk", live.TalkSource())
        hub.register("talker", live.TalkerSource())
