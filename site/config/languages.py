"""The language of a visitor: the view that stores a choice, the texts of the scripts."""

from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation.trans_real import DjangoTranslation
from django.views.i18n import set_language

Texts = dict[str, str | list[str]]


def choose_language(request: HttpRequest) -> HttpResponse:
    """Store one of the site's languages in the cookie, and redirect to the page it was chosen on.

    Django's view also takes languages of which only Django itself has texts. Pages would then be
    in the browser's language, or in English.
    """
    response: HttpResponse = set_language(request)
    if request.POST.get("language") not in dict(settings.LANGUAGES):
        response.cookies.pop(settings.LANGUAGE_COOKIE_NAME, None)
    return response


def texts(request: HttpRequest) -> dict[str, Texts]:
    """Return `texts` for every template; empty in English, the language of the scripts."""
    return {"texts": catalogue(get_language() or settings.LANGUAGE_CODE)}


@cache
def catalogue(language: str) -> Texts:
    """Return the domain `djangojs`: English text to translation, or to a list of plural forms."""
    if language.split("-")[0] == "en":
        return {}
    paths = [str(path) for path in settings.LOCALE_PATHS]
    translation = DjangoTranslation(language, domain="djangojs", localedirs=paths)
    found: Texts = {}
    # gettext keeps no public list of its messages
    entries = translation._catalog  # type: ignore[attr-defined]
    for key, text in entries.items():
        if isinstance(key, tuple):
            english, index = key
            forms = found.setdefault(english, [])
            assert isinstance(forms, list)
            forms.extend([""] * (index + 1 - len(forms)))
            forms[index] = text
        elif key:
            found[key] = text
    return found
