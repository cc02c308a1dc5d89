"""Turn off mails of a kind, or all of them."""

from django.db import transaction

from notices.mail.links import EVERYTHING
from notices.models import Preferences
from notices.preferences.preferences import MAIL, channels_of


def unsubscribe(user_id: int, scope: str) -> None:
    """Turn off a user's mails of a kind, or of every kind (`EVERYTHING`)."""
    with transaction.atomic():
        Preferences.objects.get_or_create(user_id=user_id)
        prefs = Preferences.objects.select_for_update().get(user=user_id)
        if scope == EVERYTHING:
            prefs.mail = Preferences.MailMode.OFF
            prefs.save(update_fields=["mail"])
            return
        channels = sorted(channels_of(prefs, scope) - {MAIL})
        prefs.channels = {**prefs.channels, scope: channels}
        prefs.save(update_fields=["channels"])
