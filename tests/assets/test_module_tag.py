"""The template tag for a page's script: one bundle, or modules with preloads."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from assets.collect import collect
from assets.entry_points import WORKERS, find_entry_points
from assets.module_tag import imports_of, module

STATIC = Path(settings.BASE_DIR) / "static"
MODULES = sorted(find_entry_points().modules - {*WORKERS})
EVERY_PAGE = re.search(
    r"{% block scripts %}{% module '(.*?)' %}",
    (Path(settings.BASE_DIR) / "templates" / "base.html").read_text(),
)[1]

IN_FRAMES = {"js/pages/study-embed-page.js"}  # of other sites: these pages know no session


@pytest.fixture(autouse=True)
def _read_anew() -> None:
    imports_of.cache_clear()


@pytest.mark.parametrize("entry", MODULES)
def test_every_import_of_every_module_is_named(entry: str) -> None:
    named = {entry, *imports_of(entry)}
    for each in named:
        text = (STATIC / each).read_text(encoding="utf-8")
        for other in re.findall(r'^(?:.* from|import) "(\.[^"]+)"', text, re.MULTILINE):
            reached = ((STATIC / each).parent / other).resolve().relative_to(STATIC.resolve())
            assert reached.as_posix() in named, (each, other)


@pytest.mark.parametrize("entry", [entry for entry in MODULES if entry not in IN_FRAMES])
def test_every_script_of_a_page_begins_with_what_all_pages_have(entry: str) -> None:
    name = entry
    while name != EVERY_PAGE:
        name = imports_of(name)[0]  # fails for a module that imports nothing


@pytest.mark.parametrize("entry", sorted(IN_FRAMES))
def test_a_page_in_a_frame_begins_with_the_policy_and_asks_for_nothing_of_its_reader(entry) -> None:
    named = imports_of(entry)
    assert named[0] == "js/lib/trusted-types.js"
    connected = (EVERY_PAGE, "js/lib/page-connection.js", "js/pages/my-games.js")
    assert not {*connected} & {*named}
    assert not [each for each in named if each.startswith(("js/notices/", "js/chat/"))]


def test_a_script_comes_after_its_preloads(folder, plain_storage) -> None:
    assert module("js/page.js").splitlines() == [
        '<link rel="modulepreload" href="/static/js/shared.js">',  # not the part, which comes later
        '<script type="module" src="/static/js/page.js"></script>',
    ]


def test_collected_sources_are_preloaded_by_their_new_names(folder, without_esbuild) -> None:
    collect()
    preload, script = module("js/page.js").splitlines()
    assert re.search(r'href="/static/sources-\w{12}/js/shared\.js"', preload)
    assert re.search(r'src="/static/sources-\w{12}/js/page\.js"', script)


def test_a_bundle_needs_no_preload(folder, esbuild) -> None:
    collect()
    found = re.fullmatch(
        r'<script type="module" src="/static/(js/\w+\.\w{8}\.js)"></script>', module("js/page.js")
    )
    text = (folder.parent / "collected" / found[1]).read_text()
    assert not re.search(r"(^|;)\s*import[^(]", text)


def test_a_module_that_is_missing_is_an_error(folder, plain_storage) -> None:
    (folder / "js/shared.js").unlink()
    with pytest.raises(FileNotFoundError, match="shared"):
        module("js/page.js")
