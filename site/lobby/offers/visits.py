"""Middleware that notes the users who visit the site, and the task that writes them.

A visit keeps a user's standing offers and slow lobbies alive. Each process collects its visitors
and writes them once a minute, so that no request costs a query.
"""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from lobby.offers.offer_service import note_visits
from play.runtime.runtime import Runtime

WRITE_INTERVAL_S = 60.0
visitors: set[int] = set()  # ids of users who have visited this process since the last write


class VisitMiddleware(MiddlewareMixin):
    """Notes the visit of a user if the request has read the session; otherwise costs nothing."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Returns the response unchanged."""
        user_id = request.user.pk if request.session.accessed else None
        if user_id is not None:
            visitors.add(user_id)
        return response


async def write_visits(runtime: Runtime) -> None:
    """Writes the visits to this process since the last call."""
    known = set(visitors)
    if known:
        await runtime.games.run_in_db_thread(note_visits, known)
        visitors.difference_update(known)
