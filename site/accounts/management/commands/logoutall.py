"""`manage.py logoutall`: end sessions, of all accounts, of one user, or of guests as well."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.login.revocations import log_out_everybody, log_out_user
from accounts.models import User

ACCOUNTS = "Everybody with an account has to log in again. Guests stay (see --guests)."
GUESTS = (
    "Everybody with an account has to log in again, and all guests lose their names and seats for"
    " good: a guest lives by the session alone."
)
ACCOUNT = "{name} has to log in again, in every browser."
GUEST = "The guest {name} loses name and seats for good: a guest lives by the session alone."


class Command(BaseCommand):
    """Ends sessions and closes their sockets in every process. Run it after restoring a backup."""

    help = (
        "Ends the sessions of all accounts, or of one user, and closes their sockets in every"
        " process. Run it after restoring a backup, which revives sessions that had ended."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        whose = parser.add_mutually_exclusive_group()
        whose.add_argument("--user", metavar="NAME", help="this user's sessions only")
        whose.add_argument(
            "--guests", action="store_true", help="guests' as well: their seats are lost for good"
        )
        parser.add_argument(
            "--no-input", action="store_false", dest="asks", help="do not ask for confirmation"
        )

    def handle(
        self, *args: Any, user: str | None, guests: bool, asks: bool, **options: Any
    ) -> None:
        if user is None:
            self._confirm(GUESTS if guests else ACCOUNTS, asks)
            count = log_out_everybody(guests)
        else:
            found = self._find(user)
            self._confirm((GUEST if found.is_guest else ACCOUNT).format(name=found), asks)
            count = log_out_user(found.pk)
        self.stdout.write(f"{count} {'session' if count == 1 else 'sessions'} ended.")

    def _find(self, name: str) -> User:
        user = User.objects.filter(username__iexact=name).first()
        if user is None:
            raise CommandError(f"There is no user {name}.")
        if user.is_bot:
            raise CommandError(f"{user} is a computer player, which has no session.")
        return user

    def _confirm(self, effect: str, asks: bool) -> None:
        """Raise CommandError unless the operator agrees."""
        if not asks:
            return
        self.stdout.write(effect)
        try:
            answer = input("Type yes to go on: ")
        except EOFError:
            raise CommandError(
                "Nobody is there to ask. Use --no-input; nothing was done."
            ) from None
        if answer.strip().lower() != "yes":
            raise CommandError("Nothing was done.")
