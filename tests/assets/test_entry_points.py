"""Entry points of the bundles are the scripts that templates name."""

from pathlib import Path

from django.conf import settings

from assets.entry_points import WORKERS, EntryPoints, find_entry_points


def test_templates_name_modules_classic_scripts_and_style_sheets(folder) -> None:
    assert find_entry_points() == EntryPoints(
        modules={"js/page.js"}, classics={"js/theme.js"}, sheets={"css/pages/plain.css"}
    )


def test_the_sites_own_templates_name_files_that_exist() -> None:
    found = find_entry_points()
    assert len(found.modules) > 5 and len(found.classics) == 1 and len(found.sheets) > 5
    for name in found.modules | found.classics | found.sheets:
        assert (Path(settings.BASE_DIR) / "static" / name).is_file(), name


def test_scripts_of_workers_are_entry_points_too() -> None:
    assert {*WORKERS} <= find_entry_points().modules


def test_every_style_sheet_for_a_kind_of_page_is_named() -> None:
    static = Path(settings.BASE_DIR) / "static"
    sheets = {path.relative_to(static).as_posix() for path in static.glob("css/pages/*.css")}
    assert sheets == find_entry_points().sheets
