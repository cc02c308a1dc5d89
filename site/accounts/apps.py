"""App of the users: guests, accounts, computer players."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Holds the user model."""

    name = "accounts"

    def ready(self) -> None:
        """Connect signals to the account log, the revocations and the staff sessions."""
        from allauth.mfa.signals import authenticator_removed, authenticator_used
        from django.contrib.auth.signals import user_logged_out

        from accounts import revocations, signals, staff_access
        from accounts.login import account_log

        account_log.connect_signals()
        user_logged_out.connect(revocations.delete_session, dispatch_uid="accounts.logged_out")
        authenticator_used.connect(staff_access.note_code)
        authenticator_removed.connect(staff_access.forget_code)
        signals.session_moved.connect(revocations.session_moved)
        signals.session_ended.connect(revocations.session_ended)
        signals.sessions_ended.connect(revocations.sessions_ended)
