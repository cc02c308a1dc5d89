"""Decorator of pages about one person, found by a present or a former name."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from accounts.models import User
from accounts.people.name_claims import find_person
from accounts.people.names import NAME

View = Callable[..., HttpResponse]


def page_of_person(view: View) -> View:
    """Call a view with the account or computer player of the address in the place of `name`.

    Another spelling, and a name that is kept for its former owner, redirect to the present one.
    Raise Http404 if nobody is found.
    """

    @wraps(view)
    def call(request: HttpRequest, name: str, **more: Any) -> HttpResponse:
        person: User | None = find_person(name) if NAME.fullmatch(name) else None
        if person is None:
            raise Http404
        if person.username == name:
            return view(request, person, **more)
        assert request.resolver_match is not None
        url = reverse(request.resolver_match.view_name, kwargs={"name": person.username, **more})
        query = request.META.get("QUERY_STRING", "")
        return HttpResponseRedirect(f"{url}?{query}" if query else url)

    return call
