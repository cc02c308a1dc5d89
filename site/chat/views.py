"""View that turns a stranger into a guest, who may chat."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.people.guests import user_of
from accounts.site_links import is_own_path


@require_POST
def become_guest(request: HttpRequest) -> HttpResponse:
    """Creates a guest account for a stranger and redirects back to the previous page."""
    user_of(request)
    back = request.POST.get("next", "")
    return redirect(back if is_own_path(back) else "home")
