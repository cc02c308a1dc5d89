"""Countries of ISO 3166-1 with their names, for the country that people may show.

`LANGUAGE.tsv` has a line for each of the 249 codes, in the order of the language's alphabet. The
names are those of Unicode CLDR 48, which Babel 2.18 has. No package is needed for them:
django-countries 9.1 (4.2 MB) has its Turkish names under `tr_TR`, which Django does not read for
`tr`, and lacks some; pycountry 26.2 takes 23 MB, most of it for languages and regions.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from django.conf import settings
from django.utils.translation import get_language

FOLDER: Final = Path(__file__).parent
REGIONAL_A: Final = 0x1F1E6  # REGIONAL INDICATOR SYMBOL LETTER A; two of them are a flag


def country_names() -> Mapping[str, str]:
    """Return the names of all countries by code in the active language, in its order."""
    return _read((get_language() or settings.LANGUAGE_CODE).partition("-")[0])


def flag_of(code: str) -> str:
    """Return the flag of a country as an emoji; systems without flags show its two letters."""
    return "".join(chr(REGIONAL_A + ord(letter) - ord("A")) for letter in code)


@cache
def _read(language: str) -> Mapping[str, str]:
    known = {code for code, _ in settings.LANGUAGES}
    if language not in known:
        language = settings.LANGUAGE_CODE
    lines = (FOLDER / f"{language}.tsv").read_text(encoding="utf-8").splitlines()
    return MappingProxyType(dict(line.split("\t", 1) for line in lines))
