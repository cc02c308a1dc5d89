"""What is collected for browsers: linked scripts and style sheets in the place of their sources."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from posixpath import dirname, join, normpath
from typing import Final

from django.contrib.staticfiles.finders import FileSystemFinder
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from django.utils import timezone
from rcssmin import cssmin

from config.linking import Source, alone, linked
from config.scripts import Unlinkable

BASE: Final = "js/everywhere.js"
# The modules that stand on one page together; a reader with games has `mine` on every page.
PAGES: Final = tuple(
    ("js/mine.js", *scripts)
    for scripts in (
        ("js/board-game.js",),
        ("js/home.js", "js/learn/index.js"),
        ("js/learn/learn.js",),
        ("js/ledger/page.js",),
        ("js/lobby.js",),
        ("js/profile.js",),
        ("js/settings-page.js",),
        ("js/troops-game.js",),
    )
)
CLASSIC: Final = ("js/theme.js",)  # runs before anything is painted
SHEETS: Final = "css/pages/"  # one sheet for each kind of page, made of @import alone
INCLUDE: Final = re.compile(r'@import "([^"]+)";')


class LinkedFinder(FileSystemFinder):
    """Finds each source by itself while the site is worked on, and lists the linked files for
    collection."""

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Storage]]:
        """The files to collect: what needs no linking as it is, then the linked ones."""
        sources: dict[str, Storage] = {}
        for path, storage in super().list(ignore_patterns):
            name = path.replace("\\", "/")
            if name.startswith(("js/", "css/")):
                sources[name] = storage
            else:
                yield path, storage
        made = Made(dict(built(sources)))
        for name in made.texts:
            yield name, made


class Made(Storage):
    """Files that are on no disk before they are collected."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    def _open(self, name: str, mode: str) -> ContentFile:
        return ContentFile(self.texts[name].encode())

    def path(self, name: str) -> str:
        """What the collecting command calls a file when it tells of it."""
        return name

    def get_modified_time(self, name: str) -> datetime:
        """Newer than whatever has been collected before."""
        return timezone.now()


def built(sources: dict[str, Storage]) -> Iterator[tuple[str, str]]:
    """The scripts and style sheets that pages ask for, name and text."""

    def read(name: str) -> str:
        if name not in sources:
            raise FileNotFoundError(name)
        with sources[name].open(name) as file:
            return str(file.read().decode())

    yield from linked(BASE, PAGES, read)
    for name in CLASSIC:
        yield name, alone(name, read)
    for name in sources:
        if name.startswith(SHEETS):
            yield name, cssmin(sheet(name, read))


def sheet(name: str, read: Source) -> str:
    """A style sheet with those that it imports in their places. Raises Unlinkable, for an address
    would mean another file than before, and FileNotFoundError."""
    text = read(name)
    if "url(" in text:
        raise Unlinkable(f"{name}: an address, which depends on where the sheet is")
    return INCLUDE.sub(lambda match: sheet(normpath(join(dirname(name), match[1])), read), text)
