"""The language of a visitor: the view that stores a choice, the texts of the scripts."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.views.i18n import set_language

from assets.script_texts import file_of


def choose_language(request: HttpRequest) -> HttpResponse:
    """Store one of the site's languages in the cookie, and redirect to the page it was chosen on.

    Django's view also takes languages of which only Django itself has texts. Pages would then be
    in the browser's language, or in English.
    """
    response: HttpResponse = set_language(request)
    if request.POST.get("language") not in dict(settings.LANGUAGES):
        response.cookies.pop(settings.LANGUAGE_COOKIE_NAME, None)
    return response


def script_texts(request: HttpRequest) -> dict[str, str]:
    """Return `script_texts` for every template: the static file with the texts of the scripts.

    Empty in English, the language of the scripts.
    """
    return {"script_texts": file_of(get_language() or settings.LANGUAGE_CODE)}
