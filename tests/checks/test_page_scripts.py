"""Scripts and style sheets that the site's templates name, and the imports of these scripts."""

import re

import pytest

from assets.entry_points import WORKERS, find_entry_points
from assets.module_tag import imports_of
from tests.checks.project_files import ROOT, STATIC, text_of

MODULES = sorted(find_entry_points().modules - {*WORKERS})
EVERY_PAGE = re.search(
    r"{% block scripts %}{% module '(.*?)' %}",
    text_of(ROOT / "templates" / "base.html"),
)[1]
IN_FRAMES = {"js/pages/study-embed-page.js"}  # of other sites: these pages know no session


@pytest.mark.parametrize("entry", MODULES)
def test_every_import_of_every_module_is_named(entry: str) -> None:
    named = {entry, *imports_of(entry)}
    for each in named:
        text = text_of(STATIC / each)
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


def test_the_sites_own_templates_name_files_that_exist() -> None:
    found = find_entry_points()
    assert len(found.modules) > 5 and len(found.classics) == 1 and len(found.sheets) > 5
    for name in found.modules | found.classics | found.sheets:
        assert (STATIC / name).is_file(), name


def test_scripts_of_workers_are_entry_points_too() -> None:
    assert {*WORKERS} <= find_entry_points().modules


def test_every_style_sheet_for_a_kind_of_page_is_named() -> None:
    sheets = {path.relative_to(STATIC).as_posix() for path in STATIC.glob("css/pages/**/*.css")}
    assert sheets == find_entry_points().sheets
