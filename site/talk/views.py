"""What talk needs besides its socket: a name for strangers who want to speak."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from accounts.guests import user_of


@require_POST
def become_guest(request: HttpRequest) -> HttpResponse:
    """Makes a stranger a guest, who may talk in phrases, and goes back to where they were."""
    user_of(request)
    back = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure())
    return redirect(back if safe else "home")
