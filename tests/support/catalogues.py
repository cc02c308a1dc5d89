"""The catalogues of translations, each parsed once in a run."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import polib
from django.conf import settings

LOCALE = Path(settings.LOCALE_PATHS[0])
CATALOGUES = sorted(LOCALE.glob("*/LC_MESSAGES/*.po"))


@cache
def catalogue_of(path: Path) -> polib.POFile:
    """Return the entries of a catalogue."""
    return polib.pofile(str(path))


def english_texts(entry: polib.POEntry) -> Iterator[str]:
    """Yield the English text of an entry, and that of many where it has one."""
    yield from filter(None, (entry.msgid, entry.msgid_plural))


def translations(entry: polib.POEntry) -> Iterator[str]:
    """Yield the translation of an entry, or those of its plural forms."""
    yield from filter(None, (entry.msgstr, *entry.msgstr_plural.values()))


def bare_texts(catalogue: polib.POFile) -> list[str]:
    """Return the English texts without a translation that counts."""
    return [entry.msgid for entry in catalogue if not entry.translated() or entry.fuzzy]
