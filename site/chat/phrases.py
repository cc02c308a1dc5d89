"""Phrases that everybody may say; each is shown in the reader's language.

The pages' scripts have the same texts under the same keys.
"""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from chat.models import Circle

WORDS = {
    "hello": _("Hello"),
    "luck": _("Good luck"),
    "welcome": _("Welcome"),
    "ready": _("I’m ready"),
    "moment": _("Just a moment"),
    "friend": _("I’m waiting for a friend"),
    "sides": _("Shall we swap sides?"),
    "clock": _("Shall we change the clock?"),
    "which": _("Which game shall we play?"),
    "yes": _("Yes"),
    "no": _("No, thanks"),
    "thanks": _("Thank you"),
    "sorry": _("Sorry"),
    "back": _("I’m back"),
    "move": _("Good move"),
    "played": _("Well played"),
    "game": _("Good game"),
    "again": _("Another game?"),
    "slip": _("My finger slipped"),
    "bye": _("I have to go"),
    "close": _("It’s close"),
    "unexpected": _("I didn’t see that coming"),
    "ahead": _("Who’s winning?"),
    "first": _("I’d rather go first"),
    "second": _("I’d rather go second"),
    "idea": _("Great idea"),
    "learning": _("I’m learning a lot"),
}

_LOBBY = "hello welcome luck ready moment which clock sides friend yes no thanks bye"
_PLAYERS = "hello luck thanks move moment back sorry slip played game again bye"
_WATCHERS = "hello move played close ahead unexpected idea first second learning thanks bye"

# Phrases on offer by circle.
PHRASES: Mapping[Circle, tuple[str, ...]] = {
    "lobby": tuple(_LOBBY.split()),
    "players": tuple(_PLAYERS.split()),
    "watchers": tuple(_WATCHERS.split()),
}
