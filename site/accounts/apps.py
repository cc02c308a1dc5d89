"""App of the users: guests, accounts, computer players."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Holds the user model."""

    name = "accounts"

    def ready(self) -> None:
        """Connect signals of Django and allauth to what records them; build the observers."""
        from allauth.mfa.signals import authenticator_removed, authenticator_used
        from django.contrib.auth.signals import user_logged_out

        from accounts.login import account_log, revocations, staff_access
        from accounts.observers import observers

        account_log.connect_signals()
        user_logged_out.connect(revocations.delete_session, dispatch_uid="accounts.logged_out")
        authenticator_used.connect(staff_access.note_code)
        authenticator_removed.connect(staff_access.forget_code)
        observers()  # a wrong path in the setting is an error at start-up, not at a log-out
