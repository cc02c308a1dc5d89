"""Remove a user's second factor: `manage.py resetmfa NAME`."""

import logging
from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from accounts.login.revocations import log_out_user
from accounts.models import User

log = logging.getLogger("quiver.security")


class Command(BaseCommand):
    """Removes authenticator app and recovery codes, and ends all sessions of the user."""

    help = (
        "Remove a user's second factor and recovery codes, and end the user's sessions. For "
        "somebody who has lost phone and codes; make sure that it is this person who asks."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the user's name."""
        parser.add_argument("name", help="name of the user, in whatever case")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        """Remove it. Raises CommandError for an unknown name or one without a second factor."""
        user = User.objects.filter(username__iexact=name).first()
        if user is None:
            raise CommandError(f"There is no user named {name!r}.")
        with transaction.atomic():
            removed, _ = Authenticator.objects.filter(user=user).delete()
            if not removed:
                raise CommandError(f"{user.username} has no second factor. Nothing was changed.")
            log_out_user(user.pk)
        log.warning("a second factor was reset", extra={"event": "mfa_reset", "user": user.pk})
        self.stdout.write(
            f"Removed the second factor and the recovery codes of {user.username}, and ended all "
            "sessions. A member of staff sets a new one up with the next visit to the admin."
        )
