"""Stages of a log-in that end it if its account changes meanwhile.

A log-in that waits for a code is stored in the session for up to 15 minutes, and no user is logged
in to that session yet. So a new password, a suspension and `manage.py logoutall` would not end it,
and the old password and a code would still give access. The first and the last stage end a log-in
whose account changes meanwhile.
"""

from allauth.account.stages import LoginStage
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from accounts.login.account_log import log

HASH = "session_hash"


class NoteAccount(LoginStage):  # type: ignore[misc]
    """Notes the session hash of the account; the first step after the password."""

    key = "note_account"

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """Store the hash. allauth runs each stage once for a log-in."""
        self.state[HASH] = _hash_of(self)
        return None, True


class CheckAccount(LoginStage):  # type: ignore[misc]
    """Ends a log-in whose account has another session hash by now; the last step."""

    key = "check_account"

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """Return None to go on, or a redirect to the log-in; and whether it is still valid."""
        noted = self.controller.get_stage(NoteAccount.key).state.get(HASH)
        if noted is not None and constant_time_compare(noted, _hash_of(self)):
            return None, True
        about = {"event": "log-in-outdated", "user": self.login.user.pk}
        log.warning("a log-in was ended: the account changed meanwhile", extra=about)
        messages.error(self.request, _("That code is no longer valid. Sign in again."))
        return redirect("account_login"), False


def _hash_of(stage: LoginStage) -> str:
    """Return the user's session hash, which changes with the password and at the end of all
    sessions."""
    return str(stage.login.user.get_session_auth_hash())
