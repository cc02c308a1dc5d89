"""View that stores the language which a visitor has chosen."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.i18n import set_language


def choose_language(request: HttpRequest) -> HttpResponse:
    """Store one of the site's languages in the cookie, and redirect to the page it was chosen on.

    Django's view also takes languages of which only Django itself has texts. Pages would then be
    in the browser's language, or in English.
    """
    response: HttpResponse = set_language(request)
    if request.POST.get("language") not in dict(settings.LANGUAGES):
        response.cookies.pop(settings.LANGUAGE_COOKIE_NAME, None)
    return response
