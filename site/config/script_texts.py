"""Context processor that adds the translations of the scripts' texts."""

from functools import cache

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation.trans_real import DjangoTranslation

Texts = dict[str, str | list[str]]


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
