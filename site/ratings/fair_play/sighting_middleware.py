"""Middleware that notes devices and networks of people with an account."""

import logging

from django.db import DatabaseError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from accounts.models import User
from play.domain.clocks import now
from ratings.fair_play.sightings import BUFFER, is_young

log = logging.getLogger("quiver.fair_play")


class SightingMiddleware(MiddlewareMixin):
    """Notes requests of accounts."""

    def process_request(self, request: HttpRequest) -> None:
        """Note a form before its view: it may join a rated game.

        The sighting of a young account is written at once: games of a few seconds would be rated
        before the periodic write.
        """
        if request.method == "POST" and (user := _note(request)) and is_young(user, now()):
            _write_now(user.pk)

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Note a request that has read the session; return the response unchanged."""
        if request.session.accessed:
            _note(request)
        return response


def _note(request: HttpRequest) -> User | None:
    """Note the request of an account; return the account, or None."""
    user = request.user
    if not isinstance(user, User) or not user.is_account:
        return None
    BUFFER.note(request, user.pk, now())
    return user


def _write_now(user: int) -> None:
    """Write what waits, also for a user who plays no rated game yet; the request does not fail."""
    try:
        BUFFER.write(user)
    except DatabaseError as error:
        log.warning(
            "sightings could not be written, the periodic task tries again: %s",
            type(error).__name__,
            extra={"event": "sightings_failed"},
        )
