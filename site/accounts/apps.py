"""People: guests, accounts, computer players."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Holds the user model."""

    name = "accounts"

    def ready(self) -> None:
        """Has revocations written when sessions end."""
        from allauth.mfa.signals import authenticator_removed, authenticator_used
        from django.contrib.auth.signals import user_logged_out

        from accounts import audit, revocations, signals, staff_sessions

        audit.begin()
        user_logged_out.connect(revocations.logged_out, dispatch_uid="accounts.logged_out")
        authenticator_used.connect(staff_sessions.note_code)
        authenticator_removed.connect(staff_sessions.forget_code)
        signals.session_moved.connect(revocations.session_moved)
        signals.session_ended.connect(revocations.session_ended)
        signals.sessions_ended.connect(revocations.sessions_ended)
