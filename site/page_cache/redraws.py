"""Pages that were asked for lately, so that they can be drawn for a new version beforehand.

Drawing the shared part of a page costs about as much as four views of it from the cache. A
background refresh draws these pages before it publishes the new version.
"""

import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from django.urls import set_script_prefix
from django.utils.translation import override

from page_cache.shared_page import Outline, draw_page

T = TypeVar("T")
KEPT_S: Final = 5.0  # after the last request for a page
MAX_NOTED: Final = 8  # languages by templates: no reader can make more of them


@dataclass(frozen=True, slots=True)
class _Asked(Generic[T]):
    outline: Outline
    read: Callable[[T], Mapping[str, Any]]
    at: float  # seconds of the monotonic clock


class Redraws(Generic[T]):
    """The pages of a source of contents, such as a reading of lists. Threads may share it."""

    def __init__(self) -> None:
        self._asked: dict[Hashable, _Asked[T]] = {}

    def note(self, outline: Outline, read: Callable[[T], Mapping[str, Any]]) -> None:
        """Note a request for a page; `read` returns the variables of its shared part."""
        key = outline.key(None)
        if key in self._asked or len(self._asked) < MAX_NOTED:
            self._asked[key] = _Asked(outline, read, time.monotonic())

    def recent(self) -> "Redraws[T]":
        """Return a copy with the pages that were asked for within `KEPT_S`."""
        copy, since = Redraws[T](), time.monotonic() - KEPT_S
        copy._asked = {key: asked for key, asked in list(self._asked.items()) if asked.at > since}
        return copy

    def draw(self, version: Hashable, source: T) -> None:
        """Draw and cache each page from a source; changes the thread's prefix of addresses."""
        for asked in list(self._asked.values()):
            set_script_prefix(asked.outline.prefix)
            with override(asked.outline.language):
                draw_page(asked.outline, version, asked.read(source))
