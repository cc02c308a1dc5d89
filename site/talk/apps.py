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
        from accounts import signals
        from play import act, background, hub
        from play.desk import desk
        from talk import live, services

        async def forget_old() -> None:
            await desk().read(services.forget_old)

        hub.register("talk", live.TalkSource())
        hub.register("talker", live.TalkerSource())
        signals.renamed.connect(show_new_name, dispatch_uid="talk.show_new_name")
        act.spare(services.reported)
        background.chore(HOUR, forget_old)


def show_new_name(sender: object, user_id: int, **about: object) -> None:
    """Lines bear the present name of who said them."""
    from talk import services

    services.renamed(user_id)
