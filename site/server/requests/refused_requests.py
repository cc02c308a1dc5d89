"""Answers to requests that no view takes: a wrong method, or a form whose CSRF token is stale.

Both lead on: a reader who reloads or shares the address of a form gets the page of that form.
"""

from typing import Final
from urllib.parse import urlsplit

from allauth.account.utils import get_next_redirect_url
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext_lazy as _

from accounts.content_negotiation import wants_json
from accounts.refusal_responses import refusal_json
from accounts.refusals import RefusalReason, Refused
from accounts.site_links import is_own_path, local_path

# Pages of forms that are sent to an address which is not below their own.
FORM_PAGES: Final = {"lobby-create": "lobby-new", "play-now": "play-online"}
ENTRANCES: Final = frozenset({"account_login", "account_signup"})


class RequestReason(RefusalReason):
    """Why a request was refused before its view could answer it."""

    METHOD_NOT_ALLOWED = (
        "method_not_allowed",
        _("This address can’t be opened like that. Nothing was changed."),
        405,
    )
    EXPIRED = "expired", _("This page expired. Nothing was changed. Reload it and try again."), 403
    TOO_OFTEN = (
        "too_often",
        _("Too many requests. Nothing was changed. Try again in a few minutes."),
        429,
    )


class MethodNotAllowedMiddleware(MiddlewareMixin):
    """Middleware that gives Django's empty answer 405 a content.

    A GET of an address that takes only POST is redirected to the page of its form, if there is one.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response, or another in the place of a 405 to a reader or a script."""
        if not isinstance(response, HttpResponseNotAllowed) or request.method == "OPTIONS":
            return response
        answer: HttpResponse
        if wants_json(request):
            answer = refusal_json(Refused(RequestReason.METHOD_NOT_ALLOWED), next=None)
        elif request.method in ("GET", "HEAD") and (page := page_of_form(request)):
            answer = redirect(page)
        else:
            answer = render(request, "405.html", status=405)
        answer["Allow"] = response["Allow"]
        return answer


def page_of_form(request: HttpRequest) -> str:
    """Return the path of the page whose form is sent to the address of a request; "" if none is.

    It is the nearest address above that one; the home page stands above all, and counts as none.
    """
    match = request.resolver_match
    if match and match.url_name in FORM_PAGES:
        return reverse(FORM_PAGES[match.url_name])
    path = request.path
    while path := path.rstrip("/").rpartition("/")[0]:
        if is_address(f"{path}/"):
            return f"{path}/"
    return ""


def is_address(path: str) -> bool:
    """Return whether a path is an address of this site, and not a link to another host."""
    try:
        resolve(path)
    except Resolver404:
        return False
    return is_own_path(path)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the answer 403 to a form with a stale or missing token, with a way to a fresh form.

    A signed-in user who sends an old sign-in form goes on to its `next`.
    """
    match = request.resolver_match
    is_entrance = match is not None and match.url_name in ENTRANCES
    if is_entrance and request.user.is_authenticated and request.user.is_account:
        return redirect(get_next_redirect_url(request) or "home")
    if wants_json(request):
        return refusal_json(Refused(RequestReason.EXPIRED), next=None)
    context = {"form_path": _page_sent_from(request)}
    return render(request, "403_csrf.html", context, status=403)


def _page_sent_from(request: HttpRequest) -> str:
    """Return the path of the page that a form stood on, by the Referer if it is one of this site;
    else the form's own address, which leads to a page as well."""
    try:
        source = urlsplit(request.headers.get("Referer", ""))
    except ValueError:
        source = urlsplit("")
    if source.netloc == request.get_host() and is_address(source.path):
        return local_path(source.geturl())
    return request.get_full_path() if is_own_path(request.path) else "/"
