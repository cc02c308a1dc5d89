"""View of the settings of notifications."""

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from notices.preferences.preferences import of
from notices.preferences.preferences_form import PreferencesForm
from notices.push import vapid


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def notification_settings(request: HttpRequest) -> HttpResponse:
    """Show and change times and channels of notifications; visitors sign in first."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    user: User = request.user
    prefs = of(user.pk)
    if request.method == "POST":
        form = PreferencesForm(user, prefs, request.POST)
        if form.is_valid():
            form.save()
            messages.success(request, _("Notification settings saved."))
            return redirect("notification-settings")
    else:
        form = PreferencesForm(user, prefs)
    context = {
        "form": form,
        "mail_state": mail_state(user, prefs.mail_bounced),
        "has_push": bool(vapid.public_key()),
    }
    return render(request, "notices/settings.html", context, status=400 if form.errors else 200)


def mail_state(user: User, bounced: int | None) -> str:
    """Return whether the site can write to a user, or why not."""
    if not settings.SENDS_MAIL:
        return "off"
    if not user.is_account:
        return "guest"
    if not EmailAddress.objects.filter(user=user, verified=True).exists():
        return "unconfirmed"
    return "bounced" if bounced is not None else "on"
