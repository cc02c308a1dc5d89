"""People: guests, accounts, computer players."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Holds the user model."""

    name = "accounts"

    def ready(self) -> None:
        """Has revocations written when sessions end."""
        from django.contrib.auth.signals import user_logged_out

        from accounts import audit, revocations, signals

        audit.begin()
        user_logged_out.connect(revocations.logged_out, dispatch_uid="accounts.logged_out")
        signals.session_moved.connect(revocations.session_moved)
        signals.session_ended.connect(revocations.session_ended)
        signals.sessions_ended.connect(revocations.sessions_ended)
