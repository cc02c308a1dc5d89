"""Pages behind the links of mails: to the game, to unsubscribe; and mails after a bounce again."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from accounts.login.code_sign_in import code_request_page
from accounts.views import for_accounts
from notices.mail.bounces import forget_bounce
from notices.mail.links import EVERYTHING, read_page_link, read_unsubscription
from notices.mail.unsubscribing import unsubscribe

OLD_LINK_STATUS = 410
BROKEN_LINK_STATUS = 404


@never_cache
@require_safe
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """Redirect to the page that a mail links to; offer a code to those who aren't signed in."""
    link = read_page_link(token)
    if link is None:
        return render(request, "notices/mail/link_invalid.html", status=BROKEN_LINK_STATUS)
    if request.user.is_authenticated and request.user.is_account:
        return redirect(link.path)
    if link.address is None:
        return redirect(link.path)
    return code_request_page(request, link.address, link.path)


@csrf_exempt
@never_cache
def unsubscribe_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show the button that turns mails off; turn them off by POST, also from mail programs.

    The signed token stands for the CSRF token: mail programs have neither page nor cookie.
    """
    link = read_unsubscription(token)
    if link is None or not link.is_current:
        status = BROKEN_LINK_STATUS if link is None else OLD_LINK_STATUS
        return render(request, "notices/mail/link_invalid.html", status=status)
    if request.method == "POST":
        unsubscribe(link.user_id, link.scope)
    elif request.method not in ("GET", "HEAD"):
        return HttpResponse(status=405, headers={"Allow": "GET, HEAD, POST"})
    context = {"is_done": request.method == "POST", "is_everything": link.scope == EVERYTHING}
    return render(request, "notices/mail/unsubscribe.html", context)


@require_POST
def resume(request: HttpRequest) -> HttpResponse:
    """Send mails to the user's address again, although it refused one."""
    return for_accounts(_resume)(request)  # type: ignore[return-value]


def _resume(request: HttpRequest) -> HttpResponse:
    if request.user.pk is not None:  # `for_accounts` lets nobody else in
        forget_bounce(request.user.pk)
    messages.success(request, _("We’ll send emails to your address again."))
    return redirect("notification-settings")
