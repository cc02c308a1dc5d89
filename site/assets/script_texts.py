"""Static files with the translated texts of the scripts, `texts/tr.js`, made at each collection.

A page loads that of its language, which browsers keep, before its module: both are deferred, and
the browser runs them in the order of the page. `static/js/lib/text.js` reads what it leaves.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage, Storage
from django.http import HttpRequest
from django.utils.translation import override
from django.views.i18n import JSONCatalog

PACKAGE: Final = "config"  # the app with the catalogues


def file_of(language: str) -> str:
    """Return the name of the file of a language; empty for that of the scripts themselves."""
    names = dict(settings.LANGUAGES).keys() - {settings.LANGUAGE_CODE}
    found = next((each for each in (language, language.split("-")[0]) if each in names), "")
    return f"texts/{found}.js" if found else ""


def catalogue(language: str) -> dict[str, str | list[str]]:
    """Return the domain `djangojs`: English text to translation, or to a list of plural forms."""
    with override(language):
        answer = JSONCatalog().get(HttpRequest(), packages=PACKAGE)
    texts: dict[str, str | list[str]] = json.loads(answer.content)["catalog"]
    return texts


def script(language: str) -> bytes:
    """Return the contents of the file of a language."""
    texts = json.dumps(catalogue(language), ensure_ascii=False, sort_keys=True)
    return f"globalThis.quiverTexts={texts};\n".encode()


class ScriptTextsFinder(BaseFinder):
    """Finds the files of all languages, which lie in no folder."""

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Storage]]:
        """Yield the name of each file and the storage that has it."""
        storage = InMemoryStorage()
        for name, language in _files().items():
            storage.save(name, ContentFile(script(language)))
            yield name, storage

    def find(self, path: str, find_all: bool = False, **options: Any) -> Any:  # overloaded in stubs
        """Return the path of a copy in the data folder, from where it is served with DEBUG."""
        if path not in (files := _files()):
            return []
        copy = Path(settings.DATA_DIR) / path
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(script(files[path]))
        return [str(copy)] if find_all else str(copy)


def _files() -> dict[str, str]:
    """Return the language of each file, by name."""
    return {name: each for each in dict(settings.LANGUAGES) if (name := file_of(each))}
