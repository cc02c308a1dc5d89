"""Logging out; logging in with a password comes with accounts."""

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.guests import forget


@require_POST
def log_out(request: HttpRequest) -> HttpResponse:
    """Ends the session. A guest's name goes with it: nothing else knows him."""
    if request.user.is_authenticated:
        forget(request.user)
    logout(request)
    return redirect("home")
