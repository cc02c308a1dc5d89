"""A search as pages show it, in the active language."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.catalogue import RULES
from lobby.pairing.models import Search
from play.domain.clocks import now
from play.game_texts import name_of
from play.time_controls import clock_label, clock_of, time_label

ENDS: Mapping[str, str | Promise] = {
    Search.Why.STOPPED: "",
    Search.Why.LEFT: gettext_lazy("The search stopped because you left this page."),
    Search.Why.NO_ANSWER: gettext_lazy(
        "We found an opponent, but this page didn’t answer in time. Search again?"
    ),
    Search.Why.DECLINED: gettext_lazy("You turned the game down, so the search stopped."),
    Search.Why.PLAYING: gettext_lazy("You’re playing another game, so the search stopped."),
}


def choice_texts(choices: Sequence[Sequence[str]]) -> list[str]:
    """Return each game with its clocks: `Pincer · 3 + 2, 5 + 3`."""
    clocks: dict[str, list[str]] = {}
    for key, clock in choices:
        if key in RULES:
            clocks.setdefault(key, []).append(time_label(clock_of(clock)))
    return [f"{name_of(key)} · {', '.join(labels)}" for key, labels in clocks.items()]


TERMS: Mapping[str, str | Promise] = {
    Search.Rated.NO: gettext_lazy("Casual"),
    Search.Rated.YES: gettext_lazy("Rated"),
    Search.Rated.EITHER: gettext_lazy("Rated or casual"),
}


def terms_text(search: Search) -> str:
    """Return whether the games of a search are rated."""
    return str(TERMS[search.rated])


def is_only_rated(search: Search) -> bool:
    """Return whether a search for rated games could take casual ones too."""
    return search.rated == Search.Rated.YES


def search_frame(search: Search) -> dict[str, Any]:
    """Return the fields of `search_topics.SearchState` but its rev."""
    is_asked = search.state == Search.State.ASKED
    is_ended = search.state == Search.State.ENDED
    return {
        "state": search.state,
        "now": now(),
        "since": search.created,
        "choices": choice_texts(search.choices),
        "terms": terms_text(search),
        "only_rated": is_only_rated(search),
        "pairing": search.deadline or 0,
        "asks": is_asked and search.is_busy,
        "offer": _offer(search) if is_asked else "",
        "tab": search.tab,
        "answered": search.is_answered,
        "game": search.game.get_absolute_url() if search.game else None,
        "left": is_ended and search.why == Search.Why.LEFT,
        "say": str(ENDS.get(search.why, "")) if is_ended else "",
    }


def _offer(search: Search) -> str:
    say = (
        _("%(name)s is here: %(game)s, %(clock)s, rated. Play now?")
        if search.is_rated
        else _("%(name)s is here: %(game)s, %(clock)s. Play now?")
    )
    return say % {
        "name": search.partner.username if search.partner else "",
        "game": name_of(search.rules),
        "clock": clock_label(search.rules, clock_of(search.clock)),
    }
