"""The page of settings: name, ways into the account, and what each device keeps itself."""

from allauth.mfa.adapter import get_adapter
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.choices import DEVICE, LANGUAGES
from accounts.forms import Rename
from accounts.names import TAKEN
from accounts.people import NameTaken, TooSoon, may_rename_from, rename


@require_safe
@never_cache
def settings_page(request: HttpRequest) -> HttpResponse:
    """The settings of whoever looks, strangers too: a device has some without any user."""
    return _page(request, _form_of(request))


@require_POST
@never_cache
def change_name(request: HttpRequest) -> HttpResponse:
    """Changes the name shown; a stranger has none."""
    if not request.user.is_authenticated:
        return redirect("settings")
    form = Rename(request.POST)
    if form.is_valid():
        try:
            rename(request.user, form.cleaned_data["username"])
        except NameTaken:
            form.add_error("username", TAKEN)
        except TooSoon as error:
            form.add_error("username", too_soon(error.until))
    if form.errors:
        return _page(request, form, 400)
    messages.success(request, _("Your name is {name} now.").format(name=request.user.username))
    return redirect("settings")


def too_soon(until: object) -> str:
    """From when on the name may be changed again."""
    when = date_format(localtime(until), "j F Y, H:i")  # type: ignore[arg-type]
    return _("You changed it a short while ago. You can change it again from {when} (UTC).").format(
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
        "languages": [(code, LANGUAGES.get(code, name)) for code, name in settings.LANGUAGES],
    }
    return render(request, "accounts/settings.html", context, status=status)
