"""Views of the settings page: name, log-in methods, and settings of the device.

The names and values of the device's settings are those of `static/js/lib/settings.js`.
"""

from dataclasses import dataclass
from typing import Any

from allauth.mfa.adapter import get_adapter
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.account_service import TooSoon, may_rename_from, rename_user
from accounts.forms import Rename
from accounts.models import User
from accounts.people.name_claims import NameTaken

ON = pgettext_lazy("a setting", "On")
OFF = pgettext_lazy("a setting", "Off")


@dataclass(frozen=True, slots=True)
class Choice:
    """One setting: its values with their labels, a sentence on its effect, and pictures or none."""

    name: str
    label: Any
    values: tuple[tuple[str, Any], ...]
    hint: Any = ""
    has_pictures: bool = False  # drawn by static/js/settings/setting-pictures.js


DEVICE = (
    Choice(
        "theme",
        gettext_lazy("Theme"),
        (
            ("system", gettext_lazy("System")),
            ("light", pgettext_lazy("a theme", "Light")),
            ("dark", pgettext_lazy("a theme", "Dark")),
        ),
    ),
    Choice(
        "ground",
        gettext_lazy("Board"),
        (
            ("paper", pgettext_lazy("a board", "Paper")),
            ("slate", pgettext_lazy("a board", "Slate")),
            ("meadow", pgettext_lazy("a board", "Meadow")),
            ("contrast", gettext_lazy("High contrast")),
        ),
        has_pictures=True,
    ),
    Choice(
        "figures",
        gettext_lazy("Amazons pieces"),
        (
            ("bows", pgettext_lazy("pieces", "Bows")),
            ("crowns", pgettext_lazy("pieces", "Crowns")),
            ("discs", pgettext_lazy("pieces", "Discs")),
        ),
        has_pictures=True,
    ),
    Choice(
        "motion",
        gettext_lazy("Motion"),
        (
            ("system", gettext_lazy("System")),
            ("full", pgettext_lazy("motion", "Full")),
            ("quick", pgettext_lazy("motion", "Quick")),
            ("off", OFF),
        ),
        has_pictures=True,
    ),
    Choice(
        "zen",
        gettext_lazy("Zen mode"),
        (("off", OFF), ("on", ON)),
        gettext_lazy(
            "Shows only the board, names and clocks. Press Z in a game to turn it on or off."
        ),
        has_pictures=True,
    ),
    Choice(
        "sounds",
        gettext_lazy("Sounds"),
        (
            ("off", OFF),
            ("low", pgettext_lazy("volume", "Low")),
            ("on", pgettext_lazy("volume", "Full")),
        ),
    ),
    Choice(
        "send",
        gettext_lazy("Confirm moves"),
        (
            ("once", gettext_lazy("Never")),
            ("tap", gettext_lazy("Second tap")),
            ("button", pgettext_lazy("a setting", "Button")),
        ),
        gettext_lazy("Lets you check your whole move before it is sent."),
    ),
    Choice("coordinates", gettext_lazy("Coordinates"), (("on", ON), ("off", OFF))),
    Choice(
        "side",
        gettext_lazy("Bottom of the board"),
        (
            ("own", pgettext_lazy("side", "Mine")),
            ("white", gettext_lazy("First player")),
            ("black", gettext_lazy("Second player")),
        ),
    ),
    Choice(
        "chat",
        gettext_lazy("Chat"),
        (("on", pgettext_lazy("chat", "Shown")), ("off", pgettext_lazy("chat", "Hidden"))),
    ),
    Choice(
        "watch",
        gettext_lazy("Your name among spectators"),
        (("named", pgettext_lazy("chat", "Shown")), ("unseen", pgettext_lazy("chat", "Hidden"))),
        gettext_lazy("Hidden: you’re counted, but your name isn’t shown."),
    ),
    Choice(
        "letters",
        gettext_lazy("Letter keys on the board"),
        (("on", ON), ("off", OFF)),
        gettext_lazy(
            "Read the game aloud: O for the position, T for the clocks, L for the last move."
        ),
    ),
)


@require_safe
@never_cache
def settings_page(request: HttpRequest) -> HttpResponse:
    """Return the settings page, also for visitors without a session, who have device settings."""
    return _page(request, _form_of(request))


@require_POST
@never_cache
def change_name(request: HttpRequest) -> HttpResponse:
    """Change the shown name; visitors without a session are redirected to the page."""
    if not request.user.is_authenticated:
        return redirect("settings")
    form = Rename(request.POST)
    if form.is_valid():
        try:
            rename_user(request.user, form.cleaned_data["username"])
        except NameTaken as taken:
            form.add_error("username", taken)
        except TooSoon as error:
            form.add_error("username", too_soon(error.until))
    if form.errors:
        return _page(request, form, 400)
    messages.success(request, _("Your name is now {name}.").format(name=request.user.username))
    return redirect("settings")


@require_POST
@never_cache
def choose_holidays(request: HttpRequest) -> HttpResponse:
    """Store whether holidays begin by themselves: `holidays`, on or off.

    Visitors without a session are redirected to the page. Raises BadRequest for another value.
    """
    if not request.user.is_authenticated:
        return redirect("settings")
    chosen = request.POST.get("holidays")
    if chosen not in ("on", "off"):
        raise BadRequest("holidays are on or off")
    User.objects.filter(pk=request.user.pk).update(has_holidays=chosen == "on")
    messages.success(request, _("Saved."))
    return redirect("settings")


def too_soon(until: object) -> str:
    """Return the sentence on when the name may be changed again."""
    when = date_format(localtime(until), "j F Y, H:i")  # type: ignore[arg-type]
    return _("You changed it recently. You can change it again after {when} (UTC).").format(
        when=when
    )


def _form_of(request: HttpRequest) -> Rename | None:
    if not request.user.is_authenticated:
        return None
    return Rename(initial={"username": request.user.username})


def _page(request: HttpRequest, form: Rename | None, status: int = 200) -> HttpResponse:
    until = may_rename_from(request.user) if request.user.is_authenticated else None
    is_account = request.user.is_authenticated and request.user.is_account
    context = {
        "form": form,
        "has_second_factor": is_account and get_adapter().is_mfa_enabled(request.user),
        "wait": too_soon(until) if until else "",
        "device": DEVICE,
        "languages": settings.LANGUAGES,
    }
    return render(request, "accounts/settings.html", context, status=status)
