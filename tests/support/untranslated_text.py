"""Detection of English text left on translated pages."""

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from html.parser import HTMLParser

from accounts.people.computer_users import NAMES
from tests.support.catalogues import CATALOGUES, catalogue_of, english_texts, translations

TURKISH = [path for path in CATALOGUES if "tr" in path.parts]
# Blocks of JSON with texts for people.
DATA = {"lobby-now", "lists-now", "lessons-data", "mine-now", "finished", "puzzle-data"}
SPOKEN = {"aria-label", "aria-valuetext", "title", "placeholder", "alt"}
DESCRIBING = {"description", "og:title", "og:description", "og:image:alt"}
SLOT = re.compile(r"%\(\w+\)[sd]|\{\w*\}|<[^>]*>|&\w+;")
WORD = re.compile(r"[^\W\d_]{2,}")
# Themselves in every language: the site, a language, people (Q… in tests), computer players, keys,
# a file format, addresses.
BY_NAME = re.compile(
    r"\b(Quiver|English|Türkçe|Blotto|Fletcher|q[a-z]+|Tab|Enter|Esc|Home|End|Ctrl|Shift|JSON|"
    + "|".join(NAMES)
    + r")\b|\S+@\S+|https?://\S+"
)
GUEST = re.compile(r"\b[a-z]+-[a-z]+(-\d+)?\b")  # a guest's name is made of English words


class Page(HTMLParser):
    """Collects everything on a page that somebody reads or hears, templates of rows as well."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.inside: str | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.inside = None
        if tag in ("script", "style", "code"):  # code: names of cookies and keys
            self.inside = told.get("id") or tag
        spoken = [told.get(name) for name in SPOKEN]
        if (told.get("name") or told.get("property")) in DESCRIBING:
            spoken.append(told.get("content"))
        self.texts += [text for text in spoken if text]

    def handle_endtag(self, tag: str) -> None:
        self.inside = None

    def handle_data(self, data: str) -> None:
        if self.inside is None:
            self.texts.append(data)
        elif self.inside in DATA:
            self.texts += sentences(json.loads(data))


def sentences(value: object) -> Iterator[str]:
    """The texts in a JSON value that hold more than one word; scripts name what a snapshot has."""
    if isinstance(value, dict):
        value = [each for key, each in value.items() if key != "snapshot"]
    if isinstance(value, list):
        for each in value:
            yield from sentences(each)
    elif isinstance(value, str) and " " in value:
        yield value


def read(html: str) -> set[str]:
    """Everything on a page that has words, apart from names."""
    texts = (re.sub(r"\s+", " ", text).strip() for text in Page(html).texts)
    return {text for text in texts if WORD.search(BY_NAME.sub("", GUEST.sub("", text)))}


def _words(text: str) -> set[str]:
    return {word.lower() for word in WORD.findall(SLOT.sub(" ", text))}


@cache
def english_words() -> frozenset[str]:
    """The words of the English texts that are in no Turkish one."""
    english: set[str] = set()
    turkish = {"quiver"}
    for entry in (entry for path in TURKISH for entry in catalogue_of(path)):
        english |= _words(" ".join(english_texts(entry)))
        turkish |= _words(" ".join(translations(entry)))
    return frozenset(english - turkish)


def english_in(texts: Iterable[str]) -> dict[str, set[str]]:
    """The texts with English words, and these."""
    known = english_words()
    bare = ((text, _words(BY_NAME.sub("", GUEST.sub("", text)))) for text in texts)
    return {text: words & known for text, words in bare if words & known}
