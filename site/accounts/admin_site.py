"""Admin site that requires a second factor for every page and a recent code for every change."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from allauth.core.exceptions import ReauthenticationRequired
from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse

from accounts.staff_sessions import may_change, missing_step

READS = frozenset({"GET", "HEAD", "OPTIONS"})
View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class StaffSite(AdminSite):
    """Django's admin site for sessions of staff that have given their second factor.

    Whoever lacks something is redirected to `login`, which `accounts.views.staff_entrance` answers.
    """

    def get_urls(self) -> list[Any]:
        """Return Django's URLs without `view_on_site` (`r/CONTENT_TYPE/ID/`).

        That view asks for no permission: it redirects every staff member to the address of every
        row of every model. The addresses of private games and lobbies are keys to them.
        """
        urls = super().get_urls()
        return [url for url in urls if getattr(url, "name", None) != "view_on_site"]

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether a request may see the admin at all."""
        return super().has_permission(request) and missing_step(request) is None

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Return a view that asks for a code before a change, if the last is not recent.

        allauth's middleware keeps the request meanwhile, and carries it out after the code.
        """
        entered = super().admin_view(view, cacheable)

        @wraps(entered)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            is_change = request.method not in READS and request.path != reverse("admin:logout")
            if is_change and self.has_permission(request) and not may_change(request):
                raise ReauthenticationRequired
            return entered(request, *args, **kwargs)

        return cast(View, guarded)
