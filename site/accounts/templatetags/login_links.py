"""Template tag of links to log-in and sign-up that lead back to the present page."""

from urllib.parse import urlencode

from allauth.account.utils import get_next_redirect_url
from django import template
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest
from django.template.context import Context
from django.urls import reverse

register = template.Library()


@register.simple_tag(takes_context=True)
def entrance(context: Context, name: str) -> str:
    """Return the URL of log-in or sign-up, with this page as `next`.

    On one of these pages, `next` keeps its current value.
    """
    url, back = reverse(name), _find_next_path(context.get("request"))
    return f"{url}?{urlencode({REDIRECT_FIELD_NAME: back})}" if back else url


def _find_next_path(request: HttpRequest | None) -> str:
    if request is None or request.resolver_match is None:
        return ""
    if str(request.resolver_match.url_name).startswith("account_"):
        return get_next_redirect_url(request) or ""
    return request.get_full_path() if request.method == "GET" else ""
