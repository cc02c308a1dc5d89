"""Pages about people: search, followed users, blocked users."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.people import relations
from accounts.refusals import Refused
from accounts.site_links import is_own_path
from pages.people import player_search

MAX_SHOWN_QUERY_CHARS = 40
Change = Callable[[User, str], User]  # of the user, to the user with that name


@require_safe
@never_cache
def players(request: HttpRequest) -> HttpResponse:
    """Shows the accounts whose names contain `?q=`; without it, those that played lately."""
    text = request.GET.get("q", "")
    wanted = player_search.clean_query(text)
    if wanted is None:
        found = []
    elif wanted:
        found = player_search.find_players(request.user.pk, wanted)
    else:
        found = player_search.list_active_players(request.user.pk)
    context = {
        "people": found,
        "query": text[:MAX_SHOWN_QUERY_CHARS],
        "is_search": wanted != "",
        "is_impossible": wanted is None,
        "is_cut": len(found) == player_search.MAX_ROWS,
    }
    return render(request, "people/players.html", context)


@require_safe
@never_cache
def following(request: HttpRequest) -> HttpResponse:
    """Shows the followed users, those present first; nobody else sees the list."""
    if not request.user.is_authenticated:
        return redirect("players")
    people = player_search.describe(relations.followed_by(request.user.pk))
    people.sort(key=lambda person: (not person.game_url, not person.is_here))
    return render(request, "people/following.html", {"people": people})


@require_safe
@never_cache
def blocked(request: HttpRequest) -> HttpResponse:
    """Shows the blocked users; nobody else sees the list."""
    if not request.user.is_authenticated:
        return redirect("players")
    context = {"users": relations.blocked_by(request.user.pk)}
    return render(request, "people/blocked.html", context)


@require_POST
@never_cache
def act(request: HttpRequest, verb: str) -> HttpResponse:
    """Follows, unfollows, blocks or unblocks the user `name`, and redirects to `next`."""
    if verb not in CHANGES:
        raise Http404
    if not request.user.is_authenticated:
        return redirect("account_login")
    change, say = CHANGES[verb]
    try:
        them = change(request.user, request.POST.get("name", ""))
    except Refused as refused:
        messages.error(request, refused.say)
    else:
        messages.success(request, say(them.username))
    back = request.POST.get("next", "")
    return redirect(back if is_own_path(back) else "players")


def relation_to(reader: Any, person: User) -> dict[str, bool]:
    """Returns which buttons the profile of a user has for a reader.

    They do not depend on whether the user has blocked the reader.
    """
    is_open = person.is_account and person.is_active and reader.pk != person.pk
    is_known = is_open and reader.is_authenticated
    has_blocked = is_known and relations.has_blocked(reader.pk, person.pk)
    return {
        "may_challenge": is_open and not has_blocked,
        "may_follow": is_known and reader.is_account and not has_blocked,
        "is_following": is_known and relations.is_following(reader.pk, person.pk),
        "may_block": is_known and not has_blocked,
        "has_blocked": has_blocked,
    }


CHANGES: dict[str, tuple[Change, Callable[[str], str]]] = {
    "follow": (relations.follow, lambda name: _("You follow %(name)s.") % {"name": name}),
    "unfollow": (
        relations.unfollow,
        lambda name: _("You no longer follow %(name)s.") % {"name": name},
    ),
    "block": (relations.block, lambda name: _("You blocked %(name)s.") % {"name": name}),
    "unblock": (relations.unblock, lambda name: _("You unblocked %(name)s.") % {"name": name}),
}
