"""Talk in lobbies and games."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

HOUR = 3600.0  # seconds


class TalkConfig(AppConfig):
    """Lines of talk, who may read them, and what is done about bad ones."""

    name = "talk"
    verbose_name = _("Talk")

    def ready(self) -> None:
        """Tells the hub where the frames come from."""
        from play import background, hub
        from play.desk import desk
        from talk import live, services

        async def forget_old() -> None:
            await desk().read(services.forget_old)

        hub.register("talk", live.TalkSource())
        hub.register("talker", live.TalkerSource())
        background.chore(HOUR, forget_old)
