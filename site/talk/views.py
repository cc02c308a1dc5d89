"""The view that makes a stranger a guest, who may talk."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.guests import user_of
from accounts.links import is_own_path


@require_POST
def become_guest(request: HttpRequest) -> HttpResponse:
    """Makes a stranger a guest, who may talk in phrases, and goes back to where they were."""
    user_of(request)
    back = request.POST.get("next", "")
    return redirect(back if is_own_path(back) else "home")
