"""Middleware that notes devices and networks of people with an account."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from accounts.models import User
from fair_play.sightings import BUFFER
from play.domain.clocks import now


class SightingMiddleware(MiddlewareMixin):
    """Notes a request that has read the session of an account; makes no query."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response unchanged."""
        user = request.user if request.session.accessed else None
        if isinstance(user, User) and user.is_account:
            BUFFER.note(request, user.pk, now())
        return response
