"""Two steps of a log-in that end it if the account changes between the password and the last code.

A log-in that waits for a code is kept in the session for up to 15 minutes, and no user is logged in
to that session yet. So a new password, a suspension and `manage.py logoutall` would not end it,
and whoever has the old password and a code could still get in afterwards.
"""

from allauth.account.stages import LoginStage
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from accounts.audit import log

HASH = "session_hash"


class NoteAccount(LoginStage):  # type: ignore[misc]
    """Notes the session hash of the account; the first step after the password."""

    key = "note_account"

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """Note it. allauth runs each step once for a log-in."""
        self.state[HASH] = _hash_of(self)
        return None, True


class CheckAccount(LoginStage):  # type: ignore[misc]
    """Ends a log-in whose account has another session hash by now; the last step."""

    key = "check_account"

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """Return None to go on, or a redirect to the beginning; and whether the log-in stands."""
        noted = self.controller.get_stage(NoteAccount.key).state.get(HASH)
        if noted is not None and constant_time_compare(noted, _hash_of(self)):
            return None, True
        about = {"event": "log-in-outdated", "user": self.login.user.pk}
        log.warning("a log-in was ended: the account changed meanwhile", extra=about)
        messages.error(self.request, _("That code is no longer valid. Please sign in again."))
        return redirect("account_login"), False


def _hash_of(stage: LoginStage) -> str:
    """Return the hash that a session of the user would have to carry now: it changes with the
    password and with whatever ends all sessions."""
    return str(stage.login.user.get_session_auth_hash())
