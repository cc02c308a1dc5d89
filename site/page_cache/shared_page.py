"""Render pages from a cache of the parts that are the same for all readers.

A page is cached as its text with slots, one for each `{% personal %}` of its templates and for each
CSRF token. A request finds it by template, language, address and the version of its contents, and
renders the slots alone. The cached part is rendered in a context without the request, with an
anonymous user: a part that was left outside the slots by mistake is drawn as for a stranger, and
can hold neither a name nor a token. The version must cover all contents, as the database has them;
so two processes show the same without notifying each other.
"""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.template import Template
from django.template.context import Context, RequestContext
from django.template.loader import get_template
from django.urls import ResolverMatch, get_script_prefix
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from page_cache import gzip_parts
from page_cache.personal_tag import CSRF_MARK, MARKS, SLOTS, Slot
from page_cache.store import BoundedStore

MAX_PAGES: Final = 512
MAX_BYTES: Final = 16 * 1024 * 1024
MIN_GZIP_BYTES: Final = 200  # as Django's own middleware has it
# Values of context processors that are the same for all readers. Settings are part of the key of a
# page; `texts` depend on its language, which is another part.
SETTINGS: Final = ("origin", "sends_mail", "operator", "source_url")
SHARED: Final = (*SETTINGS, "texts")
ACCEPTS_GZIP: Final = re.compile(r"\bgzip\b")
TOKEN: Final = -1  # in the place of a slot: the CSRF token


@dataclass(frozen=True, slots=True)
class SharedRequest:
    """The facts of a request that the shared part may use: those of its address."""

    path: str
    resolver_match: ResolverMatch | None
    method: str = "GET"


@dataclass(frozen=True, slots=True)
class Part:
    """A shared text, and the same compressed."""

    text: bytes
    packed: bytes


@dataclass(frozen=True, slots=True)
class CachedPage:
    """The shared parts of a page with slots between them."""

    parts: Sequence[Part | int]  # numbers of slots
    slots: Sequence[Slot]

    @property
    def size(self) -> int:
        """The bytes that it takes in memory, about."""
        texts = (part for part in self.parts if isinstance(part, Part))
        values = (msgspec.json.encode(slot.values) for slot in self.slots)
        return sum(len(part.text) + len(part.packed) for part in texts) + 8 * sum(map(len, values))


@dataclass(frozen=True, slots=True)
class Outline:
    """Inputs of a page besides the contents of its version; nothing of its reader."""

    template_name: str
    language: str | None
    path: str
    prefix: str  # of all addresses of the site
    resolver_match: ResolverMatch | None
    shared: Mapping[str, Any]  # values of context processors, by the names in SHARED

    def key(self, version: Hashable) -> Hashable:
        """Return the key in the cache of the page with this version of its contents."""
        known = tuple(self.shared[name] for name in SETTINGS)
        return self.template_name, self.language, self.path, known, version


PAGES: Final = BoundedStore[CachedPage](MAX_PAGES, MAX_BYTES)


def render_shared(
    request: HttpRequest,
    template_name: str,
    version: Hashable,
    read: Callable[[], Mapping[str, Any]],
    own: Mapping[str, Any] | None = None,
    note: Callable[[Outline], None] | None = None,
) -> HttpResponse:
    """Return the page of a request, compressed if the client accepts that.

    `version` differs whenever the contents do. `read` returns the variables of the shared part; it
    is called if this version is not cached. `own` has variables for the personal parts alone.
    `note` receives the arguments with which `draw_page` draws the same page for another version.
    """
    template: Template = get_template(template_name).template  # type: ignore[attr-defined]
    context = RequestContext(request, {**(own or {})})
    with context.bind_template(template):  # runs the context processors
        outline = Outline(
            template_name,
            get_language(),
            request.path,
            get_script_prefix(),
            request.resolver_match,
            {name: context[name] for name in SHARED},
        )
        page = PAGES.get(outline.key(version)) or draw_page(outline, version, read())
        with context.render_context.push_state(template):
            parts = _fill(page, context)
    if note is not None:
        note(outline)
    return _answer(request, parts)


def draw_page(outline: Outline, version: Hashable, values: Mapping[str, Any]) -> CachedPage:
    """Draw the shared part of a page in the active language, and cache it."""
    page = _draw(outline, values)
    PAGES.put(outline.key(version), page, page.size)
    return page


def _draw(outline: Outline, values: Mapping[str, Any]) -> CachedPage:
    """Return the shared part of a page, rendered without its reader."""
    template: Template = get_template(outline.template_name).template  # type: ignore[attr-defined]
    slots = list[Slot]()
    shared = {
        **outline.shared,
        **values,
        "request": SharedRequest(outline.path, outline.resolver_match),
        "user": AnonymousUser(),
        "csrf_token": CSRF_MARK,
        SLOTS: slots,
    }
    pieces = MARKS.split(template.render(Context(shared)))
    parts: list[Part | int] = []
    for index, piece in enumerate(pieces):
        if index % 2:
            parts.append(TOKEN if piece == "token" else int(piece[:-1]))
        elif piece:
            text = piece.encode()
            parts.append(Part(text, gzip_parts.deflate(text)))
    return CachedPage(tuple(parts), tuple(slots))


def _fill(page: CachedPage, context: RequestContext) -> list[Part]:
    """Return the parts of a page for one reader."""
    parts = []
    for part in page.parts:
        if isinstance(part, int):
            text = _fill_slot(page, part, context).encode()
            part = Part(text, b"")
        parts.append(part)
    return parts


def _fill_slot(page: CachedPage, number: int, context: RequestContext) -> str:
    if number == TOKEN:
        return str(context["csrf_token"])
    slot = page.slots[number]
    with context.push(**slot.values):
        return slot.nodelist.render(context)


def _answer(request: HttpRequest, parts: Sequence[Part]) -> HttpResponse:
    """Return the response; a part without a compressed form is compressed now."""
    body = b"".join(part.text for part in parts)
    accepts = ACCEPTS_GZIP.search(request.headers.get("Accept-Encoding", "")) is not None
    if not accepts or len(body) < MIN_GZIP_BYTES:
        response = HttpResponse(body)
    else:
        packed = (
            (part.text, part.packed or gzip_parts.deflate(part.text, gzip_parts.FAST_LEVEL))
            for part in parts
        )
        response = HttpResponse(gzip_parts.join(packed), headers={"Content-Encoding": "gzip"})
    if len(body) >= MIN_GZIP_BYTES:
        patch_vary_headers(response, ("Accept-Encoding",))
    return response
