"""The words of the page's scripts in the language of the request."""

from functools import cache

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation.trans_real import DjangoTranslation

Texts = dict[str, str | list[str]]


def texts(request: HttpRequest) -> dict[str, Texts]:
    """For every template: `texts`; empty in English, the language of the scripts themselves."""
    return {"texts": catalogue(get_language() or settings.LANGUAGE_CODE)}


@cache
def catalogue(language: str) -> Texts:
    """English text → translation, or the list of its plural forms; from the domain `djangojs`."""
    if language.split("-")[0] == "en":
        return {}
    translation = DjangoTranslation(language, domain="djangojs", localedirs=settings.LOCALE_PATHS)
    found: Texts = {}
    entries = translation._catalog  # gettext keeps no public list of its messages
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
