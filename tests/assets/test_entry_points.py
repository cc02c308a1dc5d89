"""Entry points of the bundles are the scripts that templates name."""

from assets.entry_points import EntryPoints, find_entry_points


def test_templates_name_modules_classic_scripts_and_style_sheets(folder) -> None:
    assert find_entry_points() == EntryPoints(
        modules={"js/page.js"}, classics={"js/theme.js"}, sheets={"css/pages/plain.css"}
    )
